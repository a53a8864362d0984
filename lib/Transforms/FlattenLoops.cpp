//===- FlattenLoops.cpp - Two nested loops as one -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop that does nothing but another loop with products, which carries on
// the same values: taps of a window around its channels, blocks of
// experts around a contraction. Out: one loop over all iterations of the inner
// one, so that the pipeline neither empties nor fills between them. The two
// numbers follow from the one by a division.
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace heddle {
#define GEN_PASS_DEF_FLATTENLOOPS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

/// The loop that is all that `outer` does; null where it does more.
static scf::ForOp findInner(scf::ForOp outer) {
  scf::ForOp inner;
  for (Operation &op : outer.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && !inner)
      inner = loop;
    else if (inner || op.getNumRegions() || !isPure(&op))
      return {};
  }
  return inner;
}

/// Whether the inner loop begins with what the outer one carries and hands it
/// on, and its bounds are the same each time.
static bool isOneLoop(scf::ForOp outer, scf::ForOp inner) {
  auto isFromOutside = [&](Value value) {
    return outer.isDefinedOutsideOfLoop(value);
  };
  return isFromOutside(inner.getLowerBound()) &&
         isFromOutside(inner.getUpperBound()) &&
         isFromOutside(inner.getStep()) &&
         llvm::equal(inner.getInitArgs(), outer.getRegionIterArgs()) &&
         llvm::equal(outer.getYieldedValues(), inner.getResults()) &&
         llvm::all_of(outer.getRegionIterArgs(),
                      [](Value carried) { return carried.hasOneUse(); });
}

/// How often a loop turns.
static Value countTurns(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value range = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                      loop.getLowerBound());
  range = arith::MaxSIOp::create(builder, loc, range, zero);
  return arith::CeilDivUIOp::create(builder, loc, range, loop.getStep());
}

/// Where the turns of both loops can be counted, as far out as can be: a loop
/// around them then finds them outside of itself.
static Operation *findPlaceOfCounts(scf::ForOp outer, scf::ForOp inner) {
  Operation *place = outer;
  while (auto around = dyn_cast<scf::ForOp>(place->getParentOp())) {
    for (scf::ForOp loop : {outer, inner})
      for (Value number :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        if (!around.isDefinedOutsideOfLoop(number))
          return place;
    place = around;
  }
  return place;
}

static void flatten(scf::ForOp outer, scf::ForOp inner) {
  OpBuilder builder(findPlaceOfCounts(outer, inner));
  Location loc = outer.getLoc();
  Value each = countTurns(builder, inner);
  Value all =
      arith::MulIOp::create(builder, loc, countTurns(builder, outer), each);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        one = arith::ConstantIndexOp::create(builder, loc, 1);
  builder.setInsertionPoint(outer);
  auto loop =
      scf::ForOp::create(builder, loc, zero, all, one, outer.getInitArgs());
  if (!loop.getBody()->empty())
    loop.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(loop.getBody());
  auto number = [&](scf::ForOp of, Value turn) -> Value {
    Value moved = arith::MulIOp::create(builder, loc, turn, of.getStep());
    return arith::AddIOp::create(builder, loc, of.getLowerBound(), moved);
  };
  Value turn = loop.getInductionVar();
  outer.getInductionVar().replaceAllUsesWith(
      number(outer, arith::DivUIOp::create(builder, loc, turn, each)));
  inner.getInductionVar().replaceAllUsesWith(
      number(inner, arith::RemUIOp::create(builder, loc, turn, each)));
  for (auto [was, is] :
       llvm::zip(inner.getRegionIterArgs(), loop.getRegionIterArgs()))
    was.replaceAllUsesWith(is);
  outer.replaceAllUsesWith(loop.getResults());
  for (Operation &op : llvm::make_early_inc_range(*outer.getBody()))
    if (&op != inner && !op.hasTrait<OpTrait::IsTerminator>())
      op.moveBefore(loop.getBody(), loop.getBody()->end());
  loop.getBody()->getOperations().splice(loop.getBody()->end(),
                                         inner.getBody()->getOperations());
  outer.erase();
}

namespace {

struct FlattenLoopsPass : heddle::impl::FlattenLoopsBase<FlattenLoopsPass> {
  void runOnOperation() override {
    // Inner ones first: of three, the inner two are one loop for the outer.
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    bool isAny = false;
    for (scf::ForOp outer : loops)
      if (scf::ForOp inner = findInner(outer);
          inner && isOneLoop(outer, inner) && multiplies(inner)) {
        // `inner` is erased with it, and came before it in the list.
        flatten(outer, inner);
        isAny = true;
      }
    if (!isAny)
      markAllAnalysesPreserved();
  }
};

} // namespace
