//===- Causality.cpp - What lies in whose past ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Causality.h"

#include <bit>

using namespace heddle::emulator;

void Causality::start(size_t warps, bool isOn) {
  enabled = isOn;
  counters.assign(warps, 1);
  known.assign(warps * kLanes, Clock());
  fenced.assign(warps * kLanes, 0);
  agents.clear();
  given.clear();
  fenceGives.assign(warps * kLanes, Clock());
  fenceTakes.assign(warps * kLanes, Clock());
  engines.clear();
}

Agent Causality::agentOf(Engine engine, uint32_t key) {
  Agent next = 2 * threads() + Agent(engines.size());
  auto [it, isNew] = agents.try_emplace({engine, key}, next);
  if (isNew)
    engines.push_back({engine, key});
  return it->second;
}

/// Calls `body(thread)` for each of the lanes.
template <class Body>
static void forEachThread(int warp, LaneMask lanes, Body body) {
  for (; lanes; lanes &= lanes - 1)
    body(uint32_t(warp * kLanes + std::countr_zero(lanes)));
}

bool Causality::isPast(const Clock &clock, uint32_t thread) const {
  Clock mine = known[thread];
  for (Agent own : {Agent(thread), fencedPlace(thread)})
    if (mine[own] < clock[own])
      mine.set(own, clock[own]);
  return mine.knows(clock);
}

Clock Causality::release(int warp, LaneMask lanes) {
  Clock result;
  if (!enabled)
    return result;
  forEachThread(warp, lanes,
                [&](uint32_t thread) { result.join(known[thread]); });
  uint32_t &counter = counters[size_t(warp)];
  forEachThread(warp, lanes, [&](uint32_t thread) {
    result.set(thread, counter);
    result.set(fencedPlace(thread), fenced[thread]);
  });
  ++counter;
  return result;
}

/// Changes the clock of each lane as `change` does. Lanes that shared one clock
/// share the new one.
template <class Change>
static void changeClocks(std::vector<Clock> &known, int warp, LaneMask lanes,
                         Change change) {
  Clock before, after;
  bool isFirst = true;
  forEachThread(warp, lanes, [&](uint32_t thread) {
    Clock &clock = known[thread];
    if (isFirst || !clock.isSame(before)) {
      before = clock;
      change(clock);
      after = clock;
      isFirst = false;
    } else {
      clock = after;
    }
  });
}

void Causality::acquire(int warp, LaneMask lanes, const Clock &clock) {
  if (enabled)
    changeClocks(known, warp, lanes, [&](Clock &mine) { mine.join(clock); });
}

void Causality::learn(int warp, LaneMask lanes, Agent agent, uint32_t moment) {
  if (enabled)
    changeClocks(known, warp, lanes, [&](Clock &mine) {
      if (mine[agent] < moment)
        mine.set(agent, moment);
    });
}

void Causality::fenceProxy(int warp, LaneMask lanes, bool byWriter) {
  if (!enabled)
    return;
  uint32_t &counter = counters[size_t(warp)];
  forEachThread(warp, lanes,
                [&](uint32_t thread) { fenced[thread] = counter; });
  if (!byWriter)
    changeClocks(known, warp, lanes, [&](Clock &mine) {
      for (uint32_t thread = 0; thread < threads(); ++thread)
        if (mine[fencedPlace(thread)] < mine[thread])
          mine.set(fencedPlace(thread), mine[thread]);
    });
  // What these lanes know of cp.async, theirs and others', is fenced as well.
  for (size_t i = 0, count = engines.size(); i < count; ++i) {
    auto [engine, thread] = engines[i];
    if (engine != Engine::Copy)
      continue;
    Agent copies = agentOf(engine, thread),
          fenced = agentOf(Engine::FencedCopy, thread);
    changeClocks(known, warp, lanes, [&](Clock &mine) {
      if (mine[fenced] < mine[copies])
        mine.set(fenced, mine[copies]);
    });
  }
  ++counter;
}

void Causality::giveTo(int warp, int lane, uint64_t address, bool releases,
                       bool handsOn) {
  if (!enabled)
    return;
  Clock &place = given[address];
  Clock gift = releases ? release(warp, LaneMask(1) << lane)
                        : fenceGives[size_t(warp * kLanes + lane)];
  if (handsOn)
    gift.join(place);
  place = gift;
}

void Causality::takeFrom(int warp, int lane, uint64_t address, bool acquires) {
  if (!enabled)
    return;
  auto it = given.find(address);
  if (it == given.end())
    return;
  if (acquires)
    acquire(warp, LaneMask(1) << lane, it->second);
  else
    fenceTakes[size_t(warp * kLanes + lane)].join(it->second);
}

void Causality::fence(int warp, LaneMask lanes) {
  if (!enabled)
    return;
  forEachThread(warp, lanes, [&](uint32_t thread) {
    known[thread].join(fenceTakes[thread]);
    fenceTakes[thread] = Clock();
    fenceGives[thread] = release(warp, LaneMask(1) << thread % kLanes);
  });
}

Clock Causality::common(int warp) const {
  Clock result = known[size_t(warp) * kLanes];
  forEachThread(warp, kAllLanes,
                [&](uint32_t thread) { result.meet(known[thread]); });
  return result;
}
