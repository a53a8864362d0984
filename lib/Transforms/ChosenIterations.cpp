//===- ChosenIterations.cpp - The iterations that multiply ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What decides is followed back through the loop's body, to be computed anew
// for any iteration.
//
//===----------------------------------------------------------------------===//

#include "ChosenIterations.h"

#include "ExportProblem.h"
#include "LoopParts.h"
#include "RepeatedTiles.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace heddle;

/// Whether leaving `op` out changes nothing but what reads its results.
static bool onlyReads(Operation *op) {
  if (op->getNumRegions())
    return isMemoryEffectFree(op) || isControlOfNumbers(op);
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return isMemoryEffectFree(op) ||
         (effects && effects.onlyHasEffect<MemoryEffects::Read>());
}

Value heddle::inverted(OpBuilder &builder, Location loc, Value value) {
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return arith::XOrIOp::create(builder, loc, value, yes);
}

bool ChosenIterations::find() {
  // A number that goes from iteration to iteration is 64 bits with a sign.
  if (loop.getUnsignedCmp() || !loop.getInductionVar().getType().isIndex())
    return false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto conditional = dyn_cast<scf::IfOp>(op);
    bool isWork = conditional && (multiplies(conditional.getThenRegion()) ||
                                  multiplies(conditional.getElseRegion()));
    if (isWork ? bool(work) : !onlyReads(&op))
      return false;
    if (isWork)
      work = conditional;
  }
  if (!work || !findBranch())
    return false;
  while (absorbInner())
    ;
  return handsOnTheRest() &&
         collect(work.getCondition(), *loop.getBody(), deciders);
}

bool ChosenIterations::findBranch() {
  chosen = multiplies(work.getThenRegion());
  Region &other = branchOf(!chosen);
  return other.empty() || llvm::hasSingleElement(other.front());
}

/// Whether an iteration that is not chosen hands on what it was given.
bool ChosenIterations::handsOnTheRest() {
  Region &other = branchOf(!chosen);
  for (auto [index, value] : llvm::enumerate(loop.getYieldedValues())) {
    Value handed = value;
    if (value.getDefiningOp() == work)
      handed = other.front().getTerminator()->getOperand(
          cast<OpResult>(value).getResultNumber());
    if (handed != loop.getRegionIterArg(index))
      return false;
  }
  return llvm::all_of(work->getUsers(), [&](Operation *user) {
    return user == loop.getBody()->getTerminator();
  });
}

/// Where the branch does nothing but a conditional in its turn, which hands
/// on the same, makes one of the two, whose condition is that both hold.
bool ChosenIterations::absorbInner() {
  Block &branch = branchOf(chosen).front();
  scf::IfOp inner;
  for (Operation &op : branch.without_terminator()) {
    auto conditional = dyn_cast<scf::IfOp>(op);
    bool isWork = conditional && (multiplies(conditional.getThenRegion()) ||
                                  multiplies(conditional.getElseRegion()));
    if (isWork ? bool(inner) : isa<tile::DotOp>(op) || !onlyReads(&op))
      return false;
    if (isWork)
      inner = conditional;
  }
  llvm::SetVector<Operation *> innerDeciders;
  if (!inner || !collect(inner.getCondition(), branch, innerDeciders))
    return false;
  bool innerChosen = multiplies(inner.getThenRegion());
  Region &rest = innerChosen ? inner.getElseRegion() : inner.getThenRegion();
  if (!rest.empty() && !llvm::hasSingleElement(rest.front()))
    return false;
  SmallVector<Value> made(branch.getTerminator()->getOperands());
  Block &multiplying =
      (innerChosen ? inner.getThenRegion() : inner.getElseRegion()).front();
  for (auto [index, value] : llvm::enumerate(made)) {
    Value handed = value;
    if (value.getDefiningOp() == inner) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      handed = rest.front().getTerminator()->getOperand(number);
      value = multiplying.getTerminator()->getOperand(number);
    }
    if (handed != branchOf(!chosen).front().getTerminator()->getOperand(index))
      return false;
  }
  if (llvm::any_of(inner->getUsers(), [&](Operation *user) {
        return user != branch.getTerminator();
      }))
    return false;

  OpBuilder builder(work);
  Location loc = work.getLoc();
  auto decide = [&](OpBuilder &inside, Location) {
    IRMapping mapping;
    for (Operation *op : innerDeciders)
      inside.clone(*op, mapping);
    Value holds = mapping.lookupOrDefault(inner.getCondition());
    scf::YieldOp::create(inside, loc,
                         innerChosen ? holds : inverted(inside, loc, holds));
  };
  auto refuse = [&](OpBuilder &inside, Location) {
    Value no = arith::ConstantIntOp::create(inside, loc, 0, 1);
    scf::YieldOp::create(inside, loc, no);
  };
  auto both = chosen ? scf::IfOp::create(builder, loc, work.getCondition(),
                                         decide, refuse)
                     : scf::IfOp::create(builder, loc, work.getCondition(),
                                         refuse, decide);
  auto joined =
      scf::IfOp::create(builder, loc, work.getResultTypes(), both.getResult(0),
                        /*withElseRegion=*/!made.empty());
  Block &then = joined.getThenRegion().front();
  if (!then.empty())
    then.getTerminator()->erase();
  multiplying.getTerminator()->erase();
  branch.getTerminator()->erase();
  then.getOperations().splice(then.end(), branch.getOperations());
  then.getOperations().splice(Block::iterator(inner),
                              multiplying.getOperations());
  builder.setInsertionPointToEnd(&then);
  scf::YieldOp::create(builder, loc, made);
  if (!made.empty())
    joined.getElseRegion().takeBody(branchOf(!chosen));
  work.replaceAllUsesWith(joined.getResults());
  inner.erase();
  work.erase();
  work = joined;
  chosen = true;
  return true;
}

/// The operations of `block` that `value` is made of, in order; false if
/// others than numbers decide it.
bool ChosenIterations::collect(Value value, Block &block,
                               llvm::SetVector<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!op && cast<BlockArgument>(value).getOwner() == &block)
    return value == loop.getInductionVar();
  if (!op || !block.getParentOp()->isAncestor(op)) {
    if (!isa<TensorType>(value.getType()))
      return true;
    outside.insert(value);
    return canRepeat(value, [](Value) { return true; });
  }
  if (op->getBlock() != &block)
    return false;
  if (ops.contains(op))
    return true;
  bool mayRepeat = op->getNumRegions() && !isa<tile::ReduceOp>(op)
                       ? isControlOfNumbers(op)
                       : canRepeatOp(op);
  if (!mayRepeat)
    return false;
  llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  for (Value read : reads)
    if (!collect(read, block, ops))
      return false;
  ops.insert(op);
  return true;
}

Value ChosenIterations::isChosen(OpBuilder &builder, Value at) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), at);
  for (Value tile : outside)
    mapping.map(tile, repeated.get(tile));
  for (Operation *op : deciders)
    if (Operation *copy = builder.clone(*op, mapping); sched::isScheduled(op))
      copy->setAttr(sched::kRepeated, builder.getUnitAttr());
  Value found = mapping.lookupOrDefault(work.getCondition());
  return chosen ? found : inverted(builder, loop.getLoc(), found);
}
