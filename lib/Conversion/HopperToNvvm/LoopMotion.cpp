//===- LoopMotion.cpp - How numbers move along a loop -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step is known modulo two to the bits of the register, which is all that
// sums, products and narrower registers need. A wider register needs the number
// itself: then the step must be a constant, and the claim is that nothing
// wraps.
//
//===----------------------------------------------------------------------===//

#include "LoopMotion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace heddle::tonvvm {

int64_t registerBits(Type type) {
  if (isa<tile::PtrType>(type))
    return 64;
  return type.isIndex() ? 32 : type.getIntOrFloatBitWidth();
}

std::optional<int64_t> constantOf(Value number) {
  APInt value;
  if (matchPattern(number, m_ConstantInt(&value)))
    return value.getSExtValue();
  Operation *op = number.getDefiningOp();
  if (!isa_and_present<arith::IndexCastOp, arith::ExtSIOp>(op) ||
      op->getOperand(0).getType().isInteger(1))
    return std::nullopt;
  std::optional<int64_t> cast = constantOf(op->getOperand(0));
  bool isKept = cast && llvm::isIntN(registerBits(number.getType()), *cast);
  return isKept ? cast : std::nullopt;
}

static bool isNumber(Type type) {
  return type.isIndex() || type.isInteger(32) || type.isInteger(64);
}

std::optional<int64_t> Motion::constant(int64_t bits) const {
  int64_t sum = 0;
  for (const Term &term : step)
    if (!term.numbers.empty() || llvm::AddOverflow(sum, term.factor, sum))
      return std::nullopt;
  return llvm::SignExtend64(uint64_t(sum), unsigned(bits));
}

void Motion::addClaims(const Motion &other) {
  for (unsigned claim : other.claims)
    if (!llvm::is_contained(claims, claim))
      claims.push_back(claim);
}

/// Sums that double from line to line have no end otherwise.
static constexpr size_t kMostTerms = 16;

/// Adds the terms of `from` times `factor` and `times`, and what they are so
/// under.
static bool append(Motion &to, const Motion &from, int64_t factor,
                   Value times = {}) {
  for (Motion::Term term : from.step) {
    if (times)
      term.numbers.push_back(times);
    auto *same = llvm::find_if(to.step, [&](const Motion::Term &other) {
      return other.numbers == term.numbers;
    });
    if (same == to.step.end())
      same = &to.step.emplace_back(Motion::Term{0, term.numbers});
    if (llvm::MulOverflow(term.factor, factor, term.factor) ||
        llvm::AddOverflow(same->factor, term.factor, same->factor))
      return false;
  }
  to.addClaims(from);
  return to.step.size() <= kMostTerms;
}

bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
      op);
}

/// Every number that a register of `type` can hold.
static Claim unwrapped(Value number, int64_t step) {
  int64_t bits = registerBits(number.getType());
  return {
      number, {}, step, {llvm::minIntN(bits), {}}, {llvm::maxIntN(bits), {}}};
}

LoopMotion::LoopMotion(scf::ForOp loop) : loop(loop) {}

void LoopMotion::require(Motion &motion, const Claim &claim) {
  unsigned number = unsigned(llvm::find(claims, claim) - claims.begin());
  if (number == claims.size())
    claims.push_back(claim);
  if (!llvm::is_contained(motion.claims, number))
    motion.claims.push_back(number);
}

std::optional<Motion> LoopMotion::find(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  std::optional<Motion> motion = compute(value);
  known[value] = motion;
  return motion;
}

