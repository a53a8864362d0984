//===- CopyOps.cpp - cp.async ---------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `cp.async`: issue, commit groups, waits, and arrivals on mbarriers. A copy
// happens at a moment between its issue and the wait that retires it, which the
// schedule picks. Its bytes are not there before, so that some schedule shows a
// missing wait even where no races are checked.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "ExecContext.h"
#include "MbarrierOps.h"
#include "MemoryOps.h"
#include "RaceCheck.h"

#include <algorithm>
#include <cstring>

using namespace heddle::emulator;

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// Sources: shared address (+ immediate), global address (+ immediate2), then
/// perhaps the number of bytes to read.
static Step execCopy(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  uint32_t bytes = in.variant;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    AsyncCopy copy;
    copy.in = &in;
    copy.warp = uint32_t(context.warp.number);
    copy.lane = uint8_t(lane);
    copy.group = context.cta.copies.committed[context.warp.threadOf(lane)];
    copy.sharedAddress = sharedAddress(in.space, context.lanes(in.a)[lane] +
                                                     uint64_t(in.immediate));
    copy.globalAddress = context.lanes(in.b)[lane] + uint64_t(in.immediate2);
    copy.bytes = bytes;
    copy.sourceBytes =
        in.sources.size() > 2 ? uint32_t(context.lanes(in.c)[lane]) : bytes;
    if (copy.sourceBytes > bytes)
      return context.fail(in, lane,
                          "reads " + std::to_string(copy.sourceBytes) +
                              " bytes into " + std::to_string(bytes));
    if (!context.cta.shared.contains(copy.sharedAddress, bytes) ||
        copy.sharedAddress % bytes || copy.globalAddress % bytes)
      return context.fail(in, lane,
                          "copies " + std::to_string(bytes) + " bytes from " +
                              hexadecimal(copy.globalAddress) +
                              " to shared address " +
                              hexadecimal(copy.sharedAddress) +
                              ", which is outside or not aligned");
    if (copy.sourceBytes && !context.cta.launch.global.allows(
                                copy.globalAddress, copy.sourceBytes, false))
      return context.fail(in, lane,
                          "reads " + std::to_string(copy.sourceBytes) +
                              " bytes at global address " +
                              hexadecimal(copy.globalAddress) + ", " +
                              context.cta.launch.global.explain(
                                  copy.globalAddress, copy.sourceBytes, false));
    uint32_t thread = context.warp.threadOf(lane);
    copy.moment = ++context.cta.copies.issued[thread];
    context.cta.copies.last[thread] = {&in, copy.sharedAddress, bytes};
    copy.past =
        context.cta.order.release(context.warp.number, LaneMask(1) << lane);
    context.cta.copies.copies.push_back(std::move(copy));
  }
  return Step::Next;
}

static Step execCommit(ExecContext &context, const Instruction &,
                       LaneMask mask) {
  CopyQueue &copies = context.cta.copies;
  forEachLane(mask, [&](int lane) {
    uint32_t thread = context.warp.threadOf(lane);
    ++copies.committed[thread];
    copies.issuedAtCommit[thread].push_back(copies.issued[thread]);
  });
  return Step::Next;
}

/// The lanes learn that their copies are done, but for `allowed` groups.
static void learnCopies(ExecContext &context, LaneMask mask, uint64_t allowed) {
  Cta &cta = context.cta;
  forEachLane(mask, [&](int lane) {
    uint32_t thread = context.warp.threadOf(lane);
    uint64_t done = required(cta.copies.committed[thread], allowed);
    if (!done)
      return;
    uint32_t moment = cta.copies.issuedAtCommit[thread][done - 1];
    uint32_t &finished = cta.copies.finished[thread];
    finished = std::max(finished, moment);
    if (cta.order.isOn())
      cta.order.learn(context.warp.number, LaneMask(1) << lane,
                      cta.order.agentOf(Engine::Copy, thread), moment);
  });
}

/// variant: wait_all, which needs no commit.
static Step execWait(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  if (in.variant)
    execCommit(context, in, mask);
  Group probe;
  probe.mask = mask;
  probe.wait.kind = Wait::Kind::Copies;
  probe.wait.count = uint64_t(in.immediate);
  probe.wait.lanes = mask;
  if (context.cta.isReady(context.warp, probe)) {
    context.warp.learnUpTo(context.cta.nextEvent());
    learnCopies(context, mask, probe.wait.count);
    return Step::Next;
  }
  context.wait = probe.wait;
  return Step::Blocked;
}

