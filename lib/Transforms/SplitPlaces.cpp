//===- SplitPlaces.cpp - Places counted in groups, along two axes -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitPlaces.h"

#include "DividedPlaces.h"
#include "Multiples.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace heddle;

static RankedTensorType tileType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static bool isOne(Value value, int64_t axis) {
  return tileType(value).getDimSize(axis) == 1;
}

//===----------------------------------------------------------------------===//
// Decide
//===----------------------------------------------------------------------===//

/// Where a tile of consecutive numbers along `axis`, the same along all others,
/// begins.
std::optional<Polynomial> PlaceSplitter::startAlong(Value value, int64_t axis) {
  std::optional<Form> form = forms.formOf(value);
  if (!form || form->base || !form->wraps.empty())
    return std::nullopt;
  return form->runAxis() == axis ? std::optional(form->start) : std::nullopt;
}

/// By how much the places along `axis` of what `value` is made of are divided;
/// 0 if they are not.
int64_t PlaceSplitter::divisorOf(Value value, int64_t axis) {
  if (isOne(value, axis))
    return 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument != loop.getInductionVar()
               ? divisorOf(loop.getTiedLoopInit(argument)->get(), axis)
               : 0;
  }
  Operation *op = value.getDefiningOp();
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
    return divisorOf(expand.getValue(),
                     axis - (axis > int64_t(expand.getAxis())));
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
    return divisorOf(broadcast.getValue(), axis);
  if (auto trans = dyn_cast<tile::TransOp>(op))
    return divisorOf(trans.getValue(), trans.getOrder()[axis]);
  if (op->getNumRegions() || !isMemoryEffectFree(op))
    return 0;
  Division division = divisionOf(op);
  if (division.by && startAlong(op->getOperand(0), axis)) {
    int64_t common = std::gcd(division.by, tileType(value).getDimSize(axis));
    return common > 1 ? common : 0;
  }
  for (Value operand : op->getOperands())
    if (RankedTensorType type = tileType(operand);
        type && type.getRank() == tileType(value).getRank())
      if (int64_t found = divisorOf(operand, axis))
        return found;
  return 0;
}

/// A product with a factor that is a multiple.
std::optional<Polynomial> PlaceSplitter::quotientOf(const Product &product,
                                                    int64_t coefficient) {
  for (auto [i, unknown] : llvm::enumerate(product)) {
    Value value = forms.valueOf(unknown);
    if (!isMultiple(forms, value, by))
      continue;
    OpBuilder behind(value.getContext());
    behind.setInsertionPointAfterValue(value);
    Polynomial others;
    Product rest = product;
    rest.erase(rest.begin() + i);
    others.add(rest, coefficient);
    return divided(Polynomial::unknown(unknown), behind) * others;
  }
  return std::nullopt;
}

/// A number by c, of which it is a multiple, or has to be at launch.
std::optional<Polynomial> PlaceSplitter::quotientOf(const Polynomial &number) {
  Polynomial quotient, launch;
  for (const auto &[product, coefficient] : number.terms()) {
    if (coefficient % by == 0)
      quotient.add(product, coefficient / by);
    else if (auto found = quotientOf(product, coefficient))
      quotient = quotient + *found;
    else if (forms.isHost(product) && !product.empty())
      launch.add(product, coefficient);
    else
      return std::nullopt;
  }
  if (launch.isZero())
    return quotient;
  demands.push_back({Polynomial(), launch, by});
  return quotient + divided(launch, OpBuilder(parallel));
}

