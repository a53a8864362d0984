//===- OpenConditionals.cpp - Accesses that reach nothing -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop with products and with conditionals that load or store: a bias
// that some blocks have, a state that is stored in every fourth chunk. Out: the
// accesses stand in the loop's own body, where each iteration has them and
// processes can share them. Where the condition does not hold they begin behind
// the end of their view, or have a mask of nothing, so that they reach no
// memory. What only computes tiles stays in the conditional.
//
//===----------------------------------------------------------------------===//

#include "ExportProblem.h"
#include "LoopParts.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace heddle {
#define GEN_PASS_DEF_OPENCONDITIONALS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// An access that can be made to reach nothing.
bool isAccess(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return !load.getRows() && !load.getOffsets().empty();
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return !store.getOffsets().empty();
  return isa<tile::GatherOp, tile::ScatterOp>(op);
}

/// A division of numbers, which must not be by zero.
bool divides(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op) &&
         op->getResult(0).getType().isIntOrIndex();
}

class Opener {
public:
  explicit Opener(scf::IfOp conditional) : conditional(conditional) {}

  /// Whether it has accesses, all of which can leave it.
  bool canOpen() {
    for (Region &region : conditional->getRegions())
      if (!region.empty() && !collect(region.front()))
        return false;
    return hasAccess;
  }

  void open() {
    OpBuilder builder(conditional);
    Location loc = conditional.getLoc();
    Value holds = conditional.getCondition();
    leave(conditional.getThenRegion(), holds);
    if (!conditional.getElseRegion().empty()) {
      Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
      leave(conditional.getElseRegion(),
            arith::XOrIOp::create(builder, loc, holds, yes));
    }
    // What is left writes nothing.
    if (conditional.getNumResults() == 0)
      conditional.erase();
  }

private:
  bool collect(Block &branch) {
    for (Operation &op : branch.without_terminator()) {
      bool isLeaving = isAccess(&op);
      if (!isLeaving && (!isMemoryEffectFree(&op) || multiplies(&op)))
        return false;
      if (isLeaving && !takeAlong(&op, branch))
        return false;
      hasAccess |= isLeaving;
    }
    // A tile that comes through a ring is read in its own iteration; a
    // conditional that handed it on as it is would be read behind its release.
    return llvm::none_of(
        branch.getTerminator()->getOperands(), [&](Value value) {
          Operation *op = tile::lookThroughRenaming(value).getDefiningOp();
          return op && isa<TensorType>(value.getType()) && leaving.contains(op);
        });
  }

  /// `op` leaves, and so does what it reads of the branch; false if that would
  /// not be safe where the condition does not hold.
  bool takeAlong(Operation *op, Block &branch) {
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def || def->getBlock() != &branch || leaving.contains(def))
        continue;
      if (def->getNumRegions() ||
          !(isAccess(def) || isPure(def) || divides(def)) ||
          !takeAlong(def, branch))
        return false;
    }
    leaving.insert(op);
    return true;
  }

  /// What leaves a branch that is taken where `holds` is true.
  void leave(Region &region, Value holds) {
    for (Operation &op : llvm::make_early_inc_range(region.front())) {
      if (!leaving.contains(&op))
        continue;
      op.moveBefore(conditional);
      if (isAccess(&op))
        limit(&op, holds);
      else if (!isPure(&op))
        limitDivisor(&op, holds);
    }
  }

  /// Where the condition does not hold, by one.
  void limitDivisor(Operation *op, Value holds) {
    OpBuilder builder(op);
    OpOperand &divisor = op->getOpOperand(1);
    Value one = arith::ConstantOp::create(
        builder, op->getLoc(),
        builder.getIntegerAttr(divisor.get().getType(), 1));
    divisor.set(arith::SelectOp::create(builder, op->getLoc(), holds,
                                        divisor.get(), one));
  }

  void limit(Operation *op, Value holds) {
    OpBuilder builder(op);
    auto limitPlace = [&](Value view, OpOperand &first) {
      Value end = tile::DimOp::create(builder, op->getLoc(),
                                      builder.getIndexType(), view, 0);
      first.set(arith::SelectOp::create(builder, op->getLoc(), holds,
                                        first.get(), end));
    };
    auto limitMask = [&](Value address, Value mask) -> Value {
      Value all = holds;
      if (auto tile = dyn_cast<RankedTensorType>(address.getType()))
        all = tile::SplatOp::create(builder, op->getLoc(),
                                    tile.clone(builder.getI1Type()), holds);
      return mask ? arith::AndIOp::create(builder, op->getLoc(), mask, all)
                        .getResult()
                  : all;
    };
    if (auto load = dyn_cast<tile::LoadOp>(op))
      limitPlace(load.getView(), load.getOffsetsMutable()[0]);
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      limitPlace(store.getView(), store.getOffsetsMutable()[0]);
    else if (auto gather = dyn_cast<tile::GatherOp>(op))
      gather.getMaskMutable().assign(
          limitMask(gather.getPtr(), gather.getMask()));
    else if (auto scatter = dyn_cast<tile::ScatterOp>(op))
      scatter.getMaskMutable().assign(
          limitMask(scatter.getPtr(), scatter.getMask()));
  }

  scf::IfOp conditional;
  llvm::SetVector<Operation *> leaving;
  bool hasAccess = false;
};

struct OpenConditionalsPass
    : heddle::impl::OpenConditionalsBase<OpenConditionalsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (!loop.getBody()->getOps<tile::DotOp>().empty())
        openAll(*loop.getBody());
  }

  /// Inner ones first, whose accesses are then the outer one's.
  static void openAll(Block &block) {
    SmallVector<scf::IfOp> conditionals(block.getOps<scf::IfOp>());
    for (scf::IfOp conditional : conditionals) {
      if (isControlOfNumbers(conditional))
        continue;
      for (Region &region : conditional->getRegions())
        if (!region.empty())
          openAll(region.front());
      if (Opener opener(conditional); opener.canOpen())
        opener.open();
    }
  }
};

} // namespace
