//===- KernelWriter.cpp - What every sparse kernel is made of -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace heddle;
using sparse::Semiring;

KernelWriter::KernelWriter(OpBuilder &builder, Location loc,
                           const sparse::Statement &statement, int width)
    : builder(builder), loc(loc), statement(statement),
      elementType(statement.element == sparse::Element::F64
                      ? Type(builder.getF64Type())
                      : Type(builder.getF32Type())),
      width(width) {}

Value KernelWriter::number(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
Value KernelWriter::add(Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b);
}
Value KernelWriter::multiply(Value a, Value b) {
  return arith::MulIOp::create(builder, loc, a, b);
}
Value KernelWriter::isLess(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
}
Value KernelWriter::isEqual(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
}
Value KernelWriter::word(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}
Value KernelWriter::toWord(Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}
Value KernelWriter::toIndex(Value word) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), word);
}

bool KernelWriter::isTile(Value value) {
  return isa<RankedTensorType>(value.getType());
}

Value KernelWriter::splat(Value scalar) {
  return tile::SplatOp::create(
      builder, loc, RankedTensorType::get({width}, scalar.getType()), scalar);
}

Value KernelWriter::iota() {
  return tile::IotaOp::create(
      builder, loc, RankedTensorType::get({width}, builder.getI64Type()));
}

Value KernelWriter::toTile(const Place &place) {
  if (place.tile)
    return place.tile;
  Value first = splat(toWord(place.scalar));
  return place.isRun ? add(first, iota()) : first;
}

Place KernelWriter::below(const Place &parent, Value extent,
                          const Place &coordinate) {
  if (parent.isOne() && !coordinate.tile)
    return {add(multiply(parent.scalar, extent), coordinate.scalar),
            {},
            coordinate.isRun};
  Value first = multiply(toTile(parent), splat(toWord(extent)));
  return {{}, add(first, toTile(coordinate)), false};
}

Value KernelWriter::address(Value array, const Place &place) {
  if (place.tile) {
    Value base = splat(array);
    return tile::PtrAddOp::create(builder, loc, base.getType(), base,
                                  place.tile);
  }
  Value first = tile::PtrAddOp::create(builder, loc, array.getType(), array,
                                       toWord(place.scalar));
  if (!place.isRun)
    return first;
  Value base = splat(first);
  return tile::PtrAddOp::create(builder, loc, base.getType(), base, iota());
}

Value KernelWriter::load(Value array, const Place &place, Value mask) {
  if (isa<tile::ViewType>(array.getType()))
    return loadView(array, {place});
  Type type = mlir::cast<tile::PtrType>(array.getType()).getElementType();
  if (place.isOne())
    mask = {};
  else
    type = RankedTensorType::get({width}, type);
  return widen(tile::GatherOp::create(builder, loc, type, address(array, place),
                                      mask, Value()));
}

Value KernelWriter::cast(Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  Type type = element;
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
    type = tile.clone(element);
  return tile::CastOp::create(builder, loc, type, value);
}

Value KernelWriter::widen(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()))
             ? cast(value, elementType)
             : value;
}

void KernelWriter::store(Value value, Value array, const Place &place,
                         Value mask) {
  if (isa<FloatType>(getElementTypeOrSelf(value.getType())))
    value = cast(value,
                 mlir::cast<tile::PtrType>(array.getType()).getElementType());
  tile::ScatterOp::create(builder, loc, value, address(array, place),
                          place.isOne() ? Value() : mask);
}

RankedTensorType KernelWriter::boxType(ArrayRef<Place> places, Type element) {
  bool isRun = llvm::any_of(places, [](const Place &at) { return at.isRun; });
  return RankedTensorType::get({isRun ? width : 1}, element);
}

static SmallVector<Value> offsetsOf(ArrayRef<Place> places) {
  return llvm::map_to_vector(places, [](const Place &at) { return at.scalar; });
}

Value KernelWriter::loadView(Value view, ArrayRef<Place> places) {
  Type element = mlir::cast<tile::ViewType>(view.getType()).getElementType();
  RankedTensorType type = boxType(places, element);
  Value box = tile::LoadOp::create(builder, loc, type, view, offsetsOf(places));
  Value value = type.getDimSize(0) == 1
                    ? Value(tile::UnsplatOp::create(builder, loc, element, box))
                    : box;
  return widen(value);
}

