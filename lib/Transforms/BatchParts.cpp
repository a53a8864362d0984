//===- BatchParts.cpp - What an operation does at one place of a batch ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of SplitBatches, an operation at a time: those that go by element,
// those that keep the first axis, and loads and stores of one matrix of a view
// or of addresses.
//
//===----------------------------------------------------------------------===//

#include "SplitBatches.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;

namespace heddle::batches {

int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

int64_t placesOf(Value batch) {
  return cast<RankedTensorType>(batch.getType()).getDimSize(0);
}

Type typeOfPart(Type batch) {
  auto type = cast<RankedTensorType>(batch);
  if (type.getRank() == 1)
    return type.getElementType();
  return RankedTensorType::get(type.getShape().drop_front(),
                               type.getElementType());
}

static bool goesByElement(Operation *op) {
  auto tileOp = dyn_cast<tile::TileOpInterface>(op);
  return op->getNumRegions() == 0 && op->getNumResults() > 0 &&
         !isa<tile::SplatOp>(op) &&
         (op->hasTrait<OpTrait::Elementwise>() ||
          (tileOp && tileOp.goesByElement()));
}

/// Whether all tiles have the shape of the first.
static bool areAlike(ValueRange values) {
  ArrayRef<int64_t> shape;
  for (Value value : values)
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      if (!shape.empty() && shape != type.getShape())
        return false;
      shape = type.getShape();
    }
  return !shape.empty();
}

static bool hasLeadingPlaces(Value from, Value to) {
  return rankOf(from) > 0 && rankOf(to) > 0 && placesOf(from) == placesOf(to);
}

bool goesByPlace(Operation *op) {
  for (Value value : op->getResults())
    if (rankOf(value) == 0 ||
        !cast<RankedTensorType>(value.getType()).hasStaticShape())
      return false;
  if (goesByElement(op)) {
    SmallVector<Value> tiles(op->getOperands());
    llvm::append_range(tiles, op->getResults());
    return areAlike(tiles);
  }
  return TypeSwitch<Operation *, bool>(op)
      .Case<tile::SplatOp, tile::IotaOp, tile::BroadcastOp, tile::ExpandDimsOp>(
          [](auto) { return true; })
      .Case([](tile::ReshapeOp reshape) {
        return hasLeadingPlaces(reshape.getValue(), reshape.getResult()) ||
               placesOf(reshape.getResult()) == 1;
      })
      .Case([](tile::TransOp trans) { return trans.getOrder().front() == 0; })
      .Case<tile::ReduceOp, tile::ScanOp>(
          [](auto combine) { return combine.getAxis() != 0; })
      .Case([](tile::DotOp dot) { return rankOf(dot.getA()) == 3; })
      .Case([](tile::LoadOp load) {
        return !load.getRows() && rankOf(load.getResult()) > 1;
      })
      .Case([](tile::StoreOp store) { return rankOf(store.getValue()) > 1; })
      .Case([](tile::ScatterOp scatter) {
        return rankOf(scatter.getValue()) > 0 &&
               areAlike(scatter->getOperands());
      })
      .Default([](Operation *op) {
        auto constant = dyn_cast<arith::ConstantOp>(op);
        return constant && isa<SplatElementsAttr>(constant.getValue());
      });
}

SmallVector<Value> placedOperands(Operation *op) {
  SmallVector<Value> placed;
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op))
    if (!hasLeadingPlaces(reshape.getValue(), reshape.getResult()))
      return {};
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op);
      expand && expand.getAxis() == 0)
    return {};
  for (Value operand : op->getOperands())
    if (rankOf(operand) > 0)
      placed.push_back(operand);
  return placed;
}

int64_t placesOf(Operation *op) {
  // Of what it makes, or stores.
  return op->getNumResults() ? placesOf(op->getResult(0))
                             : placesOf(op->getOperand(0));
}

static Value splat(OpBuilder &builder, Location loc, Type type, Value scalar) {
  return type == scalar.getType()
             ? scalar
             : tile::SplatOp::create(builder, loc, type, scalar).getResult();
}

