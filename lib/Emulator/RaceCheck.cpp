//===- RaceCheck.cpp - Checks accesses against each other -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceCheck.h"

#include "Names.h"

#include <bit>

using namespace heddle::emulator;

static uint32_t pcOf(const Cta &cta, const Instruction &in) {
  return uint32_t(&in - cta.launch.entry.instructions.data());
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// "thread 5, warp 0 ('load'), writes".
static std::string describe(const Cta &cta, const Finding &finding) {
  std::string verb = finding.otherWrites ? "writes" : "reads";
  const Causality &order = cta.order;
  const Access &other = finding.other;
  auto threadName = [&](uint32_t thread) {
    return "thread " + std::to_string(thread) + " of " +
           cta.nameOf(cta.warps[thread / kLanes]);
  };
  if (order.isThread(other.agent))
    return threadName(other.agent + uint32_t(std::countr_zero(other.lanes))) +
           " " + verb;
  auto [engine, key] = order.nameOf(other.agent);
  switch (engine) {
  case Engine::Delivery:
    return "a bulk copy that signals " + nameBarrier(cta.launch, key) + " " +
           verb;
  case Engine::StoreRead:
  case Engine::StoreWrite:
    return "a bulk store of " + threadName(key) + " " + verb;
  case Engine::Copy:
  case Engine::FencedCopy:
    return "a cp.async of " + threadName(key) + " " + verb;
  case Engine::Wgmma:
    return "a wgmma of " + cta.nameOf(cta.warps[size_t(key) * 4]) +
           " and its group " + verb;
  }
  return "";
}

/// What would have ordered the two.
static std::string describeRemedy(const Cta &cta, const Finding &finding) {
  const Causality &order = cta.order;
  if (order.isThread(finding.other.agent))
    return "an arrival and a wait, or a barrier, is missing between them";
  auto [engine, key] = order.nameOf(finding.other.agent);
  switch (engine) {
  case Engine::Delivery:
    return "a wait for its phase of that barrier is missing before the access";
  case Engine::StoreRead:
    return "cp.async.bulk.wait_group.read is missing before the write, or a "
           "barrier behind it";
  case Engine::StoreWrite:
    return "cp.async.bulk.wait_group is missing before the access, or a "
           "barrier behind it";
  case Engine::Copy:
  case Engine::FencedCopy:
    return "cp.async.wait_group is missing before the access, or a barrier "
           "behind it";
  case Engine::Wgmma:
    return "the memory was released before the wgmma.wait_group that retires "
           "its reader, or written without waiting for the release";
  }
  return "";
}

/// The first thread behind a write through the generic proxy.
static uint32_t writingThread(const Cta &cta, const Finding &finding) {
  const Access &other = finding.other;
  return cta.order.isThread(other.agent)
             ? other.agent + uint32_t(std::countr_zero(other.lanes))
             : cta.order.nameOf(other.agent).key;
}

static bool report(Cta &cta, const Instruction &in, const Warp &warp, int lane,
                   const MemoryAccess &access, const Finding &finding) {
  std::string text = access.subject;
  if (access.isBarrier)
    text += "uses " + nameBarrier(cta.launch, access.address);
  else
    text += std::string(access.isWrite ? "writes " : "reads ") + access.object +
            (*access.object ? ", " : "") + std::to_string(access.bytes) +
            (access.isGlobal
                 ? " bytes at global address " +
                       cta.launch.global.name(finding.address)
                 : " bytes at shared address " + hexadecimal(finding.address) +
                       nameSlot(cta, finding.address, access.isWrite));
  switch (finding.kind) {
  case Finding::Kind::None:
    return true;
  case Finding::Kind::Unwritten:
    text += ", which nobody has written";
    break;
  case Finding::Kind::Unfenced:
    text += ", which thread " + std::to_string(writingThread(cta, finding)) +
            (finding.otherWrites ? " wrote" : " read") +
            " without a fence.proxy.async behind it";
    break;
  case Finding::Kind::Unordered:
    text = "race: " + text + ", which " + describe(cta, finding) +
           ", and nothing orders the two; " + describeRemedy(cta, finding);
    break;
  }
  if (cta.hasFailed())
    return false;
  cta.fail(in, warp, lane, text);
  if (finding.kind != Finding::Kind::Unwritten)
    cta.error += "\n  and " +
                 cta.placeOf(cta.launch.entry.instructions[finding.other.pc]);
  return false;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool note(Cta &cta, const Instruction &in, const Warp &warp, int lane,
                 const MemoryAccess &access, const Accessor &accessor) {
  Shadow &shadow = access.isGlobal ? cta.globalShadow : cta.shared.shadow();
  Finding finding = access.isWrite
                        ? shadow.write(access.address, access.bytes, accessor)
                        : shadow.read(access.address, access.bytes, accessor);
  return finding.kind == Finding::Kind::None ||
         report(cta, in, warp, lane, access, finding);
}

static Accessor threadAccessor(Cta &cta, const Instruction &in,
                               const Warp &warp, int lane) {
  Accessor accessor;
  accessor.self = warp.threadOf(lane);
  accessor.past = &cta.order.past(accessor.self);
  accessor.access.agent = warp.threadOf(0);
  accessor.access.lanes = LaneMask(1) << lane;
  accessor.access.moment = cta.order.moment(warp.number);
  accessor.access.pc = pcOf(cta, in);
  return accessor;
}

bool heddle::emulator::noteThreadAccess(Cta &cta, const Instruction &in,
                                        const Warp &warp, int lane,
                                        const MemoryAccess &access) {
  if (!cta.order.isOn())
    return true;
  Accessor accessor = threadAccessor(cta, in, warp, lane);
  accessor.access.isStrong = in.isStrong;
  accessor.repeatsValue = access.repeatsValue;
  return note(cta, in, warp, lane, access, accessor);
}

bool heddle::emulator::noteBarrierUse(Cta &cta, const Instruction &in,
                                      const Warp &warp, int lane,
                                      uint64_t address) {
  if (!cta.order.isOn())
    return true;
  MemoryAccess use{address, 8};
  use.isBarrier = true;
  return note(cta, in, warp, lane, use, threadAccessor(cta, in, warp, lane));
}

bool heddle::emulator::noteEngineAccess(Cta &cta, const Instruction &in,
                                        const Warp &warp, int lane,
                                        const EngineMoment &engine,
                                        const MemoryAccess &access) {
  if (!cta.order.isOn())
    return true;
  Accessor accessor;
  accessor.past = engine.past;
  accessor.access.agent = engine.agent;
  accessor.access.moment = engine.moment;
  accessor.access.pc = pcOf(cta, in);
  accessor.access.isAsync = engine.isAsync;
  accessor.access.isStrong = access.isAtomic;
  return note(cta, in, warp, lane, access, accessor);
}
