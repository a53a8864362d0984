//===- DelayedSums.h - Sums that only matter behind a loop ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who adds up a tile along an axis need not be done before the sum is read.
// Where a loop only scales what it carries and adds further sums,
//
//   %l = scf.for ... iter_args(%sum = %zero) {
//     %here = tile.reduce %x axis 1 ... addf
//     %scaled = arith.mulf %sum, %factor
//     %next = arith.addf %scaled, %here
//
// threads may carry a part each, and join the parts behind the loop: all that
// happens to a sum here is linear, and the factor is the same along the axis.
// That changes the order of additions, and so the rounding; and where a factor
// is infinite, a part that is 0 gives NaN.
//
// Who plans decides, because the exchange between threads leaves the loop, and
// marks the reductions (sched-mark-steady). The lowering follows what is marked
// through the loops that the expander has cut up.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_DELAYEDSUMS_H
#define HEDDLE_ANALYSIS_DELAYEDSUMS_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle {

/// On a reduction: threads keep parts of its sum until a loop is left.
inline constexpr llvm::StringLiteral kDelayed = "sched.delayed";

/// Values that are parts of each other, all carried in parts or none.
struct DelayedSum {
  llvm::SmallVector<tile::ReduceOp> reductions;
  llvm::SmallVector<mlir::Value> values;
  /// Those of `values` that some other op reads; none is in a loop that carries
  /// one of `values`.
  llvm::SmallVector<mlir::Value> whole;
};

/// The sums in `root` whose parts need not meet in a loop that carries them. In
/// an order that follows the program's.
llvm::SmallVector<DelayedSum> findDelayedSums(mlir::Operation *root);

/// The sums of the reductions in `root` that are marked, where loops carry
/// them. Of a mark on what cannot be carried in parts nothing comes.
llvm::SmallVector<DelayedSum> followDelayedSums(mlir::Operation *root);

/// A number, or a tile of nothing else, that is 0 or -0.
bool isZero(mlir::Value value);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_DELAYEDSUMS_H
