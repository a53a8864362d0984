//===- Turns.h - Rewrite: sums in turns -------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose instances add to some views in turns. Out: for each such
// view a counter for each place at which tiles are added.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_TURNS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_TURNS_H

#include "KernelPlan.h"

#include "mlir/IR/Builders.h"

namespace heddle::areftohopper {

/// What each value of the aref rung became.
using ValueMap = llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>>;

struct Counters {
  mlir::Value view; ///< of the numbers, in the hopper kernel
  /// By the axes of the view that is added to: the tile of an instance, and the
  /// least of the parts that processes have of it.
  llvm::SmallVector<int64_t> whole, least;

  /// How many numbers each place has.
  int64_t parts() const;
  /// The number of what begins at `offsets`, in a process, for the instance
  /// that adds at `place`.
  mlir::Value placeOf(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value place, mlir::ValueRange offsets) const;
};
/// By the view, of the aref rung, that is added to.
using CountersMap = llvm::DenseMap<mlir::Value, Counters>;

/// Whether threads of `process` add in turns, so that they meet for it.
bool addsInTurns(const ProcessFacts &process, const KernelPlan &plan);

/// Declares the counters of `kernel` at the builder's insertion point.
CountersMap emitCounters(mlir::OpBuilder &builder, const KernelFacts &facts,
                         hopper::KernelOp kernel, const ValueMap &values);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_TURNS_H
