//===- DelayedSums.cpp - Sums that only matter behind a loop --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First everything that a reduction's result may flow to is taken for a sum;
// then what cannot be one is struck off, one reason at a time, until nothing is
// left to object to.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/DelayedSums.h"

#include "heddle/Dialect/Aref/Aref.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;

bool heddle::isZero(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    value = splat.getValue();
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// Adds the elements of one tile, and nothing else.
static bool isSum(tile::ReduceOp reduce) {
  if (reduce.getValues().size() != 1)
    return false;
  Block &combiner = reduce.getCombiner().front();
  Operation &add = combiner.front();
  return isa<arith::AddFOp, arith::AddIOp>(add) &&
         combiner.getOperations().size() == 2 &&
         llvm::equal(add.getOperands(), combiner.getArguments()) &&
         combiner.getTerminator()->getOperand(0) == add.getResult(0);
}

static bool mayBeLinear(Operation *op) {
  return isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp,
             arith::MulFOp, arith::MulIOp, arith::DivFOp, arith::NegFOp,
             arith::SelectOp, math::FmaOp>(op);
}

/// The innermost loop around a value's definition.
static Operation *loopOf(Value value) {
  Operation *parent = value.getParentBlock()->getParentOp();
  while (parent && !isa<LoopLikeOpInterface>(parent))
    parent = parent->getParentOp();
  return parent;
}

namespace {

class Finder {
public:
  Finder(Operation *root, bool onlyMarked)
      : root(root), onlyMarked(onlyMarked) {}

  SmallVector<DelayedSum> run();

private:
  void grow();
  void add(Value value);
  void follow(OpOperand &use);
  bool strikeForms();
  bool strikeReadInLoop();
  bool strikeReadDeeper();
  bool fits(Operation *op) const;
  bool staysInParts(OpOperand &use) const;
  bool isWhole(Value value) const;
  void join();
  void strikeAround(Operation *where, Value sum);
  bool pays(const DelayedSum &sum) const;

  bool contains(Value value) const { return sums.contains(value); }
  bool joins(Value value) const { return contains(value) || isZero(value); }
  void strike(Value value) { struckOff.insert(value); }

  Operation *root;
  bool onlyMarked; ///< of reductions that others may take for sums, too
  llvm::SetVector<Value> sums;
  DenseSet<Value> struckOff;
  llvm::EquivalenceClasses<Value> parts;
};

//===----------------------------------------------------------------------===//
// What may be a sum
//===----------------------------------------------------------------------===//

void Finder::add(Value value) {
  if (!struckOff.contains(value))
    sums.insert(value);
}

/// An argument of a loop and the result that it becomes are sums together.
static Value argumentOf(scf::ForOp loop, unsigned index) {
  return loop.getRegionIterArg(index);
}

void Finder::follow(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  auto addSlot = [&](scf::ForOp loop, unsigned slot) {
    if (struckOff.contains(argumentOf(loop, slot)))
      return;
    add(argumentOf(loop, slot));
    add(loop.getResult(slot));
  };
  if (mayBeLinear(op))
    return add(op->getResult(0));
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (index >= loop.getNumControlOperands())
      addSlot(loop, index - loop.getNumControlOperands());
  } else if (isa<scf::YieldOp>(op)) {
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
      addSlot(loop, index);
    else if (isa<scf::IfOp>(op->getParentOp()))
      add(op->getParentOp()->getResult(index));
  }
}

void Finder::grow() {
  sums.clear();
  root->walk<WalkOrder::PreOrder>([&](tile::ReduceOp reduce) {
    if (isSum(reduce) && (!onlyMarked || reduce->hasAttr(kDelayed)))
      add(reduce.getResults().front());
  });
  for (size_t next = 0; next < sums.size(); ++next)
    for (OpOperand &use : sums[next].getUses())
      follow(use);
}

//===----------------------------------------------------------------------===//
// What cannot be one
//===----------------------------------------------------------------------===//

/// Is the result of `op`, one of whose operands is a sum, one too?
bool Finder::fits(Operation *op) const {
  auto has = [&](unsigned i) { return contains(op->getOperand(i)); };
  auto mayAdd = [&](unsigned i) { return joins(op->getOperand(i)); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(
          [&](auto) { return mayAdd(0) && mayAdd(1); })
      .Case<arith::MulFOp, arith::MulIOp>(
          [&](auto) { return has(0) != has(1); })
      .Case([&](arith::DivFOp) { return has(0) && !has(1); })
      .Case([&](arith::NegFOp) { return has(0); })
      .Case([&](arith::SelectOp) { return !has(0) && mayAdd(1) && mayAdd(2); })
      .Case([&](math::FmaOp) { return has(0) != has(1) && mayAdd(2); })
      .Default([](Operation *) { return false; });
}

/// The first one that is none, as what follows from it may be none either.
bool Finder::strikeForms() {
  for (Value value : sums)
    if (Operation *op = value.getDefiningOp();
        op && mayBeLinear(op) && !fits(op)) {
      strike(value);
      return true;
    }
  return false;
}

/// Does the op that reads a sum take its parts?
bool Finder::staysInParts(OpOperand &use) const {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  // Only says what must have happened.
  if (isa<aref::ReleaseOp>(op))
    return true;
  if (mayBeLinear(op))
    return contains(op->getResult(0));
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned controls = loop.getNumControlOperands();
    return index >= controls && contains(argumentOf(loop, index - controls));
  }
  if (!isa<scf::YieldOp>(op))
    return false;
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    return contains(argumentOf(loop, index));
  return isa<scf::IfOp>(op->getParentOp()) &&
         contains(op->getParentOp()->getResult(index));
}

bool Finder::isWhole(Value value) const {
  return llvm::any_of(value.getUses(),
                      [&](OpOperand &use) { return !staysInParts(use); });
}

/// Sums that are parts of each other.
void Finder::join() {
  parts = {};
  for (Value value : sums) {
    parts.insert(value);
    if (auto loop = value.getDefiningOp<scf::ForOp>())
      parts.unionSets(
          value, argumentOf(loop, cast<OpResult>(value).getResultNumber()));
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      unsigned index = use.getOperandNumber();
      if (!staysInParts(use) || isa<aref::ReleaseOp>(op))
        continue;
      Value next;
      if (mayBeLinear(op))
        next = op->getResult(0);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        next = argumentOf(loop, index - loop.getNumControlOperands());
      else if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
        next = argumentOf(loop, index);
      else
        next = op->getParentOp()->getResult(index);
      parts.unionSets(value, next);
    }
  }
}

