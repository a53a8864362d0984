//===- Lanes.cpp - Some lanes of a tile -----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile and the place of its first lane. Out: a vector of its elements,
// from memory where the tile has a place, else computed from its operands. One
// lane is a scalar.
//
//===----------------------------------------------------------------------===//

#include "DenseKernel.h"

#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::dense;

static ArrayRef<int64_t> shapeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}

//===----------------------------------------------------------------------===//
// Types and memory
//===----------------------------------------------------------------------===//

Type DenseKernel::elementType(Type type) {
  if (auto tile = dyn_cast<RankedTensorType>(type))
    type = tile.getElementType();
  return isa<tile::PtrType>(type) ? pointer() : type;
}

/// Truth values take a byte, and numbers of type index 8.
Type DenseKernel::inMemory(Type element) {
  MLIRContext *context = element.getContext();
  if (element.isIndex())
    return IntegerType::get(context, 64);
  if (element.isInteger(1))
    return IntegerType::get(context, 8);
  return element;
}

Type DenseKernel::vectorType(Type element, int64_t lanes) {
  return lanes == 1 ? element : Type(VectorType::get({lanes}, element));
}

Value DenseKernel::vectorOf(Value scalar, int64_t lanes) {
  if (lanes == 1)
    return scalar;
  Type type = vectorType(scalar.getType(), lanes);
  if (scalar.getType().isIndex()) {
    // LLVM's operations take no index.
    Value wide = vectorOf(toI64(scalar), lanes);
    return arith::IndexCastOp::create(builder, loc, type, wide);
  }
  Value first = LLVM::InsertElementOp::create(
      builder, loc, LLVM::PoisonOp::create(builder, loc, type), scalar,
      word(0));
  SmallVector<int32_t> zeros(size_t(lanes), 0);
  return LLVM::ShuffleVectorOp::create(builder, loc, first, first, zeros);
}

static unsigned alignmentOf(Type element) {
  if (isa<LLVM::LLVMPointerType>(element))
    return 8;
  return std::max(element.getIntOrFloatBitWidth() / 8, 1u);
}

Value DenseKernel::load(Type element, Value at, int64_t lanes) {
  Type stored = inMemory(element);
  Value value = LLVM::LoadOp::create(builder, loc, vectorType(stored, lanes),
                                     at, alignmentOf(stored));
  if (element.isIndex())
    return arith::IndexCastOp::create(builder, loc, vectorType(element, lanes),
                                      value);
  if (stored != element)
    return arith::TruncIOp::create(builder, loc, vectorType(element, lanes),
                                   value);
  return value;
}

void DenseKernel::store(Value value, Value at) {
  Type type = value.getType();
  auto vector = dyn_cast<VectorType>(type);
  int64_t lanes = vector ? vector.getDimSize(0) : 1;
  Type element = vector ? vector.getElementType() : type;
  Type stored = inMemory(element);
  if (element.isIndex())
    value = arith::IndexCastOp::create(builder, loc, vectorType(stored, lanes),
                                       value);
  else if (stored != element)
    value =
        arith::ExtUIOp::create(builder, loc, vectorType(stored, lanes), value);
  LLVM::StoreOp::create(builder, loc, value, at, alignmentOf(stored));
}

//===----------------------------------------------------------------------===//
// Tiles in memory, and their other names
//===----------------------------------------------------------------------===//

Access DenseKernel::accessPlace(const Place &place, Type element) {
  return {gep(builder.getI8Type(), memory, word(place.offset)), element,
          place.strides};
}

/// Strides of the axes of `to`, whose axes of more than one element are those
/// of `from`, in order.
static SmallVector<int64_t> renameStrides(ArrayRef<int64_t> from,
                                          ArrayRef<int64_t> strides,
                                          ArrayRef<int64_t> to) {
  SmallVector<int64_t> kept, made;
  for (auto [extent, stride] : llvm::zip(from, strides))
    if (extent != 1)
      kept.push_back(stride);
  size_t next = 0;
  for (int64_t extent : to)
    made.push_back(extent == 1 ? 0 : kept[next++]);
  return made;
}

