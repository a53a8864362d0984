//===- EmitControl.cpp - Rewrite: blocks, loops, branches, plain ops
//--------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emitter's dispatch: each operation of the aref rung goes to its own
// method, structured control flow is copied, and all else is the same operation
// on new values. One value may become several (a turn is a slot and a phase),
// so loops and branches are built anew around lists of carried values.
//
//===----------------------------------------------------------------------===//

#include "HostAssertions.h"
#include "PlanConversions.h"
#include "ProcessEmitter.h"

#include "heddle/Dialect/Tile/Elementwise.h"
#include "heddle/Dialect/Tile/Turns.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

void ProcessEmitter::run() {
  emitBlock(aref::ProcessOp(process.op).getBody().front());
  // Shared memory must outlive the stores that read it.
  if (!processPlan.staging.empty())
    hopper::TmaStoreWaitOp::create(builder,
                                   aref::ProcessOp(process.op).getLoc(),
                                   /*pending=*/0, /*complete=*/false);
}

/// Terminators are made by whoever made the block.
void ProcessEmitter::emitBlock(Block &block) {
  auto outer = made;
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      emit(op);
  made = std::move(outer);
}

void ProcessEmitter::emit(Operation &op) {
  if (op.getNumResults() == 1 && repeatableSource(op.getResult(0)))
    return;
  if (auto assertion = dyn_cast<tile::AssertOp>(op);
      assertion && isHostAssertion(assertion))
    return;
  if (auto trans = dyn_cast<tile::TransOp>(op);
      trans && facts.homeOf(trans.getResult())) {
    values[trans.getResult()] = {hopper::SharedTransOp::create(
        builder, op.getLoc(), sharedType(*facts.homeOf(trans.getResult())),
        scalar(trans.getValue()))};
    return;
  }
  llvm::TypeSwitch<Operation *>(&op)
      .Case<scf::ForOp>([&](auto op) { emitFor(op); })
      .Case<scf::IfOp>([&](auto op) { emitIf(op); })
      .Case<scf::WhileOp>([&](auto op) { emitWhile(op); })
      .Case<aref::FirstTurnOp>([&](auto op) { emitFirstTurn(op); })
      .Case<aref::AcquireOp>([&](auto op) { emitAcquire(op); })
      .Case<aref::PublishOp>([&](auto op) { emitPublish(op); })
      .Case<aref::GetOp>([&](auto op) { emitGet(op); })
      .Case<aref::ReleaseOp>([&](auto op) { emitRelease(op); })
      .Case<aref::StartOp>([&](auto op) { emitStart(op); })
      .Case<aref::AwaitOp>([&](auto op) { emitAwait(op); })
      .Case<tile::DotOp>([&](auto op) { emitDot(op); })
      .Case<tile::StageOp>([&](auto op) { emitStage(op); })
      .Case<tile::InTurnOp, tile::InClusterOp>([&](auto op) {
        values[op.getResult()] = {
            tile(op.getValue(), processPlan.layouts.lookup(op.getResult()),
                 op.getLoc())};
      })
      .Case<tile::ReduceOp>([&](auto op) { emitReduce(op); })
      .Case<tile::TransOp, tile::ReshapeOp, tile::JoinOp, tile::SplitOp,
            tile::CatOp, tile::ScanOp, tile::TakeOp, tile::HistogramOp>(
          [&](auto op) { emitMovement(op); })
      .Case<tile::UnfoldOp>([&](auto op) { emitUnfold(op); })
      .Case<tile::LoadOp>([&](auto op) { emitLoad(op); })
      .Case<tile::StoreOp>([&](auto op) { emitStore(op); })
      .Case<tile::ViewReduceOp>([&](auto op) { emitViewReduce(op); })
      .Case<tile::PrintOp>([](auto) {}) // KernelFacts says that it is dropped
      .Default([&](Operation *op) { emitGeneric(*op); });
}

void ProcessEmitter::emitFor(scf::ForOp loop) {
  if (loop == plan.inlined) {
    Value instance = scalar(loop.getLowerBound());
    values[loop.getInductionVar()] = {instance};
    OpBuilder::InsertionGuard guard(builder);
    if (plan.teams > 1) {
      Value exists = arith::CmpIOp::create(builder, loop.getLoc(),
                                           arith::CmpIPredicate::ult, instance,
                                           scalar(loop.getUpperBound()));
      auto branch = scf::IfOp::create(builder, loop.getLoc(), exists);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    emitBlock(*loop.getBody());
    return;
  }
  Location loc = loop.getLoc();
  SmallVector<Value> inits;
  for (auto [init, argument] :
       llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs()))
    appendCarried(init, argument, inits, loc);
  auto copy = scf::ForOp::create(builder, loc, scalar(loop.getLowerBound()),
                                 scalar(loop.getUpperBound()),
                                 scalar(loop.getStep()), inits);
  copy->setDiscardableAttrs(llvm::to_vector(loop->getDiscardableAttrs()));
  LateStores left;
  if (late.loop == loop)
    left = std::exchange(late, {});
  left.lower = copy.getLowerBound();
  left.upper = copy.getUpperBound();
  left.step = copy.getStep();
  values[loop.getInductionVar()] = {copy.getInductionVar()};
  bindCarried(loop.getRegionIterArgs(), copy.getRegionIterArgs());

  OpBuilder::InsertionGuard guard(builder);
  Block *body = copy.getBody();
  if (!body->empty() && body->back().hasTrait<OpTrait::IsTerminator>())
    body->back().erase();
  builder.setInsertionPointToEnd(body);
  auto outer = made;
  for (Operation &op : loop.getBody()->without_terminator())
    emit(op);
  emitRoundOfIteration(left, copy.getInductionVar());
  SmallVector<Value> yielded;
  for (auto [value, argument] :
       llvm::zip(loop.getYieldedValues(), loop.getRegionIterArgs()))
    appendCarried(value, argument, yielded, loc);
  scf::YieldOp::create(builder, loop.getBody()->getTerminator()->getLoc(),
                       yielded);
  made = std::move(outer);
  builder.setInsertionPointAfter(copy);
  emitRoundsLeft(left);
  bindCarried(loop.getResults(), copy.getResults());
}

