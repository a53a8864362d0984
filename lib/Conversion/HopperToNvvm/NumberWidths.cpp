//===- NumberWidths.cpp - Where 32 bits of an index are enough --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberWidths.h"

#include "heddle/Conversion/KernelSignature.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::tonvvm {

/// A tile has at most so many elements along an axis.
static constexpr Wide kMostTileExtent = Wide(1) << 20;

static bool isIndex(Value value) {
  return getElementTypeOrSelf(value.getType()).isIndex();
}

/// Its lower bits depend on its operands' lower bits alone.
static bool keepsLowerBits(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::SelectOp, arith::TruncIOp,
             scf::IfOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp,
             tile::SplatOp, tile::UnsplatOp, tile::ReshapeOp,
             tile::ExpandDimsOp, tile::BroadcastOp, hopper::YieldOp,
             hopper::ConvertLayoutOp>(op);
}

static std::optional<WidthNeed::Kind> kindOf(Operation *op, unsigned operand) {
  using Kind = WidthNeed::Kind;
  using Result = std::optional<Kind>;
  if (keepsLowerBits(op))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(
          [](Operation *) { return Kind::Positive; })
      .Case<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
            arith::FloorDivSIOp>([&](Operation *) {
        return operand == 0 ? Kind::Quotient : Kind::Fits;
      })
      // What is shifted out on the right depends on the upper bits; an amount
      // only counts whole bits.
      .Case([&](arith::ShRUIOp) {
        return operand == 0 ? Kind::Positive : Kind::Fits;
      })
      .Case([&](arith::ShLIOp) {
        return operand == 0 ? Result() : Result(Kind::Fits);
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>([&](Operation *op) {
        int64_t width = numberWidth(getElementTypeOrSelf(op->getResult(0)));
        return width > 32 ? Result(Kind::Fits) : Result();
      })
      .Case([&](scf::ForOp loop) -> Result {
        if (operand >= 3)
          return std::nullopt; // carried
        return loop.getUnsignedCmp() && operand < 2 ? Kind::Positive
                                                    : Kind::Fits;
      })
      // Offsets are their only operands of this type.
      .Case<hopper::TmaLoadOp, hopper::TmaStoreOp, hopper::CopyOp,
            hopper::GlobalLoadOp, hopper::GlobalStoreOp, tile::ViewReduceOp>(
          [](Operation *op) -> Result { return Kind::Coordinate; })
      .Case([&](tile::MakeViewOp view) -> Result {
        if (llvm::is_contained(view.getExtents(), view->getOperand(operand)))
          return Kind::Positive;
        // The emitter takes a stride of 64 bits from before its cast.
        auto cast =
            view->getOperand(operand).getDefiningOp<arith::IndexCastOp>();
        if (cast && cast.getIn().getType().isInteger(64))
          return std::nullopt;
        return Kind::Fits;
      })
      .Default([](Operation *) { return Kind::Fits; });
}

/// Ring slots are indices too, but no coordinates.
static bool isSlot(Operation *op, unsigned operand) {
  Value value = op->getOperand(operand);
  if (auto load = dyn_cast<hopper::TmaLoadOp>(op))
    return value == load.getSlot() &&
           !llvm::is_contained(load.getOffsets(), value);
  return false;
}

std::vector<WidthNeed> collectWidthNeeds(hopper::KernelOp kernel) {
  std::vector<WidthNeed> needs;
  DenseSet<Operation *> device = getDeviceOps(kernel);
  auto collect = [&](Operation *op) {
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      if (!isIndex(op->getOperand(i)))
        continue;
      if (auto kind = kindOf(op, i))
        needs.push_back({op, i, isSlot(op, i) ? WidthNeed::Fits : *kind});
    }
    if (isa<scf::ForOp>(op))
      needs.push_back({op, 1, WidthNeed::LoopEnd});
  };
  for (Operation &op : kernel.getEntry())
    if (isa<hopper::ProcessOp>(op) || device.contains(&op))
      op.walk<WalkOrder::PreOrder>(collect);
  return needs;
}

std::vector<LinearForm> goalsOf(const WidthNeed &need, Numbers &numbers) {
  constexpr Wide kHalf = Wide(1) << 31;
  if (need.kind == WidthNeed::LoopEnd) {
    auto loop = cast<scf::ForOp>(need.op);
    Type type = loop.getInductionVar().getType();
    Wide most = (Wide(1) << (type.isIndex() ? 31 : numberWidth(type) - 1)) - 1;
    return {LinearForm(most + 1) - numbers.form(loop.getUpperBound()) -
            numbers.form(loop.getStep())};
  }
  Value value = need.value();
  NumberRange range = numbers.range(value);
  LinearForm number = isa<RankedTensorType>(value.getType())
                          ? LinearForm(Wide(1) << 120) // elements differ: lost
                          : numbers.form(value);
  Wide lowest = need.kind == WidthNeed::Positive ? 0 : -kHalf;
  Wide highest = need.kind == WidthNeed::Coordinate
                     ? 2 * kHalf - kMostTileExtent - 1
                     : kHalf - 1;
  if (need.kind == WidthNeed::Quotient) {
    NumberRange divisor = numbers.range(need.op->getOperand(1));
    if (divisor.lowest <= -1 && divisor.highest >= -1)
      ++lowest;
  }
  std::vector<LinearForm> goals;
  if (range.lowest < lowest)
    goals.push_back(number - lowest);
  if (range.highest > highest)
    goals.push_back(LinearForm(highest) - number);
  return goals;
}

} // namespace heddle::tonvvm
