//===- UnswitchLoops.cpp - A loop for each outcome of a condition ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop with a conditional that multiplies and whose condition is the same
// in all iterations, such as a flag of the launch. Out: the conditional around
// two loops, each with one of the branches in its body, where every iteration
// multiplies alike and processes can share them.
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace heddle {
#define GEN_PASS_DEF_UNSWITCHLOOPS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

/// A conditional of the loop's own body to split the loop at; null if there is
/// none.
static scf::IfOp findFixed(scf::ForOp loop) {
  SmallVector<scf::IfOp> conditionals(loop.getBody()->getOps<scf::IfOp>());
  for (scf::IfOp conditional : conditionals)
    if (multiplies(conditional) && moveOut(loop, conditional.getCondition()))
      return conditional;
  return {};
}

/// The branch's operations in the conditional's place.
static void replaceByBranch(scf::IfOp conditional, bool outcome) {
  Region &region =
      outcome ? conditional.getThenRegion() : conditional.getElseRegion();
  if (!region.empty()) {
    Block &branch = region.front();
    conditional.replaceAllUsesWith(branch.getTerminator()->getOperands());
    branch.getTerminator()->erase();
    conditional->getBlock()->getOperations().splice(
        Block::iterator(conditional), branch.getOperations());
  }
  conditional.erase();
}

/// The two loops in the place of the one.
static std::pair<scf::ForOp, scf::ForOp> unswitch(scf::ForOp loop,
                                                  scf::IfOp conditional) {
  OpBuilder builder(loop);
  Location loc = conditional.getLoc();
  scf::ForOp made[2];
  auto copy = [&](bool outcome) {
    return [&, outcome](OpBuilder &inside, Location) {
      IRMapping mapping;
      made[outcome] = cast<scf::ForOp>(inside.clone(*loop, mapping));
      replaceByBranch(
          cast<scf::IfOp>(mapping.lookup(conditional.getOperation())), outcome);
      scf::YieldOp::create(inside, loc, made[outcome].getResults());
    };
  };
  auto chosen = scf::IfOp::create(builder, loc, conditional.getCondition(),
                                  copy(true), copy(false));
  loop.replaceAllUsesWith(chosen.getResults());
  loop.erase();
  return {made[true], made[false]};
}

namespace {

/// Loops that a module may get in addition: each condition doubles those that
/// stand in it.
constexpr int kMostLoops = 32;

struct UnswitchLoopsPass : heddle::impl::UnswitchLoopsBase<UnswitchLoopsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (int made = 0; !loops.empty() && made < kMostLoops;) {
      scf::ForOp loop = loops.pop_back_val();
      scf::IfOp conditional = findFixed(loop);
      if (!conditional)
        continue;
      ++made;
      // Loops inside of it were made anew with it.
      llvm::erase_if(loops,
                     [&](scf::ForOp other) { return loop->isAncestor(other); });
      auto [taken, left] = unswitch(loop, conditional);
      for (scf::ForOp outcome : {taken, left})
        outcome.walk([&](scf::ForOp inner) { loops.push_back(inner); });
    }
  }
};

} // namespace
