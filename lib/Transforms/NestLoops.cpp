//===- NestLoops.cpp - A loop that counts turns of its own as two ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: one loop with products that goes through several tiles. The iterations of
// one tile are a turn: the loop carries the number of the iteration within it,
// chooses the next tile in the first iteration of a turn and stores the sum in
// the last one. Persistent kernels were written so, to keep a pipeline full.
// Out: a loop over the turns around one over the iterations of a turn, with
// that choice in front of the inner loop and that store behind it. So no
// process asks in each iteration whether to store, and numbers of a tile are no
// longer handed on from iteration to iteration.
// Stands in front of the views, while the number of a turn is still a sum.
//
//===----------------------------------------------------------------------===//

#include "AddressForms.h"
#include "LoopParts.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace heddle {
#define GEN_PASS_DEF_NESTLOOPS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// A value that one iteration of a turn makes in another way than the others.
struct Choice {
  Value condition;
  Value made;   ///< in that iteration
  Value others; ///< in the others
};

class Nester {
public:
  Nester(tile::KernelOp kernel, scf::ForOp loop) : loop(loop), forms(kernel) {}

  bool find() { return findCounter() && findTurns() && sortBody(); }
  void rewrite();

private:
  bool findCounter();
  bool findRemainder();
  bool isCounter(BlockArgument argument);
  bool findTurns();
  bool sortBody();
  bool isIteration(Value condition, bool isLast);
  std::optional<Choice> choiceOf(Value value);
  std::optional<Choice> choiceOf(Value value, bool isLast) {
    auto choice = choiceOf(value);
    return choice && isIteration(choice->condition, isLast) ? choice
                                                            : std::nullopt;
  }
  bool isFirstOfTurn(BlockArgument argument, Value handed);
  bool canMove(Value value, bool isLast) {
    llvm::SmallPtrSet<Operation *, 16> seen;
    return canMove(value, isLast, seen);
  }
  /// Of operands that were seen it is known, or another one fails it.
  bool canMove(Value value, bool isLast,
               llvm::SmallPtrSetImpl<Operation *> &seen);
  Value moved(OpBuilder &builder, Value value, IRMapping &mapping);
  bool isCount(unsigned index) const { return counter == index; }
  BlockArgument carried(unsigned index) { return loop.getRegionIterArg(index); }

  scf::ForOp loop;
  AddressForms forms;
  std::optional<unsigned> counter; ///< which carried number counts
  Value place;                     ///< of an iteration in its turn
  Value length;                    ///< of a turn
  llvm::SetVector<Value> turns;    ///< numbers of the turn
  Polynomial lengthForm;
  /// By carried value: made in the first iteration of a turn and kept, or made
  /// in another way in the last one.
  DenseMap<unsigned, Choice> chosenFirst, chosenLast;
  /// By carried value: what each turn begins with, and what reads that.
  DenseMap<unsigned, std::pair<Value, Value>> begun;
  SmallVector<scf::IfOp> lastWork; ///< what the last iteration does besides
};

} // namespace

/// Whether an iteration that does it needlessly does nothing else.
static bool isPureOrYield(Operation &op) {
  return isa<scf::YieldOp>(op) || (isPure(&op) && !op.getNumRegions());
}

static Polynomial one() { return Polynomial::constant(1); }

static Value withoutCasts(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return value;
}

