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

#include "ChosenIterations.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace heddle {
#define GEN_PASS_DEF_SKIPITERATIONS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// Writes a loop over the chosen iterations of another.
class Skipper {
public:
  Skipper(scf::ForOp loop, ChosenIterations &iterations)
      : loop(loop), iterations(iterations) {}

  /// The loop over the chosen ones in its place.
  void rewrite() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value none = number(builder, 0), one = number(builder, 1);
    auto counting = scf::ForOp::create(
        builder, loc, loop.getLowerBound(), loop.getUpperBound(),
        loop.getStep(), none,
        [&](OpBuilder &inner, Location, Value at, ValueRange counted) {
          Value isOne = iterations.isChosen(inner, at);
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
    scf::IfOp work = iterations.getWork();
    Block &branch = iterations.getBranch();
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
  Value number(OpBuilder &builder, int64_t value) {
    return arith::ConstantOp::create(
        builder, loop.getLoc(),
        builder.getIntegerAttr(loop.getStep().getType(), value));
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
                Value stops = iterations.isChosen(inside, at.front());
                scf::YieldOp::create(inside, loc, inverted(inside, loc, stops));
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
  ChosenIterations &iterations;
};

struct SkipIterationsPass
    : heddle::impl::SkipIterationsBase<SkipIterationsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (ChosenIterations iterations(loop); iterations.find())
        Skipper(loop, iterations).rewrite();
  }
};

} // namespace
