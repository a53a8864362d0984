//===- Causality.h - What lies in whose past --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vector clocks of one CTA. Agents are its threads and, behind them, the
// engines: one for each stream of asynchronous work whose completion can be
// waited for. docs/trust.md has the rules.
//
// The lanes of a warp draw their moments from one counter, so that accesses of
// several lanes at one moment are one entry with a mask. A thread has a second
// place in every clock: the moment up to which it has fenced its writes for the
// async proxy.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_CAUSALITY_H
#define HEDDLE_LIB_EMULATOR_CAUSALITY_H

#include "Clock.h"
#include "Instruction.h"

#include <map>

namespace heddle::emulator {

using Agent = uint32_t;

/// Streams of asynchronous work. Inside one, moments complete in order.
enum class Engine : uint8_t {
  Delivery,   ///< bulk copies that signal one mbarrier; a moment a phase
  StoreRead,  ///< sources of a thread's bulk stores; a moment a group
  StoreWrite, ///< targets of a thread's bulk stores; a moment a group
  Copy,       ///< cp.async of one thread; a moment a copy
  FencedCopy, ///< ... that it has waited for and fenced for the async proxy
  Wgmma,      ///< wgmmas of one warp group; a moment each
};

class Causality {
public:
  /// Forgets everything. With `isOn` false all below does nothing.
  void start(size_t warps, bool isOn);
  bool isOn() const { return enabled; }

  uint32_t threads() const { return uint32_t(known.size()); }
  bool isThread(Agent agent) const { return agent < threads(); }
  /// `key`: the mbarrier's address, the thread, or the warp group.
  Agent agentOf(Engine engine, uint32_t key);
  struct EngineName {
    Engine engine;
    uint32_t key;
  };
  EngineName nameOf(Agent agent) const {
    return engines[agent - 2 * threads()];
  }
  /// Where clocks keep the fenced moment of a thread.
  Agent fencedPlace(uint32_t thread) const { return threads() + thread; }

  uint32_t moment(int warp) const { return counters[size_t(warp)]; }
  const Clock &past(uint32_t thread) const { return known[thread]; }

  /// Whether all of `clock` lies in the past of `thread`, its own share
  /// included.
  bool isPast(const Clock &clock, uint32_t thread) const;

  /// Everything up to now that these lanes did or know. What they do next is
  /// not part of it.
  Clock release(int warp, LaneMask lanes);
  void acquire(int warp, LaneMask lanes, const Clock &clock);
  /// Lanes learn that an engine is done up to `moment`.
  void learn(int warp, LaneMask lanes, Agent agent, uint32_t moment);
  /// What these lanes wrote so far becomes fit for the async proxy; without
  /// `byWriter` what lies in their past, too. Of cp.async always what lies
  /// there: nobody executes what writes then.
  void fenceProxy(int warp, LaneMask lanes, bool byWriter);

  // Order through strong accesses to one location, by its address: what a
  // releasing write or one behind a fence gives, an acquiring read or one
  // before a fence takes. Atomics hand on what they find.
  void giveTo(int warp, int lane, uint64_t address, bool releases,
              bool handsOn);
  void takeFrom(int warp, int lane, uint64_t address, bool acquires);
  void fence(int warp, LaneMask lanes);

  /// What every lane of a warp knows.
  Clock common(int warp) const;

private:
  bool enabled = false;
  std::vector<uint32_t> counters; ///< per warp
  std::vector<Clock> known;       ///< per thread, of all others
  std::vector<uint32_t> fenced;   ///< per thread
  std::map<std::pair<Engine, uint32_t>, Agent> agents;
  std::map<uint64_t, Clock> given; ///< per location of strong writes
  std::vector<Clock> fenceGives;   ///< per thread: at its last fence
  std::vector<Clock> fenceTakes;   ///< per thread: seen since its last fence
  std::vector<EngineName> engines;
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_CAUSALITY_H
