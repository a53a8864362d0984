//===- GlobalAccess.cpp - How wide threads may access a view ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/GlobalAccess.h"

#include "heddle/Dialect/Hopper/RegisterLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::hopper {

static constexpr int64_t kLargestDivisor = 1 << 16;
/// Deeper arithmetic is not looked through.
static constexpr int kSearchDepth = 16;

static int64_t divisorOf(Value index, int depth);

/// The two values that `index`, a result of `op`, can be.
static std::array<Value, 2> branchesOf(scf::IfOp op, Value index) {
  unsigned number = cast<OpResult>(index).getResultNumber();
  return {op.thenYield().getOperand(number), op.elseYield().getOperand(number)};
}

static int64_t smallest(ValueRange values, int depth) {
  int64_t result = kLargestDivisor;
  for (Value value : values)
    result = std::min(result, divisorOf(value, depth));
  return result;
}

/// Only exact quotients keep what is left of the divisor.
static int64_t divisorOfQuotient(Value left, Value right, int depth) {
  APInt by;
  int64_t whole = divisorOf(left, depth);
  bool exact = matchPattern(right, m_ConstantInt(&by)) && by.isPowerOf2() &&
               by.getActiveBits() < 32 &&
               whole % int64_t(by.getZExtValue()) == 0;
  return exact ? whole / int64_t(by.getZExtValue()) : 1;
}

static int64_t divisorOf(Value index, int depth) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return constant.isZero()
               ? kLargestDivisor
               : std::min(kLargestDivisor,
                          int64_t(1) << std::min(constant.countr_zero(), 16u));
  if (depth == 0)
    return 1;
  --depth;
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || index != loop.getInductionVar())
      return 1;
    return smallest({loop.getLowerBound(), loop.getStep()}, depth);
  }
  return TypeSwitch<Operation *, int64_t>(index.getDefiningOp())
      .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MinUIOp,
            arith::MaxSIOp, arith::MaxUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::TruncIOp>(
          [&](Operation *op) { return smallest(op->getOperands(), depth); })
      .Case([&](arith::SelectOp op) {
        return smallest({op.getTrueValue(), op.getFalseValue()}, depth);
      })
      .Case([&](scf::IfOp op) { return smallest(branchesOf(op, index), depth); })
      .Case([&](arith::MulIOp op) {
        return std::min(kLargestDivisor, divisorOf(op.getLhs(), depth) *
                                             divisorOf(op.getRhs(), depth));
      })
      .Case<arith::DivUIOp, arith::DivSIOp>([&](auto op) {
        return divisorOfQuotient(op.getLhs(), op.getRhs(), depth);
      })
      .Default(int64_t(1));
}

static bool isNotNegative(Value index, int depth) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return !constant.isNegative();
  if (depth-- == 0)
    return false;
  auto holds = [&](Value value) { return isNotNegative(value, depth); };
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && index == loop.getInductionVar() &&
           holds(loop.getLowerBound()) && holds(loop.getStep());
  }
  return TypeSwitch<Operation *, bool>(index.getDefiningOp())
      .Case<tile::DimOp, tile::WorkerIdOp, tile::WorkerCountOp>(
          [](auto) { return true; })
      // A quotient or remainder of what is not negative, by anything.
      .Case<arith::DivUIOp, arith::RemUIOp, arith::RemSIOp>(
          [&](auto op) { return holds(op.getLhs()); })
      .Case<arith::MinUIOp, arith::MaxSIOp>(
          [&](auto op) { return holds(op.getLhs()) || holds(op.getRhs()); })
      .Case<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::MinSIOp,
            arith::MaxUIOp, arith::CeilDivUIOp, arith::CeilDivSIOp,
            arith::IndexCastOp, arith::ExtSIOp>(
          [&](Operation *op) { return llvm::all_of(op->getOperands(), holds); })
      .Case<arith::ExtUIOp>([](auto) { return true; })
      .Case([&](arith::SelectOp op) {
        return holds(op.getTrueValue()) && holds(op.getFalseValue());
      })
      .Case([&](scf::IfOp op) {
        return llvm::all_of(branchesOf(op, index), holds);
      })
      .Default(false);
}

bool knownNotNegative(Value index) {
  return isNotNegative(index, kSearchDepth);
}

int64_t knownDivisor(Value index) { return divisorOf(index, kSearchDepth); }

/// The axis of the view behind `op` that goes on where `axis` of its result
/// does; -1 if a coordinate of windows is between them.
static int64_t axisBehind(Operation *op, int64_t axis) {
  if (auto merge = dyn_cast<tile::MergeOp>(op)) {
    auto first = int64_t(merge.getFirst()), last = int64_t(merge.getLast());
    return axis < first ? axis : axis + last - first;
  }
  auto window = cast<tile::WindowOp>(op);
  auto place = int64_t(window.getWindow());
  int64_t behind = axis > place ? axis - 1 : axis;
  return axis == place || behind == int64_t(window.getAxis()) ? -1 : behind;
}

Value findRows(Value view) {
  int64_t axis = cast<tile::ViewType>(view.getType()).getOrder().front();
  while (tile::isMapped(view)) {
    axis = axisBehind(view.getDefiningOp(), axis);
    if (axis < 0)
      return {};
    view = view.getDefiningOp()->getOperand(0);
  }
  bool isFastest =
      axis == cast<tile::ViewType>(view.getType()).getOrder().front();
  return isFastest ? view : Value();
}

int64_t widestAccess(tile::ViewType view, ValueRange offsets,
                     RankedTensorType tile) {
  int64_t fastest = view.getOrder().front();
  // A tile covers the last axes of a view.
  int64_t axis = fastest - (view.getRank() - tile.getRank());
  Type element = view.getElementType();
  if (axis < 0 || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() % 8)
    return 1;
  int64_t most = kAccessBytes * 8 / element.getIntOrFloatBitWidth();
  return std::min({machine::contiguousRun(*getLayout(tile), int(axis)),
                   knownDivisor(offsets[fastest]), most});
}

bool copiesInChunks(tile::ViewType view, SmemType tile, int64_t threads) {
  machine::SharedLayout shape = getSharedLayout(tile);
  if (shape.rank != 2 ||
      view.getOrder().front() != view.getRank() - 2 + shape.fastest())
    return false;
  int64_t rowBytes = shape.shape[shape.fastest()] * shape.elementBytes;
  if (rowBytes % kAccessBytes || shape.rowBytes() % kAccessBytes)
    return false;
  int64_t chunks = rowBytes / kAccessBytes;
  return threads % chunks == 0 &&
         shape.shape[shape.order[1]] % (threads / chunks) == 0;
}

machine::Layout chunkLayout(SmemType tile, int64_t threads) {
  machine::SharedLayout shape = getSharedLayout(tile);
  return machine::makeCoalesced(
      tile.getShape().vec(), {shape.order[0], shape.order[1]},
      int(threads / 32), int(kAccessBytes / shape.elementBytes));
}

machine::Layout rowsLayout(SmemType tile, int64_t threads) {
  int fastest = getSharedLayout(tile).fastest();
  return machine::expandAxis(
      machine::sliceAxis(chunkLayout(tile, threads), fastest), fastest);
}

} // namespace heddle::hopper
