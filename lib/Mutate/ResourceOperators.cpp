//===- ResourceOperators.cpp - What rings, barriers, processes declare ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes in declarations: arrival counts, places of slots and barriers,
// counts of threads, budgets of registers. The events stay right in most of
// these mutants, so only a check of declarations against uses can notice.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "heddle/Dialect/Hopper/TargetLimits.h"

using namespace mlir;
using namespace heddle::hopper;

namespace heddle::mutate {

static bool countMoreFull(Operation *op) {
  auto ring = dyn_cast<RingOp>(op);
  if (ring)
    ring.setFullArrivals(ring.getFullArrivals() + 1);
  return bool(ring);
}

static bool countMoreEmpty(Operation *op) {
  auto ring = dyn_cast<RingOp>(op);
  if (ring)
    ring.setEmptyArrivals(ring.getEmptyArrivals() + 1);
  return bool(ring);
}

static bool countLessFull(Operation *op) {
  auto ring = dyn_cast<RingOp>(op);
  if (!ring || ring.getFullArrivals() < 2)
    return false;
  ring.setFullArrivals(ring.getFullArrivals() - 1);
  return true;
}

static bool countLessEmpty(Operation *op) {
  auto ring = dyn_cast<RingOp>(op);
  if (!ring || ring.getEmptyArrivals() < 2)
    return false;
  ring.setEmptyArrivals(ring.getEmptyArrivals() - 1);
  return true;
}

/// Slots lie half over each other.
static bool overlapSlots(Operation *op) {
  auto ring = dyn_cast<RingOp>(op);
  int64_t half = ring ? int64_t(ring.getSlotBytes()) / 2 / 1024 * 1024 : 0;
  if (half == 0 || ring.getDepth() < 2)
    return false;
  ring.setSlotBytes(half);
  return true;
}

/// A ring lies over the one declared before it.
static bool aliasRings(Operation *op) {
  auto ring = dyn_cast<RingOp>(op);
  auto before = ring ? dyn_cast_or_null<RingOp>(op->getPrevNode()) : RingOp();
  if (!before || before.getSlotBytes() == 0 || ring.getSlotBytes() == 0)
    return false;
  ring.setOffset(before.getOffset());
  return true;
}

/// A buffer lies over the first ring.
static bool aliasBuffer(Operation *op) {
  auto buffer = dyn_cast<BufferOp>(op);
  if (!buffer)
    return false;
  for (auto ring : op->getParentOfType<KernelOp>().getOps<RingOp>())
    if (ring.getSlotBytes() && ring.getOffset() != buffer.getOffset()) {
      buffer.setOffset(ring.getOffset());
      return true;
    }
  return false;
}

/// Full and empty barriers are the same words.
static bool aliasBarriers(Operation *op) {
  auto ring = dyn_cast<RingOp>(op);
  if (ring)
    ring.setEmpty(ring.getFull());
  return bool(ring);
}

static bool moreSyncThreads(Operation *op) {
  auto sync = dyn_cast<SyncOp>(op);
  if (sync)
    sync.setThreads(sync.getThreads() + 32);
  return bool(sync);
}

static bool lessSyncThreads(Operation *op) {
  auto sync = dyn_cast<SyncOp>(op);
  if (sync)
    sync.setThreads(sync.getThreads() - 32);
  return bool(sync);
}

/// The barrier that another process uses; any other if there is none.
static bool otherSync(Operation *op) {
  auto sync = dyn_cast<SyncOp>(op);
  if (!sync)
    return false;
  int64_t other = 0;
  op->getParentOfType<KernelOp>()->walk([&](SyncOp each) {
    if (other == 0 && each.getId() != sync.getId())
      other = each.getId();
  });
  if (other == 0)
    return false; // alone, it may have any number
  sync.setId(other);
  return true;
}

/// Only where the block's registers are too few for that.
static bool askRegisters(Operation *op) {
  auto process = dyn_cast<ProcessOp>(op);
  if (!process || process.getRegisters() == 0 || process.getRegisters() >= 256)
    return false;
  int64_t asked = 256 * 32 * process.getWarps();
  for (auto other : op->getParentOfType<KernelOp>().getOps<ProcessOp>())
    if (other != process)
      asked += int64_t(other.getRegisters()) * 32 * other.getWarps();
  if (asked <= targetLimits().registersPerMultiprocessor)
    return false;
  process.setRegisters(256);
  return true;
}

static const Operator kOperators[] = {
    {"count-more-full", "A full barrier counts one arrival too many.",
     countMoreFull},
    {"count-less-full", "A full barrier counts one arrival too few.",
     countLessFull},
    {"count-more-empty", "An empty barrier counts one arrival too many.",
     countMoreEmpty},
    {"count-less-empty", "An empty barrier counts one arrival too few.",
     countLessEmpty},
    {"overlap-slots", "The slots of a ring lie half over each other.",
     overlapSlots},
    {"alias-rings", "Two rings have the same slots.", aliasRings},
    {"alias-buffer", "A buffer lies in a ring.", aliasBuffer},
    {"alias-barriers", "Full and empty barriers are the same.", aliasBarriers},
    {"sync-more", "A named barrier counts a warp too many.", moreSyncThreads},
    {"sync-less", "A named barrier counts a warp too few.", lessSyncThreads},
    {"sync-other", "A named barrier is another process's.", otherSync},
    {"ask-registers", "A process asks for all registers.", askRegisters},
};

ArrayRef<Operator> resourceOperators() { return kOperators; }

} // namespace heddle::mutate
