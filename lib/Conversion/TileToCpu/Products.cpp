//===- Products.cpp - Products of tiles -----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: tile.dot. Out: the left operand packed in rows, the right one in panels
// as wide as the tile of registers, both in the accumulator's type, and a loop
// over the sum's depth in which each vector of a panel is multiplied by one
// element of each row. What is zero in both operands is left out of the sum,
// and so are rows and columns that nobody asks for.
//
//===----------------------------------------------------------------------===//

#include "DenseKernel.h"

#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::dense;

/// An element of an operand in the type of the sum.
Value DenseKernel::toSum(Value value, tile::DotOp op, unsigned operand) {
  Type from = getElementTypeOrSelf(value.getType());
  Type to = getElementTypeOrSelf(op.getType());
  auto vector = dyn_cast<VectorType>(value.getType());
  auto shaped = [&](Type element) {
    return vector ? Type(VectorType::get(vector.getShape(), element)) : element;
  };
  if (op.getTf32()) {
    // The low bits do not count.
    Type bits = shaped(builder.getI32Type());
    Value word = arith::BitcastOp::create(builder, loc, bits, value);
    Attribute mask = builder.getI32IntegerAttr(int32_t(0xffffe000));
    Value kept = arith::ConstantOp::create(
        builder, loc,
        vector ? cast<TypedAttr>(Attribute(
                     DenseElementsAttr::get(cast<ShapedType>(bits), mask)))
               : cast<TypedAttr>(mask));
    value = arith::BitcastOp::create(
        builder, loc, value.getType(),
        arith::AndIOp::create(builder, loc, word, kept));
  }
  if (from == to)
    return value;
  if (isa<FloatType>(to))
    return arith::ExtFOp::create(builder, loc, shaped(to), value);
  return arith::ExtSIOp::create(builder, loc, shaped(to), value);
}

LogicalResult DenseKernel::packLeft(tile::DotOp op, Value to,
                                    const DotPlaces &places, Values limits) {
  Value tile = op.getA();
  Type element = elementType(op.getType());
  Access rows{to, element, {places.aRow, 1}};
  int64_t count = stepOf(tile);
  return forEachRow(
      {tile}, {limits[0], limits[2]},
      [&](Values at, const RowContext &context) -> LogicalResult {
        return loop(limits[2], count, [&](Value column) -> LogicalResult {
          Value value = lanes(tile, {at[0], column}, count, context);
          if (!value)
            return failure();
          store(toSum(value, op, 0), elementAt(rows, {at[0], column}));
          return success();
        });
      });
}

LogicalResult DenseKernel::packRight(tile::DotOp op, Value to,
                                     const DotPlaces &places, Values limits) {
  Value tile = op.getB();
  Type element = elementType(op.getType());
  int64_t wide = lanesOf(element, processor);
  int64_t width = places.registers.vectors * wide;
  int64_t depth = cast<RankedTensorType>(tile.getType()).getDimSize(0);
  // Panel, row, column in the panel.
  Access panels{to, element, {depth * width, width, 1}};
  // A vector that two panels share would have to be divided.
  int64_t count = std::min(stepOf(tile), wide);
  while (width % count != 0)
    count /= 2;
  return forEachRow(
      {tile}, {limits[2], limits[1]},
      [&](Values at, const RowContext &context) -> LogicalResult {
        return loop(limits[1], count, [&](Value column) -> LogicalResult {
          Value value = lanes(tile, {at[0], column}, count, context);
          if (!value)
            return failure();
          Value panel =
              arith::DivUIOp::create(builder, loc, column, number(width));
          Value within =
              arith::RemUIOp::create(builder, loc, column, number(width));
          store(toSum(value, op, 1), elementAt(panels, {panel, at[0], within}));
          return success();
        });
      });
}

