//===- ChooseLayout.cpp - The register layouts this conversion chooses
//------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseLayout.h"

#include "heddle/Analysis/Products.h"
#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/WarpProduct.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using hopper::LayoutAttr;

LayoutAttr heddle::areftohopper::accumulatorLayout(RankedTensorType type) {
  return hopper::getLayoutAttr(
      type.getContext(),
      machine::makeWgmmaAccumulator(type.getDimSize(0), type.getDimSize(1)));
}

LayoutAttr heddle::areftohopper::operandALayout(RankedTensorType type) {
  return hopper::getLayoutAttr(
      type.getContext(),
      machine::makeWgmmaOperandA(type.getDimSize(0), type.getDimSize(1),
                                 elementBits(type.getElementType())));
}

LayoutAttr heddle::areftohopper::rowsLayout(tile::LoadOp load, int64_t warps) {
  auto type = cast<RankedTensorType>(load.getResult().getType());
  auto slot = hopper::SmemType::get(type.getContext(), type.getShape(),
                                    type.getElementType(), {1, 0}, 0);
  if (!hopper::copiesInChunks(load.getView().getType(), slot, 32 * warps))
    return {};
  return hopper::getLayoutAttr(type.getContext(),
                               hopper::rowsLayout(slot, 32 * warps));
}

areftohopper::ProductLayouts
heddle::areftohopper::layoutsByThreads(tile::DotOp dot, int64_t warps) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto type = cast<RankedTensorType>(dot.getResult().getType());
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1),
          depth = a.getDimSize(1), bits = elementBits(a.getElementType());
  auto attr = [&](const machine::Layout &layout) {
    return hopper::getLayoutAttr(dot.getContext(), layout);
  };
  if (formByThreads(dot) == ProductForm::Threads) {
    machine::Layout sums = machine::makeThreadSums(rows, columns, warps);
    return {attr(machine::makeThreadOperandA(sums, depth)),
            attr(machine::makeThreadOperandB(sums, depth)), attr(sums)};
  }
  machine::WarpGrid grid = machine::divideAmongWarps(rows, columns, warps);
  return {attr(machine::makeWarpOperandA(rows, depth, bits, grid)),
          attr(machine::makeWarpOperandB(depth, columns, bits, grid)),
          attr(machine::makeWarpAccumulator(rows, columns, grid))};
}

int64_t heddle::areftohopper::elementBits(Type element) {
  if (isa<tile::PtrType>(element))
    return 64;
  return element.isIndex() ? 32 : element.getIntOrFloatBitWidth();
}

LayoutAttr heddle::areftohopper::coalescedLayout(RankedTensorType type,
                                                 ArrayRef<int64_t> order,
                                                 int64_t warps,
                                                 int64_t runBytes) {
  // Shorter runs where whole ones would leave threads without an element.
  int64_t whole = runBytes * 8 / elementBits(type.getElementType());
  int64_t share = type.getNumElements() / (32 * warps);
  int run = int(std::max<int64_t>(1, std::min(whole, share)));
  return hopper::getLayoutAttr(
      type.getContext(),
      machine::makeCoalesced(type.getShape().vec(),
                             {order.begin(), order.end()}, warps, run));
}

LayoutAttr heddle::areftohopper::runsAcross(RankedTensorType type, int64_t axis,
                                            int64_t warps, int64_t runBytes) {
  // Shorter runs where whole ones would leave threads without an element.
  int64_t most = std::min(runBytes * 8 / elementBits(type.getElementType()),
                          type.getNumElements() / (32 * warps));
  int64_t run = int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(1, most))));
  std::vector<int64_t> shape = type.getShape().vec();
  while (shape[axis] % run)
    run /= 2;
  shape[axis] /= run;
  machine::Layout layout =
      machine::makeCoalesced(shape, {int(1 - axis), int(axis)}, warps, 1);
  auto stretch = [&](machine::Coord &vector) { vector[axis] *= run; };
  llvm::for_each(layout.lane, stretch);
  llvm::for_each(layout.warp, stretch);
  llvm::for_each(layout.reg, stretch);
  stretch(layout.tile);
  std::vector<machine::Coord> neighbours;
  for (int64_t step = 1; step < run; step *= 2) {
    neighbours.emplace_back();
    neighbours.back()[axis] = step;
  }
  layout.reg.insert(layout.reg.begin(), neighbours.begin(), neighbours.end());
  return hopper::getLayoutAttr(type.getContext(), layout);
}

LayoutAttr heddle::areftohopper::defaultLayout(RankedTensorType type,
                                               int64_t warps,
                                               int64_t runBytes) {
  auto order =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, type.getRank())));
  return coalescedLayout(type, order, warps, runBytes);
}

LayoutAttr heddle::areftohopper::sliceAxis(LayoutAttr layout, int64_t axis) {
  return hopper::getLayoutAttr(
      layout.getContext(), machine::sliceAxis(hopper::getLayout(layout), axis));
}

LayoutAttr heddle::areftohopper::expandAxis(LayoutAttr layout, int64_t axis) {
  return hopper::getLayoutAttr(
      layout.getContext(),
      machine::expandAxis(hopper::getLayout(layout), axis));
}

LayoutAttr heddle::areftohopper::collapseAxis(LayoutAttr layout, int64_t axis) {
  machine::Layout whole = hopper::getLayout(layout);
  // A slice needs a second axis to be left.
  machine::Layout collapsed =
      whole.rank > 1
          ? machine::expandAxis(machine::sliceAxis(whole, axis), axis)
          : machine::sliceAxis(machine::expandAxis(whole, 0), 1);
  return hopper::getLayoutAttr(layout.getContext(), collapsed);
}

LayoutAttr heddle::areftohopper::cutTile(LayoutAttr layout, int64_t rows,
                                         int64_t columns) {
  machine::Layout whole = hopper::getLayout(layout);
  if (whole.rank != 2)
    return {};
  std::optional<machine::Layout> part =
      machine::subtile(whole, {rows, columns, 0});
  return part ? hopper::getLayoutAttr(layout.getContext(), *part)
              : LayoutAttr();
}

int64_t heddle::areftohopper::countRegisters(LayoutAttr layout,
                                             int64_t elementBits) {
  return llvm::divideCeil(
      hopper::getLayout(layout).registerCount() * elementBits, 32);
}

machine::Conversion heddle::areftohopper::classify(LayoutAttr from,
                                                   LayoutAttr to) {
  return machine::classifyConversion(hopper::getLayout(from),
                                     hopper::getLayout(to));
}

RankedTensorType heddle::areftohopper::withLayout(RankedTensorType type,
                                                  LayoutAttr layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}
