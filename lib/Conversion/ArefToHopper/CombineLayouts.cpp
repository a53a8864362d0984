//===- CombineLayouts.cpp - Decide: layouts of reductions -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CombineLayouts.h"

#include "MoveLayouts.h"
#include "PlanConversions.h"
#include "heddle/Dialect/Hopper/RegisterLayout.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

LayoutAttr heddle::areftohopper::readLayout(tile::ReduceOp op,
                                            const LayoutMap &layouts) {
  for (Value value : op.getValues()) {
    LayoutAttr layout = layouts.lookup(lookThroughStart(value));
    if (layout &&
        machine::planReduction(hopper::getLayout(layout), int(op.getAxis())))
      return layout;
  }
  auto type = cast<RankedTensorType>(op.getValues().front().getType());
  if (LayoutAttr made = layouts.lookup(op.getResults().front()))
    return unsliceAxis(type, op.getAxis(), made);
  return defaultLayout(type, op->getParentOfType<aref::ProcessOp>().getWarps());
}

LayoutAttr heddle::areftohopper::unsliceAxis(RankedTensorType operand,
                                             int64_t axis, LayoutAttr result) {
  // Where an accumulator does it, its operand may come from the tensor core.
  if (operand.getRank() == 2 && operand.getDimSize(0) % 64 == 0 &&
      operand.getDimSize(1) % 8 == 0)
    if (LayoutAttr accumulator = accumulatorLayout(operand);
        sliceAxis(accumulator, axis) == result)
      return accumulator;
  return hopper::getLayoutAttr(operand.getContext(),
                               machine::spreadAxis(hopper::getLayout(result),
                                                   int(axis),
                                                   operand.getDimSize(axis)));
}

RankedTensorType heddle::areftohopper::partialType(RankedTensorType operand,
                                                   int64_t axis,
                                                   LayoutAttr layout,
                                                   machine::Combining by) {
  std::optional<machine::Reduction> plan =
      machine::planReduction(hopper::getLayout(layout), int(axis), by);
  return hopper::getTileType(plan->result, operand.getElementType());
}

LayoutAttr heddle::areftohopper::gatherAxis(LayoutAttr layout, int64_t axis) {
  return hopper::getLayoutAttr(
      layout.getContext(),
      machine::gatherAxis(hopper::getLayout(layout), int(axis)));
}

/// A result made in `made` that others read in its own layout.
static void addResult(Value result, LayoutAttr made, const LayoutMap &layouts,
                      const machine::Costs &costs,
                      SmallVectorImpl<Exchange> &exchanges) {
  LayoutAttr wanted = layouts.lookup(result);
  if (wanted && !staysInWarp(made, wanted, result.getType(), costs))
    exchanges.push_back({cast<RankedTensorType>(result.getType())});
}

static SmallVector<Exchange> reductionExchanges(tile::ReduceOp op,
                                                const LayoutMap &layouts,
                                                const machine::Costs &costs) {
  SmallVector<Exchange> exchanges;
  int64_t axis = op.getAxis();
  LayoutAttr read = readLayout(op, layouts);
  Exchange parts;
  for (Value value : op.getValues())
    parts.push_back(
        partialType(cast<RankedTensorType>(value.getType()), axis, read));
  if (parts.front().getDimSize(axis) > 1)
    exchanges.push_back(parts);
  for (Value result : op.getResults())
    if (isa<RankedTensorType>(result.getType()))
      addResult(result, sliceAxis(read, axis), layouts, costs, exchanges);
  return exchanges;
}

static SmallVector<Exchange> movementExchanges(Operation *op,
                                               const LayoutMap &layouts,
                                               const machine::Costs &costs) {
  SmallVector<Exchange> exchanges;
  Movement plan = planMovement(op, layouts);
  if (plan.throughShared || isa<tile::TakeOp>(op))
    exchanges.push_back({cast<RankedTensorType>(op->getOperand(0).getType())});
  if (isa<tile::HistogramOp>(op))
    exchanges.push_back({cast<RankedTensorType>(op->getResult(0).getType())});
  for (auto [result, made] : llvm::zip(op->getResults(), plan.made))
    addResult(result, made, layouts, costs, exchanges);
  return exchanges;
}

SmallVector<Exchange>
heddle::areftohopper::innerExchanges(Operation *op, const LayoutMap &layouts,
                                     const KernelFacts &facts) {
  const machine::Costs &costs = facts.costs;
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return reductionExchanges(reduce, layouts, costs);
  if (isMovement(op))
    return movementExchanges(op, layouts, costs);
  if (auto unfold = dyn_cast<tile::UnfoldOp>(op);
      unfold && !readsSlot(unfold, facts))
    return {{cast<RankedTensorType>(unfold.getSpan().getType())}};
  return {};
}
