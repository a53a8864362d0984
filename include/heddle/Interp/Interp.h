//===- Interp.h - The oracle: runs a tile program as written
//---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets one kernel of the tile or sched rung sequentially: the instances
// of a tile.parallel in row-major order, one worker of one, schedules ignored.
// What each op means is written in docs/rationale/tile.md; in short
//
//   * every result is computed in double and rounded once to its element type
//     (integers wrap), so element types are exact;
//   * a dot adds its products to the accumulator in double, in order of k, and
//     rounds once;
//   * reads outside a view give zero, writes outside are dropped; an access
//     through a pointer outside every argument is an error.
//
// Errors are diagnostics at the op's location.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_INTERP_INTERP_H
#define HEDDLE_INTERP_INTERP_H

#include "heddle/Dialect/Tile/Tile.h"

#include <variant>

namespace heddle::interp {

/// Memory behind a view or a pointer. Elements lie at
/// data + sum(coordinate[i] * strides[i]) elements; empty strides mean packed
/// in the order of the view's type (row-major for a pointer). Elements of 8
/// bits or fewer take a byte; index elements take 8.
struct Buffer {
  void *data = nullptr;
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<int64_t> strides;
  /// Null: the type that the kernel declares.
  mlir::Type elementType;
};

/// A Buffer for a view or pointer, an integer for an integer or index, a double
/// (rounded to the argument's type) for floating point.
using Argument = std::variant<Buffer, int64_t, double>;

struct Options {
  /// Where tile.print writes; null drops it.
  llvm::raw_ostream *output = nullptr;
  /// Ops run before the interpreter gives up; 0 is no limit.
  int64_t maxSteps = 0;
  /// Which worker runs, and of how many.
  int64_t worker = 0, workers = 1;
};

/// Shape parameters that are not instantiated have their initial values.
mlir::LogicalResult interpret(tile::KernelOp kernel,
                              llvm::ArrayRef<Argument> arguments,
                              const Options &options = {});

} // namespace heddle::interp

#endif // HEDDLE_INTERP_INTERP_H
