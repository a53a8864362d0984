//===- GlobalAccess.cpp - How wide threads may access a view ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/GlobalAccess.h"

#include "heddle/Dialect/Hopper/RegisterLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::hopper {

/// The axis of the view behind `op` that goes on where `axis` of its result
/// does; -1 if a coordinate of windows is between them.
static int64_t axisBehind(Operation *op, int64_t axis) {
  if (auto merge = dyn_cast<tile::MergeOp>(op)) {
    auto first = int64_t(merge.getFirst()), last = int64_t(merge.getLast());
    return axis < first ? axis : axis + last - first;
  }
  auto window = cast<tile::WindowOp>(op);
  auto place = int64_t(window.getWindow());
  int64_t behind = axis > place ? axis - 1 : axis;
  return axis == place || behind == int64_t(window.getAxis()) ? -1 : behind;
}

Value findRows(Value view) {
  int64_t axis = cast<tile::ViewType>(view.getType()).getOrder().front();
  while (tile::isMapped(view)) {
    axis = axisBehind(view.getDefiningOp(), axis);
    if (axis < 0)
      return {};
    view = view.getDefiningOp()->getOperand(0);
  }
  bool isFastest =
      axis == cast<tile::ViewType>(view.getType()).getOrder().front();
  return isFastest ? view : Value();
}

int64_t widestAccess(tile::ViewType view, ValueRange offsets,
                     RankedTensorType tile) {
  int64_t fastest = view.getOrder().front();
  // A tile covers the last axes of a view.
  int64_t axis = fastest - (view.getRank() - tile.getRank());
  Type element = view.getElementType();
  if (axis < 0 || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() % 8)
    return 1;
  int64_t most = kAccessBytes * 8 / element.getIntOrFloatBitWidth();
  return std::min({machine::contiguousRun(*getLayout(tile), int(axis)),
                   tile::knownDivisor(offsets[fastest]), most});
}

Neighbours neighboursOf(Operation *access) {
  auto read = [&](StringRef name) -> int64_t {
    auto count = access->getAttrOfType<IntegerAttr>(name);
    return count ? count.getInt() : 1;
  };
  return {read(kVectorAttr), read(kRepeatsAttr)};
}

void setNeighbours(Operation *access, Neighbours neighbours) {
  Builder builder(access->getContext());
  if (neighbours.vector > 1)
    access->setAttr(kVectorAttr, builder.getI64IntegerAttr(neighbours.vector));
  if (neighbours.repeats > 1)
    access->setAttr(kRepeatsAttr,
                    builder.getI64IntegerAttr(neighbours.repeats));
}

Neighbours widestAccess(Operation *access, RankedTensorType tile,
                        tile::RunFinder &runs) {
  machine::Layout layout = *getLayout(tile);
  for (int axis = 0; axis < layout.rank; ++axis)
    if (int64_t run = machine::contiguousRun(layout, axis); run > 1)
      return {std::min(run, runs.elementsAtOnce(access, axis, kAccessBytes)),
              std::min(run, runs.elementsAtOnePlace(access, axis))};
  return {};
}

bool copiesInChunks(tile::ViewType view, SmemType tile, int64_t threads) {
  machine::SharedLayout shape = getSharedLayout(tile);
  if (shape.rank != 2 ||
      view.getOrder().front() != view.getRank() - 2 + shape.fastest())
    return false;
  int64_t rowBytes = shape.shape[shape.fastest()] * shape.elementBytes;
  if (rowBytes % kAccessBytes || shape.rowBytes() % kAccessBytes)
    return false;
  int64_t chunks = rowBytes / kAccessBytes;
  return threads % chunks == 0 &&
         shape.shape[shape.order[1]] % (threads / chunks) == 0;
}

machine::Layout chunkLayout(SmemType tile, int64_t threads) {
  machine::SharedLayout shape = getSharedLayout(tile);
  return machine::makeCoalesced(
      tile.getShape().vec(), {shape.order[0], shape.order[1]},
      int(threads / 32), int(kAccessBytes / shape.elementBytes));
}

machine::Layout rowsLayout(SmemType tile, int64_t threads) {
  int fastest = getSharedLayout(tile).fastest();
  return machine::expandAxis(
      machine::sliceAxis(chunkLayout(tile, threads), fastest), fastest);
}

} // namespace heddle::hopper