void ProcessEmitter::emitIf(scf::IfOp branch) {
  if (spreadLateStores(branch))
    return;
  SmallVector<Type> types;
  for (Value result : branch.getResults())
    llvm::append_range(types, carriedTypes(result));
  auto copy = scf::IfOp::create(
      builder, branch.getLoc(), types, scalar(branch.getCondition()),
      /*withElseRegion=*/!branch.getElseRegion().empty());
  copy->setDiscardableAttrs(llvm::to_vector(branch->getDiscardableAttrs()));
  copy->removeAttr(aref::kLate);
  emitBranch(branch, branch.getThenRegion(), copy.getThenRegion());
  if (!branch.getElseRegion().empty())
    emitBranch(branch, branch.getElseRegion(), copy.getElseRegion());
  bindCarried(branch.getResults(), copy.getResults());
}

void ProcessEmitter::emitBranch(scf::IfOp branch, Region &from, Region &to) {
  OpBuilder::InsertionGuard guard(builder);
  if (to.empty())
    to.emplaceBlock();
  if (!to.front().empty())
    to.front().back().erase();
  builder.setInsertionPointToEnd(&to.front());
  auto outer = made;
  for (Operation &op : from.front().without_terminator())
    emit(op);
  Operation *terminator = from.front().getTerminator();
  SmallVector<Value> yielded;
  for (auto [value, result] :
       llvm::zip(terminator->getOperands(), branch.getResults()))
    appendCarried(value, result, yielded, terminator->getLoc());
  scf::YieldOp::create(builder, terminator->getLoc(), yielded);
  made = std::move(outer);
}

void ProcessEmitter::emitWhile(scf::WhileOp loop) {
  Location loc = loop.getLoc();
  SmallVector<Value> inits;
  for (auto [init, argument] :
       llvm::zip(loop.getInits(), loop.getBeforeArguments()))
    appendCarried(init, argument, inits, loc);
  SmallVector<Type> types;
  for (Value result : loop.getResults())
    llvm::append_range(types, carriedTypes(result));
  auto copy = scf::WhileOp::create(builder, loc, types, inits);
  copy->setDiscardableAttrs(llvm::to_vector(loop->getDiscardableAttrs()));

  OpBuilder::InsertionGuard guard(builder);
  auto outer = made;
  auto fill = [&](Region &region, TypeRange types, ValueRange arguments,
                  Block &from) {
    Block *block = builder.createBlock(&region);
    block->addArguments(types, SmallVector<Location>(types.size(), loc));
    bindCarried(arguments, block->getArguments());
    made = outer;
    for (Operation &op : from.without_terminator())
      emit(op);
  };
  fill(copy.getBefore(), ValueRange(inits).getTypes(),
       loop.getBeforeArguments(), *loop.getBeforeBody());
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Value> passed;
  for (auto [value, result] : llvm::zip(condition.getArgs(), loop.getResults()))
    appendCarried(value, result, passed, condition.getLoc());
  scf::ConditionOp::create(builder, condition.getLoc(),
                           scalar(condition.getCondition()), passed);
  fill(copy.getAfter(), types, loop.getAfterArguments(), *loop.getAfterBody());
  scf::YieldOp yield = loop.getYieldOp();
  SmallVector<Value> yielded;
  for (auto [value, argument] :
       llvm::zip(yield.getResults(), loop.getBeforeArguments()))
    appendCarried(value, argument, yielded, yield.getLoc());
  scf::YieldOp::create(builder, yield.getLoc(), yielded);
  made = std::move(outer);
  bindCarried(loop.getResults(), copy.getResults());
}

/// Scalar and element-wise ops, and those that change a tile's shape: the same
/// op on new values.
void ProcessEmitter::emitGeneric(Operation &op) {
  if (op.getNumResults() == 1)
    if (const SumInParts *sum = processPlan.sums.find(op.getResult(0)))
      return emitOnParts(op, *sum);
  Location loc = op.getLoc();
  OperationState state(loc, op.getName());
  state.addAttributes(llvm::to_vector(op.getAttrs()));
  for (OpOperand &operand : op.getOpOperands()) {
    Value value = operand.get();
    LayoutAttr wanted = wantedLayout(operand, processPlan.layouts, facts);
    if (!isa<RankedTensorType>(value.getType()))
      state.addOperands(scalar(value));
    else
      state.addOperands(wanted ? tile(value, wanted, loc)
                               : tileAsMade(value, loc));
  }
  const LayoutMap &layouts = processPlan.layouts;
  bool isMapped = tile::isElementwise(&op) && op.getNumResults() == 1;
  for (Value result : op.getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    LayoutAttr made = type && isMapped ? computedLayout(&op, layouts, facts)
                                       : layouts.lookup(result);
    state.addTypes(type ? Type(withLayout(type, made)) : result.getType());
  }
  Operation *copy = builder.create(state);
  hopper::setNeighbours(copy, plan.neighbours.lookup(&op));
  for (auto [result, made] : llvm::zip(op.getResults(), copy->getResults())) {
    LayoutAttr wanted = layouts.lookup(result);
    values[result] = {isMapped && wanted ? convert(made, wanted, loc)
                                         : Value(made)};
  }
}
