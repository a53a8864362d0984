//===- SkipIterations.cpp - A loop over the iterations that multiply ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop whose products stand in a conditional, and that does nothing in
// iterations without: blocks of a sparse matrix, of a mask, of a window. Out: a
// loop over the iterations that multiply alone, which has a pipeline. A loop in
// front of it counts them, and each process that needs the number of the next
// one searches for it from the one before. Only numbers may decide: the loop's
// own, and numbers in memory that the kernel never writes.
// Stands behind the views, to which a loop's number is a place and the next
// number that memory chose is not.
//
//===----------------------------------------------------------------------===//

#include "ExportProblem.h"
#include "LoopParts.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace heddle {
#define GEN_PASS_DEF_SKIPITERATIONS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// Whether leaving `op` out changes nothing but what reads its results.
bool onlyReads(Operation *op) {
  if (op->getNumRegions())
    return isMemoryEffectFree(op) || isControlOfNumbers(op);
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return isMemoryEffectFree(op) ||
         (effects && effects.onlyHasEffect<MemoryEffects::Read>());
}

/// A loop whose work is in one branch of one conditional.
class ChosenIterations {
public:
  explicit ChosenIterations(scf::ForOp loop) : loop(loop) {}

  /// Whether it is one, and numbers alone choose its iterations.
  bool find() {
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

  /// The loop over the chosen ones in its place.
  void rewrite() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value none = number(builder, 0), one = number(builder, 1);
    auto counting = scf::ForOp::create(
        builder, loc, loop.getLowerBound(), loop.getUpperBound(),
        loop.getStep(), none,
        [&](OpBuilder &inner, Location, Value at, ValueRange counted) {
          Value isOne = isChosen(inner, at);
          Value more = arith::SelectOp::create(inner, loc, isOne, one, none);
          more = arith::AddIOp::create(inner, loc, counted.front(), more);
          scf::YieldOp::create(inner, loc, more);
        });
    SmallVector<Value> inits(loop.getInitArgs());
    inits.push_back(loop.getLowerBound());
    auto made = scf::ForOp::create(builder, loc, none, counting.getResult(0),
                                   one, inits);
    made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    Block *body = made.getBody();
    builder.setInsertionPointToEnd(body);
    Value at = findNext(builder, body->getArguments().back());
    loop.getInductionVar().replaceAllUsesWith(at);
    for (auto [was, is] :
         llvm::zip(loop.getRegionIterArgs(), made.getRegionIterArgs()))
      was.replaceAllUsesWith(is);
    SmallVector<Value> yielded(loop.getYieldedValues());
    Block &branch = branchOf(chosen).front();
    for (Value &value : yielded)
      if (value.getDefiningOp() == work)
        value = branch.getTerminator()->getOperand(
            cast<OpResult>(value).getResultNumber());
    yielded.push_back(arith::AddIOp::create(builder, loc, at, loop.getStep()));
    loop.getBody()->getTerminator()->erase();
    branch.getTerminator()->erase();
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    body->getOperations().splice(Block::iterator(work), branch.getOperations());
    scf::YieldOp::create(builder, loc, yielded);
    loop.replaceAllUsesWith(made.getResults().drop_back());
    work.erase();
    loop.erase();
  }

private:
  Region &branchOf(bool outcome) {
    return outcome ? work.getThenRegion() : work.getElseRegion();
  }

  bool findBranch() {
    chosen = multiplies(work.getThenRegion());
    Region &other = branchOf(!chosen);
    return other.empty() || llvm::hasSingleElement(other.front());
  }

