//===- VerifyTurns.cpp - Blocks that add to memory one after the other ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That a turn, once it has come, is passed, and not before what was added is
// there; and that nothing is added out of turn. Both ends of a turn stand in
// one block, so that nothing has to be followed through control flow. That it
// comes is a matter of all blocks: each waits for lower numbers, and the grid
// has a block for each instance.
//
//===----------------------------------------------------------------------===//

#include "VerifyKernel.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::hopper {

/// What `op` adds to; null if it does not add.
static Value addedBy(Operation *op) {
  if (auto sum = dyn_cast<tile::ViewReduceOp>(op))
    return sum.getView();
  auto store = dyn_cast<TmaStoreOp>(op);
  return store && store.getAdd() ? Value(store.getView()) : Value();
}

namespace {
/// One block of a process, from the first operation to the last.
class TurnVerifier {
public:
  explicit TurnVerifier(ProcessOp process) : process(process) {
    for (auto counters :
         process->getParentOfType<KernelOp>().getOps<CountersOp>())
      countersOf[counters.getAdded()] = counters.getView();
  }

  LogicalResult verify(Block &block);
  /// Behind all blocks: is anything added out of turn?
  LogicalResult verifyRest();

private:
  LogicalResult visit(Operation *op);
  LogicalResult await(AwaitTurnOp op);
  LogicalResult pass(PassTurnOp op);
  LogicalResult add(Operation *op);

  ProcessOp process;
  DenseMap<Value, Value> countersOf; ///< of what is added to in turns
  DenseSet<Operation *> inTurn;      ///< what adds to these, in its turn
  AwaitTurnOp open;                  ///< not passed yet
  bool isKnown = false;              ///< to all threads, that the turn has come
  bool isAdding = false;             ///< threads, since they met last
  bool isUnderWay = false;           ///< what TMA adds
};
} // namespace

LogicalResult TurnVerifier::await(AwaitTurnOp op) {
  if (open)
    return reportOp(op, diag::hopper_turn)
           << "awaits a turn before the one before is passed";
  open = op;
  isKnown = isAdding = isUnderWay = false;
  return success();
}

LogicalResult TurnVerifier::pass(PassTurnOp op) {
  if (!open || open.getCounters() != op.getCounters() ||
      open.getPlace() != op.getPlace())
    return reportOp(op, diag::hopper_turn)
           << "passes a turn that is not awaited before it in this block";
  if (isAdding)
    return reportOp(op, diag::hopper_turn)
           << "passes a turn while threads may still add; a hopper.sync is "
              "missing";
  if (isUnderWay)
    return reportOp(op, diag::hopper_turn)
           << "passes a turn while TMA may still add; "
              "`hopper.tma_store_wait 0 complete` is missing";
  open = {};
  return success();
}

/// The first thread orders TMA to add; the others add themselves.
LogicalResult TurnVerifier::add(Operation *op) {
  if (!open || countersOf.lookup(addedBy(op)) != open.getCounters())
    return success();
  inTurn.insert(op);
  if (isa<TmaStoreOp>(op)) {
    isUnderWay = true;
    return success();
  }
  isAdding = true;
  if (isKnown)
    return success();
  return reportOp(op, diag::hopper_turn)
         << "adds before all threads know that the turn has come; a "
            "hopper.sync is missing";
}

LogicalResult TurnVerifier::visit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AwaitTurnOp op) { return await(op); })
      .Case([&](PassTurnOp op) { return pass(op); })
      .Case([&](SyncOp op) {
        if (op.getThreads() == process.getWarps() * 32) {
          isKnown = true;
          isAdding = false;
        }
        return success();
      })
      .Case([&](TmaStoreWaitOp op) {
        if (op.getComplete() && op.getPending() == 0)
          isUnderWay = false;
        return success();
      })
      .Default([&](Operation *op) {
        // Inside, too, where it is not known what was met last.
        WalkResult result = op->walk([&](Operation *inner) -> WalkResult {
          return addedBy(inner) ? add(inner) : success();
        });
        return failure(result.wasInterrupted());
      });
}

LogicalResult TurnVerifier::verify(Block &block) {
  for (Operation &op : block)
    if (failed(visit(&op)))
      return failure();
  if (open)
    return reportOp(open, diag::hopper_turn)
           << "awaits a turn that this block does not pass";
  return success();
}

LogicalResult TurnVerifier::verifyRest() {
  WalkResult result = process.walk([&](Operation *op) -> WalkResult {
    Value view = addedBy(op);
    if (!view || !countersOf.contains(view) || inTurn.contains(op))
      return success();
    return LogicalResult(reportOp(op, diag::hopper_turn)
                         << "adds out of turn to a view that hopper.counters "
                            "is for");
  });
  return failure(result.wasInterrupted());
}

/// A turn counts in counters that the launch clears, and no block has a second
/// instance that could hold up the turn it waits for.
static LogicalResult verifyPlace(KernelOp kernel, Operation *op, Value view) {
  auto argument = dyn_cast<BlockArgument>(view);
  if (!argument || argument.getOwner() != &kernel.getEntry() ||
      !kernel.getCounters(argument.getArgNumber()))
    return reportOp(op, diag::hopper_turn)
           << "counts in a view that hopper.counters does not make";
  for (auto grid : kernel.getOps<GridOp>())
    if (!grid.hasBlockEach() || grid.getTeams() != 1)
      return reportOp(op, diag::hopper_turn)
             << "waits for other instances, and the grid has no block for "
                "each instance";
  return success();
}

LogicalResult verifyTurns(KernelOp kernel) {
  for (auto process : kernel.getOps<ProcessOp>()) {
    SmallVector<Block *> blocks;
    WalkResult result = process.walk([&](Operation *op) -> WalkResult {
      Value counters;
      if (auto await = dyn_cast<AwaitTurnOp>(op))
        counters = await.getCounters();
      else if (auto pass = dyn_cast<PassTurnOp>(op))
        counters = pass.getCounters();
      else
        return success();
      if (!llvm::is_contained(blocks, op->getBlock()))
        blocks.push_back(op->getBlock());
      return verifyPlace(kernel, op, counters);
    });
    if (result.wasInterrupted())
      return failure();
    TurnVerifier verifier(process);
    for (Block *block : blocks)
      if (failed(verifier.verify(*block)))
        return failure();
    if (failed(verifier.verifyRest()))
      return failure();
  }
  return success();
}

} // namespace heddle::hopper
