//===- Explore.cpp - What can go wrong in a launch ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explore.h"

#include <unordered_set>

using namespace heddle::adversary;
using Step = World::Step;

/// Something that this model has no room for, or that is wrong from the start.
static bool refuses(const Kernel &kernel, Exploration &result) {
  size_t agents = 0;
  for (const ProcessInfo &process : kernel.processes) {
    agents += process.elected || process.warps == 1 ? 1 : 2;
    // Lanes of one warp are not told apart.
    if (!process.elected && process.warps == 1)
      agents = kMostAgents + 1;
  }
  if (!kernel.fault.empty())
    result.finding = {Finding::Faulty, kernel.fault, 0, false};
  else if (!kernel.unsupported.empty() || agents > kMostAgents ||
           kernel.barriers() > kMostBarriers ||
           kernel.rings.size() > kMostRings)
    result.finding = {Finding::Unknown,
                      kernel.unsupported.empty()
                          ? "more warps, barriers or rings than it has room for"
                          : kernel.unsupported,
                      0, false};
  return result.finding.kind != Finding::Fine;
}

/// Executes what concerns an agent alone, as far as all of them go.
static void runLocal(World &world, State &state) {
  for (bool ran = true; ran && !world.isOver();) {
    ran = false;
    for (int i = 0; i < world.agents(); ++i)
      while (!world.isOver() && world.next(state, i) == Step::Local) {
        world.step(state, i);
        ran = true;
      }
  }
}

Exploration heddle::adversary::exploreOne(const Kernel &kernel,
                                          const Launch &launch) {
  Exploration result;
  if (refuses(kernel, result))
    return result;
  World world(kernel, launch);
  State state = world.initial();
  for (bool ran = true; ran && !world.isOver();) {
    ran = false;
    for (int i = 0; i < world.agents() && !world.isOver(); ++i)
      for (Step next = world.next(state, i);
           next == Step::Local || next == Step::Visible;
           next = world.next(state, i)) {
        world.step(state, i);
        ++result.states;
        ran = true;
        while (!world.isOver() && !state.flying.empty())
          world.land(state, 0);
        if (world.isOver())
          break;
      }
  }
  if (!world.isOver())
    world.checkEnd(state);
  result.finding = world.finding;
  return result;
}

Exploration heddle::adversary::exploreAll(const Kernel &kernel,
                                          const Launch &launch,
                                          int64_t mostStates) {
  Exploration result;
  if (refuses(kernel, result))
    return result;
  World world(kernel, launch);
  world.checksOrder = false;
  std::unordered_set<uint64_t> seen;
  // Which phase an agent's action met; of a copy, when it landed.
  std::map<std::tuple<int, int, bool>, int> phases;
  std::vector<State> work{world.initial()};
  runLocal(world, work.back());
  while (!work.empty() && !world.isOver()) {
    State state = std::move(work.back());
    work.pop_back();
    bool isStuck = true;
    auto push = [&](State &&next, bool isCopy) {
      isStuck = false;
      if (world.isOver())
        return;
      auto [entry, isNew] = phases.try_emplace(
          {world.met.agent, world.met.event, isCopy}, world.met.phase);
      if (!isNew && entry->second != world.met.phase)
        world.finding = {Finding::Faulty,
                         "what meets one phase or another, by chance", 0,
                         false};
      runLocal(world, next);
      if (!world.isOver() && seen.insert(world.hash(next, 1)).second)
        work.push_back(std::move(next));
    };
    for (int i = 0; i < world.agents() && !world.isOver(); ++i)
      if (world.next(state, i) == Step::Visible) {
        State next = state;
        world.step(next, i);
        push(std::move(next), false);
      }
    for (size_t i = 0; i < state.flying.size() && !world.isOver(); ++i) {
      State next = state;
      world.land(next, i);
      push(std::move(next), true);
    }
    if (isStuck && !world.isOver())
      world.checkEnd(state);
    if (++result.states > mostStates && !world.isOver())
      world.finding = {Finding::Unknown, "too many states", 0, false};
  }
  result.finding = world.finding;
  return result;
}
