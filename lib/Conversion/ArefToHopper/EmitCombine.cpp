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

SmallVector<Value> ProcessEmitter::combine(tile::ReduceOp op,
                                           ValueRange operands, bool byThread) {
  SmallVector<Type> types;
  for (Value value : operands) {
    auto type = cast<RankedTensorType>(value.getType());
    types.push_back(partialType(
        type, op.getAxis(), cast<LayoutAttr>(type.getEncoding()),
        byThread ? machine::Combining::Threads : machine::Combining::Warps));
  }
  auto reduce = hopper::ReduceOp::create(builder, op.getLoc(), types, operands,
                                         op.getAxis(), byThread);
  cloneCombiner(op.getCombiner(), reduce.getCombiner());
  carryName(op, reduce);
  return llvm::to_vector(ValueRange(reduce.getResults()));
}

SmallVector<Value> ProcessEmitter::joinParts(tile::ReduceOp op,
                                             SmallVector<Value> parts,
                                             Location loc) {
  int64_t axis = op.getAxis();
  auto type = cast<RankedTensorType>(parts.front().getType());
  if (type.getDimSize(axis) > 1)
    parts = combine(
        op,
        exchange(parts, gatherAxis(cast<LayoutAttr>(type.getEncoding()), axis),
                 loc));
  SmallVector<Value> results;
  for (auto [result, part] : llvm::zip(op.getResults(), parts)) {
    auto layout =
        cast<LayoutAttr>(cast<RankedTensorType>(part.getType()).getEncoding());
    if (auto tile = dyn_cast<RankedTensorType>(result.getType()))
      results.push_back(tile::ReshapeOp::create(
          builder, loc, withLayout(tile, sliceAxis(layout, axis)), part));
    else
      results.push_back(
          tile::UnsplatOp::create(builder, loc, result.getType(), part));
  }
  return results;
}

void ProcessEmitter::emitReduce(tile::ReduceOp op) {
  Location loc = op.getLoc();
  LayoutAttr read = readLayout(op, processPlan.layouts);
  SmallVector<Value> operands;
  for (Value value : op.getValues())
    operands.push_back(tile(value, read, loc));
  if (Value sum = op.getResults().front(); processPlan.sums.find(sum))
    return bindParts(sum, combine(op, operands, /*byThread=*/true).front(),
                     loc);
  for (auto [result, made] :
       llvm::zip(op.getResults(), joinParts(op, combine(op, operands), loc)))
    values[result] = {
        isa<RankedTensorType>(result.getType())
            ? convert(made, processPlan.layouts.lookup(result), loc)
            : made};
}
