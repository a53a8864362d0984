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

namespace {
/// The axis along which memory goes on, and how far it is known to.
struct GatherRun {
  int64_t axis = 0, bytes = 0;
};
} // namespace

/// A launch that gives other arguments than those which make runs of places
/// takes another variant, in the same order.
static GatherRun findRun(tile::GatherOp gather, int64_t accessBytes) {
  tile::RunFinder runs([](BlockArgument) { return true; });
  auto type = cast<RankedTensorType>(gather.getResult().getType());
  GatherRun run{type.getRank() - 1};
  auto length = [&](int64_t axis) {
    return runs.along(gather.getPtr(), axis).length;
  };
  for (int64_t axis = run.axis; axis-- > 0;)
    if (length(axis) > length(run.axis))
      run.axis = axis;
  int64_t count = runs.elementsAtOnce(gather, run.axis, accessBytes);
  run.bytes = count > 1 ? count * elementBits(type.getElementType()) / 8 : 0;
  return run;
}

int64_t heddle::areftohopper::runBytes(tile::GatherOp gather) {
  return findRun(gather, hopper::kAccessBytes).bytes;
}

LayoutAttr heddle::areftohopper::gatherLayout(tile::GatherOp gather,
                                              int64_t warps,
                                              int64_t accessBytes) {
  auto type = cast<RankedTensorType>(gather.getResult().getType());
  GatherRun run = findRun(gather, accessBytes);
  auto order =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, type.getRank())));
  llvm::erase(order, run.axis);
  order.insert(order.begin(), run.axis);
  return coalescedLayout(type, order, warps, run.bytes);
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
