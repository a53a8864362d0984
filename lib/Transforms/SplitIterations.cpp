//===- SplitIterations.cpp - One loop before a condition turns, one after -===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: processes (the aref rung). Out: an innermost loop with a conditional
// whose condition compares the induction variable with something that stays is
// two loops, one for each outcome, and the conditional is gone from both. Where
// several turn, the first loop ends before any does, and has none of them. They
// share prologue, rings and carried values, because this comes after the
// expansion: a mask that only the last tiles need costs the others nothing, and
// the loop was pipelined as one.
//
// The condition turns at T: iterations with iv < T, then those with iv >= T.
//
// Where T follows from the loop's own end, as for the last, ragged tile, the
// second loop mostly does not run at all. A tail that every instance runs for
// an iteration or two is another matter, because its body has to get into the
// instruction cache. So a plan says whether it gets a loop of its own
// (`aref.tail`; Plan/Choose.cpp).
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"
#include "Turning.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

namespace heddle {
#define GEN_PASS_DEF_SPLITITERATIONS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// Where the condition turns, but for what the terms add.
int64_t placeOf(const Turning &turning) {
  return -turning.less.constant + (turning.inclusive ? 1 : 0);
}

/// The first iteration's induction variable after the turn, on the loop's grid.
Value emitTurn(OpBuilder &builder, scf::ForOp loop, const Turning &turning) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value turn = constant(placeOf(turning));
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

/// A condition of conditionals in a loop's body, and how it turns.
using Turn = std::pair<Value, Turning>;

/// Before the first of `turns`, whose terms are the same, none of the
/// conditions has turned. Behind it, others may not have.
void split(scf::ForOp loop, ArrayRef<Turn> turns) {
  const Turn &first =
      *llvm::min_element(turns, [](const Turn &a, const Turn &b) {
        return placeOf(a.second) < placeOf(b.second);
      });
  OpBuilder builder(loop);
  Value place = emitTurn(builder, loop, first.second);
  Value end = arith::MinSIOp::create(builder, loop.getLoc(), place,
                                     loop.getUpperBound());
  builder.setInsertionPointAfter(loop);
  IRMapping mapping;
  auto after = cast<scf::ForOp>(builder.clone(*loop, mapping));
  loop->replaceAllUsesWith(after->getResults());
  after.setLowerBound(place);
  after.getInitArgsMutable().assign(loop.getResults());
  loop.setUpperBound(end);
  for (const auto &[condition, turning] : turns) {
    if (placeOf(turning) == placeOf(first.second))
      takeBranch(after, mapping.lookup(condition), !turning.first);
    takeBranch(loop, condition, turning.first);
  }
}

using FindTurning = std::optional<Turning> (*)(scf::IfOp, scf::ForOp);

/// Conditions of the loop's body that turn, all at constant distances: those of
/// the iterations that are under way in one step of a pipeline.
SmallVector<Turn> findTurns(scf::ForOp loop, FindTurning find) {
  SmallVector<Turn> turns;
  for (auto conditional : loop.getBody()->getOps<scf::IfOp>()) {
    Value condition = conditional.getCondition();
    bool isKnown = llvm::any_of(
        turns, [&](const Turn &turn) { return turn.first == condition; });
    auto turning = isKnown ? std::nullopt : find(conditional, loop);
    if (turning && (turns.empty() ||
                    turns.front().second.less.terms == turning->less.terms))
      turns.push_back({condition, *turning});
  }
  return turns;
}

struct SplitIterationsPass
    : heddle::impl::SplitIterationsBase<SplitIterationsPass> {
  using SplitIterationsBase::SplitIterationsBase;

  void runOnOperation() override {
    getOperation().walk([&](tile::KernelOp kernel) { splitLoops(kernel); });
  }

  void splitLoops(tile::KernelOp kernel) {
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](aref::ProcessOp process) {
      process.walk([&](scf::ForOp loop) {
        if (isInnermost(loop) && loop.getInductionVar().getType().isIndex())
          loops.push_back(loop);
      });
    });
    for (scf::ForOp loop : loops) {
      bool isApart = loop->removeAttr(aref::kTail) != nullptr;
      SmallVector<Turn> turns =
          findTurns(loop, isApart ? findTurningNearEnd : findTurningAtEnd);
      if (!turns.empty())
        split(loop, turns);
    }
  }
};

} // namespace