/// A multiple of c, divided by an operation.
Polynomial PlaceSplitter::divided(const Polynomial &number, OpBuilder at) {
  auto [entry, isNew] = quotients.try_emplace({number, by});
  if (isNew) {
    Location loc = parallel.getLoc();
    Value whole = values.build(at, loc, number, forms.isHost(number));
    Value divisor = arith::ConstantIndexOp::create(at, loc, by);
    entry->second =
        forms.scalar(arith::DivSIOp::create(at, loc, whole, divisor));
  }
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Build
//===----------------------------------------------------------------------===//

RankedTensorType PlaceSplitter::splitType(RankedTensorType type, int64_t axis) {
  SmallVector<int64_t> shape(type.getShape());
  int64_t rest = shape[axis] == 1 ? 1 : by;
  shape[axis] /= rest;
  shape.insert(shape.begin() + axis + 1, rest);
  return type.clone(shape);
}

/// A number as a tile.
Value PlaceSplitter::spread(const Polynomial &number, RankedTensorType type) {
  Location loc = builder.getUnknownLoc();
  Value scalar = values.build(builder, loc, number, /*isAtLaunch=*/false);
  if (!type.getElementType().isIndex())
    scalar =
        arith::IndexCastOp::create(builder, loc, type.getElementType(), scalar);
  return tile::SplatOp::create(builder, loc, type, scalar);
}

Value PlaceSplitter::add(Value a, Value b) {
  return arith::AddIOp::create(builder, builder.getUnknownLoc(), a, b);
}

/// `value` with `axis` as two, groups and what is in them; null if it is made
/// in another way than this knows.
Value PlaceSplitter::splitTile(Value value, int64_t axis) {
  auto found = done.find({value, axis});
  if (found != done.end())
    return found->second;
  Value split;
  RankedTensorType type = tileType(value);
  if (isOne(value, axis)) {
    split = tile::ExpandDimsOp::create(builder, value.getLoc(),
                                       splitType(type, axis), value, axis);
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    split = splitCarried(argument, axis);
  } else {
    split = splitOp(value.getDefiningOp(), axis);
  }
  return done[{value, axis}] = split;
}

Value PlaceSplitter::splitOp(Operation *op, int64_t axis) {
  RankedTensorType type = splitType(tileType(op->getResult(0)), axis);
  Location loc = op->getLoc();
  if (DenseElementsAttr elements; matchPattern(op, m_Constant(&elements)))
    return elements.isSplat() ? arith::ConstantOp::create(
                                    builder, loc, elements.resizeSplat(type))
                                    .getResult()
                              : Value();
  if (Division division = divisionOf(op);
      division.by && startAlong(op->getOperand(0), axis)) {
    std::vector<Signs::Demand> needed;
    if (!division.isOfAnySign &&
        !signs.isNotNegative(*startAlong(op->getOperand(0), axis), needed))
      return {};
    llvm::append_range(demands, needed);
    return splitDivided(op, axis, division.by, division.isQuotient);
  }
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](tile::SplatOp splat) {
        return tile::SplatOp::create(builder, loc, type, splat.getValue());
      })
      .Case([&](tile::IotaOp) {
        Value group = countAlong(builder, type, axis);
        Value size = arith::ConstantOp::create(
            builder, loc,
            DenseElementsAttr::get(
                type, builder.getIntegerAttr(type.getElementType(), by)));
        return add(arith::MulIOp::create(builder, loc, group, size),
                   countAlong(builder, type, axis + 1));
      })
      .Case([&](tile::ExpandDimsOp expand) -> Value {
        int64_t added = expand.getAxis();
        Value inner = splitTile(expand.getValue(), axis - (axis > added));
        return inner ? tile::ExpandDimsOp::create(builder, loc, type, inner,
                                                  added + (added > axis))
                           .getResult()
                     : Value();
      })
      .Case([&](tile::BroadcastOp broadcast) -> Value {
        Value inner = splitTile(broadcast.getValue(), axis);
        return inner ? tile::BroadcastOp::create(builder, loc, type, inner)
                           .getResult()
                     : Value();
      })
      .Case(
          [&](arith::CmpIOp compare) { return splitCondition(compare, axis); })
      .Default([&](Operation *op) { return splitElementwise(op, axis); });
}

/// Quotient and remainder of c * group + rest: of what begins at a multiple of
/// c, c being one of the divisor.
Value PlaceSplitter::splitDivided(Operation *op, int64_t axis, int64_t divisor,
                                  bool isQuotient) {
  RankedTensorType type = splitType(tileType(op->getResult(0)), axis);
  std::optional<Polynomial> quotient =
      quotientOf(*startAlong(op->getOperand(0), axis));
  if (!quotient || divisor % by)
    return {};
  if (divisor == by)
    return isQuotient
               ? add(spread(*quotient, type), countAlong(builder, type, axis))
               : countAlong(builder, type, axis + 1);
  // One group, which is in one of the divisor's.
  if (type.getDimSize(axis) != 1)
    return {};
  Location loc = op->getLoc();
  Value group = values.build(builder, loc, *quotient, /*isAtLaunch=*/false);
  Value groups = arith::ConstantIndexOp::create(builder, loc, divisor / by);
  if (isQuotient)
    return spread(
        forms.scalar(arith::DivSIOp::create(builder, loc, group, groups)),
        type);
  Polynomial before =
      forms.scalar(arith::RemSIOp::create(builder, loc, group, groups));
  return add(spread(before * Polynomial::constant(by), type),
             countAlong(builder, type, axis + 1));
}