/// Whether `argument` is counted on by one, to `length` - 1 and then from 0.
bool Nester::isCounter(BlockArgument argument) {
  unsigned index = argument.getArgNumber() - 1;
  Value next = loop.getYieldedValues()[index];
  auto choice = choiceOf(next);
  if (!argument.getType().isInteger() || !choice ||
      !matchPattern(choice->made, m_Zero()))
    return false;
  auto more = choice->others.getDefiningOp<arith::AddIOp>();
  auto ends = choice->condition.getDefiningOp<arith::CmpIOp>();
  if (!more || !ends || ends.getPredicate() != arith::CmpIPredicate::eq)
    return false;
  Polynomial here = forms.scalar(argument);
  if (!(forms.scalar(more) == here + one()))
    return false;
  // argument == length - 1, or argument + 1 == length, either way round.
  Polynomial rest = forms.scalar(ends.getRhs()) - forms.scalar(ends.getLhs());
  bool isLeft = withoutCasts(ends.getLhs()) == argument ||
                ends.getLhs() == more.getResult();
  lengthForm = isLeft ? here + one() + rest : here + one() - rest;
  Value init = loop.getInitArgs()[index];
  if (matchPattern(init, m_Zero())) {
    place = argument;
    return true;
  }
  // Counted on before it is used, from -1 on.
  auto isUsedBy = [](Value value, ArrayRef<Operation *> users) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      return llvm::is_contained(users, user);
    });
  };
  Operation *made = next.getDefiningOp();
  APInt before;
  place = next;
  return matchPattern(init, m_ConstantInt(&before)) && before.isAllOnes() &&
         isUsedBy(argument, {more, ends, made}) &&
         isUsedBy(more, {ends, made}) && isUsedBy(ends, {made});
}

/// Whether the loop's own number is divided by the length of a turn.
bool Nester::findRemainder() {
  for (Operation &op : *loop.getBody())
    if (isa<arith::RemSIOp, arith::RemUIOp>(op) &&
        withoutCasts(op.getOperand(0)) == loop.getInductionVar()) {
      place = op.getResult(0);
      lengthForm = forms.scalar(op.getOperand(1));
      break;
    }
  if (!place)
    return false;
  for (Operation &op : *loop.getBody())
    if (isa<arith::DivSIOp, arith::DivUIOp>(op) &&
        withoutCasts(op.getOperand(0)) == loop.getInductionVar() &&
        forms.scalar(op.getOperand(1)) == lengthForm)
      turns.insert(op.getResult(0));
  return true;
}

bool Nester::findCounter() {
  if (loop.getUnsignedCmp() || !loop.getInductionVar().getType().isIndex() ||
      !matchPattern(loop.getLowerBound(), m_Zero()) ||
      !matchPattern(loop.getStep(), m_One()))
    return false;
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    unsigned index = argument.getArgNumber() - 1;
    if (loop.getResult(index).use_empty() && isCounter(argument)) {
      counter = index;
      return true;
    }
  }
  return findRemainder();
}

/// Whether the loop has whole turns: its count is a product with their length.
bool Nester::findTurns() {
  auto count =
      withoutCasts(loop.getUpperBound()).getDefiningOp<arith::MulIOp>();
  if (!count)
    return false;
  for (Value factor : count->getOperands())
    if (forms.scalar(factor) == lengthForm) {
      length = factor;
      return true;
    }
  return false;
}

/// Whether `condition` holds in the first, or the last, iteration of each turn,
/// and in no other.
bool Nester::isIteration(Value condition, bool isLast) {
  auto equal = condition.getDefiningOp<arith::CmpIOp>();
  if (!equal || equal.getPredicate() != arith::CmpIPredicate::eq)
    return false;
  Polynomial which = forms.scalar(place);
  if (isLast)
    which = which - lengthForm + one();
  Polynomial difference =
      forms.scalar(equal.getLhs()) - forms.scalar(equal.getRhs());
  return difference == which || difference == Polynomial() - which;
}

/// What a conditional of the body chooses.
std::optional<Choice> Nester::choiceOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return std::nullopt;
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return Choice{select.getCondition(), select.getTrueValue(),
                  select.getFalseValue()};
  auto conditional = dyn_cast<scf::IfOp>(op);
  if (!conditional)
    return std::nullopt;
  unsigned index = cast<OpResult>(value).getResultNumber();
  return Choice{conditional.getCondition(),
                conditional.thenYield().getOperand(index),
                conditional.elseYield().getOperand(index)};
}