/// A part in the shape of another part, of as many elements.
static Value shapeAs(OpBuilder &builder, Location loc, Type type, Value part) {
  if (part.getType() == type)
    return part;
  if (!isa<RankedTensorType>(part.getType()))
    return splat(builder, loc, type, part);
  if (!isa<RankedTensorType>(type))
    return tile::UnsplatOp::create(builder, loc, type, part);
  return tile::ReshapeOp::create(builder, loc, type, part);
}

/// A copy for parts, with the results' types.
static Operation *copyFor(OpBuilder &builder, Operation *op, IRMapping &parts) {
  Operation *copy = builder.clone(*op, parts);
  for (OpResult result : copy->getResults())
    result.setType(typeOfPart(result.getType()));
  return copy;
}

/// The first of the offsets that belong to the tile's axes moves on.
static SmallVector<Value> offsetsAt(OpBuilder &builder, Location loc,
                                    OperandRange offsets, int64_t rank,
                                    int64_t place) {
  SmallVector<Value> moved(offsets);
  Value &first = moved[moved.size() - size_t(rank)];
  first = arith::AddIOp::create(
      builder, loc, first, arith::ConstantIndexOp::create(builder, loc, place));
  return moved;
}

static Value makeOneAt(OpBuilder &builder, Operation *op, int64_t place,
                       IRMapping &parts) {
  Location loc = op->getLoc();
  Type type = typeOfPart(op->getResult(0).getType());
  auto part = [&](Value operand) { return parts.lookup(operand); };
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](tile::SplatOp one) {
        return splat(builder, loc, type, one.getValue());
      })
      .Case([&](tile::IotaOp) -> Value {
        return arith::ConstantOp::create(builder, loc, type,
                                         builder.getIntegerAttr(type, place));
      })
      .Case([&](arith::ConstantOp constant) -> Value {
        auto element =
            cast<TypedAttr>(cast<SplatElementsAttr>(constant.getValue())
                                .getSplatValue<Attribute>());
        return splat(builder, loc, type,
                     arith::ConstantOp::create(builder, loc, element));
      })
      .Case([&](tile::BroadcastOp one) -> Value {
        Value value = part(one.getValue());
        return value.getType() == type
                   ? value
                   : tile::BroadcastOp::create(builder, loc, type, value)
                         .getResult();
      })
      .Case([&](tile::ExpandDimsOp one) -> Value {
        if (one.getAxis() == 0)
          return one.getValue();
        Value value = part(one.getValue());
        return isa<RankedTensorType>(value.getType())
                   ? tile::ExpandDimsOp::create(builder, loc, type, value,
                                                one.getAxis() - 1)
                         .getResult()
                   : splat(builder, loc, type, value);
      })
      .Case([&](tile::ReshapeOp one) {
        return shapeAs(builder, loc, type,
                       parts.lookupOrDefault(one.getValue()));
      })
      .Case([&](tile::TransOp one) -> Value {
        Value value = part(one.getValue());
        SmallVector<int64_t> order;
        for (int64_t axis : one.getOrder().drop_front())
          order.push_back(axis - 1);
        return order.size() < 2
                   ? value
                   : tile::TransOp::create(builder, loc, type, value, order)
                         .getResult();
      })
      .Case([&](tile::LoadOp one) -> Value {
        return tile::LoadOp::create(builder, loc, type, one.getView(),
                                    offsetsAt(builder, loc, one.getOffsets(),
                                              rankOf(one.getResult()), place));
      })
      .Default([&](Operation *op) {
        return copyFor(builder, op, parts)->getResult(0);
      });
}

SmallVector<Value> makeAt(OpBuilder &builder, Operation *op, int64_t place,
                          IRMapping &parts) {
  if (auto store = dyn_cast<tile::StoreOp>(op)) {
    tile::StoreOp::create(builder, op->getLoc(), parts.lookup(store.getValue()),
                          store.getView(),
                          offsetsAt(builder, op->getLoc(), store.getOffsets(),
                                    rankOf(store.getValue()), place));
    return {};
  }
  if (isa<tile::ReduceOp, tile::ScanOp>(op)) {
    Operation *copy = copyFor(builder, op, parts);
    auto axis = op->getAttrOfType<IntegerAttr>("axis");
    copy->setAttr("axis", builder.getI64IntegerAttr(axis.getInt() - 1));
    return SmallVector<Value>(copy->getResults());
  }
  if (op->getNumResults() == 1)
    return {makeOneAt(builder, op, place, parts)};
  return SmallVector<Value>(copyFor(builder, op, parts)->getResults());
}

