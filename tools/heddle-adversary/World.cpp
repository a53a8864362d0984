//===- World.cpp - Agents and barriers ------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps of agents, mbarriers and named barriers. Shared.cpp has the accesses of
// shared memory.
//
//===----------------------------------------------------------------------===//

#include "World.h"

#include <algorithm>
#include <cstring>

using namespace heddle::adversary;

static const char *const kNoMeaning = "a number without a value";

World::World(const Kernel &kernel, const Launch &launch)
    : kernel(kernel), launch(launch) {
  for (const RingInfo &ring : kernel.rings) {
    counts.insert(counts.end(), size_t(ring.depth), ring.fullArrivals);
    counts.insert(counts.end(), size_t(ring.depth), ring.emptyArrivals);
  }
  scripts.resize(kernel.processes.size());
  for (size_t p = 0; p < kernel.processes.size(); ++p) {
    const ProcessInfo &process = kernel.processes[p];
    who.push_back({int(p), true, 1});
    if (!process.elected && process.warps > 1)
      who.push_back({int(p), false, process.warps - 1});
    add(scripts[p], int(p), {});
  }
}

void World::add(Scripts &all, int process,
                const std::vector<int64_t> &numbers) {
  all.entries.push_back(
      {unroll(kernel, process, launch, numbers), numbers, {}});
  // Where one process divides by zero, nothing that happens means anything.
  if (all.entries.back().script.hasError)
    finding = {Finding::Excluded, kNoMeaning, 0, false};
}

State World::initial() const {
  State state;
  for (Agent &agent : state.agents)
    agent.waited.fill(-1);
  for (size_t i = 0; i < counts.size(); ++i)
    state.barriers[i].pending = counts[i];
  return state;
}

static bool isForFirst(Action::Kind kind) {
  return kind == Action::Expect || kind == Action::Load ||
         kind == Action::Store || kind == Action::StoreWait;
}

World::Step World::next(const State &state, int agent) const {
  const Agent &a = state.agents[agent];
  if (a.isAtSync)
    return Step::Blocked;
  const Action &action = actionOf(state, agent);
  switch (action.kind) {
  case Action::End:
    return Step::Ended;
  case Action::Wait:
    return (state.barriers[action.barrier].completions & 1) == action.phase
               ? Step::Blocked
               : Step::Visible;
  case Action::Arrive:
  case Action::ArriveCopies:
    return Step::Visible;
  case Action::Expect:
    return who[agent].isFirst ? Step::Visible : Step::Local;
  default:
    return Step::Local;
  }
}

