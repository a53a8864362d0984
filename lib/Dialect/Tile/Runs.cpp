//===- Runs.cpp - Which neighbours in a tile are neighbours in memory -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Runs.h"

#include "heddle/Dialect/Tile/Elementwise.h"
#include "heddle/Dialect/Tile/KnownSign.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::tile {

/// Deeper arithmetic is not looked through.
static constexpr int kSearchDepth = 64;

/// The largest power of two in a number.
static int64_t powerIn(const APInt &number) {
  return number.isZero()
             ? Run::kMost
             : std::min(Run::kMost, int64_t(1)
                                        << std::min(number.countr_zero(), 16u));
}

static Run uniform(int64_t divisor) {
  return {1, Run::kMost, std::min(divisor, Run::kMost)};
}

static Run ofGroups(int64_t same) { return {1, same, 1}; }

/// What divides the first of each group of `count`, where `unit` lies between
/// neighbours.
static int64_t divisorAt(const Run &run, int64_t count, int64_t unit = 1) {
  return count >= run.length ? run.divisor
                             : std::min(run.divisor, count * unit);
}

/// Either of two, the same one for all elements of a group of `choice`.
static Run eitherOf(const Run &a, const Run &b, int64_t choice) {
  Run run;
  run.length = std::min({a.length, b.length, choice});
  run.same = std::min({a.same, b.same, choice});
  run.divisor = std::min(divisorAt(a, run.length), divisorAt(b, run.length));
  return run;
}

/// Bytes between neighbours that a pointer type addresses; 0 if these are no
/// power of two.
static int64_t bytesOfPointee(Value pointers) {
  auto pointer = dyn_cast<PtrType>(getElementTypeOrSelf(pointers.getType()));
  if (!pointer || !pointer.getElementType().isIntOrFloat())
    return 0;
  int64_t bits = pointer.getElementType().getIntOrFloatBitWidth();
  return bits >= 8 && llvm::isPowerOf2_64(bits) ? bits / 8 : 0;
}

/// Groups of numbers that follow one another end where numbers of the type do.
static Run fit(Run run, Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || integer.getWidth() > 16)
    return run;
  int64_t length = std::min(run.length, (int64_t(1) << integer.getWidth()) / 2);
  return {length, run.same, divisorAt(run, length)};
}

Run RunFinder::along(Value value, int64_t axis) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    axis = 0;
  if (auto found = known.find({value, axis}); found != known.end())
    return found->second;
  if (depth == kSearchDepth)
    return type ? Run() : uniform(1);
  ++depth;
  Run run = compute(value, axis);
  --depth;
  if (!type || type.getDimSize(axis) == 1)
    run = uniform(divisorAt(run, 1));
  return known[{value, axis}] = run;
}

Run RunFinder::compute(Value value, int64_t axis) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return uniform(powerIn(constant));
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  return fit(ofOp(value.getDefiningOp(), value, axis), value.getType());
}

Run RunFinder::ofArgument(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (loop && argument == loop.getInductionVar())
    return uniform(std::min(along(loop.getLowerBound(), 0).divisor,
                            along(loop.getStep(), 0).divisor));
  return {1, 1, isMultiple && isMultiple(argument) ? kArgumentMultiple : 1};
}

/// What divides all elements.
int64_t RunFinder::divisorOfAll(Value value) {
  return divisorAt(along(value, 0), 1);
}