/// The tiles along the leading axis of one of two axes or more.
static SmallVector<Value> takeTiles(OpBuilder &builder, Location loc,
                                    Value batch) {
  auto type = cast<RankedTensorType>(batch.getType());
  int64_t places = type.getDimSize(0);
  if (places == 1)
    return {tile::ReshapeOp::create(builder, loc, typeOfPart(type), batch)};
  // The halves of the axis, as the last one.
  SmallVector<int64_t> apart = {2, places / 2};
  llvm::append_range(apart, type.getShape().drop_front());
  Value value = tile::ReshapeOp::create(builder, loc, type.clone(apart), batch);
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(1, apart.size()));
  order.push_back(0);
  SmallVector<int64_t> half(ArrayRef(apart).drop_front()), turned = half;
  turned.push_back(2);
  value = tile::TransOp::create(builder, loc, type.clone(turned), value, order);
  auto halves = tile::SplitOp::create(builder, loc, type.clone(half),
                                      type.clone(half), value);
  SmallVector<Value> tiles = takeTiles(builder, loc, halves.getA());
  llvm::append_range(tiles, takeTiles(builder, loc, halves.getB()));
  return tiles;
}

SmallVector<Value> takeApart(OpBuilder &builder, Location loc, Value batch) {
  auto type = cast<RankedTensorType>(batch.getType());
  if (type.getRank() > 1)
    return takeTiles(builder, loc, batch);
  Value column = tile::ReshapeOp::create(
      builder, loc, type.clone({type.getDimSize(0), 1}), batch);
  SmallVector<Value> scalars;
  for (Value one : takeTiles(builder, loc, column))
    scalars.push_back(
        tile::UnsplatOp::create(builder, loc, type.getElementType(), one));
  return scalars;
}

/// The other way round.
static Value putTiles(OpBuilder &builder, Location loc, ArrayRef<Value> tiles) {
  auto type = cast<RankedTensorType>(tiles.front().getType());
  SmallVector<int64_t> shape(type.getShape());
  if (tiles.size() == 1) {
    shape.insert(shape.begin(), 1);
    return tile::ReshapeOp::create(builder, loc, type.clone(shape),
                                   tiles.front());
  }
  size_t half = tiles.size() / 2;
  Value a = putTiles(builder, loc, tiles.take_front(half)),
        b = putTiles(builder, loc, tiles.drop_front(half));
  SmallVector<int64_t> pair(cast<RankedTensorType>(a.getType()).getShape());
  SmallVector<int64_t> turned = {2};
  llvm::append_range(turned, pair);
  pair.push_back(2);
  Value joined = tile::JoinOp::create(builder, loc, type.clone(pair), a, b);
  SmallVector<int64_t> order = {int64_t(pair.size()) - 1};
  llvm::append_range(order, llvm::seq<int64_t>(0, pair.size() - 1));
  joined =
      tile::TransOp::create(builder, loc, type.clone(turned), joined, order);
  turned.erase(turned.begin());
  turned[0] *= 2;
  return tile::ReshapeOp::create(builder, loc, type.clone(turned), joined);
}

Value putTogether(OpBuilder &builder, Location loc, RankedTensorType type,
                  ArrayRef<Value> parts) {
  if (type.getRank() > 1)
    return putTiles(builder, loc, parts);
  SmallVector<Value> tiles;
  for (Value part : parts)
    tiles.push_back(splat(
        builder, loc, RankedTensorType::get({1}, type.getElementType()), part));
  return tile::ReshapeOp::create(builder, loc, type,
                                 putTiles(builder, loc, tiles));
}

} // namespace heddle::batches