/// Arrives when all earlier copies of the lane are done. Without .noinc the
/// pending count is raised first, so that the arrival is one more than
/// expected.
static Step execArrive(ExecContext &context, const Instruction &in,
                       LaneMask mask) {
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    int lane = firstLane(rest);
    AsyncCopy copy;
    copy.in = &in;
    copy.warp = uint32_t(context.warp.number);
    copy.lane = uint8_t(lane);
    copy.isArrival = true;
    copy.sharedAddress = sharedAddress(in.space, context.lanes(in.a)[lane] +
                                                     uint64_t(in.immediate));
    Mbarrier *barrier =
        requireBarrier(context.cta, in, context.warp, lane, copy.sharedAddress);
    if (!barrier)
      return Step::Failed;
    if (!in.variant)
      ++barrier->pending;
    if (!noteBarrierUse(context.cta, in, context.warp, lane,
                        copy.sharedAddress))
      return Step::Failed;
    copy.moment = context.cta.copies.issued[context.warp.threadOf(lane)];
    context.cta.copies.copies.push_back(std::move(copy));
  }
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

bool heddle::emulator::executeCopy(Cta &cta, size_t index) {
  std::deque<AsyncCopy> &copies = cta.copies.copies;
  AsyncCopy copy = std::move(copies[index]);
  copies.erase(copies.begin() + ptrdiff_t(index));
  const Warp &warp = cta.warps[copy.warp];
  EngineMoment engine{0, copy.moment, &copy.past, false};
  if (cta.order.isOn())
    engine.agent = cta.order.agentOf(Engine::Copy, warp.threadOf(copy.lane));
  if (copy.isArrival) {
    Mbarrier *barrier =
        requireBarrier(cta, *copy.in, warp, copy.lane, copy.sharedAddress);
    if (!barrier)
      return false;
    uint32_t thread = warp.threadOf(copy.lane);
    cta.copies.settle(cta.shared, thread);
    cta.copies.arrivals[thread].push_back(
        {copy.moment, copy.sharedAddress, barrier->deliveryMoment()});
    if (engine.agent)
      barrier->arrived.set(
          engine.agent, std::max(barrier->arrived[engine.agent], copy.moment));
    return arriveOn(cta, *copy.in, warp, copy.lane, *barrier, 1, 0);
  }
  if (cta.shared.overlapsBarrier(copy.sharedAddress, copy.bytes)) {
    cta.fail(*copy.in, warp, copy.lane, "overwrites a live mbarrier");
    return false;
  }
  MemoryAccess access{copy.sharedAddress, copy.bytes, true};
  access.subject = "the cp.async ";
  if (!noteEngineAccess(cta, *copy.in, warp, copy.lane, engine, access))
    return false;
  if (copy.sourceBytes &&
      cta.launch.global.allows(copy.globalAddress, copy.sourceBytes, false) &&
      cta.launch.global.isWritable()) {
    MemoryAccess source{copy.globalAddress, copy.sourceBytes};
    source.subject = "the cp.async ";
    source.isGlobal = true;
    if (!noteEngineAccess(cta, *copy.in, warp, copy.lane, engine, source))
      return false;
  }
  uint8_t *target = cta.shared.at(copy.sharedAddress);
  std::memset(target, 0, copy.bytes);
  std::memcpy(target, reinterpret_cast<const void *>(copy.globalAddress),
              copy.sourceBytes);
  return true;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool decodeCopy(Decoder &decoder) {
  Instruction &out = decoder.out;
  decoder.drop({"ca", "cg"});
  decoder.takeAny("global");
  bool hasHint = takeMemoryModifiers(decoder, out.space);
  int64_t bytes;
  if (!decoder.memory(out.immediate) || !decoder.memory(out.immediate2) ||
      !decoder.immediate(bytes))
    return false;
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return decoder.fail("copies 4, 8 or 16 bytes");
  out.variant = uint32_t(bytes);
  out.exec = execCopy;
  if (decoder.operandsLeft() > (hasHint ? 1 : 0) && !decoder.source(Type::U32))
    return false;
  return !hasHint || decoder.nextOperandOrFail();
}

static bool decodeCommit(Decoder &decoder) {
  decoder.out.exec = execCommit;
  return true;
}
static bool decodeWaitGroup(Decoder &decoder) {
  decoder.out.exec = execWait;
  return decoder.immediate(decoder.out.immediate);
}
static bool decodeWaitAll(Decoder &decoder) {
  decoder.out.exec = execWait;
  decoder.out.variant = 1;
  return true;
}
static bool decodeArrive(Decoder &decoder) {
  decoder.out.variant = decoder.takeAny("noinc");
  takeMemoryModifiers(decoder, decoder.out.space);
  decoder.takeType();
  decoder.out.exec = execArrive;
  return decoder.memory(decoder.out.immediate);
}

std::span<const Family> heddle::emulator::copyFamilies() {
  static constexpr Family families[] = {
      {"cp.async", decodeCopy},
      {"cp.async.commit_group", decodeCommit},
      {"cp.async.wait_group", decodeWaitGroup},
      {"cp.async.wait_all", decodeWaitAll},
      {"cp.async.mbarrier.arrive", decodeArrive},
  };
  return families;
}