/// Sums of a tile of registers, from the memory of the accumulator and back.
void DenseKernel::sumProducts(tile::DotOp op, const DotPlaces &places,
                              Value left, Value right, Values limits) {
  Type element = elementType(op.getType());
  bool isFloat = isa<FloatType>(element);
  int64_t lanes = lanesOf(element, processor);
  int64_t height = places.registers.rows, vectors = places.registers.vectors;
  int64_t width = vectors * lanes;
  int64_t depth = cast<RankedTensorType>(op.getB().getType()).getDimSize(0);
  Access sums = *findAccess(op.getResult());
  Access rows{left, element, {places.aRow, 1}};
  Access panels{right, element, {depth * width, width, 1}};
  (void)loop(limits[1], width, [&](Value column) {
    Value panel = arith::DivUIOp::create(builder, loc, column, number(width));
    return loop(limits[0], height, [&](Value row) {
      SmallVector<Value> places, starts;
      for (int64_t r = 0; r < height; ++r)
        for (int64_t v = 0; v < vectors; ++v) {
          places.push_back(elementAt(
              sums, {add(row, number(r)), add(column, number(v * lanes))}));
          starts.push_back(load(element, places.back(), lanes));
        }
      Value firstA = elementAt(rows, {row, number(0)});
      Value firstB = elementAt(panels, {panel, number(0), number(0)});
      auto sum = scf::ForOp::create(
          builder, loc, number(0), limits[2], number(1), starts,
          [&](OpBuilder &, Location, Value k, ValueRange before) {
            Value atA = gep(element, firstA, toI64(k));
            Value atB = gep(element, firstB, toI64(mul(k, number(width))));
            SmallVector<Value> b, after;
            for (int64_t v = 0; v < vectors; ++v)
              b.push_back(
                  load(element, gep(element, atB, word(v * lanes)), lanes));
            for (int64_t r = 0; r < height; ++r) {
              Value a = vectorOf(
                  load(element, gep(element, atA, word(r * rows.strides[0])),
                       1),
                  lanes);
              for (int64_t v = 0; v < vectors; ++v) {
                Value old = before[r * vectors + v];
                if (isFloat)
                  after.push_back(
                      math::FmaOp::create(builder, loc, a, b[v], old));
                else
                  after.push_back(arith::AddIOp::create(
                      builder, loc,
                      arith::MulIOp::create(builder, loc, a, b[v]), old));
              }
            }
            scf::YieldOp::create(builder, loc, after);
          });
      for (auto [place, value] : llvm::zip(places, sum.getResults()))
        store(value, place);
      return success();
    });
  });
}

LogicalResult DenseKernel::convertDot(tile::DotOp op) {
  Type element = elementType(op.getType());
  Type from = elementType(op.getA().getType());
  bool isKnown = element.isF32() || element.isF64() || element.isInteger(32);
  bool isFloat = isa<FloatType>(element);
  if (!isKnown || isFloat != isa<FloatType>(from) ||
      (isFloat && from.getIntOrFloatBitWidth() < 16) ||
      from.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth() ||
      from != elementType(op.getB().getType()))
    return refuse(*op) << " of elements of type " << from << " into "
                       << element;
  const DotPlaces &places = plan.dots.at(op);
  SmallVector<Value> limits = limitsOf(op.getResult(), op);
  if (!plan.shareAPlace(op.getAcc(), op.getResult()) &&
      failed(fill(op.getAcc(), *findAccess(op.getResult()), limits)))
    return failure();
  // How deep the sum is: a product of two zeros adds nothing.
  Value depth =
      number(cast<RankedTensorType>(op.getA().getType()).getDimSize(1));
  std::optional<End> endA = findContentEnd(op.getA(), 1);
  std::optional<End> endB = findContentEnd(op.getB(), 0);
  if (endA && endB)
    depth =
        least(depth, most(most(remaining(*endA), remaining(*endB)), number(0)));
  limits.push_back(depth);
  Value left = gep(builder.getI8Type(), memory, word(places.a));
  Value right = gep(builder.getI8Type(), memory, word(places.b));
  if (failed(packLeft(op, left, places, limits)) ||
      failed(packRight(op, right, places, limits)))
    return failure();
  sumProducts(op, places, left, right, limits);
  return success();
}
