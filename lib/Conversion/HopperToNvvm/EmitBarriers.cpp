//===- EmitBarriers.cpp - Waits, arrivals and named barriers ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

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
  code.waitBarrier(
      barrierAddress(code, op.getRing(), op.getSide(), scalar(op.getSlot())),
      scalar(op.getPhase()));
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
