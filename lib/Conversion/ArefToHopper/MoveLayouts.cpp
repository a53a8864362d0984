//===- MoveLayouts.cpp - Decide: layouts of ops that move elements ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MoveLayouts.h"

#include "HeldSlots.h"

#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Machine/Movement.h"
#include "heddle/Machine/Scan.h"

#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

bool heddle::areftohopper::isMovement(Operation *op) {
  return isa<tile::TransOp, tile::ReshapeOp, tile::JoinOp, tile::SplitOp,
             tile::CatOp, tile::ScanOp, tile::TakeOp, tile::HistogramOp>(op);
}

bool heddle::areftohopper::readsSlot(tile::UnfoldOp op,
                                     const KernelFacts &facts) {
  return facts.homeOf(op.getSpan()) && !isGivenBack(op.getSpan(), op);
}

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static LayoutAttr wrap(MLIRContext *context,
                       const std::optional<machine::Layout> &layout) {
  return layout ? hopper::getLayoutAttr(context, *layout) : LayoutAttr();
}

static LayoutAttr permute(LayoutAttr layout, ArrayRef<int64_t> order) {
  return wrap(layout.getContext(),
              machine::permuteAxes(hopper::getLayout(layout), order.vec()));
}
static LayoutAttr unpermute(LayoutAttr layout, ArrayRef<int64_t> order) {
  SmallVector<int64_t> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  return permute(layout, inverse);
}
static LayoutAttr reshape(LayoutAttr layout, RankedTensorType to) {
  return wrap(layout.getContext(),
              machine::reshape(hopper::getLayout(layout), to.getShape().vec()));
}
static LayoutAttr join(LayoutAttr layout) {
  return wrap(layout.getContext(),
              machine::joinTiles(hopper::getLayout(layout)));
}
static LayoutAttr split(LayoutAttr layout) {
  return wrap(layout.getContext(),
              machine::splitTiles(hopper::getLayout(layout)));
}
static LayoutAttr resize(LayoutAttr layout, int64_t axis, int64_t extent) {
  return wrap(
      layout.getContext(),
      machine::resizeAxis(hopper::getLayout(layout), int(axis), extent));
}

LayoutAttr heddle::areftohopper::acrossMovement(Operation *op, Value from,
                                                LayoutAttr layout, Value to) {
  bool forward = llvm::is_contained(op->getOperands(), from);
  return llvm::TypeSwitch<Operation *, LayoutAttr>(op)
      .Case([&](tile::TransOp op) {
        return forward ? permute(layout, op.getOrder())
                       : unpermute(layout, op.getOrder());
      })
      .Case([&](tile::ReshapeOp) { return reshape(layout, typeOf(to)); })
      .Case(
          [&](tile::JoinOp) { return forward ? join(layout) : split(layout); })
      .Case(
          [&](tile::SplitOp) { return forward ? split(layout) : join(layout); })
      .Case([&](tile::CatOp op) {
        return resize(layout, op.getAxis(),
                      typeOf(to).getDimSize(op.getAxis()));
      })
      .Default(LayoutAttr());
}

namespace {
/// Plans one op at a time from the layouts around it.
class MovePlanner {
public:
  MovePlanner(Operation *op, const LayoutMap &layouts)
      : layouts(layouts),
        warps(op->getParentOfType<aref::ProcessOp>().getWarps()) {}

  Movement plan(tile::TransOp op);
  Movement plan(tile::ReshapeOp op);
  Movement plan(tile::JoinOp op);
  Movement plan(tile::SplitOp op);
  Movement plan(tile::CatOp op);
  Movement plan(tile::ScanOp op);
  Movement plan(tile::TakeOp op);
  Movement plan(tile::HistogramOp op);

private:
  LayoutAttr known(Value value) const {
    return layouts.lookup(lookThroughStart(value));
  }
  LayoutAttr knownOrDefault(Value value) const {
    LayoutAttr layout = known(value);
    return layout ? layout : defaultLayout(typeOf(value), warps);
  }
  LayoutAttr defaultCat(tile::CatOp op) const;

  const LayoutMap &layouts;
  int64_t warps;
};
} // namespace

Movement MovePlanner::plan(tile::TransOp op) {
  LayoutAttr from = known(op.getValue());
  if (!from)
    from = unpermute(knownOrDefault(op.getResult()), op.getOrder());
  return {{from}, {permute(from, op.getOrder())}};
}