std::optional<Access> DenseKernel::findAccess(Value tile) {
  if (const Place *place = plan.find(tile))
    return accessPlace(*place, elementType(tile.getType()));
  Operation *op = tile.getDefiningOp();
  if (!op || !isAnotherName(op))
    return std::nullopt;
  std::optional<Access> from = findAccess(op->getOperand(0));
  if (!from)
    return std::nullopt;
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    from->strides.insert(from->strides.begin() + int64_t(expand.getAxis()), 0);
  } else if (auto turn = dyn_cast<tile::TransOp>(op)) {
    SmallVector<int64_t> strides;
    for (int64_t axis : turn.getOrder())
      strides.push_back(from->strides[axis]);
    from->strides = strides;
  } else if (isa<tile::BroadcastOp>(op)) {
    ArrayRef<int64_t> extents = shapeOf(op->getOperand(0));
    for (auto [axis, extent] : llvm::enumerate(extents))
      if (extent == 1)
        from->strides[axis] = 0;
  } else if (isa<tile::ReshapeOp>(op)) {
    from->strides =
        renameStrides(shapeOf(op->getOperand(0)), from->strides, shapeOf(tile));
  }
  return from;
}

Value DenseKernel::elementAt(const Access &access, Values at) {
  Value offset = number(0);
  for (auto [stride, coordinate] : llvm::zip(access.strides, at))
    if (stride)
      offset = add(offset,
                   stride == 1 ? coordinate : mul(coordinate, number(stride)));
  return gep(inMemory(access.element), access.base, toI64(offset));
}

Value DenseKernel::loadLanes(const Access &access, Values at, int64_t lanes) {
  Value first = elementAt(access, at);
  int64_t stride = access.strides.back();
  if (lanes == 1 || stride == 1)
    return load(access.element, first, lanes);
  if (stride == 0)
    return vectorOf(load(access.element, first, 1), lanes);
  // Lanes that lie further apart come one by one.
  Value made;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value one =
        load(access.element,
             gep(inMemory(access.element), first, word(lane * stride)), 1);
    if (one.getType().isIndex())
      one = toI64(one);
    if (!made)
      made = LLVM::PoisonOp::create(builder, loc,
                                    vectorType(one.getType(), lanes));
    made = LLVM::InsertElementOp::create(builder, loc, made, one, word(lane));
  }
  if (access.element.isIndex())
    made = arith::IndexCastOp::create(builder, loc,
                                      vectorType(access.element, lanes), made);
  return made;
}

//===----------------------------------------------------------------------===//
// Rows of views
//===----------------------------------------------------------------------===//

/// Which of the lanes from `column` on are columns from `first` to `end`.
Value DenseKernel::maskOf(Value column, Value first, Value end, int64_t lanes) {
  Type i32 = builder.getI32Type();
  auto narrow = [&](Value value) {
    return vectorOf(arith::IndexCastOp::create(builder, loc, i32, value),
                    lanes);
  };
  SmallVector<int32_t> numbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    numbers.push_back(int32_t(lane));
  Value lane = lanes == 1
                   ? Value(arith::ConstantOp::create(
                         builder, loc, builder.getI32IntegerAttr(0)))
                   : Value(arith::ConstantOp::create(
                         builder, loc,
                         DenseElementsAttr::get(VectorType::get({lanes}, i32),
                                                ArrayRef<int32_t>(numbers))));
  Value isBehind = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, lane, narrow(sub(end, column)));
  if (!first)
    return isBehind;
  Value isFrom = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       lane, narrow(sub(first, column)));
  return arith::AndIOp::create(builder, loc, isBehind, isFrom);
}