/// An upper bound of the places, which ends with a group.
Value PlaceSplitter::splitCondition(arith::CmpIOp op, int64_t axis) {
  auto conditions = forms.conditionsOf(op.getResult());
  if (!conditions || conditions->size() != 1)
    return splitElementwise(op, axis);
  const Form &condition = conditions->front();
  if (condition.factors[axis].isZero())
    return splitElementwise(op, axis);
  for (auto [i, factor] : llvm::enumerate(condition.factors))
    if (factor.asConstant() != (int64_t(i) == axis ? -1 : 0))
      return {};
  std::optional<Polynomial> groups = quotientOf(condition.start);
  if (!groups)
    return {};
  RankedTensorType type = splitType(tileType(op.getLhs()), axis);
  return arith::CmpIOp::create(builder, op.getLoc(), arith::CmpIPredicate::slt,
                               countAlong(builder, type, axis),
                               spread(*groups, type));
}

/// What a loop adds the same number to, written with the loop's own.
Value PlaceSplitter::splitCarried(BlockArgument argument, int64_t axis) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  std::optional<Form> now = forms.formOf(argument);
  if (!loop || argument == loop.getInductionVar())
    return {};
  unsigned index = argument.getArgNumber() - 1;
  Operation *next = loop.getYieldedValues()[index].getDefiningOp();
  if (!next || !isa<arith::AddIOp, tile::PtrAddOp>(next) ||
      next->getOperand(0) != argument)
    return {};
  std::optional<Form> step = forms.formOf(next->getOperand(1));
  if (!step || step->base || !step->isUniform() || !step->wraps.empty())
    return {};
  for (const auto &[product, coefficient] : step->start.terms())
    for (unsigned unknown : product)
      if (!loop.isDefinedOutsideOfLoop(forms.valueOf(unknown)))
        return {};
  std::optional<Polynomial> slope =
      step->start.dividedBy(forms.scalar(loop.getStep()));
  Value first = splitTile(loop.getInitArgs()[index], axis);
  if (!slope || !first)
    return {};
  Polynomial distance =
      forms.scalar(loop.getInductionVar()) - forms.scalar(loop.getLowerBound());
  RankedTensorType type = tileType(first);
  Location loc = argument.getLoc();
  if (isa<arith::AddIOp>(next))
    return add(first, spread(*slope * distance, type));
  Value moved = tile::SplatOp::create(
      builder, loc, type.clone(builder.getI64Type()),
      values.buildDistance(builder, loc, *slope * distance));
  return tile::PtrAddOp::create(builder, loc, type, first, moved);
}

Value PlaceSplitter::splitElementwise(Operation *op, int64_t axis) {
  RankedTensorType type = tileType(op->getResult(0));
  if (op->getNumResults() != 1 || op->getNumRegions() ||
      !isMemoryEffectFree(op) ||
      !(isa<arith::ArithDialect>(op->getDialect()) ||
        isa<tile::PtrAddOp, tile::CastOp>(op)))
    return {};
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    RankedTensorType its = tileType(operand);
    if (!its)
      continue;
    Value split =
        its.getShape() == type.getShape() ? splitTile(operand, axis) : Value();
    if (!split)
      return {};
    mapping.map(operand, split);
  }
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(splitType(type, axis));
  return copy->getResult(0);
}

std::optional<PlaceSplitter::Result>
PlaceSplitter::split(tile::GatherOp gather) {
  RankedTensorType type = tileType(gather.getPtr());
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    by = divisorOf(gather.getPtr(), axis);
    if (!by)
      continue;
    builder = OpBuilder(gather);
    demands.clear();
    done.clear();
    Value pointers = splitTile(gather.getPtr(), axis);
    Value mask = gather.getMask(), other = gather.getOther();
    if (pointers && mask)
      mask = splitTile(mask, axis);
    if (pointers && other)
      other = splitTile(other, axis);
    if (!pointers || (gather.getMask() && !mask) ||
        (gather.getOther() && !other))
      continue;
    IRMapping mapping;
    mapping.map(gather.getPtr(), pointers);
    if (mask)
      mapping.map(gather.getMask(), mask);
    if (other)
      mapping.map(gather.getOther(), other);
    auto copy = cast<tile::GatherOp>(builder.clone(*gather, mapping));
    RankedTensorType elements = tileType(gather.getResult());
    copy.getResult().setType(splitType(elements, axis));
    auto joined = tile::ReshapeOp::create(builder, gather.getLoc(), elements,
                                          copy.getResult());
    return Result{copy, joined, demands};
  }
  return std::nullopt;
}
