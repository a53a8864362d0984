//===- LeaveEarly.cpp - Instances that write nothing do nothing -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose launch has more instances than memory has work for: rows
// of an expert, of a sequence. Their masks exclude every element, but their
// loops run. Out: a conditional around all that such an instance would do for
// nothing.
//
// An instance has no effect but its stores, and a store to a view that ends
// before the tile begins writes nothing. Only ends that memory or the instance
// itself decides are asked about; a launch has no instances too many by what it
// knows. What the ends are computed from moves in front of the conditional.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace heddle {
#define GEN_PASS_DEF_LEAVEEARLY
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// A store whose view may be empty for an instance.
struct Store {
  tile::StoreOp op;
  tile::MakeViewOp view;
  SmallVector<unsigned> axes; ///< whose ends the instance finds out
};

/// All that decides whether an instance writes.
struct Work {
  SmallVector<Store> stores;
  llvm::SetVector<Operation *> slice; ///< what the ends are computed from
};

bool isOutermost(Operation *op, Block &body) { return op->getBlock() == &body; }

/// Nothing that an instance does can be seen but these stores.
std::optional<SmallVector<Store>> findStores(Block &body) {
  SmallVector<Store> stores;
  bool isLoop = false;
  for (Operation &top : body) {
    WalkResult result = top.walk([&](Operation *op) {
      isLoop |= isa<LoopLikeOpInterface>(op);
      if (auto store = dyn_cast<tile::StoreOp>(op)) {
        if (!isOutermost(op, body))
          return WalkResult::interrupt();
        stores.push_back(
            {store, store.getView().getDefiningOp<tile::MakeViewOp>(), {}});
        return WalkResult::advance();
      }
      // What is assumed of an access matters where it happens.
      auto claim = dyn_cast<tile::AssertOp>(op);
      if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
          op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op) ||
          (claim && claim.getAssumed()))
        return WalkResult::advance();
      auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      bool isRead = effects && effects.onlyHasEffect<MemoryEffects::Read>();
      return isRead ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return std::nullopt;
  }
  if (!isLoop || stores.empty())
    return std::nullopt;
  return stores;
}

/// Whether an instance finds out where this view ends along some axis.
bool hasOwnEnds(Store &store, Block &body) {
  if (!store.view || !isOutermost(store.view, body))
    return false;
  for (auto [axis, extent] : llvm::enumerate(store.view.getExtents())) {
    Operation *made = extent.getDefiningOp();
    if (made && isOutermost(made, body) && !matchPattern(extent, m_Constant()))
      store.axes.push_back(axis);
  }
  return !store.axes.empty();
}

/// Adds what `value` is computed from; false if that cannot stand in front of
/// the loops and the stores.
bool addSlice(Value value, Block &body, Operation *firstStore, Work &work) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOutermost(op, body) || work.slice.contains(op))
    return true;
  if (op->getNumRegions() || isa<ShapedType>(op->getResult(0).getType()))
    return false;
  if (!isMemoryEffectFree(op) && !op->isBeforeInBlock(firstStore))
    return false;
  for (Value operand : op->getOperands())
    if (!addSlice(operand, body, firstStore, work))
      return false;
  work.slice.insert(op);
  return true;
}

std::optional<Work> findWork(Block &body) {
  std::optional<SmallVector<Store>> stores = findStores(body);
  if (!stores)
    return std::nullopt;
  Work work{std::move(*stores), {}};
  Operation *first = work.stores.front().op;
  bool readsMemory = false;
  for (Store &store : work.stores) {
    if (!hasOwnEnds(store, body))
      return std::nullopt;
    for (unsigned axis : store.axes)
      if (!addSlice(store.view.getExtents()[axis], body, first, work) ||
          !addSlice(store.op.getOffsets()[axis], body, first, work))
        return std::nullopt;
  }
  for (Operation *op : work.slice)
    readsMemory |= !isMemoryEffectFree(op);
  if (!readsMemory)
    return std::nullopt;
  return work;
}

/// Whether the first element of the tile that the view has, if any, is there.
Value writes(OpBuilder &builder, Store &store) {
  Location loc = store.op.getLoc();
  Value all;
  for (unsigned axis : store.axes) {
    Value one = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      store.op.getOffsets()[axis],
                                      store.view.getExtents()[axis]);
    all = all ? arith::AndIOp::create(builder, loc, all, one).getResult() : one;
  }
  return all;
}

void enclose(Block &body, Work &work) {
  Operation *begin = &body.front();
  SmallVector<Operation *> order(work.slice.begin(), work.slice.end());
  llvm::sort(order,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpBuilder builder(&body, body.begin());
  Operation *last = nullptr;
  for (Operation *op : order) {
    if (last)
      op->moveAfter(last);
    else if (op != begin)
      op->moveBefore(begin);
    last = op;
  }
  builder.setInsertionPointAfter(last);
  Value any;
  for (Store &store : work.stores) {
    Value one = writes(builder, store);
    any = any ? arith::OrIOp::create(builder, store.op.getLoc(), any, one)
                    .getResult()
              : one;
  }
  Location loc = work.stores.front().op.getLoc();
  auto conditional =
      scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
  Block *inside = conditional.thenBlock();
  Operation *end = body.mightHaveTerminator() ? body.getTerminator() : nullptr;
  inside->getOperations().splice(inside->begin(), body.getOperations(),
                                 std::next(conditional->getIterator()),
                                 end ? end->getIterator() : body.end());
}

struct LeaveEarlyPass : heddle::impl::LeaveEarlyBase<LeaveEarlyPass> {
  void runOnOperation() override {
    SmallVector<Block *> bodies;
    getOperation().walk([&](tile::ParallelOp parallel) {
      bodies.push_back(&parallel.getBody().front());
    });
    for (Block *body : bodies)
      if (std::optional<Work> work = findWork(*body))
        enclose(*body, *work);
  }
};

} // namespace
