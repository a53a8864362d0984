//===- CombineOps.cpp - Rules of what warps combine in registers ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of HopperCombineOps.td. lib/Machine says whether a layout can be
// combined or scanned along an axis, by the very plan that the lowering carries
// out. So an operation that verifies can be lowered.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Machine/Scan.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;
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
    return reportOp(op, diag::combine_form)
           << "has " << values.size() << " operands, so its combiner takes "
           << expected.size() << " scalars, " << TypeRange(expected) << ", not "
           << combiner.front().getArgumentTypes();
  auto yield = dyn_cast<YieldOp>(combiner.front().back());
  if (!yield || yield.getOperandTypes() != TypeRange(elements))
    return reportOp(op, diag::combine_form)
           << "needs a combiner that ends in hopper.yield of "
           << TypeRange(elements);
  return success();
}

/// The layout of `tile`, which has the axis.
static FailureOr<machine::Layout>
verifyAxis(Operation *op, RankedTensorType tile, int64_t axis) {
  std::optional<machine::Layout> layout = getLayout(tile);
  if (!layout)
    return reportOp(op, diag::hopper_layout_use)
           << "needs register layouts on its tiles";
  if (axis < 0 || axis >= tile.getRank())
    return reportOp(op, diag::combine_form)
           << "has axis " << axis << " but its tiles have " << tile.getRank();
  return *layout;
}

std::optional<machine::Reduction>
heddle::hopper::planReduction(ReduceOp op, const machine::Layout &layout) {
  return machine::planReduction(layout, int(op.getAxis()),
                                op.getByThread() ? machine::Combining::Threads
                                                 : machine::Combining::Warps);
}

LogicalResult ReduceOp::verify() {
  if (getValues().empty() || getValues().size() != getResults().size())
    return reportOp(*this, diag::combine_form)
           << "has " << getValues().size() << " operands and "
           << getResults().size() << " results";
  auto first = cast<RankedTensorType>(getValues().front().getType());
  FailureOr<machine::Layout> layout = verifyAxis(*this, first, getAxis());
  if (failed(layout))
    return failure();
  std::optional<machine::Reduction> plan = planReduction(*this, *layout);
  if (!plan)
    return reportOp(*this, diag::combine_form)
           << "cannot combine along axis " << getAxis() << " of " << first
           << ": its threads hold an element twice, or step along two axes at "
              "once; convert the layout before";
  for (auto [value, result] : llvm::zip(getValues(), getResults())) {
    auto from = cast<RankedTensorType>(value.getType());
    if (from.getEncoding() != first.getEncoding())
      return reportOp(*this, diag::combine_form)
             << "has operands of two layouts, " << first << " and " << from;
    RankedTensorType expected =
        getTileType(plan->result, from.getElementType());
    if (result.getType() != expected)
      return reportOp(*this, diag::combine_form)
             << "gives " << result.getType() << "; combined along axis "
             << getAxis() << " it is " << expected;
  }
  return verifyCombiner(*this, getValues(), getCombiner());
}

LogicalResult ScanOp::verify() {
  if (getValues().empty() || getResultTypes() != getValues().getTypes())
    return reportOp(*this, diag::combine_form)
           << "gives what it takes, " << getValues().getTypes() << ", not "
           << getResultTypes();
  auto first = cast<RankedTensorType>(getValues().front().getType());
  FailureOr<machine::Layout> layout = verifyAxis(*this, first, getAxis());
  if (failed(layout))
    return failure();
  for (Value value : getValues())
    if (cast<RankedTensorType>(value.getType()).getEncoding() !=
        first.getEncoding())
      return reportOp(*this, diag::combine_form)
             << "has operands of two layouts, " << first << " and "
             << value.getType();
  if (!planScan(*layout, int(getAxis())))
    return reportOp(*this, diag::combine_form)
           << "cannot scan along axis " << getAxis() << " of " << first
           << ": warps move along it, or its digits overlap; convert the "
              "layout "
              "before";
  return verifyCombiner(*this, getValues(), getCombiner());
}

/// A row-major sum of coordinates is an address.
static LogicalResult verifyPlain(Operation *op, SmemType tile) {
  if (tile.getSwizzle())
    return reportOp(op, diag::combine_form)
           << "needs a tile without a swizzle, not " << tile;
  return success();
}

LogicalResult LocalTakeOp::verify() {
  RankedTensorType indices = getIndices().getType(),
                   value = getValue().getType();
  SmemType tile = getTile().getType();
  if (!indices.getElementType().isIntOrIndex() || !getLayout(indices))
    return reportOp(*this, diag::combine_form)
           << "needs integer indices with a register layout, not " << indices;
  if (value != RankedTensorType::get(indices.getShape(), tile.getElementType(),
                                     indices.getEncoding()))
    return reportOp(*this, diag::combine_form)
           << "gives " << value << " for indices " << indices << " into "
           << tile;
  int64_t axis = getAxis();
  if (axis < 0 || axis >= indices.getRank() ||
      int64_t(tile.getShape().size()) != indices.getRank())
    return reportOp(*this, diag::combine_form)
           << "has axis " << axis << " of " << tile << " and indices "
           << indices;
  for (int64_t other = 0; other < indices.getRank(); ++other)
    if (other != axis && indices.getDimSize(other) != tile.getShape()[other])
      return reportOp(*this, diag::combine_form)
             << "has " << indices.getDimSize(other) << " indices along axis "
             << other << " of a tile of " << tile.getShape()[other];
  return verifyPlain(*this, tile);
}

LogicalResult LocalUnfoldOp::verify() {
  RankedTensorType value = getValue().getType();
  SmemType tile = getTile().getType();
  if (tile.getShape().size() != 1 || value.getRank() != 2 ||
      !getLayout(value) || value.getElementType() != tile.getElementType())
    return reportOp(*this, diag::combine_form)
           << "unfolds a tile of one axis to one of two in registers, not "
           << tile << " to " << value;
  int64_t size = getSize(), step = getStep(), rows = value.getDimSize(0);
  int64_t length = satAdd(satMul(rows - 1, step), size);
  if (size < 1 || step < 1 || value.getDimSize(1) < size ||
      length > tile.getShape()[0])
    return reportOp(*this, diag::combine_form)
           << "has " << rows << " windows of " << size
           << " elements in steps of " << step << " from " << tile << " to "
           << value;
  APInt first;
  if (matchPattern(getFirst(), m_ConstantInt(&first)) &&
      (first.isNegative() ||
       satAdd(first.getSExtValue(), length) > tile.getShape()[0]))
    return reportOp(*this, diag::combine_form)
           << "has windows from " << first.getSExtValue() << " to "
           << satAdd(first.getSExtValue(), length) << " of " << tile;
  return success();
}

LogicalResult LocalCountOp::verify() {
  RankedTensorType value = getValue().getType();
  SmemType tile = getTile().getType();
  if (!value.getElementType().isIntOrIndex() || !getLayout(value))
    return reportOp(*this, diag::combine_form)
           << "needs integers with a register layout, not " << value;
  if (getMask() &&
      getMask().getType() != value.clone(IntegerType::get(getContext(), 1)))
    return reportOp(*this, diag::combine_form)
           << "has a mask of " << getMask().getType() << " for " << value;
  if (tile.getShape().size() != 1 || !tile.getElementType().isInteger(32))
    return reportOp(*this, diag::combine_form)
           << "counts in one axis of i32, not in " << tile;
  return verifyPlain(*this, tile);
}
