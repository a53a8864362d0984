//===- CombineOps.cpp - Rules of what warps combine in registers ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Machine/Reduction.h"

using namespace mlir;
using namespace heddle::hopper;

/// Twice as many scalar arguments as operands, one yielded value an operand.
static LogicalResult verifyCombiner(Operation *op, OperandRange values,
                                    Region &combiner) {
  SmallVector<Type> elements;
  for (Value value : values)
    elements.push_back(
        cast<RankedTensorType>(value.getType()).getElementType());
  SmallVector<Type> expected(elements);
  expected.append(elements);
  if (combiner.front().getArgumentTypes() != TypeRange(expected))
    return op->emitOpError()
           << "has " << values.size() << " operands, so its combiner takes "
           << expected.size() << " scalars, " << TypeRange(expected) << ", not "
           << combiner.front().getArgumentTypes();
  auto yield = dyn_cast<YieldOp>(combiner.front().back());
  if (!yield || yield.getOperandTypes() != TypeRange(elements))
    return op->emitOpError() << "needs a combiner that ends in hopper.yield of "
                             << TypeRange(elements);
  return success();
}

LogicalResult ReduceOp::verify() {
  if (getValues().empty() || getValues().size() != getResults().size())
    return emitOpError("has ") << getValues().size() << " operands and "
                               << getResults().size() << " results";
  auto first = cast<RankedTensorType>(getValues().front().getType());
  std::optional<machine::Layout> layout = getLayout(first);
  if (!layout)
    return emitOpError("needs register layouts on its tiles");
  if (int64_t(getAxis()) < 0 || int64_t(getAxis()) >= first.getRank())
    return emitOpError("has axis ")
           << getAxis() << " but its tiles have " << first.getRank();
  std::optional<machine::Reduction> plan =
      planReduction(*layout, int(getAxis()));
  if (!plan)
    return emitOpError("cannot combine along axis ")
           << getAxis() << " of " << first
           << ": its threads hold an element twice, or step along two axes at "
              "once; convert the layout before";
  for (auto [value, result] : llvm::zip(getValues(), getResults())) {
    auto from = cast<RankedTensorType>(value.getType());
    if (from.getEncoding() != first.getEncoding())
      return emitOpError("has operands of two layouts, ")
             << first << " and " << from;
    RankedTensorType expected =
        getTileType(plan->result, from.getElementType());
    if (result.getType() != expected)
      return emitOpError("gives ")
             << result.getType() << "; combined along axis " << getAxis()
             << " it is " << expected;
  }
  return verifyCombiner(*this, getValues(), getCombiner());
}
