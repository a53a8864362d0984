//===- NumberWidths.cpp - Where 32 bits of an index are enough --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberWidths.h"

#include "heddle/Conversion/KernelSignature.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::tonvvm {

/// The largest extent of a tile along an axis.
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

/// Is a coordinate along this axis divided on its way to memory?
static bool isDivided(Value view, int64_t axis) {
  if (auto merge = view.getDefiningOp<tile::MergeOp>()) {
    int64_t first = merge.getFirst(), more = merge.getLast() - first;
    return axis == first ||
           isDivided(merge.getView(), axis < first ? axis : axis + more);
  }
  auto window = view.getDefiningOp<tile::WindowOp>();
  if (!window || axis == int64_t(window.getWindow()))
    return false;
  // Places of windows have a need of their own.
  int64_t source = axis < int64_t(window.getWindow()) ? axis : axis - 1;
  return source != int64_t(window.getAxis()) &&
         isDivided(window.getView(), source);
}

/// Of an op whose only indices are the offsets in its only view.
static WidthNeed::Kind kindOfOffset(Operation *op, unsigned operand) {
  int64_t axis = 0;
  for (unsigned i = 0; i < operand; ++i)
    axis += isIndex(op->getOperand(i));
  for (Value view : op->getOperands())
    if (isa<tile::ViewType>(view.getType()) && isDivided(view, axis))
      return WidthNeed::Merged;
  return WidthNeed::Coordinate;
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
      // There are no more places or turns than blocks, which 31 bits count: so
      // lower bits are all there is.
      .Case<hopper::AwaitTurnOp, hopper::PassTurnOp>(
          [](Operation *) { return Result(); })
      // Offsets are their only operands of this type.
      .Case<hopper::TmaStoreOp, hopper::CopyOp, hopper::GlobalLoadOp,
            hopper::GlobalStoreOp, tile::ViewReduceOp>(
          [&](Operation *op) -> Result { return kindOfOffset(op, operand); })
      // A slot of a ring may be an index, too.
      .Case([&](hopper::TmaLoadOp load) -> Result {
        bool isOffset =
            llvm::is_contained(load.getOffsets(), load->getOperand(operand));
        return isOffset ? Kind::Coordinate : Kind::Fits;
      })
      .Case([&](tile::MakeViewOp view) -> Result {
        if (llvm::is_contained(view.getExtents(), view->getOperand(operand)))
          return Kind::Positive;
        return beforeCast(view->getOperand(operand)) ? Result()
                                                     : Result(Kind::Fits);
      })
      .Case([&](tile::WindowOp) -> Result {
        return operand == 3 ? Kind::Fits : Kind::Positive; // the low end
      })
      .Default([](Operation *) { return Kind::Fits; });
}

std::vector<WidthNeed> collectWidthNeeds(hopper::KernelOp kernel) {
  std::vector<WidthNeed> needs;
  DenseSet<Operation *> device = getDeviceOps(kernel);
  auto collect = [&](Operation *op) {
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      if (!isIndex(op->getOperand(i)))
        continue;
      if (auto kind = kindOf(op, i))
        needs.push_back({op, i, *kind});
    }
    if (isa<tile::WindowOp>(op))
      needs.push_back({op, 0, WidthNeed::Window});
    if (isa<scf::ForOp>(op))
      needs.push_back({op, 1, WidthNeed::LoopEnd});
  };
  // The extent of merged axes is a product of extents. Coordinates along them
  // are bounded by what the host makes of it, which has to be that number.
  auto merges = kernel.getEntry().getOps<tile::MergeOp>();
  bool hasMerged = merges.begin() != merges.end();
  for (Operation &op : kernel.getEntry())
    if (isa<hopper::ProcessOp>(op) || device.contains(&op) ||
        (hasMerged && isa<arith::ArithDialect>(op.getDialect())))
      op.walk<WalkOrder::PreOrder>(collect);
  return needs;
}

std::vector<WidthNeed> collectStoredPlaces(hopper::KernelOp kernel) {
  std::vector<WidthNeed> needs;
  kernel.walk([&](hopper::TmaStoreOp store) {
    for (unsigned i = 0; i < store->getNumOperands(); ++i)
      if (isIndex(store->getOperand(i)))
        needs.push_back({store, i, WidthNeed::NotBefore});
  });
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
  if (need.kind == WidthNeed::Window) {
    // The last place of the last window; the first one is -low.
    auto window = cast<tile::WindowOp>(need.op);
    return {LinearForm(kHalf - 1) -
            numbers.form(window.getExtent()) * window.getStride() -
            numbers.form(window.getWindowExtent()) * window.getDilation() +
            numbers.form(window.getLow())};
  }
  Value value = need.value();
  if (need.kind == WidthNeed::NotBefore)
    return {numbers.form(value)};
  NumberRange range = numbers.range(value);
  LinearForm number = isa<RankedTensorType>(value.getType())
                          ? LinearForm(Wide(1) << 120) // elements differ: lost
                          : numbers.form(value);
  Wide lowest = need.kind == WidthNeed::Positive ? 0 : -kHalf;
  Wide highest = need.kind == WidthNeed::Coordinate
                     ? 2 * kHalf - kMostTileExtent - 1
                 : need.kind == WidthNeed::Merged ? kHalf - kMostTileExtent - 1
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

Value beforeCast(Value stride) {
  auto cast = stride.getDefiningOp<arith::IndexCastOp>();
  return cast && cast.getIn().getType().isInteger(64) ? cast.getIn() : Value();
}

bool isMet(const WidthNeed &need, Numbers &numbers) {
  return llvm::all_of(goalsOf(need, numbers), [&](const LinearForm &goal) {
    return numbers.isNeverNegativeAt(goal, need.op);
  });
}

LogicalResult verifyNumberWidths(hopper::KernelOp kernel) {
  Numbers numbers(kernel);
  for (const WidthNeed &need : collectWidthNeeds(kernel))
    if (!isMet(need, numbers))
      return reportOp(need.op, diag::index_width)
             << "reads an index that may not fit 32 bits; "
             << "hopper-narrow-numbers has to run before the expansion to "
                "threads";
  return success();
}

} // namespace heddle::tonvvm