/// The vector of one lane that masked accesses want.
static Value toVector(OpBuilder &builder, Location loc, Value value) {
  if (isa<VectorType>(value.getType()))
    return value;
  Type type = VectorType::get({1}, value.getType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  return LLVM::InsertElementOp::create(
      builder, loc, LLVM::PoisonOp::create(builder, loc, type), value, zero);
}

static Value addressesOf(OpBuilder &builder, Location loc, Type element,
                         Value base, Value column, Value stride,
                         int64_t lanes) {
  Type i64 = builder.getI64Type();
  auto wide = VectorType::get({lanes}, i64);
  SmallVector<int64_t> numbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    numbers.push_back(lane);
  Value lane = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(wide, ArrayRef<int64_t>(numbers)));
  auto splat = [&](Value value) {
    Value one = arith::IndexCastOp::create(builder, loc, i64, value);
    Value first = toVector(builder, loc, one);
    SmallVector<int32_t> zeros(size_t(lanes), 0);
    return LLVM::ShuffleVectorOp::create(builder, loc, first, first, zeros);
  };
  Value columns =
      arith::AddIOp::create(builder, loc, splat(column).getResult(), lane);
  Value offsets = arith::MulIOp::create(builder, loc, columns, splat(stride));
  Type pointers = VectorType::get(
      {lanes}, LLVM::LLVMPointerType::get(builder.getContext()));
  return LLVM::GEPOp::create(builder, loc, pointers, element, base,
                             ValueRange{offsets});
}

Value DenseKernel::readRow(const Row &row, Type element, Value column,
                           int64_t lanes) {
  Type stored = inMemory(element);
  Value mask =
      toVector(builder, loc, maskOf(column, row.first, row.end, lanes));
  auto type = VectorType::get({lanes}, stored);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value read;
  if (row.stride)
    read = LLVM::masked_gather::create(
        builder, loc, type,
        addressesOf(builder, loc, stored, row.address, column, row.stride,
                    lanes),
        mask, ValueRange{zero}, alignmentOf(stored));
  else
    read = LLVM::MaskedLoadOp::create(builder, loc, type,
                                      gep(stored, row.address, toI64(column)),
                                      mask, zero, alignmentOf(stored));
  if (lanes == 1)
    read = LLVM::ExtractElementOp::create(builder, loc, read, word(0));
  if (stored == element)
    return read;
  Type wanted = vectorType(element, lanes);
  return element.isIndex()
             ? Value(arith::IndexCastOp::create(builder, loc, wanted, read))
             : Value(arith::TruncIOp::create(builder, loc, wanted, read));
}

void DenseKernel::writeRow(const Row &row, Value value, Value column,
                           Value end) {
  value = toVector(builder, loc, value);
  auto type = cast<VectorType>(value.getType());
  int64_t lanes = type.getDimSize(0);
  Type element = type.getElementType(), stored = inMemory(element);
  if (element.isIndex())
    value = arith::IndexCastOp::create(builder, loc,
                                       VectorType::get({lanes}, stored), value);
  else if (stored != element)
    value = arith::ExtUIOp::create(builder, loc,
                                   VectorType::get({lanes}, stored), value);
  Value mask = toVector(builder, loc,
                        maskOf(column, row.first, least(row.end, end), lanes));
  if (row.stride)
    LLVM::masked_scatter::create(builder, loc, value,
                                 addressesOf(builder, loc, stored, row.address,
                                             column, row.stride, lanes),
                                 mask, alignmentOf(stored));
  else
    LLVM::MaskedStoreOp::create(builder, loc, value,
                                gep(stored, row.address, toI64(column)), mask,
                                alignmentOf(stored));
}

//===----------------------------------------------------------------------===//
// Computed lanes
//===----------------------------------------------------------------------===//

/// 0, 1, ... from a number on, as elements of that type.
static Value iotaFrom(OpBuilder &builder, Location loc, Value start,
                      Type element, int64_t lanes, Value splat) {
  Value first = splat;
  if (lanes == 1)
    return first;
  SmallVector<Attribute> numbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    numbers.push_back(builder.getIntegerAttr(element, lane));
  Value lane = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(VectorType::get({lanes}, element), numbers));
  return arith::AddIOp::create(builder, loc, first, lane);
}

