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

#include <memory>

namespace heddle {

/// What a statement computes, before it is written: coordinates by level of the
/// order in which they come, and values.
struct StreamedResult {
  std::vector<int> indices; ///< of the statement, outermost first
  std::vector<int> stored;  ///< those of the levels of its format
  std::vector<mlir::Value> crds;
  mlir::Value value;
};

struct Repeated;

/// One use of a tensor in a statement.
struct View {
  const sparse::Access *access = nullptr;
  mlir::Value tensor;                      ///< if it is stored
  const StreamedResult *streams = nullptr; ///< if it is handed on
  /// If its statement is carried out again here, below what stands outside of
  /// it; `streams` then follows when its first index is walked.
  std::shared_ptr<Repeated> repeated;
  mlir::Value at; ///< its references, or values behind its last level
  int level = 0;  ///< how many of its levels are walked

  bool isOver() const { return level == access->format.rank(); }
};

class StatementWriter {
public:
  StatementWriter(mlir::OpBuilder &builder, mlir::Location loc,
                  const sparse::Statement &statement, std::vector<int> order,
                  llvm::StringMap<int> &names)
      : builder(builder), loc(loc), statement(statement),
        order(std::move(order)), names(names) {}

  using Term = std::vector<View>;
  /// `views` by term and factor.
  mlir::FailureOr<StreamedResult> write(std::vector<Term> views);

private:
  struct Row {
    int index;
    mlir::Value crd;
  };
  /// A view that is walked, by the writer of the statement that it belongs to.
  struct Part {
    StatementWriter *writer;
    View *view;
    int index;
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
  /// Carries out the statements that are repeated here and whose first index
  /// has been walked.
  mlir::LogicalResult expand(Term &term, const std::vector<Row> &rows);
  mlir::Value product(Term &term);
  /// Of the rows from `first` on.
  mlir::Value reduce(std::vector<Row> &rows, mlir::Value value, size_t first);
  mlir::Value sum(llvm::ArrayRef<mlir::Value> values);

  bool isIndexOf(const Term &term, int index) const;
  mlir::StringAttr newSpace(const llvm::Twine &name);
  flow::StreamType typeOf(flow::StreamKind kind,
                          llvm::ArrayRef<mlir::StringAttr> nest) const;
  mlir::Value repeat(mlir::Value stream, mlir::Value crd);
  void combineRegion(mlir::Region &region, llvm::ArrayRef<size_t> uses,
                     bool isProduct);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const sparse::Statement &statement;
  std::vector<int> order;
  llvm::StringMap<int> &names; ///< of spaces, over the whole graph
  std::vector<Row> shared;     ///< rows that all terms have
};

/// A statement of one term that is carried out once more.
struct Repeated {
  sparse::Statement statement;
  std::vector<int> order; ///< the first is that of the result's first level
  StatementWriter::Term term;
  std::unique_ptr<StatementWriter> writer;
  StreamedResult result;
};

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_EINSUMTOFLOW_STATEMENTWRITER_H
