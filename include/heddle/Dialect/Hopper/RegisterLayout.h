//===- RegisterLayout.h - Attributes and types as plain layouts ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts attributes and types of the rung to the plain layouts of
// lib/Machine, and back. lib/Machine computes with layouts and knows no MLIR.
// The verifiers, the choice of layouts and the lowering all convert here, so
// that a reduction or a shared tile has one plan for the three of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_REGISTERLAYOUT_H
#define HEDDLE_DIALECT_HOPPER_REGISTERLAYOUT_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Machine/Layout.h"
#include "heddle/Machine/Reduction.h"
#include "heddle/Machine/SharedLayout.h"

namespace heddle::hopper {

machine::Layout getLayout(LayoutAttr attr);
LayoutAttr getLayoutAttr(mlir::MLIRContext *context,
                         const machine::Layout &layout);

/// The layout of a tile's encoding; nothing if it has none.
std::optional<machine::Layout> getLayout(mlir::Type type);
/// A tile of `layout`'s extents.
mlir::RankedTensorType getTileType(const machine::Layout &layout,
                                   mlir::Type elementType);

machine::SharedLayout getSharedLayout(SmemType type);

/// How a reduction's operand, which has `layout`, is combined.
std::optional<machine::Reduction> planReduction(ReduceOp op,
                                                const machine::Layout &layout);

} // namespace heddle::hopper

#endif // HEDDLE_DIALECT_HOPPER_REGISTERLAYOUT_H
