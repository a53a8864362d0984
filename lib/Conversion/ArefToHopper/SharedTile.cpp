//===- SharedTile.cpp - Decide: how a tile lies in shared memory
//------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedTile.h"

#include "AssignLayouts.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"

#include "SharedPlan.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Elementwise.h"
#include "heddle/Dialect/Tile/Runs.h"
#include "heddle/Support/Diagnostics/Aref.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::SmemType;

int64_t heddle::areftohopper::widestSwizzle(int64_t rowBytes) {
  for (int64_t swizzle : {128, 64, 32})
    if (rowBytes % swizzle == 0)
      return swizzle;
  return 0;
}

int64_t heddle::areftohopper::alignmentOf(SmemType tile) {
  return tile.getSwizzle() ? kSwizzledAlignment : 128;
}

/// Whether wgmma reads this operand along K only, and that is axis 0.
static bool needsColumns(const PayloadFacts &element) {
  return element.use.contracts[0] &&
         element.type.getElementTypeBitWidth() != 16;
}

/// A tile is made of few others, and those of slots; more is not looked at.
static constexpr int kMostSteps = 16;

/// The order in which the view that fills `home`'s element runs.
static std::optional<SmallVector<int64_t>>
orderOfView(const Home &home, const KernelFacts &facts) {
  const PayloadFacts &element = facts.ring(home.ring).payload[home.element];
  if (element.loads.empty() || element.type.getRank() != 2)
    return std::nullopt;
  tile::LoadOp load = element.loads.front();
  auto order = load.getView().getType().getTileOrder(2);
  if (home.transposed)
    std::swap(order[0], order[1]);
  return order;
}

/// Of a tile whose first or second axis was merged of two, of three in all: of
/// a slot's, as keys in groups of 8 numbers lie, or of one of a slot's and of
/// repetitions, as 8 numbers share a word. The second of the merged axes runs
/// within the first.
static std::optional<SlotSource> findMerged(tile::ReshapeOp reshape,
                                            const KernelFacts &facts) {
  auto to = cast<RankedTensorType>(reshape.getResult().getType());
  auto from = cast<RankedTensorType>(reshape.getValue().getType());
  if (to.getRank() != 2 || from.getRank() != 3)
    return std::nullopt;
  int64_t axis = to.getDimSize(1) == from.getDimSize(2) ? 0 : 1;
  if (to.getDimSize(1 - axis) != from.getDimSize(axis == 0 ? 2 : 0))
    return std::nullopt;
  SlotSource source{{axis, 1 - axis},
                    int64_t(from.getElementTypeBitWidth()),
                    from.getDimSize(axis + 1)};
  Value slot = reshape.getValue();
  if (auto repeated = slot.getDefiningOp<tile::BroadcastOp>())
    if (auto expand = repeated.getValue().getDefiningOp<tile::ExpandDimsOp>();
        expand && int64_t(expand.getAxis()) == axis + 1) {
      slot = expand.getValue();
      source.repeats = source.run;
      source.run = to.getDimSize(axis);
    }
  std::optional<Home> home = facts.homeOf(slot);
  if (!home)
    return std::nullopt;
  if (source.repeats > 1) {
    auto order = orderOfView(*home, facts);
    return order && order->front() == axis ? std::optional(source)
                                           : std::nullopt;
  }
  const PayloadFacts &element = facts.ring(home->ring).payload[home->element];
  if (element.loads.empty() || home->transposed)
    return std::nullopt;
  tile::LoadOp load = element.loads.front();
  bool runsWithin =
      load.getView().getType().getTileOrder(3).front() == axis + 1;
  return runsWithin ? std::optional(source) : std::nullopt;
}

std::optional<SlotSource>
heddle::areftohopper::findSlotSource(Value value, const KernelFacts &facts) {
  auto whole = cast<RankedTensorType>(value.getType());
  SmallVector<Value> worklist = {value};
  for (int step = 0; step < kMostSteps && !worklist.empty(); ++step) {
    value = worklist.pop_back_val();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getShape() != whole.getShape())
      continue;
    if (std::optional<Home> home = facts.homeOf(value)) {
      if (auto order = orderOfView(*home, facts))
        return SlotSource{*order, int64_t(type.getElementTypeBitWidth())};
      continue;
    }
    // What an iteration leaves to the next is made of the same.
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && value != loop.getInductionVar())
        worklist.push_back(loop.getTiedLoopInit(argument)->get());
      continue;
    }
    if (auto reshape = value.getDefiningOp<tile::ReshapeOp>()) {
      if (auto source = findMerged(reshape, facts))
        return source;
      continue;
    }
    if (Operation *op = value.getDefiningOp(); op && tile::isElementwise(op))
      llvm::append_range(worklist, llvm::reverse(op->getOperands()));
  }
  return std::nullopt;
}