void World::step(State &state, int agent) {
  Agent &a = state.agents[agent];
  const Action action = actionOf(state, agent);
  const Who &me = who[agent];
  met.agent = -1;
  if (isForFirst(action.kind) && !me.isFirst) {
    ++a.at;
    return;
  }
  ++a.knows[agent];
  switch (action.kind) {
  case Action::Wait:
    wait(state, agent, action);
    break;
  case Action::Arrive:
    arrive(state, agent, action, me.warps, 0);
    break;
  case Action::ArriveCopies:
    arriveCopies(state, agent, action);
    break;
  case Action::Expect:
    arrive(state, agent, action, 1, action.bytes);
    break;
  case Action::Load:
    load(state, agent, action);
    break;
  case Action::Copy:
    if (kernel.processes[me.process].elected)
      return fail("one thread does what needs all", action.line);
    for (const Range &range : action.writes)
      if (!access(state, agent, action, range, Access::CopyWrite))
        return;
    break;
  case Action::Generic:
    if (kernel.processes[me.process].elected)
      return fail("one thread does what needs all", action.line);
    for (const Range &range : action.reads)
      if (!access(state, agent, action, range, Access::Read))
        return;
    for (const Range &range : action.writes)
      if (!access(state, agent, action, range, Access::Write))
        return;
    if (action.loadsNumber)
      return readNumber(state, agent, action);
    break;
  case Action::Multiply:
    ++a.products;
    for (const Range &range : action.reads)
      if (!access(state, agent, action, range, Access::Multiply))
        return;
    break;
  case Action::MultiplyWait:
    retire(state, agent, Access::Multiply, a.products - action.pending);
    break;
  case Action::Store:
    ++a.stores;
    for (const Range &range : action.reads)
      if (!access(state, agent, action, range, Access::StoreRead))
        return;
    break;
  case Action::StoreWait:
    retire(state, agent, Access::StoreRead, a.stores - action.pending);
    break;
  case Action::Fence:
    fence(state, agent);
    break;
  case Action::Sync:
    return sync(state, agent, action);
  case Action::Fault:
  case Action::Endless:
    return fail(action.fault, action.line);
  case Action::Error:
    finding = {Finding::Excluded, kNoMeaning, action.line, false};
    return;
  case Action::Unknown:
    finding = {Finding::Unknown, action.fault, action.line, false};
    return;
  case Action::End:
    return;
  }
  ++a.at;
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

void World::wait(State &state, int agent, const Action &action) {
  Agent &a = state.agents[agent];
  int b = action.barrier;
  const MBarrier &barrier = state.barriers[b];
  const ProcessInfo &process = kernel.processes[who[agent].process];
  int phase = barrier.completions;
  met = {agent, a.at, phase};
  if (checksOrder && phase > 1 && a.knows[component(b)] < phase - 1)
    return failOfOrder(
        "a wait that another order lets pass for an earlier phase",
        action.line);
  if (a.waited[b] < 0 ? phase > 1 : phase != a.waited[b] + 1)
    return fail("a wait that misses a turn, or repeats one", action.line);
  if (!action.isEmptySide && process.releases[action.ring]) {
    if (a.held[action.ring] >= kernel.rings[action.ring].depth)
      return fail("a wait for a slot by one who holds all", action.line);
    ++a.held[action.ring];
  }
  a.waited[b] = int16_t(phase);
  a.waitedAt[b] = ++a.knows[waitsOf(agent)];
  for (size_t i = 0; i < a.knows.size(); ++i)
    a.knows[i] = std::max(a.knows[i], barrier.completed[i]);
}

void World::arrive(State &state, int agent, const Action &action, int64_t count,
                   int64_t bytes) {
  Agent &a = state.agents[agent];
  MBarrier &barrier = state.barriers[action.barrier];
  const ProcessInfo &process = kernel.processes[who[agent].process];
  met = {agent, a.at, barrier.completions};
  if (checksOrder && a.knows[component(action.barrier)] < barrier.completions)
    return failOfOrder(
        "an arrival that another order counts for an earlier phase",
        action.line);
  if (barrier.pending < count)
    return fail("an arrival too many", action.line);
  if (action.kind == Action::Arrive && action.isEmptySide &&
      process.gets[action.ring] && --a.held[action.ring] < 0)
    return fail("a release of a slot that was not waited for", action.line);
  barrier.pending -= count;
  barrier.bytes += bytes;
  for (size_t i = 0; i < a.knows.size(); ++i)
    barrier.arriving[i] = std::max(barrier.arriving[i], a.knows[i]);
  complete(state, action.barrier, action.line);
}

void World::complete(State &state, int b, int line) {
  MBarrier &barrier = state.barriers[b];
  if (barrier.pending)
    return;
  if (barrier.bytes < 0)
    return fail("more bytes than were announced", line);
  if (barrier.bytes)
    return;
  if (checksOrder)
    for (int i = 0; i < agents(); ++i)
      if (state.agents[i].waited[b] == int(barrier.completions) &&
          barrier.arriving[waitsOf(i)] < state.agents[i].waitedAt[b])
        return failOfOrder(
            "a phase that can end before the wait for the one before", line);
  ++barrier.completions;
  barrier.completed = barrier.arriving;
  barrier.completed[component(b)] = barrier.completed[endsOf(b)] =
      barrier.completions;
  barrier.arriving = {};
  barrier.pending = countOf(b);
}

void World::land(State &state, size_t number) {
  Flying copy = state.flying[number];
  state.flying.erase(state.flying.begin() + number);
  if (copy.arrivals)
    return landCopies(state, copy);
  MBarrier &barrier = state.barriers[copy.barrier];
  met = {copy.agent, copy.event, barrier.completions};
  if (checksOrder && copy.known < barrier.completions)
    return failOfOrder("a copy that another order counts for an earlier phase",
                       0);
  for (Access &access : state.accesses)
    if (access.kind == Access::LoadWrite && !access.isDone &&
        access.agent == copy.agent && access.event == copy.event) {
      access.isDone = true;
      access.component = int8_t(endsOf(copy.barrier));
      access.clock = uint16_t(barrier.completions + 1);
    }
  addPart(state.written, copy.range);
  std::erase_if(state.numbers, [&](const auto &entry) {
    return entry.first.overlaps(copy.range);
  });
  barrier.bytes -= copy.bytes;
  complete(state, copy.barrier, 0);
}

/// It comes when the agent's copies so far have ended. What it hands on is
/// that, and which phases ended and were waited for before.
void World::arriveCopies(State &state, int agent, const Action &action) {
  Agent &a = state.agents[agent];
  const MBarrier &barrier = state.barriers[action.barrier];
  met = {agent, a.at, barrier.completions};
  uint16_t known = a.knows[component(action.barrier)];
  if (checksOrder && known < barrier.completions)
    return failOfOrder(
        "an arrival that another order counts for an earlier phase",
        action.line);
  Flying arrival{int16_t(action.barrier), int16_t(agent), a.at, known, 0, {}};
  arrival.arrivals = 32 * who[agent].warps;
  for (int i = kMostAgents; i < endsOf(0); ++i)
    arrival.gives[i] = a.knows[i];
  for (Access &access : state.accesses)
    if (access.kind == Access::CopyWrite && access.agent == agent &&
        !access.isDone && access.arrival < 0)
      access.arrival = a.at;
  state.flying.push_back(arrival);
}

void World::landCopies(State &state, const Flying &arrival) {
  MBarrier &barrier = state.barriers[arrival.barrier];
  met = {arrival.agent, arrival.event, barrier.completions};
  if (checksOrder && arrival.known < barrier.completions)
    return failOfOrder(
        "an arrival that another order counts for an earlier phase", 0);
  if (barrier.pending < arrival.arrivals)
    return fail("an arrival too many", 0);
  for (Access &access : state.accesses)
    if (access.kind == Access::CopyWrite && !access.isDone &&
        access.agent == arrival.agent && access.arrival == arrival.event) {
      access.isDone = true;
      access.component = int8_t(endsOf(arrival.barrier));
      access.clock = uint16_t(barrier.completions + 1);
      addPart(state.written, access.range);
      std::erase_if(state.numbers, [&](const auto &entry) {
        return entry.first.overlaps(access.range);
      });
    }
  barrier.pending -= arrival.arrivals;
  for (size_t i = 0; i < arrival.gives.size(); ++i)
    barrier.arriving[i] = std::max(barrier.arriving[i], arrival.gives[i]);
  complete(state, arrival.barrier, 0);
}

//===----------------------------------------------------------------------===//
// Named barriers
//===----------------------------------------------------------------------===//

void World::sync(State &state, int agent, const Action &action) {
  if (kernel.processes[who[agent].process].elected)
    return fail("one thread comes to a barrier for warps", action.line);
  if (action.id < 1 || action.id > 15)
    return fail("a barrier that is not there", action.line);
  NamedBarrier &barrier = state.named[action.id];
  if (barrier.agents && barrier.threads != action.threads)
    return fail("a barrier with two counts", action.line);
  barrier.threads = action.threads;
  barrier.arrived += 32 * who[agent].warps;
  barrier.agents |= 1u << agent;
  state.agents[agent].isAtSync = true;
  if (barrier.arrived > barrier.threads)
    return fail("more threads at a barrier than it counts", action.line);
  if (barrier.arrived < barrier.threads)
    return;
  Clocks all{};
  for (int i = 0; i < agents(); ++i)
    if (barrier.agents >> i & 1)
      for (size_t c = 0; c < all.size(); ++c)
        all[c] = std::max(all[c], state.agents[i].knows[c]);
  for (int i = 0; i < agents(); ++i)
    if (barrier.agents >> i & 1) {
      state.agents[i].knows = all;
      state.agents[i].isAtSync = false;
      ++state.agents[i].at;
    }
  barrier = {};
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

void World::checkEnd(const State &state) {
  for (int i = 0; i < agents(); ++i)
    if (next(state, i) != Step::Ended)
      return fail("a deadlock: process '" +
                      kernel.processes[who[i].process].name + "' cannot go on",
                  state.agents[i].isAtSync ? 0 : actionOf(state, i).line);
  for (const Access &access : state.accesses) {
    bool isKnown =
        access.kind != Access::LoadWrite && access.kind != Access::CopyWrite;
    for (int i = 0; i < agents() && access.isDone; ++i)
      isKnown |= state.agents[i].knows[access.component] >= access.clock;
    if (!access.isDone || !isKnown)
      return fail("something that is in flight in the end", 0);
  }
  for (const RingInfo &ring : kernel.rings)
    for (int slot = 0; slot < ring.depth; ++slot) {
      int full = ring.firstBarrier + slot, empty = full + int(ring.depth);
      for (int b : {full, empty})
        if (state.barriers[b].bytes || state.barriers[b].pending != countOf(b))
          return fail("a phase that is begun in the end", 0);
      uint16_t turns = state.barriers[full].completions;
      if (turns != state.barriers[empty].completions)
        return fail("turns that are not released", 0);
      for (int i = 0; i < agents() && turns; ++i)
        if (kernel.processes[who[i].process]
                .gets[size_t(&ring - kernel.rings.data())] &&
            state.agents[i].waited[full] != turns)
          return fail("a turn that a reader did not wait for", 0);
    }
}

//===----------------------------------------------------------------------===//
// Identity
//===----------------------------------------------------------------------===//

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9ddfea08eb382d69ull;
  return hash ^ (hash >> 29);
}

template <typename T> static uint64_t mixAll(uint64_t hash, const T &value) {
  static_assert(sizeof(T) % 2 == 0);
  const char *bytes = reinterpret_cast<const char *>(&value);
  size_t i = 0;
  for (; i + 8 <= sizeof(T); i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, 8);
    hash = mix(hash, word);
  }
  for (; i + 2 <= sizeof(T); i += 2) {
    uint16_t word;
    memcpy(&word, bytes + i, 2);
    hash = mix(hash, word);
  }
  return hash;
}

