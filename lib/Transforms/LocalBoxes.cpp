//===- LocalBoxes.cpp - Decide: boxes whose ends only the device knows ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ends are cut to the tile before they become extents, so that these fit 32
// bits whatever the program reads from memory. A lower end moves the view's
// beginning, and the tile then begins before it.
//
//===----------------------------------------------------------------------===//

#include "LocalBoxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;

static std::nullopt_t fail(std::string &reason, StringRef why) {
  reason = why.str();
  return std::nullopt;
}

/// Adds one condition of the mask; whether it is one of a box.
static bool addCondition(LocalBox &box, const Form &condition,
                         ArrayRef<int64_t> shape, bool isWrite) {
  std::optional<size_t> bounded;
  for (auto [axis, factor] : llvm::enumerate(condition.factors)) {
    if (factor.isZero() || shape[axis] == 1)
      continue;
    if (bounded)
      return false;
    bounded = axis;
  }
  if (!condition.start.isExact())
    return false;
  if (!bounded) {
    box.guards.push_back(condition.start);
    return true;
  }
  std::optional<int64_t> factor = condition.factors[*bounded].asConstant();
  if (factor != 1 && factor != -1)
    return false;
  auto own = llvm::find_if(box.axes, [&](const LocalBox::Axis &axis) {
    return axis.axis == int64_t(*bounded);
  });
  if (own == box.axes.end()) {
    // An axis that repeats: one element that the mask includes is enough.
    Polynomial last = Polynomial::constant(shape[*bounded] - 1);
    box.guards.push_back(factor == -1 ? condition.start
                                      : condition.start + last);
    box.needsSelect = true;
    return !isWrite;
  }
  if (factor == -1)
    own->below.push_back(condition.start);
  else
    own->from.push_back(Polynomial::constant(1) - condition.start);
  return true;
}

std::optional<LocalBox> heddle::findLocalBox(AddressForms &forms,
                                             Value pointers, Value mask,
                                             bool isWrite,
                                             std::string &reason) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(pointers.getType()).getShape();
  std::optional<Form> form = forms.formOf(pointers);
  if (!form || !form->base || !form->start.isExact())
    return fail(reason, "they are no sums of multiples of the element's place");
  if (!form->wraps.empty())
    return fail(reason, "they wrap around");
  LocalBox box;
  box.base = form->base;
  box.start = form->start;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    const Polynomial &stride = form->factors[axis];
    if (extent == 1 || (stride.isZero() && !isWrite))
      continue;
    if (!stride.isExact() || stride.isZero())
      return fail(reason, "elements share an address");
    if (stride.asConstant() == 1)
      box.fastest = box.axes.size();
    box.kept.push_back(axis);
    box.axes.push_back({int64_t(axis), extent, stride, {}, {}});
  }
  if (box.axes.empty())
    return fail(reason, "all are the same");
  if (int64_t(box.axes.size()) >= BoxFinder::kMostAxes)
    return fail(reason, "the array would have too many axes");
  std::vector<Form> conditions;
  if (mask) {
    auto found = forms.conditionsOf(mask);
    if (!found)
      return fail(reason, "the mask is more than bounds");
    conditions = std::move(*found);
  }
  for (const Form &condition : conditions)
    if (!addCondition(box, condition, shape, isWrite))
      return fail(reason, "the mask is more than bounds along single axes");
  return box;
}

//===----------------------------------------------------------------------===//
// The view
//===----------------------------------------------------------------------===//

PlacedView heddle::makeView(OpBuilder &builder, Location loc,
                            LaunchValues &values, const LocalBox &box) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  auto build = [&](const Polynomial &polynomial) {
    return values.buildDistance(builder, loc, polynomial);
  };
  auto asIndex = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value);
  };
  auto least = [&](Value a, Value b) -> Value {
    return arith::MinSIOp::create(builder, loc, a, b);
  };
  auto most = [&](Value a, Value b) -> Value {
    return arith::MaxSIOp::create(builder, loc, a, b);
  };
  Value zero = number(0), holds;
  for (const Polynomial &guard : box.guards) {
    Value one = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                      build(guard), zero);
    holds = holds ? arith::AndIOp::create(builder, loc, holds, one).getResult()
                  : one;
  }

  Value pointer = box.base;
  auto advance = [&](Value distance) {
    pointer = tile::PtrAddOp::create(builder, loc, pointer, distance);
  };
  if (!box.start.isZero())
    advance(build(box.start));
  SmallVector<Value> extents, strides, offsets;
  SmallVector<int64_t> order;
  // Neighbours in memory are an axis even where the tile has one of each.
  bool isStrided = !box.fastest;
  if (isStrided) {
    order.push_back(0);
    offsets.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
    extents.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
    strides.push_back(extents.back());
  } else {
    order.push_back(int64_t(*box.fastest));
  }
  for (size_t i = box.axes.size(); i-- > 0;)
    if (i != box.fastest)
      order.push_back(int64_t(i) + isStrided);

  for (const LocalBox::Axis &axis : box.axes) {
    Value whole = number(axis.extent), first, end = whole;
    for (const Polynomial &bound : axis.below)
      end = least(end, build(bound));
    if (!axis.below.empty())
      end = most(end, zero);
    for (const Polynomial &bound : axis.from)
      first = first ? most(first, build(bound)) : build(bound);
    // The first axis' end stands for the whole box.
    if (holds && &axis == &box.axes.front())
      end = arith::SelectOp::create(builder, loc, holds, end, zero);
    Value offset = arith::ConstantIndexOp::create(builder, loc, 0);
    Value stride = build(axis.stride);
    if (first) {
      first = least(most(first, zero), whole);
      advance(arith::MulIOp::create(builder, loc, first, stride));
      end = most(arith::SubIOp::create(builder, loc, end, first), zero);
      offset = asIndex(arith::SubIOp::create(builder, loc, zero, first));
    }
    offsets.push_back(offset);
    extents.push_back(asIndex(end));
    strides.push_back(asIndex(stride));
  }
  SmallVector<int64_t> shape(extents.size(), ShapedType::kDynamic);
  Type element = cast<tile::PtrType>(pointer.getType()).getElementType();
  auto type = tile::ViewType::get(builder.getContext(), shape, element, order);
  Value view =
      tile::MakeViewOp::create(builder, loc, type, pointer, extents, strides);
  return {view, offsets};
}