Run RunFinder::ofOp(Operation *op, Value result, int64_t axis) {
  auto of = [&](Value value) { return along(value, axis); };
  return TypeSwitch<Operation *, Run>(op)
      .Case([&](SplatOp splat) { return of(splat.getValue()); })
      .Case([&](IotaOp) { return Run{Run::kMost, 1, Run::kMost}; })
      .Case([&](ExpandDimsOp expand) {
        int64_t added = int64_t(expand.getAxis());
        return axis == added ? uniform(divisorOfAll(expand.getValue()))
                             : along(expand.getValue(), axis - (axis > added));
      })
      .Case<BroadcastOp, arith::IndexCastOp, arith::IndexCastUIOp,
            arith::ExtSIOp, arith::ExtUIOp>(
          [&](Operation *cast) { return of(cast->getOperand(0)); })
      .Case([&](TransOp trans) {
        return along(trans.getValue(), trans.getOrder()[axis]);
      })
      .Case([&](arith::TruncIOp cast) { return of(cast.getIn()); })
      .Case([&](arith::AddIOp sum) {
        return ofSum(of(sum.getLhs()), of(sum.getRhs()));
      })
      .Case([&](arith::SubIOp difference) {
        return ofDifference(of(difference.getLhs()), of(difference.getRhs()));
      })
      .Case([&](arith::MulIOp product) {
        Run a = of(product.getLhs()), b = of(product.getRhs());
        return Run{1, std::min(a.same, b.same),
                   std::min(Run::kMost, divisorAt(a, 1) * divisorAt(b, 1))};
      })
      .Case<arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp>(
          [&](Operation *choice) {
            Run a = of(choice->getOperand(0)), b = of(choice->getOperand(1));
            return Run{1, std::min(a.same, b.same),
                       std::min(divisorAt(a, 1), divisorAt(b, 1))};
          })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::ShRSIOp,
            arith::ShRUIOp>(
          [&](Operation *quotient) { return ofQuotient(quotient, axis); })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](Operation *rest) { return ofRemainder(rest, axis); })
      .Case<arith::AndIOp, arith::ShLIOp>(
          [&](Operation *bits) { return ofBits(bits, axis); })
      .Case([&](arith::CmpIOp) { return ofComparison(op, axis); })
      .Case([&](arith::SelectOp choice) {
        return eitherOf(of(choice.getTrueValue()), of(choice.getFalseValue()),
                        of(choice.getCondition()).same);
      })
      .Case([&](scf::IfOp branch) {
        unsigned number = cast<OpResult>(result).getResultNumber();
        return eitherOf(of(branch.thenYield().getOperand(number)),
                        of(branch.elseYield().getOperand(number)), Run::kMost);
      })
      .Case([&](PtrAddOp sum) {
        return ofAddresses(sum.getPtr(), sum.getOffset(), axis);
      })
      .Default([&](Operation *) { return ofElements(op, axis); });
}

Run RunFinder::ofSum(const Run &a, const Run &b) const {
  // Those of one follow one another, and the other moves each group as a whole.
  Run run;
  run.length = std::max(std::min({a.length, b.same, b.divisor}),
                        std::min({b.length, a.same, a.divisor}));
  run.same = std::min(a.same, b.same);
  run.divisor = std::min(divisorAt(a, run.length), divisorAt(b, run.length));
  return run;
}

Run RunFinder::ofDifference(const Run &a, const Run &b) const {
  Run run;
  run.length = std::min({a.length, b.same, b.divisor});
  run.same = std::min(a.same, b.same);
  run.divisor = std::min(divisorAt(a, run.length), divisorAt(b, run.length));
  return run;
}

Run RunFinder::ofAddresses(Value pointers, Value offsets, int64_t axis) {
  int64_t unit = bytesOfPointee(pointers);
  Run base = along(pointers, axis), offset = along(offsets, axis);
  if (!unit)
    return ofGroups(std::min(base.same, offset.same));
  Run run;
  run.length = std::max(std::min(offset.length, base.same),
                        std::min(base.length, offset.same));
  run.same = std::min(base.same, offset.same);
  run.divisor = std::min({divisorAt(base, run.length, unit),
                          divisorAt(offset, run.length) * unit, Run::kMost});
  return run;
}

/// Whether numbers from one multiple of the divisor to the next have one
/// quotient, and remainders that follow one another.
static bool countsFromMultiples(Operation *op) {
  if (isa<arith::DivSIOp, arith::RemSIOp>(op))
    return knownNotNegative(op->getOperand(0));
  return !isa<arith::FloorDivSIOp>(op) || knownNotNegative(op->getOperand(1));
}

/// A shift's divisor is a constant power of two, or not known.
static std::optional<int64_t> shiftOf(Operation *op) {
  APInt shift;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&shift)) ||
      shift.uge(getElementTypeOrSelf(op->getResult(0).getType()).isIndex()
                    ? 64
                    : shift.getBitWidth()))
    return std::nullopt;
  return int64_t(1) << std::min<uint64_t>(shift.getZExtValue(), 16);
}

Run RunFinder::ofQuotient(Operation *op, int64_t axis) {
  Run a = along(op->getOperand(0), axis), b = along(op->getOperand(1), axis);
  APInt constant;
  std::optional<int64_t> whole; // a power of two that is divided by
  if (isa<arith::ShRSIOp, arith::ShRUIOp>(op)) {
    whole = shiftOf(op);
    b = whole ? uniform(*whole) : ofGroups(b.same);
  } else if (matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
             constant.isPowerOf2() && constant.getActiveBits() <= 17) {
    whole = int64_t(constant.getZExtValue());
  }
  // Only exact quotients keep what is left of the divisor.
  int64_t divisor = divisorAt(a, 1);
  bool isExact = whole && divisor % *whole == 0;
  Run run{1, std::min(a.same, b.same), isExact ? divisor / *whole : 1};
  // A group begins at a multiple of its length. Where that divides what is
  // divided by, no multiple of this lies within the group.
  if (countsFromMultiples(op))
    run.same = std::max(run.same, std::min({a.length, b.same, b.divisor}));
  return run;
}

