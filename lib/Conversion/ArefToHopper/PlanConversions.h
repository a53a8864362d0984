//===- PlanConversions.h - Decide: where a tile changes its layout -*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the layouts of a process's tiles. Out: the layout in which each operand
// is read, and the scratch memory that changes between the two take. The plan
// of shared memory needs that number before code is emitted, and the emitter
// asks the same functions, so no conversion outgrows its room.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_PLANCONVERSIONS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_PLANCONVERSIONS_H

#include "AssignLayouts.h"

namespace heddle::areftohopper {

/// The layout in which an operand is read; null where any will do.
hopper::LayoutAttr wantedLayout(mlir::OpOperand &operand,
                                const LayoutMap &layouts,
                                const KernelFacts &facts);

/// True if every thread already holds what it needs: registers get new names.
bool isFree(hopper::LayoutAttr from, hopper::LayoutAttr to);

/// True if no other warp holds what a thread needs, and lanes had better pass
/// it among themselves; of elements of `type`.
bool staysInWarp(hopper::LayoutAttr from, hopper::LayoutAttr to,
                 mlir::Type type, const machine::Costs &costs);

/// The layout in which an element-wise op computes. Where it narrows, and other
/// lanes want what it makes, that is its operand's: there is less to pass on
/// behind it.
hopper::LayoutAttr computedLayout(mlir::Operation *op, const LayoutMap &layouts,
                                  const KernelFacts &facts);

/// Where a tile waits between its two layouts when threads exchange elements;
/// `plain` is row-major without a swizzle.
hopper::SmemType scratchTile(mlir::RankedTensorType type, bool plain = false);

/// Where tiles that wait at the same time lie in scratch memory.
struct ScratchPlaces {
  llvm::SmallVector<int64_t> offsets;
  int64_t bytes = 0;
};
ScratchPlaces placeScratch(llvm::ArrayRef<mlir::RankedTensorType> tiles);

/// Bytes of shared memory a process needs for tiles that change their layout at
/// a cost and for staged operands; with `remarks` each such place is remarked
/// with the cost class.
int64_t planConversions(const ProcessFacts &process, const LayoutMap &layouts,
                        const KernelFacts &facts, bool remarks);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_PLANCONVERSIONS_H