/// Parts meet, or a whole is dealt out, at `where`: no loop around it may carry
/// the sum.
void Finder::strikeAround(Operation *where, Value sum) {
  for (auto loop = where->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    for (Value argument : loop.getRegionIterArgs())
      if (contains(argument) && parts.isEquivalent(argument, sum))
        strike(argument);
}

bool Finder::strikeReadInLoop() {
  size_t before = struckOff.size();
  for (Value value : sums) {
    Operation *first = value.getDefiningOp();
    if (!first)
      first = &value.getParentBlock()->front();
    if (isWhole(value))
      strikeAround(first, value);
    auto deal = [&](Value from, Operation *where) {
      if (!joins(from))
        strikeAround(where, value);
    };
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
      unsigned index = argument.getArgNumber() - loop.getNumInductionVars();
      deal(loop.getInitArgs()[index], loop);
      deal(loop.getYieldedValues()[index], first);
    } else if (auto branch = dyn_cast<scf::IfOp>(first)) {
      for (Region *region : branch.getRegions()) {
        Operation *yield = region->front().getTerminator();
        deal(yield->getOperand(cast<OpResult>(value).getResultNumber()), yield);
      }
    }
  }
  return struckOff.size() != before;
}

/// What is read in a deeper loop than where its parts come from met only once
/// before.
bool Finder::strikeReadDeeper() {
  size_t before = struckOff.size();
  for (Value value : sums)
    if (Operation *op = value.getDefiningOp();
        op && mayBeLinear(op) && isWhole(value) &&
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return contains(operand) && loopOf(operand) != loopOf(value);
        }))
      strike(value);
  return struckOff.size() != before;
}

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

/// Does a loop carry what a reduction in it adds to?
bool Finder::pays(const DelayedSum &sum) const {
  return llvm::any_of(sum.reductions, [&](tile::ReduceOp reduce) {
    for (auto loop = reduce->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      if (llvm::any_of(loop.getRegionIterArgs(), [&](Value argument) {
            return contains(argument) &&
                   parts.isEquivalent(argument, sum.values.front());
          }))
        return true;
    return false;
  });
}

SmallVector<DelayedSum> Finder::run() {
  do
    grow();
  while (strikeForms());
  for (bool isStruck = true; isStruck;) {
    join();
    isStruck = strikeReadInLoop();
    isStruck |= strikeReadDeeper();
    do
      grow();
    while (strikeForms());
  }
  llvm::MapVector<Value, DelayedSum> found;
  for (Value value : sums) {
    DelayedSum &sum = found[parts.getLeaderValue(value)];
    sum.values.push_back(value);
    if (isWhole(value))
      sum.whole.push_back(value);
    if (auto reduce = value.getDefiningOp<tile::ReduceOp>())
      sum.reductions.push_back(reduce);
  }
  SmallVector<DelayedSum> result;
  for (auto &[leader, sum] : found)
    if (pays(sum))
      result.push_back(std::move(sum));
  return result;
}

} // namespace

SmallVector<DelayedSum> heddle::findDelayedSums(Operation *root) {
  return Finder(root, /*onlyMarked=*/false).run();
}

SmallVector<DelayedSum> heddle::followDelayedSums(Operation *root) {
  return Finder(root, /*onlyMarked=*/true).run();
}
