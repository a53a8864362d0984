//===- SplitIterations.cpp - One loop before a condition turns, one after -===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: processes (the aref rung). Out: an innermost loop with a conditional whose
// condition compares the induction variable with something that stays is two
// loops, one for each outcome, and the conditional is gone from both. They share
// prologue, rings and carried values, because this comes after the expansion: a
// mask that only the last tiles need costs the others nothing, and the loop was
// pipelined as one.
//
// The condition turns at T: iterations with iv < T, then those with iv >= T.
//
// Only where T follows from the loop's own end, as for the last, ragged tile: then
// the second loop mostly does not run at all. A phase that every instance runs
// for an iteration or two is better off behind its branch: on an H200 the second
// body, cold in the instruction cache, costs a causal mask 11 %, while a tail's
// branch costs 6 % of what does without it.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace heddle {
#define GEN_PASS_DEF_SPLITITERATIONS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// factor * iv + the sum of the terms.
struct Linear {
  int64_t factor = 0;
  int64_t constant = 0;
  SmallVector<std::pair<Value, bool>> terms; ///< true: subtracted
};

/// Adds `value`, or subtracts it; false if it is not linear in the loop's
/// induction variable.
bool addTo(Linear &sum, Value value, scf::ForOp loop, bool subtract) {
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

/// A condition that turns once as the induction variable grows.
struct Turning {
  Linear less; ///< iv < -less, or iv <= -less, before it turns; factor 1
  bool inclusive = false;
  bool first = false; ///< the outcome before it turns
};

std::optional<Turning> findTurning(Value condition, scf::ForOp loop) {
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

/// The first iteration's induction variable after the turn, on the loop's grid.
Value emitTurn(OpBuilder &builder, scf::ForOp loop, const Turning &turning) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value turn =
      constant(-turning.less.constant + (turning.inclusive ? 1 : 0));
  for (auto [value, subtracted] : turning.less.terms)
    turn = subtracted
               ? arith::AddIOp::create(builder, loc, turn, value).getResult()
               : arith::SubIOp::create(builder, loc, turn, value).getResult();
  Value lower = loop.getLowerBound(), step = loop.getStep();
  Value ahead = arith::SubIOp::create(builder, loc, turn, lower);
  ahead = arith::MaxSIOp::create(builder, loc, ahead, constant(0));
  Value count = arith::CeilDivSIOp::create(builder, loc, ahead, step);
  Value distance = arith::MulIOp::create(builder, loc, count, step);
  return arith::AddIOp::create(builder, loc, lower, distance);
}

/// Replaces conditionals on `condition` by the branch that is taken.
void takeBranch(scf::ForOp loop, Value condition, bool outcome) {
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
    auto conditional = dyn_cast<scf::IfOp>(op);
    if (!conditional || conditional.getCondition() != condition)
      continue;
    Region &taken =
        outcome ? conditional.getThenRegion() : conditional.getElseRegion();
    if (taken.empty()) {
      conditional.erase();
      continue;
    }
    Operation *yield = taken.front().getTerminator();
    SmallVector<Value> results(yield->getOperands());
    yield->erase();
    loop.getBody()->getOperations().splice(conditional->getIterator(),
                                           taken.front().getOperations());
    conditional.replaceAllUsesWith(results);
    conditional.erase();
  }
}

void split(scf::ForOp loop, scf::IfOp conditional, const Turning &turning) {
  Value condition = conditional.getCondition();
  OpBuilder builder(loop);
  Value turn = emitTurn(builder, loop, turning);
  Value end = arith::MinSIOp::create(builder, loop.getLoc(), turn,
                                     loop.getUpperBound());
  builder.setInsertionPointAfter(loop);
  IRMapping mapping;
  auto after = cast<scf::ForOp>(builder.clone(*loop, mapping));
  loop->replaceAllUsesWith(after->getResults());
  after.setLowerBound(turn);
  after.getInitArgsMutable().assign(loop.getResults());
  loop.setUpperBound(end);
  takeBranch(after, mapping.lookup(condition), !turning.first);
  takeBranch(loop, condition, turning.first);
}

/// Does the condition turn a fixed distance from the loop's end?
bool turnsAtEnd(const Turning &turning, scf::ForOp loop) {
  IntegerAttr end;
  if (matchPattern(loop.getUpperBound(), m_Constant(&end)))
    return turning.less.terms.empty();
  return turning.less.terms.size() == 1 &&
         turning.less.terms.front() ==
             std::pair(Value(loop.getUpperBound()), true);
}

/// The first conditional of the loop's body that can go.
bool splitOnce(scf::ForOp loop) {
  for (auto conditional : loop.getBody()->getOps<scf::IfOp>()) {
    // Something that stays the same throughout would be hoisted, not split.
    if (loop.isDefinedOutsideOfLoop(conditional.getCondition()))
      continue;
    if (auto turning = findTurning(conditional.getCondition(), loop);
        turning && turnsAtEnd(*turning, loop)) {
      split(loop, conditional, *turning);
      return true;
    }
  }
  return false;
}

bool isInnermost(scf::ForOp loop) {
  return !loop.getBody()
              ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

struct SplitIterationsPass
    : heddle::impl::SplitIterationsBase<SplitIterationsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](aref::ProcessOp process) {
      process.walk([&](scf::ForOp loop) {
        if (isInnermost(loop) && loop.getInductionVar().getType().isIndex())
          loops.push_back(loop);
      });
    });
    for (scf::ForOp loop : loops)
      splitOnce(loop);
  }
};

} // namespace
