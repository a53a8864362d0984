//===- EventOperators.cpp - Events dropped, repeated, moved or weakened -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes in events: one is missing, happens twice, stands too early or too
// late, or waits for too little. An operator edits the rung at one operation
// and returns false, with nothing changed, where it does not apply.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

using namespace mlir;
using namespace heddle::hopper;

namespace heddle::mutate {

template <typename Op> static bool drop(Operation *op) {
  if (!isa<Op>(op))
    return false;
  op->erase();
  return true;
}

template <typename Op> static bool repeat(Operation *op) {
  if (!isa<Op>(op))
    return false;
  OpBuilder builder(op);
  builder.clone(*op);
  return true;
}

/// Behind the next operation of one of the kinds in its block.
template <typename... Kinds> static bool moveBehindNext(Operation *op) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (isa<Kinds...>(next)) {
      op->moveAfter(next);
      return true;
    }
  return false;
}

static bool delayWait(Operation *op) {
  return isa<WaitOp>(op) &&
         moveBehindNext<WgmmaOp, LocalLoadOp, TmaLoadOp, CopyOp>(op);
}

static bool delayFence(Operation *op) {
  return isa<FenceAsyncOp>(op) && moveBehindNext<SyncOp, ArriveOp>(op);
}

/// Is the tile in a slot of the ring?
static bool isIn(Value tile, StringRef ring) {
  while (auto trans = tile.getDefiningOp<SharedTransOp>())
    tile = trans.getTile();
  auto slot = tile.getDefiningOp<SlotOp>();
  return slot && slot.getRing() == ring;
}

/// Before what ends the last use of the slot: the last wait that the release
/// names, or the access before it.
template <typename... Accesses>
static bool moveBeforeUse(Operation *op, StringRef side) {
  auto arrive = dyn_cast<ArriveOp>(op);
  // An arrival that names copies comes after them.
  if (!arrive || arrive.getSide() != side || !arrive.getCopies().empty())
    return false;
  Operation *use = nullptr;
  for (Value value : arrive.getAfter())
    if (Operation *wait = value.getDefiningOp())
      if (wait->getBlock() == op->getBlock() &&
          (!use || use->isBeforeInBlock(wait)))
        use = wait;
  for (Operation *before = op->getPrevNode(); before && !use;
       before = before->getPrevNode())
    if (isa<Accesses...>(before) &&
        llvm::any_of(before->getOperands(), [&](Value operand) {
          return isIn(operand, arrive.getRing());
        }))
      use = before;
  if (!use)
    return false;
  arrive.getAfterMutable().clear();
  op->moveBefore(use);
  return true;
}

static bool releaseEarly(Operation *op) {
  return moveBeforeUse<LocalLoadOp, LocalTakeOp, LocalUnfoldOp>(op, "empty");
}

static bool publishEarly(Operation *op) {
  return moveBeforeUse<CopyOp, LocalStoreOp>(op, "full");
}

static bool weakenProductWait(Operation *op) {
  auto wait = dyn_cast<WgmmaWaitOp>(op);
  if (!wait)
    return false;
  wait.setPending(wait.getPending() + 1);
  return true;
}

/// It names a value, so it stays, but waits for nothing.
static bool dropProductWait(Operation *op) {
  auto wait = dyn_cast<WgmmaWaitOp>(op);
  if (!wait)
    return false;
  wait.setPending(7);
  return true;
}

static bool weakenStoreWait(Operation *op) {
  auto wait = dyn_cast<TmaStoreWaitOp>(op);
  if (!wait)
    return false;
  wait.setPending(wait.getPending() + 1);
  return true;
}

static bool changeBytes(Operation *op, int64_t sign) {
  auto expect = dyn_cast<ExpectOp>(op);
  if (!expect)
    return false;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (auto load = dyn_cast<TmaLoadOp>(next)) {
      expect.setBytes(expect.getBytes() +
                      sign * load.getTile().getType().getSizeBytes());
      return true;
    }
  return false;
}

static bool expectMore(Operation *op) { return changeBytes(op, 1); }
static bool expectLess(Operation *op) { return changeBytes(op, -1); }

static const Operator kOperators[] = {
    {"drop-arrive", "An arrival is missing.", drop<ArriveOp>},
    {"repeat-arrive", "An arrival happens twice.", repeat<ArriveOp>},
    {"release-early", "A slot is released before its last read has ended.",
     releaseEarly},
    {"publish-early", "A slot is published before it is written.",
     publishEarly},
    {"drop-wait", "Nobody waits for a slot.", drop<WaitOp>},
    {"repeat-wait", "A wait for a slot happens twice.", repeat<WaitOp>},
    {"delay-wait", "A wait stands behind the first use of its slot.",
     delayWait},
    {"drop-expect", "The bytes of a turn are not announced.", drop<ExpectOp>},
    {"expect-more", "A box more is announced than is copied.", expectMore},
    {"expect-less", "A box less is announced than is copied.", expectLess},
    {"drop-copy", "A copy by TMA is missing.", drop<TmaLoadOp>},
    {"repeat-copy", "A copy by TMA happens twice.", repeat<TmaLoadOp>},
    {"weaken-product-wait", "One product more may stay in flight.",
     weakenProductWait},
    {"drop-product-wait", "All products may stay in flight.", dropProductWait},
    {"drop-fence", "A proxy fence is missing.", drop<FenceAsyncOp>},
    {"delay-fence", "A proxy fence stands behind the barrier.", delayFence},
    {"drop-sync", "A named barrier is missing.", drop<SyncOp>},
    {"drop-store-wait", "Nothing waits for a TMA store.", drop<TmaStoreWaitOp>},
    {"weaken-store-wait", "One TMA store more may still read.",
     weakenStoreWait},
};

ArrayRef<Operator> eventOperators() { return kOperators; }

} // namespace heddle::mutate
