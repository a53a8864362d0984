//===- SwapOperands.cpp - Products of few rows, by columns ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an instantiated kernel. Out: a product whose tile has too few rows for
// the unit of products (64 on Hopper) or too many columns (256) is the
// transpose of b^T a^T, where the unit takes that: rows of a become columns, of
// which it takes any eight. The operands stay where they are, since a slot is
// read in either orientation; a loop carries the transposed sum, and only its
// users see a transpose. Stands before the split, which sees ordinary products.
//
// Left as they are: products whose sums somebody reduces or multiplies again
// (the rows that are reduced would lie across warps), and those of which
// threads compute an operand. They would have to write it to shared memory
// first, where warps take it from registers: for 16 rows of weights of 8 bits
// that took 3.2 times as long on an H200.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/FindCosts.h"
#include "heddle/Analysis/Products.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace heddle {
#define GEN_PASS_DEF_SWAPOPERANDS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

bool exchangesAxes(tile::TransOp trans) {
  return trans.getOrder() == ArrayRef<int64_t>{1, 0};
}

/// Where a sum goes: elementwise into what is stored, added up by products, or
/// carried by loops.
class SumUses {
public:
  /// Does every use leave the sum's elements where they are?
  bool areElementwise(Value sum) {
    if (!seen.insert(sum).second)
      return true;
    return llvm::all_of(sum.getUses(),
                        [&](OpOperand &use) { return isElementwise(use); });
  }

private:
  bool isElementwise(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto dot = dyn_cast<tile::DotOp>(op))
      return use.get() == dot.getAcc() && areElementwise(dot.getResult());
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return isCarried(loop,
                       use.getOperandNumber() - loop.getNumControlOperands());
    if (auto yield = dyn_cast<scf::YieldOp>(op)) {
      Operation *parent = yield->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        return isCarried(loop, use.getOperandNumber());
      return isa<scf::IfOp>(parent) &&
             areElementwise(parent->getResult(use.getOperandNumber()));
    }
    if (isa<tile::CastOp, tile::TransOp>(op) ||
        op->hasTrait<OpTrait::Elementwise>())
      return areElementwise(op->getResult(0));
    return isa<tile::StoreOp, tile::ViewReduceOp, tile::ViewScatterOp,
               tile::ScatterOp>(op);
  }

  bool isCarried(scf::ForOp loop, unsigned index) {
    return areElementwise(loop.getRegionIterArg(index)) &&
           areElementwise(loop.getResult(index));
  }

  llvm::SmallPtrSet<Value, 16> seen;
};

bool isLoaded(Value operand) {
  return tile::lookThroughRenaming(operand).getDefiningOp<tile::LoadOp>() !=
         nullptr;
}

bool isWorthwhile(tile::DotOp dot, const machine::Costs &costs) {
  return !fitsWarpGroup(dot, costs) && fitsWarpGroupSwapped(dot, costs) &&
         isLoaded(dot.getA()) && isLoaded(dot.getB()) &&
         SumUses().areElementwise(dot.getResult());
}

/// The tile with its two axes exchanged, by no more operations than it takes.
Value transpose(OpBuilder &builder, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  auto turned = type.clone({type.getDimSize(1), type.getDimSize(0)});
  if (auto trans = tile.getDefiningOp<tile::TransOp>();
      trans && exchangesAxes(trans))
    return trans.getValue();
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    return tile::SplatOp::create(builder, tile.getLoc(), turned,
                                 splat.getValue());
  return tile::TransOp::create(builder, tile.getLoc(), turned, tile, {1, 0});
}

void swapOperands(tile::DotOp dot) {
  OpBuilder builder(dot);
  Value a = transpose(builder, dot.getB()), b = transpose(builder, dot.getA()),
        acc = transpose(builder, dot.getAcc());
  auto turned = cast<tile::DotOp>(builder.clone(*dot));
  turned.getAMutable().assign(a);
  turned.getBMutable().assign(b);
  turned.getAccMutable().assign(acc);
  turned.getResult().setType(cast<RankedTensorType>(acc.getType()));
  dot.getResult().replaceAllUsesWith(transpose(builder, turned.getResult()));
  dot.erase();
}

/// Transposes what the loop carries at `index` and yields as a transpose, with
/// a transpose wherever it is read.
void carryTransposed(scf::ForOp loop, unsigned index) {
  OpBuilder builder(loop);
  OpOperand &init = loop.getInitsMutable()[index];
  init.set(transpose(builder, init.get()));
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  auto given = yield.getOperand(index).getDefiningOp<tile::TransOp>();
  yield.setOperand(index, given.getValue());
  if (given->use_empty())
    given.erase();
  auto readTransposed = [&](Value carried) {
    carried.setType(init.get().getType());
    auto trans = transpose(builder, carried).getDefiningOp<tile::TransOp>();
    carried.replaceAllUsesExcept(trans.getResult(), trans);
    SmallVector<Operation *> readers(trans->getUsers());
    for (Operation *reader : readers)
      if (auto back = dyn_cast<tile::TransOp>(reader);
          back && exchangesAxes(back)) {
        back.getResult().replaceAllUsesWith(carried);
        back.erase();
      }
    if (trans->use_empty())
      trans.erase();
  };
  builder.setInsertionPointToStart(loop.getBody());
  readTransposed(loop.getRegionIterArg(index));
  builder.setInsertionPointAfter(loop);
  readTransposed(loop.getResult(index));
}

struct SwapOperandsPass : heddle::impl::SwapOperandsBase<SwapOperandsPass> {
  using SwapOperandsBase::SwapOperandsBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    // A unit that keeps sums in a memory of its own pads their rows.
    if (costs.tensorMemory.columns > 0)
      return markAllAnalysesPreserved();
    SmallVector<tile::DotOp> dots;
    getOperation().walk([&](tile::DotOp dot) {
      if (isWorthwhile(dot, costs))
        dots.push_back(dot);
    });
    if (dots.empty())
      return markAllAnalysesPreserved();
    for (tile::DotOp dot : dots)
      swapOperands(dot);
    // Inner loops first: what they give back is what outer ones carry. They are
    // collected before, because a walk keeps a pointer to the operation after a
    // loop, and that may be a transpose which goes with the loop's own.
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      for (auto [index, value] : llvm::enumerate(loop.getYieldedValues()))
        if (auto trans = value.getDefiningOp<tile::TransOp>();
            trans && exchangesAxes(trans) &&
            isa_and_present<tile::DotOp, scf::ForOp>(
                trans.getValue().getDefiningOp()))
          carryTransposed(loop, index);
  }
};

} // namespace
