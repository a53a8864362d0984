//===- Interpret.h - The oracle of the stream rung --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a graph of streams on lists of tokens, one primitive after the other, as
// if every queue were endless. What a primitive does is written once here and
// in docs/rationale/flow.md; processes and clocks do not occur.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FLOW_INTERPRET_H
#define HEDDLE_FLOW_INTERPRET_H

#include "heddle/Dialect/Flow/Flow.h"
#include "heddle/Sparse/Tensor.h"

#include <bit>

namespace heddle::flow {

/// There are many, so a value has the bits of the number.
struct Token {
  enum Kind : uint8_t { Value, Absent, Stop } kind = Absent;
  /// A coordinate, a position, or the level of a stop.
  int64_t number = 0;

  static Token stop(int64_t level) { return {Stop, level}; }
  static Token at(int64_t number) { return {Value, number}; }
  static Token of(double value) {
    return {Value, std::bit_cast<int64_t>(value)};
  }
  /// Of a stream of values.
  double value() const { return std::bit_cast<double>(number); }
  bool isStop() const { return kind == Stop; }
  bool operator==(const Token &other) const = default;
};
using Stream = std::vector<Token>;

/// "0 2 S0 3 N S1": the text of tokens, N for an absent one.
std::string spell(const Stream &stream, StreamKind kind);

struct GraphRun {
  /// Of the arguments, in order.
  std::vector<sparse::Tensor> arguments;
  /// Tokens over all streams before the run is given up.
  int64_t mostTokens = int64_t(1) << 28;

  /// What flow.write made, by name.
  std::map<std::string, sparse::Tensor> written;
  /// Tokens are only counted: no value is computed, and what nobody reads is
  /// not written. Which tokens there are does not depend on values.
  bool countsOnly = false;
  /// The tokens of every stream, if they are wanted.
  bool keepsStreams = false;
  llvm::DenseMap<mlir::Value, Stream> streams;
  int64_t tokens = 0; ///< how many there were
  /// Scalar operations of products, sums and functions.
  int64_t operations = 0;
  /// Positions, coordinates and values that were read from tensors and written
  /// to them, and those of the latter alone.
  int64_t words = 0, wordsWritten = 0;
  /// Tokens that each primitive takes or makes, whichever are more; of a
  /// workspace, which does one after the other, both, but not the stops that it
  /// takes. It has no fewer turns.
  llvm::DenseMap<mlir::Operation *, int64_t> turns;

  /// Each primitive keeps one line of memory of every array that it reads, and
  /// asks for another one where it leaves that; what is written fills lines.
  int64_t lineBytes = 0; ///< 0: not counted
  llvm::DenseMap<mlir::Operation *, int64_t> lines;

  /// For estimates: which coordinates of outermost spaces are walked, by number
  /// (empty: all), and how many times larger counts are for that. What follows
  /// a workspace that sums over an outermost space is counted as it is, which
  /// is less.
  std::vector<bool> walked;
  double scale = 1;
};

/// Runs `graph`. An error at a primitive that gets what the types exclude, or
/// beyond the limit.
mlir::LogicalResult interpret(GraphOp graph, GraphRun &run);

/// Words that flow.write moves to store `tensor`.
int64_t wordsMoved(WriteOp op, const sparse::Tensor &tensor);

/// Gives `tensor`, which has a format and extents, the elements `entries`; what
/// a dense level stores besides is `zero`. Empty, or why it cannot be.
std::string buildTensor(sparse::Tensor &tensor,
                        std::vector<sparse::Entry> entries, double zero);

} // namespace heddle::flow

#endif // HEDDLE_FLOW_INTERPRET_H
