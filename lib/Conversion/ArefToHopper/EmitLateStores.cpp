//===- EmitLateStores.cpp - Rewrite: a chunk of the last tile an iteration ===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Late stores come under the loop that follows them. Stored at once, all tiles
// of a wave would meet the loads that the loop waits for, on their way to the
// same memory; so every other iteration fills the buffers with chunks, once:
//
//   loop
//     ...
//     if something is left and this is iteration 0, 2, ...: round 0, 1, ...
//   if something is left: the rounds of iterations that there were not
//
// Two iterations are longer than chunks take to leave their buffers. A fence
// beside running products takes several hundred cycles, however much it is for.
//
//===----------------------------------------------------------------------===//

#include "ProcessEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

static scf::ForOp loopBehind(Operation *op) {
  while ((op = op->getNextNode()))
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return loop;
  return {};
}

/// Takes late stores apart for the loop behind them. Their offsets are computed
/// here, whether there is anything to store or not.
bool ProcessEmitter::spreadLateStores(scf::IfOp branch) {
  scf::ForOp loop = loopBehind(branch);
  if (!branch->hasAttr(aref::kLate) || !loop)
    return false;
  for (Operation &op : branch.thenBlock()->without_terminator()) {
    auto store = dyn_cast<tile::StoreOp>(op);
    if (store ? !plan.stores.find(store)->second.isTma()
              : !isMemoryEffectFree(&op))
      return false;
  }
  isAnySpread = true;
  late.loop = loop;
  late.isLeft = scalar(branch.getCondition());
  for (Operation &op : branch.thenBlock()->without_terminator()) {
    auto store = dyn_cast<tile::StoreOp>(op);
    if (!store) {
      emit(op);
      continue;
    }
    StagedStore staged = stage(store);
    unsigned buffers = processPlan.staging.size();
    for (unsigned first = 0; first < staged.chunks; first += buffers)
      late.rounds.push_back(
          {staged, first, std::min(buffers, staged.chunks - first)});
  }
  return true;
}

/// The induction variable of the iteration that a round belongs to.
Value ProcessEmitter::iterationOf(const LateStores &left, size_t round) {
  auto iterations = int64_t(facts.costs.choices.deferredIterations);
  Location loc = left.isLeft.getLoc();
  Value count =
      arith::ConstantIndexOp::create(builder, loc, iterations * int64_t(round));
  Value way = arith::MulIOp::create(builder, loc, left.step, count);
  return arith::AddIOp::create(builder, loc, left.lower, way);
}

void ProcessEmitter::emitRound(const LateStores::Round &round, Value isDue) {
  auto due = scf::IfOp::create(builder, isDue.getLoc(), isDue,
                               /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(due.thenBlock());
  emitChunks(round.staged, round.first, round.count, /*pending=*/0);
}

void ProcessEmitter::emitRoundOfIteration(const LateStores &left,
                                          Value iteration) {
  if (left.rounds.empty())
    return;
  Location loc = left.isLeft.getLoc();
  auto compare = [&](arith::CmpIPredicate how, size_t round) {
    return arith::CmpIOp::create(builder, loc, how, iteration,
                                 iterationOf(left, round));
  };
  Value isEarly = compare(arith::CmpIPredicate::sle, left.rounds.size() - 1);
  Value isAny = arith::AndIOp::create(builder, loc, left.isLeft, isEarly);
  auto any = scf::IfOp::create(builder, loc, isAny, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(any.thenBlock());
  for (auto [number, round] : llvm::enumerate(left.rounds))
    emitRound(round, compare(arith::CmpIPredicate::eq, number));
}

void ProcessEmitter::emitRoundsLeft(const LateStores &left) {
  if (left.rounds.empty())
    return;
  Location loc = left.isLeft.getLoc();
  auto isMissing = [&](size_t round) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                 iterationOf(left, round), left.upper);
  };
  Value isAny = arith::AndIOp::create(builder, loc, left.isLeft,
                                      isMissing(left.rounds.size() - 1));
  auto any = scf::IfOp::create(builder, loc, isAny, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(any.thenBlock());
  for (auto [number, round] : llvm::enumerate(left.rounds))
    emitRound(round, isMissing(number));
}
