//===- Scheduler.cpp - Who goes next --------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

#include "ControlFlow.h"
#include "EndOfCta.h"
#include "ExecContext.h"
#include "InFlight.h"

#include <algorithm>

using namespace heddle::emulator;

// Actors are numbered: warps, then the engines below, then one wgmma engine for
// each warp group.
static constexpr int kSharedEngines = 5;

Scheduler::Scheduler(Cta &cta)
    : cta(cta), warpCount(int(cta.warps.size())),
      actorCount(warpCount + kSharedEngines + int(cta.wgmmas.size())) {
  shufflePriorities();
}

//===----------------------------------------------------------------------===//
// Policies
//===----------------------------------------------------------------------===//

void Scheduler::shufflePriorities() {
  priorities.resize(actorCount);
  // The same for cp.async as for bulk loads, which choose for themselves.
  bool copiesEarly = cta.random.below(2);
  for (int actor = 0; actor < actorCount; ++actor) {
    bool isWarp = actor < warpCount;
    Engine engine = Engine(std::min(actor - warpCount, kSharedEngines));
    bool isEarly = !isWarp && (engine == Engine::Load ||
                               (engine == Engine::Copy && copiesEarly));
    int rank = isWarp ? 1 : isEarly ? 2 : 0;
    priorities[actor] = rank * 1000 + int(cta.random.below(1000));
  }
}

bool Scheduler::canRun(int actor) const {
  if (actor < warpCount) {
    const Warp &warp = cta.warps[actor];
    for (const Group &group : warp.groups)
      if (cta.isReady(warp, group))
        return true;
    return false;
  }
  int engine = actor - warpCount;
  switch (Engine(std::min(engine, kSharedEngines))) {
  case Engine::Load:
  case Engine::LateLoad:
    return std::any_of(cta.bulk.loads.begin(), cta.bulk.loads.end(),
                       [&](const BulkCopy &load) {
                         return load.isLate ==
                                (Engine(engine) == Engine::LateLoad);
                       });
  case Engine::StoreRead:
    return std::any_of(cta.bulk.stores.begin(), cta.bulk.stores.end(),
                       [](const BulkCopy &copy) { return !copy.hasRead; });
  case Engine::StoreWrite:
    return std::any_of(cta.bulk.stores.begin(), cta.bulk.stores.end(),
                       [](const BulkCopy &copy) { return copy.hasRead; });
  case Engine::Copy:
    return !cta.copies.copies.empty();
  case Engine::Wgmma:
    return cta.wgmmas[engine - kSharedEngines].canExecute();
  }
  return false;
}

int Scheduler::pickInTurn() {
  for (int step = 1; step <= actorCount; ++step) {
    int actor = (lastActor + step) % actorCount;
    if (canRun(actor))
      return lastActor = actor;
  }
  return -1;
}

int Scheduler::pickRandom() {
  int chosen = -1;
  int seen = 0;
  for (int actor = 0; actor < actorCount; ++actor)
    if (canRun(actor) && cta.random.below(uint32_t(++seen)) == 0)
      chosen = actor;
  return chosen;
}

int Scheduler::pickByPriority() {
  // Now and then another order, so that one seed sees more than one.
  if (cta.random.below(256) == 0)
    shufflePriorities();
  int chosen = -1;
  for (int actor = 0; actor < actorCount; ++actor)
    if ((chosen < 0 || priorities[actor] > priorities[chosen]) && canRun(actor))
      chosen = actor;
  return chosen;
}

