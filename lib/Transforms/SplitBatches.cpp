//===- SplitBatches.cpp - Products of three axes as several of two --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: dots of tiles of three axes, a product of two matrices at each place of
// the first. Out: a dot of two axes for each place, and so for what they are
// made of and what becomes of their sums: each tile on the way is a tile for
// each place, from the loads on to the stores, and loops carry these. Behind
// it no pass meets a batch, and loads of one matrix are what views and rings
// know. Where a batch comes from an operation that mixes the places, or goes
// to one, it is taken apart or put together in registers there.
//
// The code grows with the places, so there is a limit to them.
//
//===----------------------------------------------------------------------===//

#include "SplitBatches.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace heddle {
#define GEN_PASS_DEF_SPLITBATCHES
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;
using namespace heddle::batches;

/// Places of a dot, each of which has code of its own.
static constexpr int64_t kMostPlaces = 16;

static bool isBatch(tile::DotOp dot) { return rankOf(dot.getA()) == 3; }

/// What carries on as `value` where a loop or a conditional carries it; with
/// `value` itself.
static SmallVector<Value> carriedWith(Value value) {
  scf::ForOp loop;
  unsigned index = 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument.getArgNumber() == 0)
      return {};
    index = argument.getArgNumber() - 1;
  } else if (auto result = cast<OpResult>(value);
             auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
    return {value, branch.thenYield().getOperand(result.getResultNumber()),
            branch.elseYield().getOperand(result.getResultNumber())};
  } else {
    loop = dyn_cast<scf::ForOp>(result.getOwner());
    index = result.getResultNumber();
  }
  if (!loop)
    return {};
  return {loop.getRegionIterArg(index), loop.getResult(index),
          loop.getInits()[index], loop.getYieldedValues()[index]};
}

/// Where a use of a value carries it to; null if it is not carried.
static Value carriedBy(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned controls = loop.getNumControlOperands();
    return use.getOperandNumber() < controls
               ? Value()
               : loop.getResult(use.getOperandNumber() - controls);
  }
  if (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp()))
    return op->getParentOp()->getResult(use.getOperandNumber());
  return {};
}

namespace {

/// Which values are split, and which operations do so.
class Closure {
public:
  void add(tile::DotOp dot) {
    operations.insert(dot);
    for (Value operand : dot->getOperands())
      makeBackwards(operand);
    makeForwards(dot.getResult());
    while (!pending.empty()) {
      auto [value, isForwards] = pending.pop_back_val();
      if (isForwards)
        followUses(value);
      else
        followSources(value);
    }
  }

  bool isSplit(Value value) const { return values.contains(value); }
  bool splits(Operation *op) const { return operations.contains(op); }

private:
  /// What makes the value makes its parts; its other users keep the whole.
  void makeBackwards(Value value) {
    if (rankOf(value) > 0 && values.insert(value).second)
      pending.push_back({value, false});
  }
  /// Its users read parts as well, as far as they can.
  void makeForwards(Value value) {
    makeBackwards(value);
    if (rankOf(value) > 0 && forwards.insert(value).second)
      pending.push_back({value, true});
  }

  void followSources(Value value) {
    SmallVector<Value> carried = carriedWith(value);
    for (Value one : carried)
      if (isa<BlockArgument>(one) ||
          isa<scf::ForOp, scf::IfOp>(one.getDefiningOp()))
        makeForwards(one);
      else
        makeBackwards(one);
    Operation *op = value.getDefiningOp();
    if (carried.empty() && op)
      split(op);
  }

  void split(Operation *op) {
    if (!goesByPlace(op) || !operations.insert(op))
      return;
    for (Value operand : placedOperands(op))
      makeBackwards(operand);
    // The other results of the same operation are made with this one.
    for (Value result : op->getResults())
      makeBackwards(result);
  }