Value DenseKernel::lanes(Value tile, Values at, int64_t count,
                         const RowContext &context) {
  if (std::optional<Access> access = findAccess(tile))
    return loadLanes(*access, at, count);
  Operation *op = tile.getDefiningOp();
  Type element = elementType(tile.getType());
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return vectorOf(scalars.lookup(splat.getValue()), count);
  if (auto iota = dyn_cast<tile::IotaOp>(op)) {
    Value start = at.back();
    if (!element.isIndex())
      start = arith::IndexCastOp::create(builder, loc, element, start);
    return iotaFrom(builder, loc, at.back(), element, count,
                    vectorOf(start, count));
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || !elements.isSplat()) {
      refuse(*op) << ": its elements differ";
      return {};
    }
    return vectorOf(
        arith::ConstantOp::create(
            builder, loc, cast<TypedAttr>(elements.getSplatValue<Attribute>())),
        count);
  }
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    SmallVector<Value> from(at);
    ArrayRef<int64_t> extents = shapeOf(broadcast.getValue());
    for (auto [axis, extent] : llvm::enumerate(extents))
      if (extent == 1)
        from[axis] = number(0);
    if (extents.back() != 1)
      return lanes(broadcast.getValue(), from, count, context);
    Value one = lanes(broadcast.getValue(), from, 1, context);
    return one ? vectorOf(one, count) : one;
  }
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    SmallVector<Value> from(at);
    from.erase(from.begin() + int64_t(expand.getAxis()));
    if (int64_t(expand.getAxis()) + 1 < int64_t(at.size()))
      return lanes(expand.getValue(), from, count, context);
    Value one = lanes(expand.getValue(), from, 1, context);
    return one ? vectorOf(one, count) : one;
  }
  if (isa<tile::StageOp>(op))
    return lanes(op->getOperand(0), at, count, context);
  if (isa<tile::LoadOp>(op))
    return readRow(context.rows.at(op), element, at.back(), count);
  if (auto move = dyn_cast<tile::PtrAddOp>(op)) {
    Value base = lanes(move.getPtr(), at, count, context);
    Value offset = base ? lanes(move.getOffset(), at, count, context) : base;
    if (!offset)
      return {};
    Type wide = vectorType(builder.getI64Type(), count);
    Type given = getElementTypeOrSelf(offset.getType());
    if (given.isIndex())
      offset = arith::IndexCastOp::create(builder, loc, wide, offset);
    else if (!given.isInteger(64))
      offset = arith::ExtSIOp::create(builder, loc, wide, offset);
    auto to =
        cast<tile::PtrType>(getElementTypeOrSelf(move.getPtr().getType()));
    return LLVM::GEPOp::create(builder, loc, vectorType(pointer(), count),
                               inMemory(elementType(to.getElementType())), base,
                               ValueRange{offset});
  }
  if (auto gather = dyn_cast<tile::GatherOp>(op)) {
    Value from = lanes(gather.getPtr(), at, count, context);
    Value mask, other;
    if (from && gather.getMask())
      from = (mask = lanes(gather.getMask(), at, count, context)) ? from : mask;
    if (from && gather.getOther())
      from =
          (other = lanes(gather.getOther(), at, count, context)) ? from : other;
    if (!from)
      return {};
    if (inMemory(element) != element) {
      refuse(*op) << " of elements of type " << element;
      return {};
    }
    auto type = VectorType::get({count}, element);
    if (!mask)
      mask = arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(VectorType::get({count}, builder.getI1Type()),
                                 true));
    Value rest = other ? toVector(builder, loc, other)
                       : Value(arith::ConstantOp::create(
                             builder, loc, builder.getZeroAttr(type)));
    Value read = LLVM::masked_gather::create(
        builder, loc, type, toVector(builder, loc, from),
        toVector(builder, loc, mask), ValueRange{rest}, alignmentOf(element));
    return count > 1 ? read
                     : Value(LLVM::ExtractElementOp::create(builder, loc, read,
                                                            word(0)));
  }
  if (!goesByElement(op)) {
    refuse(*op);
    return {};
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    bool isTile = isa<RankedTensorType>(operand.getType());
    operands.push_back(isTile ? lanes(operand, at, count, context)
                              : scalars.lookup(operand));
    if (!operands.back())
      return {};
  }
  return makeElementwise(op, operands, count);
}
