//===- EmitBarriers.cpp - Waits, arrivals and named barriers ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ring barriers, named barriers and stamps. Waits, arrivals and their order
// come from the rung; here is only which threads execute them: all wait, one
// lane arrives for its warp, the first thread of the process announces bytes. A
// debug build gives up a wait after a time and leaves a record.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "WholeTiles.h"
#include "heddle/Conversion/DebugWaits.h"
#include "heddle/Conversion/Stamps.h"

using namespace mlir;

namespace heddle::tonvvm {

Value Emitter::barrierAddress(Code &code, Operation *op, StringRef ring,
                              StringRef side, Value slot) {
  hopper::RingOp found = findRing(ring);
  int64_t offset = side == "full" ? found.getFull() : found.getEmpty();
  return code.advance(code.advance(sharedFor(code, op), code.mul(slot, 8)),
                      offset);
}

LogicalResult Emitter::emitWait(hopper::WaitOp op) {
  Code code(builder, op.getLoc());
  Value barrier = barrierAddress(code, op, op.getRing(), op.getSide(),
                                 scalar(op.getSlot()));
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
  Value barrier = barrierAddress(code, op, op.getRing(), op.getSide(),
                                 scalar(op.getSlot()));
  if (threads.isSingle()) {
    code.arrive(barrier);
    return success();
  }
  if (!op.getCopies().empty()) {
    emitArriveWithCopies(code, barrier, op.getCopies());
    return success();
  }
  if (needed.meetings.contains(op))
    code.syncWarp();
  code.ifThen(threads.elected, [&] { code.arrive(barrier); });
  return success();
}

/// What threads copied by themselves is published by an arrival of their own,
/// which the memory system's would not order behind their writes.
void Emitter::emitArriveWithCopies(Code &code, Value barrier,
                                   ValueRange copies) {
  Value underWay;
  for (Value copy : copies)
    if (!copy.getDefiningOp()->hasAttr(kWholeAttr))
      underWay = underWay ? code.bitAnd(underWay, scalar(copy)) : scalar(copy);
  if (!underWay)
    return code.arriveWithCopies(barrier);
  code.ifElse(
      underWay, [&] { code.arriveWithCopies(barrier); },
      [&] {
        code.waitForCopies();
        code.fenceAsync();
        code.arrive(barrier);
      });
}

LogicalResult Emitter::emitExpect(hopper::ExpectOp op) {
  Code code(builder, op.getLoc());
  Value barrier =
      barrierAddress(code, op, op.getRing(), "full", scalar(op.getSlot()));
  auto expect = [&] { code.arriveExpect(barrier, op.getBytes()); };
  if (threads.isSingle())
    expect();
  else
    code.ifThen(threads.first, expect);
  return success();
}

LogicalResult Emitter::emitSync(hopper::SyncOp op) {
  Code code(builder, op.getLoc());
  Value id = code.i32(op.getId());
  if (Value more = merged.shifts.lookup(op))
    id = code.add(id, scalar(more));
  code.barrier(id, op.getThreads());
  return success();
}

//===----------------------------------------------------------------------===//
// Stamps
//===----------------------------------------------------------------------===//

/// The place of the first stamp of `process`.
static int64_t firstStamp(hopper::ProcessOp process) {
  int64_t before = 0;
  for (auto other :
       process->getParentOfType<hopper::KernelOp>().getOps<hopper::ProcessOp>())
    if (other == process)
      break;
    else
      ++before;
  return 1 + before * kStampsPerProcess;
}

/// Behind every place: for threads that note nothing.
static constexpr int64_t kNoPlace = 0x7fffffff;

Value Emitter::findStampPlace(Code &code, hopper::ProcessOp process) {
  hopper::StampOp any;
  process.getBody().walk([&](hopper::StampOp stamp) { any = stamp; });
  if (!any)
    return {};
  Value wanted = code.loadGlobalIf(threads.first, builder.getI32Type(),
                                   viewPointer(any.getTrace()));
  Value isWanted = code.bitAnd(
      threads.first, code.isEqual(code.bitXor(wanted, code.blockIndex()), 0));
  return code.select(isWanted, code.i32(firstStamp(process)),
                     code.i32(kNoPlace));
}

/// Few instructions and one register, because whoever does not note the clock
/// executes them too. Only the store is predicated: ptxas would carry what else
/// is written under a predicate round the loop.
LogicalResult Emitter::emitStamp(hopper::StampOp op) {
  Code code(builder, op.getLoc());
  int64_t end = firstStamp(threads.process) + kStampsPerProcess;
  stampPlace = code.tiedAsm(
      "{\n\t.reg .pred writes;\n\t.reg .b32 now;\n\t.reg .b64 place;\n\t"
      "mov.u32 now, %clock;\n\t"
      "setp.lt.u32 writes, $0, " +
          std::to_string(end) + ";\n\tmad.lo.u32 now, now, " +
          std::to_string(kStampNumbers) + ", " +
          std::to_string(op.getNumber() + 1) +
          ";\n\tmad.wide.u32 place, $0, 4, $2;\n\t"
          "@writes st.global.b32 [place], now;\n\t"
          "@writes add.u32 $0, $0, 1;\n\t}",
      stampPlace, viewPointer(op.getTrace()))[0];
  return success();
}

} // namespace heddle::tonvvm