std::optional<Motion> LoopMotion::compute(Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return Motion();
  if (value == loop.getInductionVar()) {
    std::optional<int64_t> step = constantOf(loop.getStep());
    if (!step)
      return std::nullopt;
    return Motion{{{*step, {}}}, {}};
  }
  Operation *op = value.getDefiningOp();
  // Divisions are pure but for what nobody divides by in front of the loop.
  if (!op || op->getBlock() != loop.getBody() || op->getNumResults() != 1 ||
      op->getNumRegions() || !(isPure(op) || isDivision(op)))
    return std::nullopt;
  if (isa<tile::PtrType>(value.getType()) || isNumber(value.getType()) ||
      value.getType().isInteger(1))
    return ofOperation(op);
  return std::nullopt;
}

std::optional<Motion> LoopMotion::ofOperation(Operation *op) {
  using Result = std::optional<Motion>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) { return ofSum(op, 1); })
      .Case([&](arith::SubIOp) { return ofSum(op, -1); })
      .Case([&](tile::PtrAddOp add) -> Result {
        Result place = find(add.getPtr()),
               more = ofCast(add.getOffset(), 64, true);
        if (!place || !more || !append(*place, *more, 1))
          return std::nullopt;
        return place;
      })
      .Case([&](arith::MulIOp) { return ofProduct(op); })
      .Case<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(
          [&](auto cast) {
            return ofCast(cast.getIn(), registerBits(cast.getType()), true);
          })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto cast) {
        return ofCast(cast.getIn(), registerBits(cast.getType()), false);
      })
      .Case([&](arith::MinSIOp) { return ofExtreme(op, true); })
      .Case([&](arith::MaxSIOp) { return ofExtreme(op, false); })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return ofDivision(op, true); })
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [&](auto) { return ofDivision(op, false); })
      .Default([&](Operation *op) { return staying(op); });
}

/// What is made of numbers that stay alone.
std::optional<Motion> LoopMotion::staying(Operation *op) {
  Motion all;
  for (Value operand : op->getOperands()) {
    std::optional<Motion> motion = find(operand);
    if (!motion || !motion->stays())
      return std::nullopt;
    append(all, *motion, 1);
  }
  return all;
}

std::optional<Motion> LoopMotion::ofSum(Operation *op, int64_t sign) {
  std::optional<Motion> a = find(op->getOperand(0)),
                        b = find(op->getOperand(1));
  if (!a || !b || !append(*a, *b, sign))
    return std::nullopt;
  return a;
}

std::optional<Motion> LoopMotion::ofProduct(Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  std::optional<Motion> ofA = find(a), ofB = find(b);
  if (!ofA || !ofB)
    return std::nullopt;
  if (!ofA->stays()) {
    std::swap(a, b);
    std::swap(ofA, ofB);
  }
  if (!ofA->stays())
    return std::nullopt;
  std::optional<int64_t> factor = constantOf(a);
  if (!append(*ofA, *ofB, factor.value_or(1), factor ? Value() : a))
    return std::nullopt;
  return ofA;
}

std::optional<Motion> LoopMotion::ofCast(Value number, int64_t bits,
                                         bool isSigned) {
  if (!isNumber(number.getType()))
    return std::nullopt;
  std::optional<Motion> motion = find(number);
  int64_t from = registerBits(number.getType());
  // The loop's own number never wraps.
  if (!motion || motion->stays() || bits <= from ||
      (isSigned && number == loop.getInductionVar()))
    return motion;
  std::optional<int64_t> step = motion->constant(from);
  if (!step)
    return std::nullopt;
  Claim claim = unwrapped(number, *step);
  if (!isSigned)
    claim.least = {0, {}};
  motion->step = {{*step, {}}};
  require(*motion, claim);
  return motion;
}

