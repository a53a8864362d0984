//===- PromoteAccumulation.cpp - Partial dots, added in full precision -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an instantiated kernel. Out: no dot has max_imprecise_acc any more; where
// that or its type sets a limit, the dot starts from zero and an addition of
// its own joins the sum. The tensor core truncates the running sum at each
// step, an error that grows with K; ordinary addition rounds to nearest. Stands
// before `split` because the addition is an op to schedule like any other.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/FindCosts.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

namespace heddle {
#define GEN_PASS_DEF_PROMOTEACCUMULATION
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

void promote(tile::DotOp dot) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  auto type = cast<RankedTensorType>(dot.getResult().getType());
  Value sum = dot.getAcc();
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  dot.getAccMutable().assign(tile::SplatOp::create(builder, loc, type, zero));
  builder.setInsertionPointAfter(dot);
  Value joined = isa<FloatType>(type.getElementType())
                     ? arith::AddFOp::create(builder, loc, sum, dot.getResult())
                           .getResult()
                     : arith::AddIOp::create(builder, loc, sum, dot.getResult())
                           .getResult();
  dot.getResult().replaceAllUsesExcept(joined, joined.getDefiningOp());
}

struct PromoteAccumulationPass
    : heddle::impl::PromoteAccumulationBase<PromoteAccumulationPass> {
  using PromoteAccumulationBase::PromoteAccumulationBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (!machine.empty() && failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    // A machine that keeps sums in a memory of their own keeps them whole.
    bool dropsBits = !machine.empty() && costs.tensorMemory.columns == 0;
    WalkResult result = getOperation().walk([&](tile::DotOp dot) {
      bool isAsked = dot.getMaxImpreciseAcc().value_or(0) > 0;
      int64_t limit = isAsked || dropsBits ? dot.mostSummedProducts() : 0;
      dot.removeMaxImpreciseAccAttr();
      if (!dot.getFastSums().value_or(false))
        dot.removeFastSumsAttr();
      if (limit == 0)
        return WalkResult::advance();
      int64_t products =
          cast<RankedTensorType>(dot.getA().getType()).getShape()[1];
      if (limit < products) {
        report(dot, diag::imprecise_accumulation)
            << "max_imprecise_acc is " << limit << ", but one dot sums "
            << products << " products; choose a tile of at most " << limit
            << " along K";
        return WalkResult::interrupt();
      }
      promote(dot);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