/// Accesses and copies count in any order: what is concurrent came here in any.
uint64_t World::hash(const State &state, uint64_t seed) const {
  uint64_t hash = seed;
  for (int i = 0; i < agents(); ++i) {
    const Agent &a = state.agents[i];
    hash = mixAll(hash, a.knows);
    hash = mixAll(hash, a.waited);
    hash = mixAll(hash, a.held);
    hash = mix(hash, uint64_t(a.script) << 32 | uint64_t(a.at) << 1 |
                         uint64_t(a.isAtSync));
  }
  for (size_t b = 0; b < counts.size(); ++b) {
    const MBarrier &barrier = state.barriers[b];
    hash = mixAll(hash, barrier.arriving);
    hash = mixAll(hash, barrier.completed);
    hash = mix(hash, uint64_t(barrier.pending) << 32 ^ uint64_t(barrier.bytes));
    hash = mix(hash, barrier.completions);
  }
  uint64_t sum = 0;
  for (const Access &access : state.accesses) {
    uint64_t one =
        mix(seed, uint64_t(access.kind) << 40 | uint64_t(access.isDone) << 32 |
                      uint64_t(uint8_t(access.agent)) << 16 |
                      uint64_t(uint8_t(access.component)));
    one = mix(one, uint64_t(access.clock) << 48 | uint64_t(access.fence) << 32 |
                       uint64_t(access.group) << 16 | uint16_t(access.event));
    one = mix(one, uint64_t(uint16_t(access.arrival)));
    one = mixAll(one, access.fences);
    one = mix(one, uint64_t(access.range.begin));
    sum += mix(one, uint64_t(access.range.end));
  }
  for (const Flying &copy : state.flying)
    sum += mix(mix(seed + 1, uint64_t(copy.agent) << 32 | copy.event), 7);
  for (const auto &[range, number] : state.numbers)
    sum += mix(mix(seed + 2, uint64_t(range.begin)), uint64_t(number));
  return mix(hash, sum);
}
