//===- Turning.cpp - Conditions that turn once in a loop ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Turning.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;

/// Adds `value`, or subtracts it; false if it is not linear in the loop's
/// induction variable, or its constants are beyond 64 bits.
static bool addTo(Linear &sum, Value value, scf::ForOp loop, bool subtract) {
  IntegerAttr constant;
  if (value == loop.getInductionVar()) {
    sum.factor += subtract ? -1 : 1;
    return true;
  }
  if (matchPattern(value, m_Constant(&constant))) {
    int64_t number = constant.getInt();
    return subtract ? !llvm::SubOverflow(sum.constant, number, sum.constant)
                    : !llvm::AddOverflow(sum.constant, number, sum.constant);
  }
  if (loop.isDefinedOutsideOfLoop(value)) {
    sum.terms.push_back({value, subtract});
    return true;
  }
  Operation *def = value.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(def))
    return false;
  return addTo(sum, def->getOperand(0), loop, subtract) &&
         addTo(sum, def->getOperand(1), loop,
               subtract != isa<arith::SubIOp>(def));
}

namespace {

/// How far one number of places is from another: a constant, and multiples of
/// values that are no sums themselves. Casts count as what they cast, because
/// places do not wrap; nothing that is split relies on that.
struct Distance {
  int64_t constant = 0;
  llvm::SmallMapVector<Value, int64_t, 4> multiples;
  bool isExact = true; ///< false: a number did not fit, and nothing is known

  void add(Value value, int64_t times);
  bool isConstant() const {
    return isExact &&
           llvm::all_of(multiples, [](auto &term) { return !term.second; });
  }

private:
  void addTo(int64_t &sum, int64_t number) {
    isExact &= !llvm::AddOverflow(sum, number, sum);
  }
  int64_t multiply(int64_t a, int64_t b) {
    int64_t product = 0;
    isExact &= !llvm::MulOverflow(a, b, product);
    return product;
  }
};

} // namespace

void Distance::add(Value value, int64_t times) {
  IntegerAttr number;
  Operation *def = value.getDefiningOp();
  if (matchPattern(value, m_Constant(&number))) {
    addTo(constant, multiply(times, number.getInt()));
  } else if (isa_and_present<arith::AddIOp, arith::SubIOp>(def)) {
    add(def->getOperand(0), times);
    add(def->getOperand(1),
        isa<arith::SubIOp>(def) ? multiply(times, -1) : times);
  } else if (isa_and_present<arith::MulIOp>(def) &&
             matchPattern(def->getOperand(1), m_Constant(&number))) {
    add(def->getOperand(0), multiply(times, number.getInt()));
  } else if (isa_and_present<arith::IndexCastOp, arith::ExtSIOp>(def)) {
    add(def->getOperand(0), times);
  } else {
    addTo(multiples[value], times);
  }
}

/// A turn farther away is none: whoever uses it may add to it.
static constexpr int64_t kFarthest = int64_t(1) << 62;

static std::optional<Turning> findTurning(Value condition, scf::ForOp loop) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return std::nullopt;
  Turning result;
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  if (!llvm::is_contained({P::slt, P::sle, P::sgt, P::sge}, predicate) ||
      !addTo(result.less, compare.getLhs(), loop, false) ||
      !addTo(result.less, compare.getRhs(), loop, true))
    return std::nullopt;
  if (result.less.constant < -kFarthest || result.less.constant > kFarthest)
    return std::nullopt;
  bool below = predicate == P::slt || predicate == P::sle;
  bool equal = predicate == P::sle || predicate == P::sge;
  if (result.less.factor == -1) { // -iv + r < 0 is iv - r > 0
    result.less.factor = 1;
    result.less.constant = -result.less.constant;
    for (auto &[value, subtract] : result.less.terms)
      subtract = !subtract;
    below = !below;
  }
  if (result.less.factor != 1)
    return std::nullopt;
  result.first = below;
  // What holds before the turn: the comparison itself, or its opposite.
  result.inclusive = below ? equal : !equal;
  return result;
}

static bool isAtMost(Value value, Value bound) {
  Distance distance;
  distance.add(value, 1);
  distance.add(bound, -1);
  return distance.isConstant() && distance.constant <= 0;
}

/// Values that no iteration's induction variable is below.
static void findStarts(Value begin, SmallVectorImpl<Value> &starts) {
  starts.push_back(begin);
  if (auto larger = begin.getDefiningOp<arith::MaxSIOp>()) {
    findStarts(larger.getLhs(), starts);
    findStarts(larger.getRhs(), starts);
  }
}

