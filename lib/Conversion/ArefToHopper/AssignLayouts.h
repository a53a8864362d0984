//===- AssignLayouts.h - Decide: a register layout for every tile -*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a process of the aref rung and the facts about its kernel. Out: a
// register layout for each of its tiles. Later phases look the layout up and
// choose none themselves, so that scratch memory and registers can be counted
// before any operation is rewritten.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_ASSIGNLAYOUTS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_ASSIGNLAYOUTS_H

#include "ChooseLayout.h"
#include "KernelFacts.h"

namespace heddle::areftohopper {

/// The layout each register tile (and flight) of a process is made in. Tiles
/// that lie in a slot and those that cost nothing to repeat have none: every
/// user takes its own.
struct LayoutMap : llvm::DenseMap<mlir::Value, hopper::LayoutAttr> {
  /// The layout in which each tile.store or update takes its tiles.
  llvm::DenseMap<mlir::Operation *, hopper::LayoutAttr> stored;
};

/// What one access is laid out for, at least an element: of a view's tile, and
/// of elements that addresses name, where their places go in runs.
struct AccessBytes {
  int64_t loads = 0, gathers = 0;
};

mlir::FailureOr<LayoutMap> assignLayouts(const ProcessFacts &process,
                                         const KernelFacts &facts,
                                         AccessBytes accessBytes);

/// The layout of operand 0 that lets `op` (expand_dims, broadcast) move nothing
/// when its result has `result`.
hopper::LayoutAttr operandLayout(mlir::Operation *op,
                                 hopper::LayoutAttr result);

/// Writes elements of memory that its tiles describe, one by one.
bool isUpdate(mlir::Operation *op);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_ASSIGNLAYOUTS_H
