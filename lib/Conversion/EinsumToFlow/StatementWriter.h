//===- StatementWriter.h - The streams of one statement ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills a statement's table, index by index in its order: a row is an index, a
// column a view of a tensor, a cell the stream that this view has at this
// index. A view is a stored tensor, which is scanned, or the streams that
// another statement of the region hands on.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_EINSUMTOFLOW_STATEMENTWRITER_H
#define HEDDLE_LIB_CONVERSION_EINSUMTOFLOW_STATEMENTWRITER_H

#include "heddle/Conversion/EinsumToFlow.h"

#include "mlir/IR/Builders.h"

#include <functional>
#include <memory>

namespace heddle {

/// What a statement computes, before it is written: coordinates by level of the
/// order in which they come, and values.
struct StreamedResult {
  std::vector<int> indices; ///< of the statement, outermost first
  std::vector<int> stored;  ///< those of the levels of its format
  std::vector<mlir::Value> crds;
  mlir::Value value;
  /// By level: it has every coordinate below each of the level outside.
  std::vector<bool> isAll;
  /// Every element is there that a stored tensor has.
  bool isWhole = true;
};

struct Repeated;

/// One use of a tensor in a statement.
struct View {
  const sparse::Access *access = nullptr;
  mlir::Value tensor;                      ///< if it is stored
  const StreamedResult *streams = nullptr; ///< if it is handed on
  /// If its statement is carried out again here, below what stands outside of
  /// it; `streams` then follows behind its first index, when the next one or
  /// its value is needed.
  std::shared_ptr<Repeated> repeated;
  mlir::Value at; ///< its references, or values behind its last level
  int level = 0;  ///< how many of its levels are walked

  bool isOver() const { return level == access->format.rank(); }
};

/// What a statement asks the graph around it for.
struct Surroundings {
  llvm::StringMap<int> &names; ///< of spaces, over the whole graph
  std::function<mlir::Value()> root;
  /// A stored tensor and the axis of it that is as long as an index.
  std::function<std::pair<mlir::Value, int64_t>(int)> extentOf;
};

class StatementWriter {
public:
  StatementWriter(mlir::OpBuilder &builder, mlir::Location loc,
                  const sparse::Statement &statement, std::vector<int> order,
                  Surroundings around)
      : builder(builder), loc(loc), statement(statement),
        order(std::move(order)), around(std::move(around)) {}

  using Term = std::vector<View>;
  /// `views` by term and factor; behind the terms, where elements of a mask may
  /// have no product, a term of the mask alone.
  mlir::FailureOr<StreamedResult> write(std::vector<Term> views) {
    return write(views, 0, 0);
  }

  /// Gives a dense result the elements that nobody computed, where levels but
  /// the last have every coordinate; those of the first `known` are what is
  /// asked for. False, and nothing is changed, where they have not.
  bool complete(StreamedResult &result, size_t known);
  /// Indices of the result that stand outside of sums have every coordinate, so
  /// that this can be done.
  bool fillsRows = false;

  /// The space of an index in all terms, or in one.
  struct IndexSpace {
    int index;
    mlir::StringAttr space;
  };
  const std::vector<IndexSpace> &getSpaces() const { return spaces; }

private:
  /// From index `next` of the order on; rows before `first` are those of the
  /// statement around this one.
  mlir::FailureOr<StreamedResult> write(std::vector<Term> &terms, size_t next,
                                        size_t first);

  struct Row {
    int index;
    mlir::Value crd;
    bool isAll = false; ///< every coordinate below each of the row outside
  };
  /// A view that is walked, by the writer of the statement that it belongs to.
  struct Part {
    StatementWriter *writer;
    View *view;
    int index;

    /// It has every coordinate, so it is asked for those of others.
    bool isAsked() const;
  };
  /// Coordinates, and the views that come with them.
  struct Source {
    mlir::Value crd;
    llvm::SmallVector<View *> views;
  };

  mlir::LogicalResult walkShared(std::vector<Term> &terms, int index);
  mlir::LogicalResult walkAlone(Term &term, int index, std::vector<Row> &rows);
  /// The coordinates of `term` at `index`, and the views that come with them.
  mlir::FailureOr<mlir::Value> walk(Term &term, int index,
                                    const std::vector<Row> &rows,
                                    std::vector<View *> &carried);
  mlir::LogicalResult scan(View &view, int index, const std::vector<Row> &rows,
                           mlir::Value &crd);
  mlir::Value join(llvm::StringRef how, int index,
                   llvm::ArrayRef<mlir::Value> crds,
                   llvm::ArrayRef<llvm::SmallVector<mlir::Value *>> carried);
  /// Brings every view of `term` that was not walked here to these coordinates.
  void follow(Term &term, int index, mlir::Value crd,
              const std::vector<View *> &walked);
  void collectParts(Term &term, int index, std::vector<Part> &parts);
  mlir::FailureOr<Source> scanPart(const Part &part,
                                   const std::vector<Row> &rows);
  /// The first coordinates of statements of several terms that are repeated
  /// below `term`: those that any of their terms has. Where one has all, or
  /// what nobody computed is filled in, the others are `optional`: absent where
  /// they have none.
  mlir::LogicalResult walkRepeated(Term &term, int index,
                                   const std::vector<Row> &rows,
                                   std::vector<Source> &needed,
                                   std::vector<Source> &optional);
  mlir::Value meet(llvm::StringRef how, int index,
                   llvm::ArrayRef<Source> sources);
  /// Carries out the statements that are repeated here, whose first index has
  /// been walked, and of which `index` is the next, or nothing is left. Where
  /// other indices stand between, their factors are repeated along these.
  mlir::LogicalResult expand(Term &term, int index,
                             const std::vector<Row> &rows);
  /// Whether a view has every coordinate at all levels that were walked.
  static bool hasAll(const View &view);
  /// All coordinates of an index that a term lacks.
  mlir::Value range(int index, const std::vector<Row> &rows);
  mlir::Value valuesOf(const View &view);
  mlir::Value product(Term &term, double coefficient);
  /// Of the rows from `first` on, a term's values.
  mlir::Value reduce(int term, std::vector<Row> &rows, mlir::Value value,
                     size_t first);
  mlir::Value sum(llvm::ArrayRef<mlir::Value> values);
  /// What the statement computes of its elements.
  mlir::Value finish(mlir::Value value);

  bool isIndexOf(const Term &term, int index) const;
  mlir::StringAttr newSpace(const llvm::Twine &name);
  flow::StreamType typeOf(flow::StreamKind kind,
                          llvm::ArrayRef<mlir::StringAttr> nest) const;
  mlir::Value repeat(mlir::Value stream, mlir::Value crd);
  using Scalars = std::function<mlir::Value(mlir::ValueRange)>;
  /// A region of `count` numbers that yields what `write` makes of them.
  void fillRegion(mlir::Region &region, size_t count, const Scalars &write);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, mlir::Value b);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const sparse::Statement &statement;
  std::vector<int> order;
  Surroundings around;
  std::vector<Row> shared; ///< rows that all terms have
  std::vector<IndexSpace> spaces;
};

/// A statement that is carried out once more.
struct Repeated {
  sparse::Statement statement;
  std::vector<int> order; ///< the first is that of the result's first level
  bool isFilled = false;  ///< what nobody computes is there as the zero
  std::vector<StatementWriter::Term> terms;
  std::unique_ptr<StatementWriter> writer;
  StreamedResult result;
};

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_EINSUMTOFLOW_STATEMENTWRITER_H
