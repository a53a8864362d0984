//===- EmitSums.cpp - Rewrite: sums carried in parts-----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum in parts is a tile with the axis of its reductions, along which each
// thread holds what it has added up. What other values do to all of the sum is
// repeated along the axis; what is added from elsewhere counts at position 0.
// Where the total is read, the parts meet behind their op.
//
//===----------------------------------------------------------------------===//

#include "CombineLayouts.h"
#include "ProcessEmitter.h"
#include "heddle/Analysis/DelayedSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

static LayoutAttr layoutOf(RankedTensorType type) {
  return cast<LayoutAttr>(type.getEncoding());
}

/// A tile without `axis` at all its coordinates.
static Value repeatAlong(OpBuilder &builder, Value tile, RankedTensorType type,
                         int64_t axis, Location loc) {
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = 1;
  auto narrow = RankedTensorType::get(shape, type.getElementType(),
                                      collapseAxis(layoutOf(type), axis));
  Value expanded = tile::ExpandDimsOp::create(builder, loc, narrow, tile, axis);
  return tile::BroadcastOp::create(builder, loc, type, expanded);
}

/// Predicates like `type`, true at coordinate 0 of `axis`.
static Value findFirst(OpBuilder &builder, RankedTensorType type, int64_t axis,
                       Location loc) {
  if (type.getRank() > 1) {
    int64_t other = type.getRank() - 1 - (axis == type.getRank() - 1);
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + other);
    auto narrow = RankedTensorType::get(shape, type.getElementType(),
                                        sliceAxis(layoutOf(type), other));
    Value inner = findFirst(builder, narrow, axis - (other < axis), loc);
    return repeatAlong(builder, inner, type.clone(builder.getI1Type()), other,
                       loc);
  }
  RankedTensorType numbers = type.clone(builder.getI32Type());
  Value positions = tile::IotaOp::create(builder, loc, numbers);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, positions,
      tile::SplatOp::create(builder, loc, numbers, zero));
}

/// What happens to all of a sum, or an addend of 0, at each position.
Value ProcessEmitter::atEachPosition(Value old, const SumInParts &sum,
                                     Location loc) {
  int64_t axis = tile::ReduceOp(sum.reduction).getAxis();
  RankedTensorType type =
      RankedTensorType(sum.parts).clone(getElementTypeOrSelf(old));
  if (auto splat = old.getDefiningOp<tile::SplatOp>())
    old = splat.getValue();
  if (!isa<RankedTensorType>(old.getType()))
    return tile::SplatOp::create(builder, loc, type, scalar(old));
  Value value = tile(old, sliceAxis(layoutOf(type), axis), loc);
  return repeatAlong(builder, value, type, axis, loc);
}

Value ProcessEmitter::inParts(Value old, const SumInParts &sum, Location loc) {
  if (Value known = parts.lookup(old))
    return known;
  Value everywhere = atEachPosition(old, sum, loc);
  if (isZero(old))
    return everywhere;
  int64_t axis = tile::ReduceOp(sum.reduction).getAxis();
  auto type = cast<RankedTensorType>(everywhere.getType());
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  return arith::SelectOp::create(
      builder, loc, findFirst(builder, type, axis, loc), everywhere,
      tile::SplatOp::create(builder, loc, type, zero));
}

void ProcessEmitter::bindParts(Value old, Value made, Location loc) {
  parts[old] = made;
  if (!processPlan.sums.isRead(old))
    return;
  auto reduce = tile::ReduceOp(processPlan.sums.find(old)->reduction);
  Value total = joinParts(reduce, combine(reduce, made), loc).front();
  auto type = dyn_cast<RankedTensorType>(old.getType());
  values[old] = {type ? convert(total, processPlan.layouts.lookup(old), loc)
                      : total};
}

/// A linear op on parts.
void ProcessEmitter::emitOnParts(Operation &op, const SumInParts &sum) {
  Location loc = op.getLoc();
  OperationState state(loc, op.getName());
  state.addAttributes(llvm::to_vector(op.getAttrs()));
  for (Value operand : op.getOperands())
    state.addOperands(parts.contains(operand)
                          ? parts.lookup(operand)
                          : atEachPosition(operand, sum, loc));
  state.addTypes(sum.parts);
  bindParts(op.getResult(0), builder.create(state)->getResult(0), loc);
}
