//===- EmitMove.cpp - Rewrite: ops that move elements -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that move elements are emitted by the plan of MoveLayouts: most
// rename registers, while reshape, take and histogram may go through scratch
// memory. There row-major order without a swizzle gives an element the same
// address in either shape, and lets data address it.
//
//===----------------------------------------------------------------------===//

#include "MoveLayouts.h"
#include "PlanConversions.h"
#include "ProcessEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Row-major bytes mean the same elements in either shape.
Value ProcessEmitter::reshapeThroughShared(tile::ReshapeOp op, Value value,
                                           LayoutAttr made) {
  Location loc = op.getLoc();
  Value buffer = toScratch(value, loc, /*plain=*/true).front();
  RankedTensorType type = typeOf(op.getResult());
  Value renamed = hopper::BufferOp::create(
      builder, loc, scratchTile(type, /*plain=*/true),
      buffer.getDefiningOp<hopper::BufferOp>().getSym(), processPlan.scratch);
  return fromScratch(type, renamed, made, loc);
}

Value ProcessEmitter::takeThroughShared(tile::TakeOp op, Value value,
                                        Value indices) {
  Location loc = op.getLoc();
  Value buffer = toScratch(value, loc, /*plain=*/true).front();
  Type stored = cast<hopper::SmemType>(buffer.getType()).getElementType();
  Value taken =
      hopper::LocalTakeOp::create(builder, loc, typeOf(indices).clone(stored),
                                  buffer, indices, op.getAxis());
  return fromStored(taken, typeOf(op.getResult()).getElementType(), loc);
}

/// Windows overlap, so each thread reads its elements from shared memory: from
/// the slot that the span lies in, or from scratch memory.
void ProcessEmitter::emitUnfold(tile::UnfoldOp op) {
  Location loc = op.getLoc();
  Value from;
  if (readsSlot(op, facts))
    from = scalar(op.getSpan());
  else
    from = toScratch(tileAsMade(op.getSpan(), loc), loc, /*plain=*/true)[0];
  Type stored = cast<hopper::SmemType>(from.getType()).getElementType();
  RankedTensorType type = withLayout(
      typeOf(op.getResult()), processPlan.layouts.lookup(op.getResult()));
  auto unfold = hopper::LocalUnfoldOp::create(builder, loc, type.clone(stored),
                                              from, scalar(op.getFirst()),
                                              op.getSize(), op.getStep());
  carryName(op, unfold);
  values[op.getResult()] = {
      fromStored(unfold.getValue(), type.getElementType(), loc)};
}

/// Zeros, the numbers of all threads, and then what they came to.
Value ProcessEmitter::countThroughShared(tile::HistogramOp op, Value value,
                                         Value mask, LayoutAttr made) {
  Location loc = op.getLoc();
  RankedTensorType type = withLayout(typeOf(op.getResult()), made);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  Value zeros = tile::SplatOp::create(builder, loc, type, zero);
  Value buffer = toScratch(zeros, loc, /*plain=*/true).front();
  hopper::LocalCountOp::create(builder, loc, value, mask, buffer);
  emitSync(loc);
  return fromScratch(type, buffer, made, loc);
}

SmallVector<Value> ProcessEmitter::emitScan(tile::ScanOp op,
                                            ValueRange operands) {
  auto scan = hopper::ScanOp::create(builder, op.getLoc(), operands.getTypes(),
                                     operands, op.getAxis(), op.getReverse());
  cloneCombiner(op.getCombiner(), scan.getCombiner());
  return llvm::to_vector(ValueRange(scan.getResults()));
}

void ProcessEmitter::emitMovement(Operation *op) {
  Location loc = op->getLoc();
  Movement plan = planMovement(op, processPlan.layouts);
  SmallVector<Value> operands, results;
  for (auto [value, read] : llvm::zip(op->getOperands(), plan.read))
    operands.push_back(tile(value, read, loc));
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op);
      reshape && plan.throughShared) {
    results.push_back(reshapeThroughShared(reshape, operands[0], plan.made[0]));
  } else if (auto take = dyn_cast<tile::TakeOp>(op)) {
    results.push_back(takeThroughShared(take, operands[0], operands[1]));
  } else if (auto histogram = dyn_cast<tile::HistogramOp>(op)) {
    results.push_back(countThroughShared(
        histogram, operands[0], operands.size() > 1 ? operands[1] : Value(),
        plan.made[0]));
  } else if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    results = emitScan(scan, operands);
  } else {
    OperationState state(loc, op->getName());
    state.addOperands(operands);
    state.addAttributes(llvm::to_vector(op->getAttrs()));
    for (auto [result, made] : llvm::zip(op->getResults(), plan.made))
      state.addTypes(withLayout(typeOf(result), made));
    llvm::append_range(results, builder.create(state)->getResults());
  }
  for (auto [result, value] : llvm::zip(op->getResults(), results)) {
    LayoutAttr wanted = processPlan.layouts.lookup(result);
    values[result] = {wanted ? convert(value, wanted, loc) : value};
  }
}
