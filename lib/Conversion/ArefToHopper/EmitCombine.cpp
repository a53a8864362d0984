//===- EmitCombine.cpp - Rewrite: reductions --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each warp combines what it holds. Where warps are spread along the axis, each
// thread then reads the parts of all of them from shared memory and combines
// those by the same operation.
//
//===----------------------------------------------------------------------===//

#include "CombineLayouts.h"
#include "ProcessEmitter.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

/// The same scalar program on new values; a tile.yield becomes a hopper.yield.
void ProcessEmitter::cloneCombiner(Region &from, Region &to) {
  IRMapping mapping;
  from.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!from.isAncestor(operand.getParentRegion()))
        mapping.map(operand, scalar(operand));
  });
  from.cloneInto(&to, mapping);
  Operation *yield = to.front().getTerminator();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(yield);
  hopper::YieldOp::create(builder, yield->getLoc(), yield->getOperands());
  yield->erase();
}

SmallVector<Value> ProcessEmitter::combineWarps(tile::ReduceOp op,
                                                ValueRange operands) {
  SmallVector<Type> types;
  for (Value value : operands) {
    auto type = cast<RankedTensorType>(value.getType());
    types.push_back(
        partialType(type, op.getAxis(), cast<LayoutAttr>(type.getEncoding())));
  }
  auto reduce = hopper::ReduceOp::create(builder, op.getLoc(), types, operands,
                                         op.getAxis());
  cloneCombiner(op.getCombiner(), reduce.getCombiner());
  carryName(op, reduce);
  return llvm::to_vector(ValueRange(reduce.getResults()));
}

void ProcessEmitter::emitReduce(tile::ReduceOp op) {
  Location loc = op.getLoc();
  int64_t axis = op.getAxis();
  LayoutAttr read = readLayout(op, processPlan.layouts);
  SmallVector<Value> parts;
  for (Value value : op.getValues())
    parts.push_back(tile(value, read, loc));
  parts = combineWarps(op, parts);
  auto type = cast<RankedTensorType>(parts.front().getType());
  if (type.getDimSize(axis) > 1)
    parts = combineWarps(
        op,
        exchange(parts, gatherAxis(cast<LayoutAttr>(type.getEncoding()), axis),
                 loc));

  for (auto [result, part] : llvm::zip(op.getResults(), parts)) {
    auto tile = dyn_cast<RankedTensorType>(result.getType());
    if (!tile) {
      values[result] = {
          tile::UnsplatOp::create(builder, loc, result.getType(), part)};
      continue;
    }
    Value whole = tile::ReshapeOp::create(
        builder, loc, withLayout(tile, sliceAxis(read, axis)), part);
    values[result] = {convert(whole, processPlan.layouts.lookup(result), loc)};
  }
}
