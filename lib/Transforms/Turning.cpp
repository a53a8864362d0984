//===- Turning.cpp - Conditions that turn once in a loop ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Turning.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;

/// Adds `value`, or subtracts it; false if it is not linear in the loop's
/// induction variable.
static bool addTo(Linear &sum, Value value, scf::ForOp loop, bool subtract) {
  IntegerAttr constant;
  if (value == loop.getInductionVar()) {
    sum.factor += subtract ? -1 : 1;
    return true;
  }
  if (matchPattern(value, m_Constant(&constant))) {
    sum.constant += subtract ? -constant.getInt() : constant.getInt();
    return true;
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

/// Does the condition turn a fixed distance from the loop's end?
static bool turnsAtEnd(const Turning &turning, scf::ForOp loop) {
  IntegerAttr end;
  if (matchPattern(loop.getUpperBound(), m_Constant(&end)))
    return turning.less.terms.empty();
  return turning.less.terms.size() == 1 &&
         turning.less.terms.front() ==
             std::pair(Value(loop.getUpperBound()), true);
}

std::optional<Turning> heddle::findTurningAtEnd(scf::IfOp conditional,
                                                scf::ForOp loop) {
  if (!loop.getInductionVar().getType().isIndex() ||
      loop.isDefinedOutsideOfLoop(conditional.getCondition()))
    return std::nullopt;
  std::optional<Turning> turning =
      findTurning(conditional.getCondition(), loop);
  if (!turning || !turnsAtEnd(*turning, loop))
    return std::nullopt;
  return turning;
}

std::optional<bool> heddle::steadyOutcome(scf::IfOp conditional) {
  auto loop = dyn_cast<scf::ForOp>(conditional->getParentOp());
  if (!loop)
    return std::nullopt;
  std::optional<Turning> turning = findTurningAtEnd(conditional, loop);
  return turning ? std::optional(turning->first) : std::nullopt;
}
