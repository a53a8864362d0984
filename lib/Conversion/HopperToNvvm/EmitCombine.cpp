//===- EmitCombine.cpp - Reductions within a warp ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hopper.reduce becomes a balanced tree over each thread's registers and then
// exchanges between lanes. All lanes must end with the same bits: where the
// combiner is not one commutative operation, the lower lane's value comes first
// on both sides.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "LaneExchange.h"

using namespace mlir;

namespace heddle::tonvvm {

/// One scalar for each operand of a reduction.
using Tuple = SmallVector<Value>;

/// combine(a, b) is combine(b, a) to the bit, whatever the operands hold: one
/// commutative operation on both arguments.
static bool isSymmetric(Block &combiner) {
  auto yield = combiner.getTerminator()->getOperands();
  if (yield.size() != 1 || combiner.getOperations().size() != 2)
    return false;
  Operation &op = combiner.front();
  return op.hasTrait<OpTrait::IsCommutative>() && op.getNumOperands() == 2 &&
         llvm::equal(op.getOperands(), combiner.getArguments()) &&
         yield.front() == op.getResult(0);
}

FailureOr<Tuple> Emitter::combine(Block &combiner, ArrayRef<Value> first,
                                  ArrayRef<Value> second) {
  size_t count = first.size();
  for (size_t i = 0; i < count; ++i) {
    bind(combiner.getArgument(i), {first[i]});
    bind(combiner.getArgument(count + i), {second[i]});
  }
  if (failed(emitBlock(combiner)))
    return failure();
  Tuple result;
  for (Value value : combiner.getTerminator()->getOperands())
    result.push_back(scalar(value));
  return result;
}

/// A balanced tree: neighbours first, in an order that keeps few values alive.
FailureOr<Tuple> Emitter::combineTree(Block &combiner,
                                      ArrayRef<Tuple> elements) {
  if (elements.size() == 1)
    return elements.front();
  size_t half = llvm::PowerOf2Ceil(elements.size()) / 2;
  FailureOr<Tuple> low = combineTree(combiner, elements.take_front(half));
  if (failed(low))
    return failure();
  FailureOr<Tuple> high = combineTree(combiner, elements.drop_front(half));
  if (failed(high))
    return failure();
  return combine(combiner, *low, *high);
}

/// Lanes whose index differs in `bit` combine what they have. All of them must
/// get the same bits, so an asymmetric combiner takes the lower lane's first.
FailureOr<Tuple> Emitter::combineLanes(Block &combiner, Tuple own, int bit,
                                       Value isUpper) {
  Code code(builder, combiner.getParentOp()->getLoc());
  Tuple other;
  for (Value value : own)
    other.push_back(shuffleXor(code, value, int64_t(1) << bit));
  if (isUpper)
    for (auto [mine, theirs] : llvm::zip(own, other)) {
      Value lower = code.select(isUpper, theirs, mine);
      theirs = code.select(isUpper, mine, theirs);
      mine = lower;
    }
  return combine(combiner, own, other);
}

LogicalResult Emitter::emitReduce(hopper::ReduceOp op) {
  Code code(builder, op.getLoc());
  std::optional<machine::Layout> layout =
      hopper::getLayout(op.getValues().front().getType());
  machine::Reduction plan = *planReduction(op, *layout);
  Block &combiner = op.getCombiner().front();
  bool symmetric = isSymmetric(combiner);

  SmallVector<Tuple> totals;
  for (const std::vector<int> &group : plan.registers) {
    SmallVector<Tuple> elements;
    for (int index : group) {
      Tuple &element = elements.emplace_back();
      for (Value value : op.getValues())
        element.push_back(registers(value)[index]);
    }
    FailureOr<Tuple> total = combineTree(combiner, elements);
    if (failed(total))
      return failure();
    totals.push_back(*total);
  }
  for (int bit : plan.laneBits) {
    Value isUpper;
    if (!symmetric)
      isUpper = code.logicalNot(
          code.isEqual(code.bitAnd(threads.lane, int64_t(1) << bit), 0));
    for (Tuple &total : totals) {
      FailureOr<Tuple> both = combineLanes(combiner, total, bit, isUpper);
      if (failed(both))
        return failure();
      total = *both;
    }
  }
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Registers regs;
    for (const Tuple &total : totals)
      regs.push_back(total[i]);
    bind(result, regs);
  }
  return success();
}

} // namespace heddle::tonvvm
