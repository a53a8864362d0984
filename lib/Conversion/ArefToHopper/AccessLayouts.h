//===- AccessLayouts.h - Decide: layouts for global memory -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a view and the type of a tile of it. Out: the register layout whose loads
// or stores by threads touch the fewest sectors of memory. AssignLayouts
// spreads layouts over a process; here one access is judged alone, by what the
// memory system charges for it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_ACCESSLAYOUTS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_ACCESSLAYOUTS_H

#include "ChooseLayout.h"

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle::areftohopper {

/// Bytes that threads store at once where they look themselves whether rows
/// allow it. The largest element has as many, so launches guarantee no more
/// than before, and lanes side by side fill whole sectors.
inline constexpr int64_t kLookingBytes = 8;

/// The layout that reads a tile of `view` best: neighbouring lanes take
/// neighbouring runs of `accessBytes` along its fastest axis, at least an
/// element each.
hopper::LayoutAttr accessLayout(tile::ViewType view,
                                mlir::RankedTensorType tile, int64_t warps,
                                int64_t accessBytes);

/// The layout that reads elements by their addresses best: neighbouring lanes
/// take neighbouring elements along the axis along which memory goes on, runs
/// of at most `accessBytes` where addresses are known to come in such.
hopper::LayoutAttr gatherLayout(tile::GatherOp gather, int64_t warps,
                                int64_t accessBytes);

/// The bytes of its runs, at most those of the widest access; 0 if neighbours
/// are apart.
int64_t runBytes(tile::GatherOp gather);

/// The layout in which `store` takes its value, which was made in `made` (null
/// if every user may choose). Where it is scattered over memory, which moves in
/// sectors, a round trip through shared memory costs less.
hopper::LayoutAttr storeLayout(tile::StoreOp store, hopper::LayoutAttr made,
                               int64_t warps, int64_t accessBytes,
                               int64_t sectorBytes);

/// How many elements of `layout` are stored at once by threads that look.
int64_t lookingVector(tile::StoreOp store, hopper::LayoutAttr layout);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_ACCESSLAYOUTS_H