/// Whether `value` can be computed in front of the inner loop (as in the first
/// iteration of a turn), or behind it: it follows from what is known there.
bool Nester::canMove(Value value, bool isLast,
                     llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (loop.isDefinedOutsideOfLoop(value) || value == place ||
      value == loop.getInductionVar() || turns.contains(value))
    return true;
  for (unsigned index = 0; isLast && index < loop.getNumResults(); ++index) {
    Value handed = loop.getYieldedValues()[index];
    auto last = chosenLast.find(index);
    if (!isCount(index) &&
        value == (last == chosenLast.end() ? handed : last->second.others))
      return true;
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return !isLast && argument.getOwner() == loop.getBody() &&
           !isCount(argument.getArgNumber() - 1);
  Operation *op = value.getDefiningOp();
  if (!seen.insert(op).second)
    return true;
  return !op->getNumRegions() &&
         (isMemoryEffectFree(op) || sched::isOnlyRead(op)) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return canMove(operand, isLast, seen);
         });
}

/// Whether the carried value is made in the first iteration of a turn, and the
/// same in the others.
bool Nester::isFirstOfTurn(BlockArgument argument, Value handed) {
  auto choice = choiceOf(handed, /*isLast=*/false);
  if (!choice || choice->others != argument ||
      !canMove(choice->made, /*isLast=*/false))
    return false;
  // Elsewhere it would be the turn's before in the first iteration.
  SmallVector<Value> pending = {argument};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val().getUsers()) {
      auto around = user->getParentOfType<scf::IfOp>();
      if ((around && isIteration(around.getCondition(), false)) ||
          (isa<arith::SelectOp>(user) && choiceOf(user->getResult(0), false)))
        continue;
      if (user->getBlock() != loop.getBody() || user->getNumRegions() ||
          !isPure(user))
        return false;
      if (seen.insert(user).second)
        llvm::append_range(pending, user->getResults());
    }
  return true;
}

/// Says of each conditional where it goes; false if one cannot.
bool Nester::sortBody() {
  Operation *end = loop.getBody()->getTerminator();
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    unsigned index = argument.getArgNumber() - 1;
    Value handed = loop.getYieldedValues()[index];
    if (isCount(index))
      continue;
    if (isFirstOfTurn(argument, handed))
      chosenFirst[index] = *choiceOf(handed, false);
    else if (auto last = choiceOf(handed, true); last && handed.hasOneUse())
      chosenLast[index] = *last;
    if (!argument.hasOneUse() || chosenFirst.count(index))
      continue;
    Operation *user = *argument.getUsers().begin();
    for (Value result : user->getResults())
      if (auto first = choiceOf(result, false);
          first && first->others == argument && canMove(first->made, false))
        begun[index] = {first->made, result};
  }
  for (Operation &op : *loop.getBody()) {
    auto conditional = dyn_cast<scf::IfOp>(op);
    if (conditional && isIteration(conditional.getCondition(), true)) {
      Region &rest = conditional.getElseRegion();
      auto isMoved = [&](OpOperand &use) {
        unsigned index = use.getOperandNumber();
        return use.getOwner() == end &&
               (isCount(index) || chosenLast.count(index));
      };
      if ((!rest.empty() && !llvm::all_of(rest.front(), isPureOrYield)) ||
          multiplies(conditional) ||
          !llvm::all_of(conditional->getUses(), isMoved))
        return false;
      lastWork.push_back(conditional);
    } else if (!lastWork.empty() && !isMemoryEffectFree(&op)) {
      return false;
    }
  }
  auto isKnownBehind = [&](Value value) {
    Operation *op = value.getDefiningOp();
    auto around = op ? dyn_cast<scf::IfOp>(op->getParentOp()) : scf::IfOp();
    return (around && llvm::is_contained(lastWork, around)) ||
           canMove(value, /*isLast=*/true);
  };
  for (auto &[index, choice] : chosenLast)
    if (!isKnownBehind(choice.made))
      return false;
  for (scf::IfOp conditional : lastWork) {
    llvm::SetVector<Value> reads;
    getUsedValuesDefinedAbove(conditional.getThenRegion(), reads);
    if (!llvm::all_of(reads, isKnownBehind))
      return false;
  }
  return !lastWork.empty();
}