/// Values that a loop's induction variable stays below in every iteration.
static void findLimits(Value end, ArrayRef<Value> starts,
                       SmallVectorImpl<Value> &limits) {
  limits.push_back(end);
  Operation *def = end.getDefiningOp();
  if (isa_and_present<arith::MinSIOp>(def)) {
    findLimits(def->getOperand(0), starts, limits);
    findLimits(def->getOperand(1), starts, limits);
  }
  // Where the larger of the two is not above the begin, there is no iteration.
  if (isa_and_present<arith::MaxSIOp>(def))
    for (unsigned i : {0, 1})
      if (llvm::any_of(starts, [&](Value start) {
            return isAtMost(def->getOperand(i), start);
          }))
        findLimits(def->getOperand(1 - i), starts, limits);
}

/// Is the turn a fixed distance from one of `places`?
static bool turnsNear(const Turning &turning, ArrayRef<Value> places) {
  return llvm::any_of(places, [&](Value place) {
    Distance distance; // of the turn before the place
    distance.add(place, 1);
    for (auto [value, subtract] : turning.less.terms)
      distance.add(value, subtract ? -1 : 1);
    return distance.isConstant();
  });
}

/// Does the condition turn a fixed distance from the loop's end?
static bool turnsAtEnd(const Turning &turning, scf::ForOp loop) {
  IntegerAttr end;
  if (matchPattern(loop.getUpperBound(), m_Constant(&end)))
    return turning.less.terms.empty();
  return turning.less.terms.size() == 1 &&
         turning.less.terms.front() ==
             std::pair(Value(loop.getUpperBound()), true);
}

/// Does it turn a fixed distance from a value that the induction variable stays
/// below?
static bool turnsNearEnd(const Turning &turning, scf::ForOp loop) {
  SmallVector<Value> starts, limits;
  findStarts(loop.getLowerBound(), starts);
  findLimits(loop.getUpperBound(), starts, limits);
  return turnsNear(turning, limits);
}

static bool turnsNearBegin(const Turning &turning, scf::ForOp loop) {
  SmallVector<Value> starts;
  findStarts(loop.getLowerBound(), starts);
  return turnsNear(turning, starts);
}

/// A condition that stays the same throughout would be hoisted.
static bool canTurn(scf::IfOp conditional, scf::ForOp loop) {
  return loop.getInductionVar().getType().isIndex() &&
         !loop.isDefinedOutsideOfLoop(conditional.getCondition());
}

/// How it turns, if that is at such a place.
static std::optional<Turning>
findTurningWhere(scf::IfOp conditional, scf::ForOp loop,
                 bool (*isThere)(const Turning &, scf::ForOp)) {
  if (!canTurn(conditional, loop))
    return std::nullopt;
  std::optional<Turning> turning =
      findTurning(conditional.getCondition(), loop);
  return turning && isThere(*turning, loop) ? turning : std::nullopt;
}

std::optional<Turning> heddle::findTurningAtEnd(scf::IfOp conditional,
                                                scf::ForOp loop) {
  return findTurningWhere(conditional, loop, turnsAtEnd);
}

std::optional<Turning> heddle::findTurningNearEnd(scf::IfOp conditional,
                                                  scf::ForOp loop) {
  return findTurningWhere(conditional, loop, turnsNearEnd);
}

/// What a condition is in all iterations but a fixed or bounded number at
/// either end of the loop.
static std::optional<bool> steadyValue(Value condition, scf::ForOp loop) {
  Operation *def = condition.getDefiningOp();
  if (isa_and_present<arith::AndIOp, arith::OrIOp>(def)) {
    std::optional<bool> one = steadyValue(def->getOperand(0), loop),
                        other = steadyValue(def->getOperand(1), loop);
    bool decides = isa<arith::OrIOp>(def); // whatever the other one is
    if (one == decides || other == decides)
      return decides;
    return one && other ? std::optional(!decides) : std::nullopt;
  }
  std::optional<Turning> turning = findTurning(condition, loop);
  if (!turning)
    return std::nullopt;
  if (turnsNearEnd(*turning, loop))
    return turning->first;
  if (turnsNearBegin(*turning, loop))
    return !turning->first;
  return std::nullopt;
}

std::optional<bool> heddle::steadyOutcome(scf::IfOp conditional) {
  auto loop = dyn_cast<scf::ForOp>(conditional->getParentOp());
  return loop && canTurn(conditional, loop)
             ? steadyValue(conditional.getCondition(), loop)
             : std::nullopt;
}

bool heddle::hasTail(scf::ForOp loop) {
  return llvm::any_of(loop.getBody()->getOps<scf::IfOp>(), [&](scf::IfOp op) {
    return findTurningNearEnd(op, loop) && !findTurningAtEnd(op, loop);
  });
}

bool heddle::keepsBranch(scf::ForOp loop, bool splitsTail) {
  return llvm::any_of(loop.getBody()->getOps<scf::IfOp>(), [&](scf::IfOp op) {
    return !(splitsTail ? findTurningNearEnd(op, loop)
                        : findTurningAtEnd(op, loop));
  });
}
