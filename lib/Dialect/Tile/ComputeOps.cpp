//===- ComputeOps.cpp - Operations on tiles
//--------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of splat, cast, dot, expand_dims and broadcast, and the fold of a
// cast. Extents are compared as numbers or as names of parameters, so that a
// program is checked before its parameters are fixed. A type may carry a
// register layout instead of names, because lower rungs keep these operations.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

LogicalResult SplatOp::verify() {
  RankedTensorType type = tileOf(getResult());
  if (getValue().getType() != type.getElementType())
    return reportOp(*this, diag::element_type)
           << "repeats a value of type " << getValue().getType()
           << " in a tile of " << type.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  Type from = getValue().getType(), to = getResult().getType();
  auto fromTile = dyn_cast<RankedTensorType>(from);
  auto toTile = dyn_cast<RankedTensorType>(to);
  if (bool(fromTile) != bool(toTile))
    return reportOp(*this, diag::shape_mismatch)
           << "converts between a scalar and a tile: " << from << " to " << to;
  if (fromTile && getExtents(fromTile) != getExtents(toTile))
    return reportOp(*this, diag::shape_mismatch)
           << "converts a tile of " << spellExtents(getExtents(fromTile))
           << " to one of " << spellExtents(getExtents(toTile));
  for (Type type : {elementOf(from), elementOf(to)})
    if (!isa<FloatType>(type))
      return reportOp(*this, diag::element_type)
             << "converts between floating-point types, not " << type
             << "; arith converts integers";
  return success();
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getValue().getType() == getResult().getType())
    return getValue();
  return {};
}

//===----------------------------------------------------------------------===//
// dot
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  RankedTensorType a = tileOf(getA()), b = tileOf(getB()), c = tileOf(getAcc());
  bool isBatch = a.getRank() == 3;
  for (auto [name, type] :
       {std::pair("a", a), std::pair("b", b), std::pair("the accumulator", c)})
    if (type.getRank() != (isBatch ? 3 : 2))
      return reportOp(*this, diag::rank_mismatch)
             << "takes tiles of " << (isBatch ? 3 : 2) << " axes but " << name
             << " has " << type.getRank();
  auto as = getExtents(a), bs = getExtents(b), cs = getExtents(c);
  if (isBatch) {
    if (!(as[0] == bs[0]) || !(as[0] == cs[0]))
      return reportOp(*this, diag::dot_shape)
             << "multiplies " << spellExtents(as) << " by " << spellExtents(bs)
             << " into " << spellExtents(cs)
             << ": the first extents must be equal";
    for (auto *extents : {&as, &bs, &cs})
      extents->erase(extents->begin());
  }
  if (!(as[1] == bs[0]))
    return reportOp(*this, diag::dot_shape)
           << "multiplies " << spellExtents(as) << " by " << spellExtents(bs)
           << ": the inner extents must be equal";
  if (!(as[0] == cs[0]) || !(bs[1] == cs[1]))
    return reportOp(*this, diag::dot_shape)
           << "adds a product of " << spellExtents({as[0], bs[1]})
           << " to an accumulator of " << spellExtents(cs);
  bool floats = isa<FloatType>(a.getElementType());
  for (RankedTensorType type : {b, c})
    if (isa<FloatType>(type.getElementType()) != floats)
      return reportOp(*this, diag::element_type)
             << "mixes integers and floating point: " << a.getElementType()
             << ", " << b.getElementType() << " -> " << c.getElementType();
  if (getTf32() && !(a.getElementType().isF32() && b.getElementType().isF32()))
    return reportOp(*this, diag::element_type)
           << "reads operands as tf32, which is for f32 and not for "
           << a.getElementType() << " and " << b.getElementType();
  return success();
}

/// By which f16 results of the unit's 8-bit products are as exact as they can
/// be (docs/lab/2026-11-24-sums-in-two-levels.md).
static constexpr int64_t kMostEightBitProducts = 128;

int64_t DotOp::mostSummedProducts() {
  if (getFastSums().value_or(false))
    return 0;
  if (int64_t most = getMaxImpreciseAcc().value_or(0))
    return most;
  RankedTensorType a = tileOf(getA());
  if (!isa<FloatType>(a.getElementType()) || a.getElementTypeBitWidth() != 8 ||
      !tileOf(getAcc()).getElementType().isF32())
    return 0;
  return std::max(kMostEightBitProducts, a.getShape().back());
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

LogicalResult ExpandDimsOp::verify() {
  RankedTensorType from = tileOf(getValue()), to = tileOf(getResult());
  int64_t axis = getAxis();
  if (axis < 0 || axis > from.getRank())
    return reportOp(*this, diag::axis_range)
           << "inserts axis " << axis << " in a tile of " << from.getRank()
           << " axes";
  SmallVector<Extent> expected = getExtents(from);
  expected.insert(expected.begin() + axis, Extent{1, {}});
  // A lower rung's register layout may stand where names stood.
  if (getExtents(to) != expected ||
      to.getElementType() != from.getElementType())
    return reportOp(*this, diag::result_type)
           << "gives " << getTileType(expected, from.getElementType())
           << ", not " << to;
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = tileOf(getValue()), to = tileOf(getResult());
  if (from.getElementType() != to.getElementType())
    return reportOp(*this, diag::element_type)
           << "changes the element type from " << from.getElementType()
           << " to " << to.getElementType();
  if (from.getRank() != to.getRank())
    return reportOp(*this, diag::rank_mismatch)
           << "changes the number of axes from " << from.getRank() << " to "
           << to.getRank() << "; expand_dims inserts axes";
  auto source = getExtents(from), target = getExtents(to);
  for (size_t axis = 0; axis < source.size(); ++axis)
    if (!source[axis].isOne() && !(source[axis] == target[axis]))
      return reportOp(*this, diag::broadcast_extent)
             << "repeats axis " << axis << " of " << spellExtents(source)
             << " to give " << spellExtents(target)
             << ", but only an extent of 1 can be repeated";
  return success();
}
