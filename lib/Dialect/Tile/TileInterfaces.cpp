//===- TileInterfaces.cpp - The answers of operations on tiles ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What operations that move or combine elements say of a split axis, and what
// those say that differ in their costs. Short answers stand in the .td files.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Elementwise.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Machine/Times.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

#include "heddle/Dialect/Tile/TileInterfaces.cpp.inc"

bool heddle::tile::isElementwise(Operation *op) {
  auto asked = dyn_cast<TileOpInterface>(op);
  return asked ? asked.goesByElement() : op->hasTrait<OpTrait::Elementwise>();
}

void heddle::tile::tieAll(Operation *op, int64_t axis,
                          SmallVectorImpl<TiedAxis> &tied) {
  for (Value operand : op->getOperands())
    tied.push_back({operand, axis});
  for (Value result : op->getResults())
    tied.push_back({result, axis});
}

double heddle::tile::cyclesOfCopy(Operation *op, const machine::Costs &costs) {
  auto memory = dyn_cast<MemoryEffectOpInterface>(op);
  machine::Times times(costs);
  return (memory && !memory.hasNoEffect() ? times.access(32) : times.move())
      .alu;
}

/// An address has two words.
double PtrAddOp::elementCycles(const machine::Costs &costs) {
  return machine::Times(costs).integer(1, 64).alu;
}

/// A store of each element's share of a word.
double StageOp::elementCycles(const machine::Costs &costs) {
  Type element = getElementTypeOrSelf(getResult().getType());
  double bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return machine::Times(costs).access(bits).alu;
}

/// Neighbours of two bytes come as a word where the step is even.
double UnfoldOp::elementCycles(const machine::Costs &costs) {
  int64_t bits =
      getElementTypeOrSelf(getResult().getType()).getIntOrFloatBitWidth();
  return machine::Times(costs).access(getStep() % 2 ? 32 : double(bits)).alu;
}

static ArrayRef<int64_t> shapeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}

/// Each part is loaded by itself, with the places of its own rows.
std::string LoadOp::tieAxes(Value value, int64_t axis,
                            SmallVectorImpl<TiedAxis> &tied) {
  if (getRows() && axis == 0)
    tied.push_back({value == getRows() ? getResult() : getRows(), 0});
  return {};
}

std::string ExpandDimsOp::tieAxes(Value value, int64_t axis,
                                  SmallVectorImpl<TiedAxis> &tied) {
  int64_t inserted = getAxis();
  if (value == getValue())
    tied.push_back({getResult(), axis < inserted ? axis : axis + 1});
  else
    tied.push_back({getValue(), axis < inserted ? axis : axis - 1});
  return {};
}

/// What is repeated along the axis serves every part.
std::string BroadcastOp::tieAxes(Value value, int64_t axis,
                                 SmallVectorImpl<TiedAxis> &tied) {
  Value other = value == getValue() ? Value(getResult()) : getValue();
  if (shapeOf(other)[axis] != 1)
    tied.push_back({other, axis});
  return {};
}

/// An axis survives if the same number of elements lies before and in it.
std::string ReshapeOp::tieAxes(Value value, int64_t axis,
                               SmallVectorImpl<TiedAxis> &tied) {
  Value other = value == getValue() ? Value(getResult()) : getValue();
  ArrayRef<int64_t> from = shapeOf(value);
  int64_t before = llvm::product_of(from.take_front(axis)), here = 1;
  for (auto [candidate, extent] : llvm::enumerate(shapeOf(other))) {
    if (here == before && extent == from[axis]) {
      tied.push_back({other, int64_t(candidate)});
      return {};
    }
    here *= extent;
  }
  return "a split axis is joined with another or cut";
}

std::string TransOp::tieAxes(Value value, int64_t axis,
                             SmallVectorImpl<TiedAxis> &tied) {
  if (value == getResult())
    tied.push_back({getValue(), getOrder()[axis]});
  else
    tied.push_back(
        {getResult(), llvm::find(getOrder(), axis) - getOrder().begin()});
  return {};
}

/// Each part has windows of its own in the same span.
std::string UnfoldOp::tieAxes(Value value, int64_t axis,
                              SmallVectorImpl<TiedAxis> &) {
  if (value != getResult())
    return "windows go on over the parts of the span";
  return axis == 0 ? "" : "the elements of a window are split";
}

std::string CatOp::tieAxes(Value, int64_t axis,
                           SmallVectorImpl<TiedAxis> &tied) {
  if (axis == int64_t(getAxis()))
    return "two tiles follow one another along the axis that is split";
  tieAll(getOperation(), axis, tied);
  return {};
}

/// The axis of the two tiles is the last, and only one of them all has it.
static std::string tiePair(Operation *op, int64_t axis,
                           SmallVectorImpl<TiedAxis> &tied) {
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                         llvm::to_vector(op->getResults()))) {
    if (axis == int64_t(shapeOf(value).size()))
      return "the axis that is split is the one of the two tiles";
    tied.push_back({value, axis});
  }
  return {};
}

std::string JoinOp::tieAxes(Value, int64_t axis,
                            SmallVectorImpl<TiedAxis> &tied) {
  return tiePair(getOperation(), axis, tied);
}

std::string SplitOp::tieAxes(Value, int64_t axis,
                             SmallVectorImpl<TiedAxis> &tied) {
  return tiePair(getOperation(), axis, tied);
}

/// The pieces of a split axis are never combined: that would need all
/// processes.
std::string ReduceOp::tieAxes(Value value, int64_t axis,
                              SmallVectorImpl<TiedAxis> &tied) {
  int64_t reduced = getAxis();
  bool isOperand = llvm::is_contained(getValues(), value);
  if (isOperand && axis == reduced)
    return "it reduces along the axis that is split";
  int64_t inOperands = isOperand || axis < reduced ? axis : axis + 1;
  int64_t inResults = inOperands < reduced ? inOperands : inOperands - 1;
  for (Value operand : getValues())
    tied.push_back({operand, inOperands});
  for (Value result : getResults())
    tied.push_back({result, inResults});
  return {};
}

std::string ScanOp::tieAxes(Value, int64_t axis,
                            SmallVectorImpl<TiedAxis> &tied) {
  if (axis == int64_t(getAxis()))
    return "it scans along the axis that is split";
  tieAll(getOperation(), axis, tied);
  return {};
}