/// Of a number that moves and one that stays, a minimum is what stays as long
/// as the other goes down and is not below it, and what moves as long as that
/// goes up and is not above; a maximum what stays once the other went below it,
/// and what moves once that went above.
std::optional<Motion> LoopMotion::ofExtreme(Operation *op, bool isLeast) {
  Value moving = op->getOperand(0), still = op->getOperand(1);
  std::optional<Motion> ofMoving = find(moving), ofStill = find(still);
  if (!ofMoving || !ofStill)
    return std::nullopt;
  if (ofMoving->stays()) {
    std::swap(moving, still);
    std::swap(ofMoving, ofStill);
  }
  if (!ofStill->stays())
    return std::nullopt;
  std::optional<int64_t> step =
      ofMoving->constant(registerBits(moving.getType()));
  if (!step)
    return std::nullopt;
  Motion both;
  if (*step > 0)
    both.step = ofMoving->step;
  both.addClaims(*ofMoving);
  both.addClaims(*ofStill);
  if (*step == 0)
    return both;
  Claim claim = unwrapped(moving, *step);
  bool isAbove = isLeast == (*step < 0);
  (isAbove ? claim.least : claim.most) = {0, still};
  require(both, claim);
  return both;
}

/// Of a number that goes up from zero or more by a divisor that stays: up to
/// the next multiple the quotient stays.
std::optional<Motion> LoopMotion::ofDivision(Operation *op, bool isRest) {
  Value number = op->getOperand(0), divisor = op->getOperand(1);
  std::optional<Motion> motion = find(number), ofDivisor = find(divisor);
  if (!motion || !ofDivisor || !ofDivisor->stays())
    return std::nullopt;
  std::optional<int64_t> step =
      motion->constant(registerBits(number.getType()));
  if (!motion->stays() && (!step || *step < 0))
    return std::nullopt;
  motion->addClaims(*ofDivisor);
  std::optional<int64_t> by = constantOf(divisor);
  if (by && *by < 1)
    return std::nullopt;
  if (!by)
    require(*motion, {divisor, {}, 0, {1, {}}});
  if (motion->stays() || *step == 0) {
    motion->step.clear();
    return motion;
  }
  Claim claim = unwrapped(number, *step);
  claim.least = {0, {}};
  require(*motion, claim);
  require(*motion, {number, divisor, *step, {0, {}}, {-1, divisor}});
  motion->step.clear();
  if (isRest)
    motion->step = {{*step, {}}};
  return motion;
}

//===----------------------------------------------------------------------===//
// In front of the loop
//===----------------------------------------------------------------------===//

Value LoopEntry::number(int64_t value) {
  return arith::ConstantIntOp::create(builder, loop.getLoc(), value, 64);
}

/// A division stands here where nobody divides by less than one; that none
/// does is a claim.
Value LoopEntry::atLeastOne(Value divisor, bool isSigned) {
  if (constantOf(divisor))
    return divisor;
  Value one = arith::ConstantOp::create(
      builder, loop.getLoc(), builder.getIntegerAttr(divisor.getType(), 1));
  if (isSigned)
    return arith::MaxSIOp::create(builder, loop.getLoc(), divisor, one);
  return arith::MaxUIOp::create(builder, loop.getLoc(), divisor, one);
}

Value LoopEntry::first(Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  if (value == loop.getInductionVar())
    return loop.getLowerBound();
  if (Value made = firsts.lookupOrNull(value))
    return made;
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(first(operand));
  if (isDivision(op))
    operands.back() =
        atLeastOne(operands.back(), isa<arith::DivSIOp, arith::RemSIOp>(op));
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  // The loop may run no iteration, and then anything may wrap.
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(copy))
    copy->setAttr(flags.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      builder.getContext(), arith::IntegerOverflowFlags::none));
  Value made = copy->getResult(0);
  firsts.map(value, made);
  return made;
}

Value LoopEntry::wide(Value value) {
  Value made = first(value);
  Type type = builder.getI64Type();
  if (made.getType() == type)
    return made;
  if (made.getType().isIndex())
    return arith::IndexCastOp::create(builder, loop.getLoc(), type, made);
  return arith::ExtSIOp::create(builder, loop.getLoc(), type, made);
}

