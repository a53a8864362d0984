//===- Deadlock.cpp - Says who waits for whom -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Speaks the names of the manifest: rings, slots, processes, named barriers.
//
//===----------------------------------------------------------------------===//

#include "NamedBarriers.h"
#include "Names.h"
#include "Scheduler.h"

#include <bit>

using namespace heddle::emulator;
using namespace heddle;

static std::string describeMbarrier(const Cta &cta, const Wait &wait) {
  std::string text = nameBarrier(cta.launch, wait.address) + ", parity " +
                     std::to_string(wait.parity);
  const Mbarrier *barrier =
      const_cast<SharedMemory &>(cta.shared).findBarrier(wait.address);
  if (!barrier)
    return text + "; it was invalidated";
  text += "; it is in phase " + std::to_string(barrier->phase) + " with " +
          std::to_string(barrier->expected - barrier->pending) + " of " +
          std::to_string(barrier->expected) + " arrivals";
  if (barrier->bytes > 0)
    text += " and " + std::to_string(barrier->bytes) + " bytes missing";
  if (barrier->bytes < 0)
    text += " and " + std::to_string(-barrier->bytes) +
            " bytes more than were announced";
  return text;
}

static std::string describeNamed(const Cta &cta, const Wait &wait) {
  const NamedBarrier &barrier = cta.barriers[wait.id];
  uint32_t expected =
      barrier.expected == kAllThreads ? cta.liveThreads() : barrier.expected;
  std::string text = "named barrier " + std::to_string(wait.id);
  for (const manifest::NamedBarrier &named : cta.launch.variant.namedBarriers)
    if (named.id == int(wait.id) && !named.purpose.empty())
      text += " (" + named.purpose + ")";
  return text + "; " + std::to_string(barrier.arrived) + " of " +
         std::to_string(expected) + " threads are there";
}

static std::string describeWait(const Cta &cta, const Warp &warp,
                                const Group &group) {
  const Wait &wait = group.wait;
  switch (wait.kind) {
  case Wait::Kind::None:
    return "is running";
  case Wait::Kind::Mbarrier:
    return "waits on " + describeMbarrier(cta, wait);
  case Wait::Kind::Mbarriers:
    return "waits on several mbarriers, the first of them " +
           describeMbarrier(cta, wait);
  case Wait::Kind::NamedBarrier:
    return "waits at " + describeNamed(cta, wait);
  case Wait::Kind::Converge:
    return "waits for " +
           std::to_string(
               std::popcount(wait.lanes & warp.alive & ~group.mask)) +
           " lanes of its own warp";
  case Wait::Kind::Wgmma:
    return "waits for a wgmma that not all four warps of its group have issued";
  case Wait::Kind::BulkDone:
  case Wait::Kind::BulkRead:
    return "waits for bulk stores";
  case Wait::Kind::Copies:
    return "waits for cp.async";
  case Wait::Kind::Registers:
    return "waits in setmaxnreg for " + std::to_string(wait.count) +
           " registers a thread; it has " + std::to_string(warp.maxRegisters) +
           " and the pool has " + std::to_string(cta.freeRegisters) + " left";
  }
  return "";
}

std::string heddle::emulator::describeDeadlock(const Cta &cta) {
  std::string text = "kernel '" + cta.launch.entry.name + "', CTA " +
                     cta.indexText() + ": deadlock; nobody can go on";
  std::string last;
  std::string lastLine;
  auto flush = [&] {
    if (!lastLine.empty())
      text += "\n  " + lastLine;
  };
  for (const Warp &warp : cta.warps) {
    if (warp.isDone())
      continue;
    for (const Group &group : warp.groups) {
      std::string what = describeWait(cta, warp, group) + "\n    at " +
                         cta.placeOf(cta.launch.entry.instructions[group.pc]);
      if (what != last) {
        flush();
        lastLine.clear();
      }
      std::string who = cta.nameOf(warp);
      if (group.mask != warp.alive)
        who += " lanes " + hexadecimal(group.mask);
      // Warps of one process mostly wait for the same.
      lastLine = lastLine.empty()
                     ? who + " " + what
                     : lastLine.substr(0, lastLine.size() - what.size() - 1) +
                           ", " + who + " " + what;
      last = what;
    }
  }
  flush();
  return text + describeWaitGraph(cta);
}
