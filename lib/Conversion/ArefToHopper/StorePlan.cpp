//===- StorePlan.cpp - Decide: how a tile reaches global memory
//-------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorePlan.h"

#include "ChooseLayout.h"
#include "SharedPlan.h"
#include "SharedTile.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Tile/KnownSign.h"
#include "heddle/Dialect/Tile/Turns.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Of the updates, TMA adds, and what it adds besides f32 is not tried here.
static std::string whyNotReduced(tile::ViewReduceOp reduction) {
  if (tile::findCluster(reduction))
    return "each block of a cluster adds a part of it, out of registers";
  Type element =
      cast<RankedTensorType>(reduction.getValue().getType()).getElementType();
  if (reduction.getKind() != tile::RmwKind::FAdd || !element.isF32())
    return ("only sums of f32 go through TMA, this is " +
            tile::stringifyRmwKind(reduction.getKind()) + " of a tile of ")
               .str() +
           toString(element);
  return "";
}

StorePlan heddle::areftohopper::planStore(Stored store,
                                          hopper::LayoutAttr layout,
                                          bool isPlain, bool isAtLaunch) {
  auto type = cast<RankedTensorType>(store.getValue().getType());
  tile::ViewType view = store.getView().getType();
  auto decline = [](std::string reason) {
    return StorePlan{{}, 0, std::move(reason)};
  };
  if (auto reduction = dyn_cast<tile::ViewReduceOp>((Operation *)store))
    if (std::string reason = whyNotReduced(reduction); !reason.empty())
      return decline(reason);
  if (isPlain && layout && !store.reduces() &&
      hopper::widestAccess(view, store.getOffsets(), withLayout(type, layout)) *
              elementBits(type.getElementType()) ==
          hopper::kAccessBytes * 8)
    return decline("a thread holds 16 bytes in a row");
  if (type.getRank() != 2)
    return decline("only tiles of 2 axes are staged");
  if (view.getOrder().front() != view.getRank() - 1 ||
      view.getTileOrder(2) != ArrayRef<int64_t>{1, 0})
    return decline(
        "the view is not row-major, but a thread's registers run along rows");
  if (!isAtLaunch)
    return decline("a launch cannot make the view");
  if (!layout)
    return decline("the value is not in registers");

  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  int64_t swizzle =
      elementBytes ? widestSwizzle(type.getDimSize(1) * elementBytes) : 0;
  if (!swizzle)
    return decline("rows of " +
                   std::to_string(type.getDimSize(1) * elementBytes) +
                   " bytes are no multiple of the smallest swizzle of 32");
  int64_t columns = swizzle / elementBytes;
  if (!cutTile(layout, type.getDimSize(0), columns))
    return decline("the register layout does not part at multiples of " +
                   std::to_string(columns) + " columns");
  auto chunk =
      hopper::SmemType::get(type.getContext(), {type.getDimSize(0), columns},
                            type.getElementType(), {1, 0}, swizzle);
  if (std::string reason = whyNotTma(view, store.getOffsets(), chunk);
      !reason.empty())
    return decline(reason);
  // Hardware: a store that starts before the view along any axis is an illegal
  // instruction. Tiles often start at columns that the device computes; of the
  // other axes launches are asked (HopperToNvvm/NarrowNumbers).
  if (!tile::knownNotNegative(store.getOffsets()[view.getOrder().front()]))
    return decline("nothing says that its last offset is not negative");
  return {chunk, type.getDimSize(1) / columns, ""};
}

std::optional<StorePlan>
heddle::areftohopper::halveRows(const StorePlan &plan,
                                hopper::LayoutAttr layout) {
  int64_t rows = plan.chunk.getShape()[0], columns = plan.chunk.getShape()[1];
  auto half = hopper::SmemType::get(
      plan.chunk.getContext(), {rows / 2, columns}, plan.chunk.getElementType(),
      plan.chunk.getOrder(), plan.chunk.getSwizzle());
  // A buffer begins with the pattern of the swizzle.
  if (rows % 2 || half.getSizeBytes() % kSwizzledAlignment ||
      !cutTile(layout, rows / 2, columns))
    return std::nullopt;
  return StorePlan{half, 2 * plan.chunks, ""};
}
