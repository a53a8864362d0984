//===- EmitBarriers.cpp - Waits, arrivals and named barriers ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "heddle/Conversion/DebugWaits.h"

using namespace mlir;

namespace heddle::tonvvm {

Value Emitter::barrierAddress(Code &code, StringRef ring, StringRef side,
                              Value slot) {
  hopper::RingOp op = findRing(ring);
  int64_t offset = side == "full" ? op.getFull() : op.getEmpty();
  return code.advance(code.advance(shared, code.mul(slot, 8)), offset);
}

LogicalResult Emitter::emitWait(hopper::WaitOp op) {
  Code code(builder, op.getLoc());
  Value barrier =
      barrierAddress(code, op.getRing(), op.getSide(), scalar(op.getSlot()));
  Value phase = scalar(op.getPhase());
  if (!trapRecord) {
    code.waitBarrier(barrier, phase);
    return success();
  }
  // A debug build: what happens when this wait does not end.
  Value counter = waitCounters.lookup({op.getRing(), op.getSide()});
  Value items = code.load(builder.getI32Type(), counter, 4);
  code.store(code.add(items, 1), counter, 4);
  Value offset = code.sharedDistance(barrier, shared);
  Value warp = code.add(threads.warp, threads.process.getFirstWarp());
  Value now = code.globalTimer();
  code.waitBarrier(barrier, phase, [&] {
    Value late = code.isAfter(code.globalTimer(), now, kDebugWaitNanoseconds);
    code.trapIfFirst(late, trapRecord,
                     {offset, warp, items, code.blockIndex()});
  });
  return success();
}

// The lanes of a warp must all be done before the one that speaks for them
// arrives; `after` needs no code, it only orders the op behind a wait.
LogicalResult Emitter::emitArrive(hopper::ArriveOp op) {
  Code code(builder, op.getLoc());
  Value barrier =
      barrierAddress(code, op.getRing(), op.getSide(), scalar(op.getSlot()));
  if (threads.isSingle()) {
    code.arrive(barrier);
    return success();
  }
  if (needed.meetings.contains(op))
    code.syncWarp();
  code.ifThen(threads.elected, [&] { code.arrive(barrier); });
  return success();
}

LogicalResult Emitter::emitExpect(hopper::ExpectOp op) {
  Code code(builder, op.getLoc());
  Value barrier =
      barrierAddress(code, op.getRing(), "full", scalar(op.getSlot()));
  auto expect = [&] { code.arriveExpect(barrier, op.getBytes()); };
  if (threads.isSingle())
    expect();
  else
    code.ifThen(threads.first, expect);
  return success();
}

LogicalResult Emitter::emitSync(hopper::SyncOp op) {
  Code code(builder, op.getLoc());
  code.barrier(op.getId(), op.getThreads());
  return success();
}

} // namespace heddle::tonvvm