Run RunFinder::ofRemainder(Operation *op, int64_t axis) {
  Run a = along(op->getOperand(0), axis), b = along(op->getOperand(1), axis);
  Run run;
  if (countsFromMultiples(op))
    run.length = std::min({a.length, b.same, b.divisor});
  run.same = std::min(a.same, b.same);
  run.divisor = std::min(divisorAt(a, run.length), divisorAt(b, run.length));
  return run;
}

/// Bits that are moved or cleared by a constant.
Run RunFinder::ofBits(Operation *op, int64_t axis) {
  Run a = along(op->getOperand(0), axis), b = along(op->getOperand(1), axis);
  Run run{1, std::min(a.same, b.same), 1};
  if (isa<arith::ShLIOp>(op)) {
    int64_t factor = shiftOf(op).value_or(1);
    run.divisor = std::min(Run::kMost, divisorAt(a, 1) * factor);
    return run;
  }
  run.divisor = std::max(divisorAt(a, 1), divisorAt(b, 1));
  APInt mask;
  // The remainder by a power of two, of numbers of any sign.
  if (matchPattern(op->getOperand(1), m_ConstantInt(&mask)) && mask.isMask()) {
    run.length = std::min(a.length, powerIn(mask.zext(65) + 1));
    run.divisor = divisorAt(a, run.length);
  }
  return run;
}

/// Numbers below a bound: all of a group are that begins at a multiple of its
/// length, or none, where that divides the bound.
Run RunFinder::ofComparison(Operation *op, int64_t axis) {
  auto comparison = cast<arith::CmpIOp>(op);
  Value left = comparison.getLhs(), right = comparison.getRhs();
  Run a = along(left, axis), b = along(right, axis);
  auto below = [](const Run &numbers, const Run &bound) {
    return std::min({numbers.length, bound.same, bound.divisor});
  };
  auto upTo = [](const Run &numbers, Value bound) -> int64_t {
    APInt constant; // below the number that follows
    return matchPattern(bound, m_ConstantInt(&constant))
               ? std::min(numbers.length, powerIn(constant.sext(65) + 1))
               : 1;
  };
  int64_t same = std::min(a.same, b.same);
  using P = arith::CmpIPredicate;
  switch (comparison.getPredicate()) {
  case P::slt:
  case P::sge:
  case P::ult:
  case P::uge:
    return ofGroups(std::max({same, below(a, b), upTo(b, left)}));
  case P::sgt:
  case P::sle:
  case P::ugt:
  case P::ule:
    return ofGroups(std::max({same, below(b, a), upTo(a, right)}));
  default:
    return ofGroups(same);
  }
}

/// Equal operands make equal elements.
Run RunFinder::ofElements(Operation *op, int64_t axis) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue()) ? uniform(1) : Run();
  bool isMadeOfElements = isElementwise(op) && isMemoryEffectFree(op) &&
                          !op->getNumRegions() && op->getNumOperands();
  if (!isMadeOfElements && !isa<GatherOp>(op))
    return {};
  int64_t same = Run::kMost;
  for (Value operand : op->getOperands())
    same = std::min(same, along(operand, axis).same);
  return ofGroups(same);
}

int64_t RunFinder::elementsAtOnce(Operation *access, int64_t axis,
                                  int64_t bytes) {
  auto gather = dyn_cast<GatherOp>(access);
  auto scatter = dyn_cast<ScatterOp>(access);
  if (!gather && !scatter)
    return 1;
  Value pointers = gather ? gather.getPtr() : scatter.getPtr();
  Value mask = gather ? gather.getMask() : scatter.getMask();
  int64_t unit = bytesOfPointee(pointers);
  if (!unit || !isa<RankedTensorType>(pointers.getType()))
    return 1;
  Run run = along(pointers, axis);
  int64_t most = std::min(bytes / unit, run.length);
  if (mask)
    most = std::min(most, along(mask, axis).same);
  while (most > 1 && divisorAt(run, most, unit) % (most * unit))
    most /= 2;
  return std::max<int64_t>(most, 1);
}

int64_t RunFinder::elementsAtOnePlace(Operation *access, int64_t axis) {
  auto gather = dyn_cast<GatherOp>(access);
  if (!gather)
    return 1;
  int64_t same = along(gather.getPtr(), axis).same;
  return gather.getMask() ? std::min(same, along(gather.getMask(), axis).same)
                          : same;
}

int64_t knownDivisor(Value index) {
  return RunFinder().along(index, 0).divisor;
}

} // namespace heddle::tile