  void followUses(Value value) {
    for (OpOperand &use : value.getUses()) {
      if (Value carried = carriedBy(use)) {
        makeForwards(carried);
        continue;
      }
      Operation *op = use.getOwner();
      if (!goesByPlace(op) || !llvm::is_contained(placedOperands(op), value))
        continue;
      split(op);
      for (Value result : op->getResults())
        makeForwards(result);
    }
  }

  llvm::SetVector<Operation *> operations;
  llvm::DenseSet<Value> values, forwards;
  SmallVector<std::pair<Value, bool>> pending;
};

/// Puts the parts in the place of batches, from the kernel's first operation
/// on.
class Rewriter {
public:
  Rewriter(Closure &closure, MLIRContext *context)
      : closure(closure), builder(context) {}

  LogicalResult rewrite(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      LogicalResult done = success();
      if (auto loop = dyn_cast<scf::ForOp>(op))
        done = rewriteLoop(loop);
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        done = rewriteBranch(branch);
      else if (closure.splits(&op))
        done = splitOperation(&op);
      else
        done = rewriteRegions(&op);
      if (failed(done))
        return failure();
    }
    return success();
  }

private:
  LogicalResult rewriteRegions(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(rewrite(block)))
          return failure();
    return success();
  }

  FailureOr<SmallVector<Value>> partsOf(Value batch) {
    if (auto found = parts.find(batch); found != parts.end())
      return found->second;
    if (!llvm::isPowerOf2_64(placesOf(batch))) {
      report(batch.getLoc(), diag::batch_too_long)
          << "this tile of " << placesOf(batch)
          << " matrices is multiplied one by one, and only a power of two of "
             "them can be taken apart here";
      return failure();
    }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(batch);
    SmallVector<Value> taken = takeApart(builder, batch.getLoc(), batch);
    parts[batch] = taken;
    return taken;
  }

  /// Puts parts together to the whole batch, for users that are not split.
  void putInPlace(Value batch, ArrayRef<Value> made, Location loc) {
    if (batch.use_empty())
      return;
    Value whole = putTogether(builder, loc,
                              cast<RankedTensorType>(batch.getType()), made);
    batch.replaceAllUsesWith(whole);
    parts[whole] = SmallVector<Value>(made);
  }

  LogicalResult splitOperation(Operation *op) {
    SmallVector<IRMapping> places(size_t(placesOf(op)));
    for (Value operand : placedOperands(op)) {
      FailureOr<SmallVector<Value>> found = partsOf(operand);
      if (failed(found))
        return failure();
      for (auto [place, mapping] : llvm::enumerate(places))
        mapping.map(operand, (*found)[found->size() == 1 ? 0 : place]);
    }
    builder.setInsertionPoint(op);
    SmallVector<SmallVector<Value>> made(op->getNumResults());
    for (auto [place, mapping] : llvm::enumerate(places))
      for (auto [result, all] :
           llvm::zip(makeAt(builder, op, int64_t(place), mapping), made))
        all.push_back(result);
    if (!isa<tile::DotOp>(op) && op->getNumResults() != 0) {
      for (auto [result, all] : llvm::zip(op->getResults(), made))
        parts[result] = all;
      return success();
    }
    builder.setInsertionPointAfter(op);
    for (auto [result, all] : llvm::zip(op->getResults(), made))
      putInPlace(result, all, op->getLoc());
    op->erase();
    return success();
  }

  /// Operands with the parts of those that are split.
  FailureOr<SmallVector<Value>> expand(OperandRange operands,
                                       ArrayRef<bool> areSplit) {
    SmallVector<Value> expanded;
    for (auto [operand, isSplit] : llvm::zip(operands, areSplit)) {
      if (!isSplit) {
        expanded.push_back(operand);
        continue;
      }
      FailureOr<SmallVector<Value>> found = partsOf(operand);
      if (failed(found))
        return failure();
      llvm::append_range(expanded, *found);
    }
    return expanded;
  }

  /// Makes `to` the values that `from` was, some as parts.
  void collapse(ValueRange from, ValueRange to, ArrayRef<bool> areSplit) {
    size_t next = 0;
    for (auto [value, isSplit] : llvm::zip(from, areSplit)) {
      if (!isSplit) {
        value.replaceAllUsesWith(to[next++]);
        continue;
      }
      SmallVector<Value> made(to.slice(next, size_t(placesOf(value))));
      next += made.size();
      putInPlace(value, made, value.getLoc());
    }
  }

  SmallVector<bool> areSplit(ValueRange values) const {
    return llvm::map_to_vector(
        values, [&](Value value) { return closure.isSplit(value); });
  }

  LogicalResult rewriteYield(Block &block, ArrayRef<bool> areSplit) {
    auto yield = cast<scf::YieldOp>(block.getTerminator());
    FailureOr<SmallVector<Value>> expanded =
        expand(yield->getOperands(), areSplit);
    if (failed(expanded))
      return failure();
    yield->setOperands(*expanded);
    return success();
  }

  LogicalResult rewriteLoop(scf::ForOp loop) {
    SmallVector<bool> split = areSplit(loop.getResults());
    if (!llvm::is_contained(split, true))
      return rewrite(*loop.getBody());
    FailureOr<SmallVector<Value>> inits = expand(loop.getInits(), split);
    if (failed(inits))
      return failure();
    builder.setInsertionPoint(loop);
    auto made =
        scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                           loop.getUpperBound(), loop.getStep(), *inits);
    made->setAttrs(loop->getAttrs());
    Block &from = *loop.getBody(), &to = *made.getBody();
    if (!to.empty())
      to.back().erase();
    to.getOperations().splice(to.end(), from.getOperations());
    builder.setInsertionPointToStart(&to);
    loop.getInductionVar().replaceAllUsesWith(made.getInductionVar());
    collapse(loop.getRegionIterArgs(), made.getRegionIterArgs(), split);
    if (failed(rewrite(to)) || failed(rewriteYield(to, split)))
      return failure();
    builder.setInsertionPointAfter(made);
    collapse(loop.getResults(), made.getResults(), split);
    loop.erase();
    return success();
  }

  LogicalResult rewriteBranch(scf::IfOp branch) {
    SmallVector<bool> split = areSplit(branch.getResults());
    if (!llvm::is_contained(split, true))
      return rewriteRegions(branch);
    SmallVector<Type> types;
    for (auto [result, isSplit] : llvm::zip(branch.getResults(), split))
      types.append(isSplit ? size_t(placesOf(result)) : 1,
                   isSplit ? typeOfPart(result.getType()) : result.getType());
    builder.setInsertionPoint(branch);
    auto made = scf::IfOp::create(builder, branch.getLoc(), types,
                                  branch.getCondition(), true);
    for (auto [from, to] :
         llvm::zip(branch->getRegions(), made->getRegions())) {
      to.takeBody(from);
      if (failed(rewrite(to.front())) ||
          failed(rewriteYield(to.front(), split)))
        return failure();
    }
    builder.setInsertionPointAfter(made);
    collapse(branch.getResults(), made.getResults(), split);
    branch.erase();
    return success();
  }

  Closure &closure;
  OpBuilder builder;
  llvm::DenseMap<Value, SmallVector<Value>> parts;
};

struct SplitBatchesPass : heddle::impl::SplitBatchesBase<SplitBatchesPass> {
  void runOnOperation() override {
    Closure closure;
    bool isAny = false;
    WalkResult walked = getOperation().walk([&](tile::DotOp dot) {
      if (!isBatch(dot))
        return WalkResult::advance();
      if (placesOf(dot.getA()) > kMostPlaces) {
        report(dot, diag::batch_too_long)
            << "this dot is " << placesOf(dot.getA())
            << " products of two matrices; up to " << kMostPlaces
            << " are computed one by one";
        return WalkResult::interrupt();
      }
      isAny = true;
      closure.add(dot);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    if (!isAny)
      return markAllAnalysesPreserved();
    if (failed(Rewriter(closure, &getContext())
                   .rewrite(*getOperation().getBody())))
      signalPassFailure();
  }
};

} // namespace
