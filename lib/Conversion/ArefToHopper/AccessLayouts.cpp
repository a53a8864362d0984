//===- AccessLayouts.cpp - Decide: layouts for global memory ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessLayouts.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Hopper/RegisterLayout.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

LayoutAttr heddle::areftohopper::accessLayout(tile::ViewType view,
                                              RankedTensorType tile,
                                              int64_t warps,
                                              int64_t accessBytes) {
  return coalescedLayout(tile, view.getTileOrder(tile.getRank()), warps,
                         accessBytes);
}

/// Bytes that a warp's lanes cover without a gap in one access.
static int64_t spanBytes(LayoutAttr layout, tile::ViewType view,
                         RankedTensorType tile) {
  machine::Layout plain = hopper::getLayout(layout);
  int axis = int(view.getTileOrder(tile.getRank()).front());
  int64_t bits = elementBits(tile.getElementType());
  int64_t run = std::min<int64_t>(machine::contiguousRun(plain, axis),
                                  hopper::kAccessBytes * 8 / bits);
  return machine::coalescedSpan(plain, axis, run) * bits / 8;
}

LayoutAttr heddle::areftohopper::storeLayout(tile::StoreOp store,
                                             LayoutAttr made, int64_t warps,
                                             int64_t accessBytes,
                                             int64_t sectorBytes) {
  tile::ViewType view = store.getView().getType();
  auto tile = cast<RankedTensorType>(store.getValue().getType());
  LayoutAttr best = accessLayout(view, tile, warps, accessBytes);
  // A few elements are not worth two barriers.
  if (!made || tile.getNumElements() < 32 * warps)
    return made ? made : best;
  int64_t span = spanBytes(made, view, tile);
  bool isScattered = span < sectorBytes && span < spanBytes(best, view, tile);
  return isScattered ? best : made;
}

int64_t heddle::areftohopper::lookingVector(tile::StoreOp store,
                                            LayoutAttr layout) {
  auto type = cast<RankedTensorType>(store.getValue().getType());
  if (!layout)
    return 1;
  return std::min(hopper::widestAccess(store.getView().getType(),
                                       store.getOffsets(),
                                       withLayout(type, layout)),
                  kLookingBytes * 8 / elementBits(type.getElementType()));
}