/// The axis order of an element: that of the views which fill it. An element
/// that only registers fill runs as what it is made of, so that threads take
/// whole rows from one slot to the other; else it is row-major, unless wgmma
/// reads along the columns. 32-bit operands are turned on their way, by the
/// threads that copy them: TMA does not, and 8-bit ones would come byte by
/// byte.
static FailureOr<SmallVector<int64_t>>
chooseOrder(const RingFacts &ring, unsigned index, const KernelFacts &facts) {
  const PayloadFacts &element = ring.payload[index];
  if (element.loads.empty()) {
    auto order = llvm::to_vector(
        llvm::reverse(llvm::seq<int64_t>(0, element.type.getRank())));
    if (needsColumns(element))
      std::reverse(order.begin(), order.end());
    else if (element.use.any() && element.type.getElementTypeBitWidth() == 16)
      for (aref::PublishOp publish : ring.publishes)
        if (auto source = findSlotSource(
                aref::PublishOp(publish).getValues()[index], facts))
          return source->order;
    return order;
  }
  if (element.use.any() && element.type.getRank() == 2 &&
      element.type.getElementTypeBitWidth() == 32)
    return needsColumns(element) ? SmallVector<int64_t>{0, 1}
                                 : SmallVector<int64_t>{1, 0};
  tile::LoadOp first = element.loads.front();
  auto orderOf = [&](tile::LoadOp load) {
    return load.getView().getType().getTileOrder(element.type.getRank());
  };
  SmallVector<int64_t> order = orderOf(first);
  for (tile::LoadOp load : element.loads)
    if (orderOf(load) != order) {
      Report diagnostic = report(load, diag::ring_order)
                          << "ring \"" << aref::RingOp(ring.op).getSym()
                          << "\" element " << index
                          << " is filled from views of different "
                             "orders; give both views one order";
      diagnostic.attachNote(first.getLoc()) << "the other load is here";
      return failure();
    }
  return order;
}

static LogicalResult checkOperand(const RingFacts &ring, unsigned index,
                                  ArrayRef<int64_t> order, int64_t swizzle) {
  const PayloadFacts &element = ring.payload[index];
  Location loc = element.loads.empty()
                     ? aref::RingOp(ring.op).getLoc()
                     : tile::LoadOp(element.loads.front()).getLoc();
  int64_t bits = element.type.getElementTypeBitWidth();
  int64_t contraction = element.use.contracts[1] ? 1 : 0;
  if (element.use.contracts[0] && element.use.contracts[1] && bits != 16)
    return report(loc, diag::dot_operand)
           << "a tile of " << bits
           << "-bit elements is contracted along both its axes; "
           << "wgmma reads those along K only: load it twice";
  if (bits != 16 && order.front() != contraction)
    return report(loc, diag::dot_operand)
           << "operand " << (element.use.a ? "a" : "b") << " of a dot has "
           << bits << "-bit elements and stride 1 along axis " << order.front()
           << "; wgmma reads " << bits
           << "-bit elements only with stride 1 along K, axis " << contraction
           << ": store this matrix in the other order";
  if (!swizzle)
    return report(loc, diag::dot_operand)
           << "operand " << (element.use.a ? "a" : "b")
           << " of a dot has rows of "
           << element.type.getDimSize(order.front()) * bits / 8
           << " bytes in shared memory; wgmma needs a multiple of 32: choose "
              "an extent of at least "
           << 256 / bits << " elements along axis " << order.front();
  return success();
}

FailureOr<SmemType>
heddle::areftohopper::chooseSharedTile(const RingFacts &ring, unsigned index,
                                       const KernelFacts &facts) {
  const PayloadFacts &element = ring.payload[index];
  RankedTensorType type = element.type;
  if (!type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() % 8)
    return report(aref::RingOp(ring.op), diag::ring_element)
           << "ring \"" << aref::RingOp(ring.op).getSym()
           << "\" carries elements of " << type.getElementType()
           << ", which fill no whole bytes of shared memory";
  FailureOr<SmallVector<int64_t>> order = chooseOrder(ring, index, facts);
  if (failed(order))
    return failure();
  int64_t rowBytes =
      type.getDimSize(order->front()) * type.getElementTypeBitWidth() / 8;
  int64_t swizzle = type.getRank() == 2 ? widestSwizzle(rowBytes) : 0;
  // Several boxes lie one after the other in whole patterns of 8 rows.
  if (swizzle && rowBytes > swizzle && type.getDimSize(order->back()) % 8)
    swizzle = 0;
  if (element.use.any() && failed(checkOperand(ring, index, *order, swizzle)))
    return failure();
  return SmemType::get(type.getContext(), type.getShape(),
                       type.getElementType(), *order, swizzle);
}

std::string heddle::areftohopper::whyNotTma(tile::ViewType view,
                                            ValueRange offsets, SmemType tile) {
  int64_t bits = tile.getElementType().getIntOrFloatBitWidth();
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return "TMA has no elements of " + std::to_string(bits) + " bits";
  if (view.getRank() > 5)
    return "TMA has at most 5 axes, the view has " +
           std::to_string(view.getRank());
  int64_t rank = tile.getShape().size();
  if (view.getOrder().front() < view.getRank() - rank)
    return "the tile is one element wide along the view's axis of stride 1";
  if (view.getTileOrder(rank) != tile.getOrder())
    return "the view's order differs from the tile's";
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t extent = axis == tile.getOrder().front() ? tile.getCopyWidth()
                                                     : tile.getShape()[axis];
    if (extent > 256)
      return "a TMA box has at most 256 elements along an axis, this one has " +
             std::to_string(extent) + " along axis " + std::to_string(axis);
  }
  if (tile.getBoxWidth() * bits / 8 % 16)
    return "a row of a TMA box is a multiple of 16 bytes, this one has " +
           std::to_string(tile.getBoxWidth() * bits / 8);
  // Hardware: else an illegal instruction.
  int64_t fastest = view.getOrder().front();
  if (tile::knownDivisor(offsets[fastest]) * bits / 8 % 16)
    return "nothing says that it starts at a multiple of 16 bytes along axis " +
           std::to_string(fastest) + ", which TMA needs";
  return "";
}