void KernelWriter::storeView(Value value, Value view, ArrayRef<Place> places) {
  Type element = mlir::cast<tile::ViewType>(view.getType()).getElementType();
  if (!isTile(value))
    value = tile::SplatOp::create(
        builder, loc, RankedTensorType::get({1}, value.getType()), value);
  value = cast(value, element);
  tile::StoreOp::create(builder, loc, value, view, offsetsOf(places));
}

Value KernelWriter::loadIndex(Value array, Value index) {
  return toIndex(load(array, index));
}

Value KernelWriter::loadIndices(Value array, const Place &place, Value mask) {
  Value narrow = load(array, place, mask);
  auto wide = RankedTensorType::get({width}, builder.getI64Type());
  if (narrow.getType() == wide)
    return narrow;
  return arith::ExtSIOp::create(builder, loc, wide, narrow);
}

Value KernelWriter::maskOf(Value count) {
  auto lanes = RankedTensorType::get({width}, builder.getI32Type());
  Value left =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), count);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                               tile::IotaOp::create(builder, loc, lanes),
                               splat(left));
}

Value KernelWriter::zero(bool isTile) {
  Value scalar = arith::ConstantOp::create(
      builder, loc,
      builder.getFloatAttr(elementType, sparse::zeroOf(statement.semiring)));
  return isTile ? splat(scalar) : scalar;
}

SmallVector<Value> KernelWriter::alike(ValueRange values) {
  bool anyTile =
      llvm::any_of(values, [&](Value value) { return isTile(value); });
  return llvm::map_to_vector(values, [&](Value value) {
    return anyTile && !isTile(value) ? splat(value) : value;
  });
}

Value KernelWriter::product(ValueRange factors) {
  SmallVector<Value> values = alike(factors);
  Value result = values[0];
  for (Value factor : ArrayRef<Value>(values).drop_front())
    result = hasTimes(statement.semiring)
                 ? Value(arith::MulFOp::create(builder, loc, result, factor))
                 : Value(arith::AddFOp::create(builder, loc, result, factor));
  return result;
}

Value KernelWriter::sum(Value a, Value b) {
  SmallVector<Value> values = alike({a, b});
  switch (statement.semiring) {
  case Semiring::PlusTimes:
    return arith::AddFOp::create(builder, loc, values[0], values[1]);
  case Semiring::MinPlus:
    return arith::MinimumFOp::create(builder, loc, values[0], values[1]);
  case Semiring::MaxPlus:
  case Semiring::MaxTimes:
    return arith::MaximumFOp::create(builder, loc, values[0], values[1]);
  }
  llvm_unreachable("a semiring without a sum");
}

Value KernelWriter::addProduct(Value acc, ValueRange factors) {
  if (statement.semiring != Semiring::PlusTimes || factors.size() == 1)
    return sum(acc, product(factors));
  SmallVector<Value> values(factors.begin(), factors.end());
  values.push_back(acc);
  values = alike(values);
  Value first = product(ArrayRef<Value>(values).drop_back(2));
  return math::FmaOp::create(builder, loc, first, values[values.size() - 2],
                             values.back());
}

Value KernelWriter::sumOfLanes(Value tile) {
  auto reduce = tile::ReduceOp::create(builder, loc, TypeRange{elementType},
                                       ValueRange{tile}, 0);
  OpBuilder::InsertionGuard guard(builder);
  Block &block = reduce.getCombiner().emplaceBlock();
  block.addArguments({elementType, elementType}, {loc, loc});
  builder.setInsertionPointToStart(&block);
  Value both = sum(block.getArgument(0), block.getArgument(1));
  tile::YieldOp::create(builder, loc, both);
  return reduce.getResult(0);
}

Value KernelWriter::orZero(Value tile, Value mask) {
  if (!mask)
    return tile;
  return arith::SelectOp::create(builder, loc, mask, tile, zero(true));
}
