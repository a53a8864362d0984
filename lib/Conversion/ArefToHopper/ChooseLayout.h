//===- ChooseLayout.h - The register layouts this conversion chooses -*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine's anchors and derived layouts, as attributes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_CHOOSELAYOUT_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_CHOOSELAYOUT_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Machine/Layout.h"

namespace heddle::areftohopper {

/// The layouts of a product that threads compute: of its operands, and of its
/// sums.
struct ProductLayouts {
  hopper::LayoutAttr a, b, sums;
};
ProductLayouts layoutsByThreads(tile::DotOp dot, int64_t warps);

/// The accumulator of wgmma for a tile of rank 2.
hopper::LayoutAttr accumulatorLayout(mlir::RankedTensorType type);

/// Of the places of a load's rows, in a process that copies them; null if its
/// threads cannot.
hopper::LayoutAttr rowsLayout(tile::LoadOp load, int64_t warps);

/// Operand A of wgmma from registers, elements of 16 or 8 bits.
hopper::LayoutAttr operandALayout(mlir::RankedTensorType type);

/// Neighbouring lanes hold neighbouring runs of `runBytes` along the fastest
/// axis of `order`, at least an element each and at most its share.
hopper::LayoutAttr coalescedLayout(mlir::RankedTensorType type,
                                   llvm::ArrayRef<int64_t> order, int64_t warps,
                                   int64_t runBytes = 16);

/// Of a tile of two axes, each thread holds runs of `runBytes` along `axis`,
/// and neighbouring lanes hold neighbours along the other axis.
hopper::LayoutAttr runsAcross(mlir::RankedTensorType type, int64_t axis,
                              int64_t warps, int64_t runBytes);

/// A row-major coalesced layout, for a tile nobody has a wish for.
hopper::LayoutAttr defaultLayout(mlir::RankedTensorType type, int64_t warps,
                                 int64_t runBytes = 16);

/// The layout without `axis`, as one coordinate along it leaves it.
hopper::LayoutAttr sliceAxis(hopper::LayoutAttr layout, int64_t axis);
/// The layout with an axis of extent 1 inserted.
hopper::LayoutAttr expandAxis(hopper::LayoutAttr layout, int64_t axis);

/// What a tile of extent 1 along `axis` needs so that repeating it there moves
/// nothing.
hopper::LayoutAttr collapseAxis(hopper::LayoutAttr layout, int64_t axis);

/// The layout of the first `rows` and `columns` of a tile of rank 2; null if
/// the atom straddles a cut.
hopper::LayoutAttr cutTile(hopper::LayoutAttr layout, int64_t rows,
                           int64_t columns);

/// Bits of an element in a register: addresses have 64, `index` has 32.
int64_t elementBits(mlir::Type element);

/// 32-bit registers a thread of a tile.
int64_t countRegisters(hopper::LayoutAttr layout, int64_t elementBits);

machine::Conversion classify(hopper::LayoutAttr from, hopper::LayoutAttr to);

/// The tile type with this layout as its encoding.
mlir::RankedTensorType withLayout(mlir::RankedTensorType type,
                                  hopper::LayoutAttr layout);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_CHOOSELAYOUT_H