int Scheduler::pick() {
  switch (cta.launch.options.schedule) {
  case Schedule::Fair:
    return pickInTurn();
  case Schedule::Random:
    return pickRandom();
  case Schedule::Adversarial:
    return pickByPriority();
  }
  return -1;
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

bool Scheduler::runEngine(Engine engine, int warpGroup) {
  Random &random = cta.random;
  bool inOrder = cta.launch.options.schedule == Schedule::Fair;
  // Among the copies that `engine` carries out.
  auto pick = [&](const std::vector<BulkCopy> &copies, bool BulkCopy::*stage,
                  bool value) {
    std::vector<size_t> indices;
    for (size_t i = 0; i < copies.size(); ++i)
      if (copies[i].*stage == value)
        indices.push_back(i);
    return indices[inOrder ? 0 : random.below(uint32_t(indices.size()))];
  };
  switch (engine) {
  case Engine::Load:
    return executeLoad(cta, pick(cta.bulk.loads, &BulkCopy::isLate, false));
  case Engine::LateLoad:
    return executeLoad(cta, pick(cta.bulk.loads, &BulkCopy::isLate, true));
  case Engine::StoreRead:
    return executeStoreRead(cta,
                            pick(cta.bulk.stores, &BulkCopy::hasRead, false));
  case Engine::StoreWrite:
    return executeStoreWrite(cta,
                             pick(cta.bulk.stores, &BulkCopy::hasRead, true));
  case Engine::Copy: {
    // In order for each thread, in any order between threads.
    const auto &copies = cta.copies.copies;
    size_t index = inOrder ? 0 : random.below(uint32_t(copies.size()));
    for (size_t i = 0; i < index; ++i)
      if (copies[i].warp == copies[index].warp &&
          copies[i].lane == copies[index].lane)
        index = i;
    return executeCopy(cta, index);
  }
  case Engine::Wgmma:
    return executeWgmma(cta, warpGroup);
  }
  return false;
}

bool Scheduler::act(int actor) {
  if (actor >= warpCount) {
    int engine = actor - warpCount;
    return runEngine(Engine(std::min(engine, kSharedEngines)),
                     engine - kSharedEngines);
  }
  int quantum = 256;
  if (cta.launch.options.schedule == Schedule::Random)
    quantum = 1 + int(cta.random.below(64));
  if (cta.launch.options.schedule == Schedule::Adversarial)
    quantum = 4096;
  return runWarp(cta.warps[actor], quantum);
}

/// Runs the ready group that is furthest behind, so that lanes tend to meet.
bool Scheduler::runWarp(Warp &warp, int quantum) {
  int chosen = -1;
  for (size_t g = 0; g < warp.groups.size(); ++g)
    if (cta.isReady(warp, warp.groups[g]) &&
        (chosen < 0 || warp.groups[g].pc < warp.groups[chosen].pc))
      chosen = int(g);
  return chosen < 0 || runGroup(warp, chosen, quantum);
}

/// Follows a branch or an exit. The group may be gone afterwards.
static void jump(Cta &cta, Warp &warp, int g, const Instruction &in,
                 LaneMask taken) {
  const auto &branch = static_cast<const BranchDetail &>(*in.detail);
  if (!branch.isExit) {
    uint32_t pc = warp.groups[g].pc;
    warp.branch(g, taken, branch.targets[0],
                cta.launch.entry.reconvergence[pc]);
    return;
  }
  if (!taken) {
    ++warp.groups[g].pc;
    return;
  }
  warp.exitLanes(g, taken);
  if (warp.isDone())
    cta.settleBarriers();
}

bool Scheduler::runGroup(Warp &warp, int g, int quantum) {
  const std::vector<Instruction> &code = cta.launch.entry.instructions;
  ExecContext context(cta, warp);
  context.group = g;
  context.wait = warp.groups[g].wait;
  warp.groups[g].wait = {};
  for (; quantum > 0; --quantum) {
    if (warp.groups.size() > 1 && context.wait.kind == Wait::Kind::None) {
      // Where no post-dominator brings lanes together, the ones behind catch
      // up.
      if (warp.isAhead(g))
        return true;
      g = context.group = warp.joinSamePlace(g);
    }
    Group &group = warp.groups[g];
    if (warp.isAtMeetingPoint(group)) {
      warp.arriveAtMeetingPoint(g);
      return true;
    }
    const Instruction &in = code[group.pc];
    LaneMask mask = warp.guarded(in, group.mask);
    ++cta.steps;
    if (in.isBranch && !in.exec) {
      size_t groups = warp.groups.size();
      jump(cta, warp, g, in, mask);
      if (warp.groups.size() != groups || warp.isDone())
        return true;
      continue;
    }
    if (!mask) {
      ++group.pc;
      continue;
    }
    if (in.needsFullWarp && mask != kAllLanes) {
      cta.fail(in, warp, firstLane(mask),
               "an .aligned instruction is executed by " +
                   std::to_string(std::popcount(mask)) +
                   " of 32 lanes; all lanes of the warp must come to it "
                   "together");
      return false;
    }
    if (warp.wgmmaIssued != warp.wgmmaRetired && !in.checksRegisters &&
        !checkInFlight(context, in, mask))
      return false;
    if (in.touchesProduct)
      noteAccess(cta.launch.entry, warp, in);
    switch (in.exec(context, in, mask)) {
    case Step::Next:
      ++warp.groups[g].pc;
      break;
    case Step::Jumped:
      return true;
    case Step::Blocked:
      warp.groups[g].wait = context.wait;
      if (context.wait.kind == Wait::Kind::Converge) {
        warp.splitWaiting(g, context.staying, context.repeating);
        warp.mergeConverging();
      }
      return true;
    case Step::Yield:
      ++warp.groups[g].pc;
      return true;
    case Step::Failed:
      return false;
    }
    context.wait = {};
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The whole CTA
//===----------------------------------------------------------------------===//

/// What is still in flight concerns global memory, or other CTAs, alone.
bool Scheduler::finish() {
  if (!checkEnd(cta))
    return false;
  while (!cta.bulk.loads.empty())
    if (!executeLoad(cta, 0))
      return false;
  while (!cta.bulk.stores.empty()) {
    if (!cta.bulk.stores[0].hasRead && !executeStoreRead(cta, 0))
      return false; // nothing to read
    if (!executeStoreWrite(cta, 0))
      return false;
  }
  return true;
}

/// Where nobody can move but somebody looks at the clock, try_wait gives up
/// some seconds later, as it may. False when that has not helped.
bool Scheduler::letTimePass() {
  constexpr uint64_t step = 3'000'000'000, most = 8 * step;
  if (!cta.launch.entry.readsClock || cta.skippedTime >= most)
    return false;
  bool any = false;
  for (Warp &warp : cta.warps)
    for (Group &group : warp.groups)
      if (group.wait.kind == Wait::Kind::Mbarrier ||
          group.wait.kind == Wait::Kind::Mbarriers)
        any = group.givesUp = true;
  cta.skippedTime += step;
  return any;
}

Scheduler::Progress Scheduler::step() {
  auto isDone = [](const Warp &warp) { return warp.isDone(); };
  if (std::all_of(cta.warps.begin(), cta.warps.end(), isDone)) {
    if (!isFinished && !finish())
      return Progress::Failed;
    isFinished = true;
    return Progress::Done;
  }
  int actor = pick();
  if (actor < 0)
    return Progress::Idle;
  if (!act(actor))
    return Progress::Failed;
  if (cta.steps <= cta.launch.options.maxStepsPerCta)
    return Progress::Moved;
  cta.error = "kernel '" + cta.launch.entry.name + "', CTA " + cta.indexText() +
              ": still running after " + std::to_string(cta.steps) +
              " warp instructions\n" + describeDeadlock(cta);
  return Progress::Failed;
}

Scheduler::Progress Scheduler::stepAlone() {
  Progress progress = step();
  if (progress != Progress::Idle)
    return progress;
  if (letTimePass())
    return Progress::Moved;
  cta.error = describeDeadlock(cta);
  return Progress::Failed;
}

bool Scheduler::run() {
  Progress progress = stepAlone();
  while (progress == Progress::Moved)
    progress = stepAlone();
  return progress == Progress::Done;
}
