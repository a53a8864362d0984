//===- FenceReads.cpp - Slots that threads give back to TMA ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of each process the rings are collected whose slots its threads read; a tile
// that comes through control flow may be of any ring. A slot has one barrier
// for all that lies in it, so between the last such read and the arrival stands
// a fence: one that is there anyway, or one in front of the arrival. Beside
// products in flight a fence takes some hundred cycles, however much it is for.
//
//===----------------------------------------------------------------------===//

#include "FenceReads.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace heddle;

namespace {
struct Rings {
  llvm::StringSet<> names;
  bool isAny = false;

  void add(Value tile) {
    while (auto trans = tile.getDefiningOp<hopper::SharedTransOp>())
      tile = trans->getOperand(0);
    auto slot = tile.getDefiningOp<hopper::SlotOp>();
    if (slot)
      names.insert(slot.getRing());
    else if (!tile.getDefiningOp<hopper::BufferOp>())
      isAny = true;
  }
  void addReads(Operation *op) {
    if (auto load = dyn_cast<hopper::LocalLoadOp>(op))
      add(load.getTile());
    else if (auto take = dyn_cast<hopper::LocalTakeOp>(op))
      add(take.getTile());
    else if (auto unfold = dyn_cast<hopper::LocalUnfoldOp>(op))
      add(unfold.getTile());
  }
  bool contains(StringRef ring) const { return isAny || names.contains(ring); }
};
} // namespace

/// Slots of a ring of which one may be kept for a while: another is read next,
/// and one is being filled.
static constexpr int64_t kSpare = 3;

/// Whether the process may stand still here until another one goes on, or
/// leaves the block.
static bool mayWait(Operation &op) {
  return op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>() ||
         isa<hopper::WaitOp, hopper::SyncOp, hopper::TmaStoreWaitOp>(op);
}

/// Does `op`, or what it holds, read a slot that may be of `ring`?
static bool reads(Operation *op, StringRef ring) {
  return op
      ->walk([&](Operation *inner) {
        Rings rings;
        rings.addReads(inner);
        return rings.contains(ring) ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Does a fence stand between the last read of the ring and `arrive` already?
static bool isFenced(hopper::ArriveOp arrive) {
  for (Operation *op = arrive->getPrevNode(); op; op = op->getPrevNode()) {
    if (isa<hopper::FenceAsyncOp>(op))
      return true;
    if (reads(op, arrive.getRing()))
      return false;
  }
  return false;
}

/// The fence waits for the reads. Where the producer has further slots to go on
/// with, the arrival therefore stands as late as no other process can tell: in
/// front of the next step that may wait. There one fence is for all that is
/// given back.
static void fence(hopper::ArriveOp arrive, bool isUrgent) {
  Operation *next = isUrgent ? nullptr : arrive->getNextNode();
  while (next && !mayWait(*next))
    next = next->getNextNode();
  if (next)
    arrive->moveBefore(next);
  Operation *before = arrive->getPrevNode();
  while (isa_and_nonnull<hopper::ArriveOp>(before))
    before = before->getPrevNode();
  if (isa_and_nonnull<hopper::FenceAsyncOp>(before))
    return;
  OpBuilder builder(arrive);
  hopper::FenceAsyncOp::create(builder, arrive.getLoc());
}

void heddle::areftohopper::fenceReads(hopper::KernelOp kernel) {
  llvm::StringSet<> filledByTma;
  kernel.walk(
      [&](hopper::TmaLoadOp load) { filledByTma.insert(load.getRing()); });
  llvm::StringMap<int64_t> depths;
  for (auto ring : kernel.getOps<hopper::RingOp>())
    depths[ring.getSym()] = ring.getDepth();
  for (auto process : kernel.getOps<hopper::ProcessOp>()) {
    Rings read;
    process.walk([&](Operation *op) { read.addReads(op); });
    SmallVector<hopper::ArriveOp> arrivals;
    process.walk([&](hopper::ArriveOp arrive) {
      if (arrive.getSide() == "empty" &&
          filledByTma.contains(arrive.getRing()) &&
          read.contains(arrive.getRing()))
        arrivals.push_back(arrive);
    });
    for (hopper::ArriveOp arrive : arrivals)
      if (!isFenced(arrive))
        fence(arrive, depths.lookup(arrive.getRing()) < kSpare);
  }
}
