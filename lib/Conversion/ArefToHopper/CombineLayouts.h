//===- CombineLayouts.h - Decide: layouts of reductions -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction reads all its operands in one layout; what it makes has that
// layout's slice. Warps spread along the axis exchange their parts in between.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_COMBINELAYOUTS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_COMBINELAYOUTS_H

#include "AssignLayouts.h"
#include "heddle/Machine/Reduction.h"

namespace heddle::areftohopper {

/// The layout in which `op` reads its operands: that of the first which has
/// one that threads can combine in.
hopper::LayoutAttr readLayout(tile::ReduceOp op, const LayoutMap &layouts);

/// A layout for the operand of a reduction whose result has `result`: its slice
/// along `axis` is `result`.
hopper::LayoutAttr unsliceAxis(mlir::RankedTensorType operand, int64_t axis,
                               hopper::LayoutAttr result);

/// What each warp, or each thread, makes of a tile read in `layout`: the axis
/// keeps one coordinate a position.
mlir::RankedTensorType
partialType(mlir::RankedTensorType operand, int64_t axis,
            hopper::LayoutAttr layout,
            machine::Combining by = machine::Combining::Warps);

/// The parts of all warps in the registers of each thread.
hopper::LayoutAttr gatherAxis(hopper::LayoutAttr layout, int64_t axis);

/// Tiles that pass through shared memory at the same time, in one layout.
using Exchange = llvm::SmallVector<mlir::RankedTensorType>;
/// The exchanges of `op`, a reduction or a movement, besides those of its
/// operands; none of other ops.
llvm::SmallVector<Exchange> innerExchanges(mlir::Operation *op,
                                           const LayoutMap &layouts,
                                           const KernelFacts &facts);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_COMBINELAYOUTS_H