Movement MovePlanner::plan(tile::ReshapeOp op) {
  RankedTensorType from = typeOf(op.getValue()), to = typeOf(op.getResult());
  LayoutAttr read = known(op.getValue()), wanted = known(op.getResult());
  if (LayoutAttr made = read ? reshape(read, to) : LayoutAttr())
    return {{read}, {made}};
  LayoutAttr made = knownOrDefault(op.getResult());
  if (LayoutAttr back = reshape(made, from); back && (wanted || !read))
    return {{back}, {made}};
  return {{knownOrDefault(op.getValue())}, {made}, /*throughShared=*/true};
}

Movement MovePlanner::plan(tile::JoinOp op) {
  LayoutAttr half = known(op.getA());
  if (!half)
    half = known(op.getB());
  if (LayoutAttr whole = known(op.getResult()); !half && whole)
    half = split(whole);
  if (!half)
    half = defaultLayout(typeOf(op.getA()), warps);
  return {{half, half}, {join(half)}};
}

Movement MovePlanner::plan(tile::SplitOp op) {
  LayoutAttr half;
  if (LayoutAttr whole = known(op.getValue()))
    half = split(whole);
  if (!half)
    half = known(op.getA());
  if (!half)
    half = knownOrDefault(op.getB());
  return {{join(half)}, {half, half}};
}

/// An atom that divides both parts.
LayoutAttr MovePlanner::defaultCat(tile::CatOp op) const {
  RankedTensorType whole = typeOf(op.getResult());
  int64_t axis = op.getAxis();
  SmallVector<int64_t> shape(whole.getShape());
  shape[axis] = std::gcd(typeOf(op.getA()).getDimSize(axis),
                         typeOf(op.getB()).getDimSize(axis));
  return resize(defaultLayout(whole.clone(shape), warps), axis,
                whole.getDimSize(axis));
}

Movement MovePlanner::plan(tile::CatOp op) {
  int64_t axis = op.getAxis(), first = typeOf(op.getA()).getDimSize(axis),
          second = typeOf(op.getB()).getDimSize(axis);
  for (Value value : {op.getResult(), op.getA(), op.getB()}) {
    LayoutAttr layout = known(value);
    LayoutAttr a = layout ? resize(layout, axis, first) : LayoutAttr();
    LayoutAttr b = layout ? resize(layout, axis, second) : LayoutAttr();
    if (a && b)
      return {{a, b}, {resize(layout, axis, first + second)}};
  }
  LayoutAttr whole = defaultCat(op);
  return {{resize(whole, axis, first), resize(whole, axis, second)}, {whole}};
}

Movement MovePlanner::plan(tile::ScanOp op) {
  LayoutAttr chosen;
  for (Value value : op.getValues())
    if (LayoutAttr layout = known(value);
        !chosen && layout &&
        machine::planScan(hopper::getLayout(layout), int(op.getAxis())))
      chosen = layout;
  RankedTensorType type = typeOf(op.getValues().front());
  if (!chosen)
    chosen = hopper::getLayoutAttr(
        op.getContext(), machine::makeScannable(type.getShape().vec(),
                                                int(op.getAxis()), int(warps)));
  size_t count = op.getValues().size();
  return {SmallVector<LayoutAttr>(count, chosen),
          SmallVector<LayoutAttr>(count, chosen)};
}

Movement MovePlanner::plan(tile::TakeOp op) {
  LayoutAttr made = knownOrDefault(op.getResult());
  return {{knownOrDefault(op.getValue()), made}, {made}};
}

Movement MovePlanner::plan(tile::HistogramOp op) {
  LayoutAttr read = knownOrDefault(op.getValue());
  return {{read, read}, {knownOrDefault(op.getResult())}};
}

Movement heddle::areftohopper::planMovement(Operation *op,
                                            const LayoutMap &layouts) {
  return llvm::TypeSwitch<Operation *, Movement>(op)
      .Case<tile::TransOp, tile::ReshapeOp, tile::JoinOp, tile::SplitOp,
            tile::CatOp, tile::ScanOp, tile::TakeOp, tile::HistogramOp>(
          [&](auto op) { return MovePlanner(op, layouts).plan(op); });
}

std::string heddle::areftohopper::whyNoMovement(Operation *op) {
  if (auto histogram = dyn_cast<tile::HistogramOp>(op))
    if (Type element = typeOf(histogram.getResult()).getElementType();
        !element.isInteger(32))
      return "counts in elements other than i32, the only ones that shared "
             "memory adds to here; cast the counts";
  return "";
}