Value LoopEntry::step(const Motion &motion) {
  Value sum;
  for (const Motion::Term &term : motion.step) {
    Value product = number(term.factor);
    for (Value factor : term.numbers)
      product =
          arith::MulIOp::create(builder, loop.getLoc(), wide(factor), product);
    sum =
        sum ? Value(arith::AddIOp::create(builder, loop.getLoc(), sum, product))
            : product;
  }
  return sum ? sum : number(0);
}

Value LoopEntry::bound(const Bound &bound) {
  if (!bound.number)
    return number(bound.constant);
  return arith::AddIOp::create(builder, loop.getLoc(), wide(bound.number),
                               number(bound.constant));
}

Value LoopEntry::isAtLeast(Value a, Value b) {
  return arith::CmpIOp::create(builder, loop.getLoc(),
                               arith::CmpIPredicate::sge, a, b);
}

void LoopEntry::demand(Value condition) {
  holds = holds ? Value(arith::AndIOp::create(builder, loop.getLoc(), holds,
                                              condition))
                : condition;
}

Value LoopEntry::fewer(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::MinUIOp::create(builder, loop.getLoc(), a, b);
}

/// As many iterations as steps from the first number to the last one, which is
/// `distance` away, and one more. Without a sign, so that none is too long.
Value LoopEntry::turns(Value distance, int64_t step) {
  Location loc = loop.getLoc();
  if (step != 1)
    distance = arith::DivUIOp::create(builder, loc, distance, number(step));
  // So that there is one more.
  distance = fewer(distance, number(std::numeric_limits<int32_t>::max() - 1));
  return arith::AddIOp::create(builder, loc, distance, number(1));
}

void LoopEntry::demand(const Claim &claim) {
  Location loc = loop.getLoc();
  Value here = wide(claim.number);
  if (claim.divisor)
    here = arith::RemSIOp::create(builder, loc, here,
                                  atLeastOne(wide(claim.divisor), true));
  int64_t bits = registerBits(claim.number.getType());
  auto isOpen = [&](const Bound &bound, int64_t end) {
    return !bound.number && bound.constant == end;
  };
  Value least = bound(claim.least), most = bound(claim.most);
  if (!isOpen(claim.least, llvm::minIntN(bits)) &&
      !isOpen(claim.least, kLeastNumber))
    demand(isAtLeast(here, least));
  if (!isOpen(claim.most, llvm::maxIntN(bits)) &&
      !isOpen(claim.most, kMostNumber))
    demand(isAtLeast(most, here));
  if (claim.step == 0)
    return;
  Value distance =
      claim.step < 0
          ? arith::SubIOp::create(builder, loc, here, least).getResult()
          : arith::SubIOp::create(builder, loc, most, here).getResult();
  Value kept = turns(distance, std::abs(claim.step));
  iterations = fewer(iterations, kept);
  if (claim.divisor)
    period = fewer(period, kept);
}

/// Of the loop, if it has iterations; i64.
Value LoopEntry::trips() {
  Location loc = loop.getLoc();
  Value lower = wide(loop.getLowerBound()), upper = wide(loop.getUpperBound());
  Value behind = arith::AddIOp::create(builder, loc, lower, number(1));
  return turns(arith::SubIOp::create(builder, loc, upper, behind),
               *constantOf(loop.getStep()));
}

Value LoopEntry::count() {
  Location loc = loop.getLoc();
  Value lower = wide(loop.getLowerBound()), upper = wide(loop.getUpperBound());
  demand(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lower,
                               upper));
  Value most = arith::SelectOp::create(builder, loc, holds,
                                       fewer(iterations, trips()), number(0));
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(), most);
}

Value LoopEntry::countOthers(Value count) {
  Location loc = loop.getLoc();
  Type type = builder.getI32Type();
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value others =
      arith::TruncIOp::create(builder, loc, type, fewer(period, trips()));
  Value isNone = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       count, none);
  return arith::SelectOp::create(builder, loc, isNone, others, none);
}

} // namespace heddle::tonvvm