  /// Whether an iteration that is not chosen hands on what it was given.
  bool handsOnTheRest() {
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
  bool absorbInner() {
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
      if (handed !=
          branchOf(!chosen).front().getTerminator()->getOperand(index))
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
                           innerChosen ? holds : inverted(inside, holds));
    };
    auto refuse = [&](OpBuilder &inside, Location) {
      Value no = arith::ConstantIntOp::create(inside, loc, 0, 1);
      scf::YieldOp::create(inside, loc, no);
    };
    auto both = chosen ? scf::IfOp::create(builder, loc, work.getCondition(),
                                           decide, refuse)
                       : scf::IfOp::create(builder, loc, work.getCondition(),
                                           refuse, decide);
    auto joined = scf::IfOp::create(builder, loc, work.getResultTypes(),
                                    both.getResult(0),
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
  bool collect(Value value, Block &block, llvm::SetVector<Operation *> &ops) {
    Operation *op = value.getDefiningOp();
    if (!op && cast<BlockArgument>(value).getOwner() == &block)
      return value == loop.getInductionVar();
    if (!op || !block.getParentOp()->isAncestor(op))
      return true;
    if (op->getBlock() != &block)
      return false;
    if (ops.contains(op))
      return true;
    auto isTile = llvm::IsaPred<TensorType>;
    bool isNumber =
        op->getNumRegions()
            ? isControlOfNumbers(op)
            : llvm::none_of(op->getOperandTypes(), isTile) &&
                  llvm::none_of(op->getResultTypes(), isTile) &&
                  (isMemoryEffectFree(op) || sched::isRepeatedInput(op));
    if (!isNumber)
      return false;
    llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), reads);
    for (Value read : reads)
      if (!collect(read, block, ops))
        return false;
    ops.insert(op);
    return true;
  }

  Value inverted(OpBuilder &builder, Value condition) {
    Location loc = loop.getLoc();
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    return arith::XOrIOp::create(builder, loc, condition, yes);
  }

  Value number(OpBuilder &builder, int64_t value) {
    return arith::ConstantOp::create(
        builder, loop.getLoc(),
        builder.getIntegerAttr(loop.getStep().getType(), value));
  }

  /// Whether iteration `at` is chosen, computed anew.
  Value isChosen(OpBuilder &builder, Value at) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), at);
    for (Operation *op : deciders)
      builder.clone(*op, mapping);
    Value found = mapping.lookupOrDefault(work.getCondition());
    return chosen ? found : inverted(builder, found);
  }

  /// The first chosen iteration from `from` on. The loop around runs as often
  /// as there are any; that the search ends with the old loop is for who looks
  /// ahead of the last one.
  Value findNext(OpBuilder &builder, Value from) {
    Location loc = loop.getLoc();
    auto search = scf::WhileOp::create(
        builder, loc, from.getType(), from,
        [&](OpBuilder &front, Location, ValueRange at) {
          Value isInside =
              arith::CmpIOp::create(front, loc, arith::CmpIPredicate::slt,
                                    at.front(), loop.getUpperBound());
          auto isPassed = scf::IfOp::create(
              front, loc, isInside,
              [&](OpBuilder &inside, Location) {
                Value stops = isChosen(inside, at.front());
                scf::YieldOp::create(inside, loc, inverted(inside, stops));
              },
              [&](OpBuilder &behind, Location) {
                Value no = arith::ConstantIntOp::create(behind, loc, 0, 1);
                scf::YieldOp::create(behind, loc, no);
              });
          scf::ConditionOp::create(front, loc, isPassed.getResult(0), at);
        },
        [&](OpBuilder &body, Location, ValueRange at) {
          Value next =
              arith::AddIOp::create(body, loc, at.front(), loop.getStep());
          scf::YieldOp::create(body, loc, next);
        });
    return search.getResult(0);
  }

  scf::ForOp loop;
  scf::IfOp work;
  bool chosen = true; ///< the condition's value in iterations that multiply
  llvm::SetVector<Operation *> deciders;
};

struct SkipIterationsPass
    : heddle::impl::SkipIterationsBase<SkipIterationsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (ChosenIterations iterations(loop); iterations.find())
        iterations.rewrite();
  }
};

} // namespace
