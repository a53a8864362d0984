//===- SplitAxes.h - Which tiles are split, and along which axis -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decision behind `tile-split`, kept apart from the rewrite.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_SPLITAXES_H
#define HEDDLE_LIB_TRANSFORMS_SPLITAXES_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace heddle::split {

struct SplitPlan {
  /// Whose products are split; null where a tile is, for its extent's sake.
  const machine::Costs *costs = nullptr;
  /// Of a sub-tile: the height of one product of the machine's.
  int64_t rows = 0;
  /// Number of sub-tiles; 1 = nothing is split.
  int64_t count = 1;
  /// Products may be cut along their columns, and not along their rows.
  bool cutsColumns = false;
  /// The axis along which each split value is cut into `count` pieces of
  /// `rows`.
  llvm::DenseMap<mlir::Value, int64_t> axes;
  /// Of these each sub-tile has an addend, as large as the whole: products
  /// whose contraction is split, and what is linear in them. Only memory adds
  /// them up.
  llvm::DenseSet<mlir::Value> addends;
  /// Products whose contraction is split, of which one process adds up the
  /// sub-tiles' parts: the operands change processes, the result stays whole.
  llvm::DenseSet<mlir::Operation *> joined;
  /// Unsplit ops that each sub-tile gets its own copy of.
  llvm::DenseSet<mlir::Operation *> repeated;
  /// Of these, those that somebody reads who has no sub-tiles: they stay, too.
  llvm::DenseSet<mlir::Operation *> alsoWhole;
  /// Why nothing is split although a dot asks for it; null if nothing is wrong.
  mlir::Operation *obstacle = nullptr;
  std::string reason;
};

/// Does each sub-tile have a piece or an addend of `value`?
inline bool isDivided(const SplitPlan &plan, mlir::Value value) {
  return plan.axes.contains(value) || plan.addends.contains(value);
}

/// Follows the rows of every dot through the kernel, both ways along uses.
SplitPlan decideSplit(tile::KernelOp kernel, const machine::Costs &costs);

/// The same for one tile and all that goes with it, along `axis`.
SplitPlan decideSplitOf(mlir::Value tile, int64_t axis, int64_t extent,
                        bool cutsColumns = false);

} // namespace heddle::split

#endif // HEDDLE_LIB_TRANSFORMS_SPLITAXES_H
