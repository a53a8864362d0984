//===- MoveLayouts.h - Decide: layouts of ops that move elements -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// trans, reshape, join, split and cat rename what threads hold, if layouts are
// chosen to fit; scan needs an axis within a warp; take and histogram go
// through shared memory. unfold reads shared memory, in any layout.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_MOVELAYOUTS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_MOVELAYOUTS_H

#include "AssignLayouts.h"

namespace heddle::areftohopper {

/// Makes tiles of other tiles' elements, and neither element by element nor by
/// a reduction.
bool isMovement(mlir::Operation *op);

struct Movement {
  llvm::SmallVector<hopper::LayoutAttr> read; ///< one an operand
  llvm::SmallVector<hopper::LayoutAttr> made; ///< one a result
  /// A reshape of which no thread keeps its elements.
  bool throughShared = false;
};
Movement planMovement(mlir::Operation *op, const LayoutMap &layouts);

/// What `layout` of `from`, an operand or a result of `op`, gives `to` on the
/// other side, so that nothing moves; null if it says nothing.
hopper::LayoutAttr acrossMovement(mlir::Operation *op, mlir::Value from,
                                  hopper::LayoutAttr layout, mlir::Value to);

/// Why the machine cannot do what `op` asks for; "" if it can.
std::string whyNoMovement(mlir::Operation *op);

/// Whether the windows are read where their span lies in a ring, so that it
/// passes through no registers.
bool readsSlot(tile::UnfoldOp op, const KernelFacts &facts);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_MOVELAYOUTS_H