/// `value` computed anew, where `mapping` says what is known.
Value Nester::moved(OpBuilder &builder, Value value, IRMapping &mapping) {
  if (mapping.contains(value) || loop.isDefinedOutsideOfLoop(value))
    return mapping.lookupOrDefault(value);
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, moved(builder, operand, mapping));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

void Nester::rewrite() {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type number = place.getType();
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  Value step = arith::ConstantIndexOp::create(builder, loc, 1);
  auto asNumber = [&](OpBuilder &where, Value index) -> Value {
    if (number.isIndex())
      return index;
    return arith::IndexCastOp::create(where, loc, number, index);
  };
  Value all = loop.getUpperBound();
  if (!length.getType().isIndex())
    length = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                        length);
  Value each = arith::MaxSIOp::create(builder, loc, length, step);
  Value count = arith::MaxSIOp::create(builder, loc, all, none);
  count = arith::DivUIOp::create(builder, loc, count, each);
  // A product of two negative numbers would be positive, too.
  Value isTurn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       none, length);
  Value isNone =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, all, none);
  Value holds = arith::OrIOp::create(builder, loc, isTurn, isNone);
  tile::AssertOp::create(builder, loc, holds,
                         "the length of a loop's turn is not negative",
                         /*assumed=*/false);

  // What the outer loop carries, by its place in the old one.
  SmallVector<Value> inits;
  SmallVector<unsigned> outerIndex;
  for (unsigned index = 0; index < loop.getNumResults(); ++index)
    if (!isCount(index)) {
      inits.push_back(loop.getInitArgs()[index]);
      outerIndex.push_back(index);
    }
  auto outer = scf::ForOp::create(builder, loc, none, count, step, inits);
  if (!outer.getBody()->empty())
    outer.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(outer.getBody());
  Value start =
      arith::MulIOp::create(builder, loc, outer.getInductionVar(), each);

  // In front: what the first iteration chooses.
  IRMapping first;
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getIntegerAttr(number, 0));
  first.map(place, zero);
  first.map(loop.getInductionVar(), start);
  for (Value turn : turns) {
    Value is = outer.getInductionVar();
    if (!turn.getType().isIndex())
      is = arith::IndexCastOp::create(builder, loc, turn.getType(), is);
    first.map(turn, is);
  }
  for (auto [at, index] : llvm::enumerate(outerIndex))
    first.map(carried(index), outer.getRegionIterArg(at));
  DenseMap<unsigned, Value> fresh;
  for (unsigned index : outerIndex)
    if (auto found = chosenFirst.find(index); found != chosenFirst.end())
      fresh[index] = moved(builder, found->second.made, first);

  // The inner loop carries the rest.
  SmallVector<Value> innerInits;
  SmallVector<unsigned> innerIndex;
  for (auto [at, index] : llvm::enumerate(outerIndex))
    if (!fresh.count(index)) {
      auto found = begun.find(index);
      innerInits.push_back(found == begun.end()
                               ? Value(outer.getRegionIterArg(at))
                               : moved(builder, found->second.first, first));
      innerIndex.push_back(index);
    }
  auto inner = scf::ForOp::create(builder, loc, none, each, step, innerInits);
  inner->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (!inner.getBody()->empty())
    inner.getBody()->getTerminator()->erase();

  // Behind: what the last iteration does.
  IRMapping last;
  Value before = arith::SubIOp::create(builder, loc, each, step);
  last.map(place, asNumber(builder, before));
  last.map(loop.getInductionVar(),
           arith::AddIOp::create(builder, loc, start, before));
  for (Value turn : turns)
    last.map(turn, first.lookup(turn));
  for (auto [index, value] : fresh)
    last.map(loop.getYieldedValues()[index], value);
  for (auto [at, index] : llvm::enumerate(innerIndex)) {
    auto found = chosenLast.find(index);
    last.map(found == chosenLast.end() ? loop.getYieldedValues()[index]
                                       : found->second.others,
             inner.getResult(at));
  }
  for (scf::IfOp conditional : lastWork) {
    llvm::SetVector<Value> reads;
    getUsedValuesDefinedAbove(conditional.getThenRegion(), reads);
    for (Value read : reads)
      if (Value known = moved(builder, read, last); known != read)
        last.map(read, known);
    for (Operation &op : conditional.thenBlock()->without_terminator())
      builder.clone(op, last);
  }
  SmallVector<Value> outerYields;
  for (unsigned index : outerIndex) {
    auto found = chosenLast.find(index);
    if (fresh.count(index))
      outerYields.push_back(fresh[index]);
    else if (found != chosenLast.end())
      outerYields.push_back(moved(builder, found->second.made, last));
    else
      outerYields.push_back(last.lookup(loop.getYieldedValues()[index]));
  }
  scf::YieldOp::create(builder, loc, outerYields);

  // The body becomes the inner loop's.
  Operation *end = loop.getBody()->getTerminator();
  for (auto &[index, choice] : chosenLast)
    end->setOperand(index, choice.others);
  for (scf::IfOp conditional : lastWork) {
    if (Region &rest = conditional.getElseRegion(); !rest.empty())
      for (Operation &op :
           llvm::make_early_inc_range(rest.front().without_terminator()))
        op.moveBefore(conditional);
    if (counter)
      end->setOperand(*counter, carried(*counter));
    conditional->erase();
  }
  for (Value turn : turns)
    turn.replaceAllUsesWith(first.lookup(turn));
  for (auto &[index, begins] : begun)
    begins.second.replaceAllUsesWith(carried(index));
  for (auto &[index, value] : fresh)
    Value(loop.getYieldedValues()[index]).replaceAllUsesWith(value);
  OpBuilder front = OpBuilder::atBlockBegin(inner.getBody());
  Value here = asNumber(front, inner.getInductionVar());
  if (counter)
    carried(*counter).replaceAllUsesWith(here);
  place.replaceAllUsesWith(here);
  loop.getInductionVar().replaceAllUsesWith(
      arith::AddIOp::create(front, loc, start, inner.getInductionVar()));
  for (auto [at, index] : llvm::enumerate(outerIndex))
    if (fresh.count(index))
      carried(index).replaceAllUsesWith(outer.getRegionIterArg(at));
  for (auto [at, index] : llvm::enumerate(innerIndex))
    carried(index).replaceAllUsesWith(inner.getRegionIterArg(at));
  SmallVector<Value> innerYields;
  for (unsigned index : innerIndex)
    innerYields.push_back(end->getOperand(index));
  end->erase();
  inner.getBody()->getOperations().splice(inner.getBody()->end(),
                                          loop.getBody()->getOperations());
  builder.setInsertionPointToEnd(inner.getBody());
  scf::YieldOp::create(builder, loc, innerYields);
  for (auto [at, index] : llvm::enumerate(outerIndex))
    loop.getResult(index).replaceAllUsesWith(outer.getResult(at));
  loop.erase();
}

namespace {

struct NestLoopsPass : heddle::impl::NestLoopsBase<NestLoopsPass> {
  void runOnOperation() override {
    getOperation().walk([](tile::KernelOp kernel) {
      SmallVector<scf::ForOp> loops;
      kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops)
        if (multiplies(loop))
          if (Nester nester(kernel, loop); nester.find())
            nester.rewrite();
    });
  }
};

} // namespace
