//===- Choose.cpp - The policy of loops -----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A method proposes schedules, one of them is kept, and what it leaves open is
// chosen for it: order on a unit, and operands a step ahead.
//
//===----------------------------------------------------------------------===//

#include "heddle/Plan/Choose.h"

#include "Rules.h"

#include "heddle/Schedule/Certify.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::plan;

/// Where nobody asked for the best: a third of a second for two sub-tiles or
/// three, four seconds for six.
static constexpr schedule::Budget kQuickBudget{4'000'000};

int64_t heddle::plan::boundBelow(const schedule::Problem &problem, int64_t ii) {
  return schedule::strengthen(problem, schedule::findBound(problem), ii).ii;
}

/// Where nothing is found with that, the loop has one process or none: some
/// seconds more are little against it.
static constexpr schedule::Budget kPatientBudget{16'000'000};

/// Do threads make what travels through slots, and may a process of its own do
/// that? Where results lie in tensor memory, anything may part.
static bool hasMakers(const schedule::Problem &problem) {
  return problem.machine.columns == 0 &&
         std::any_of(
             problem.transfers.begin(), problem.transfers.end(),
             [&](const schedule::Transfer &transfer) {
               return !problem.operations[transfer.from].variableLatency;
             });
}

/// Registers that a schedule leaves go to the processes that hold results,
/// those first that have least beside what they hold: ptxas wants more than
/// tiles.
static void giveWhatIsLeft(const schedule::Problem &problem,
                           schedule::Solution &solution) {
  int64_t groups = 0, used = 0;
  std::vector<int64_t> held;
  for (size_t i = 0; i < solution.processes.size(); ++i) {
    const schedule::Process &process = solution.processes[i];
    groups += process.warps / 4;
    used += process.registers * process.warps / 4;
    held.push_back(schedule::peakRegisters(problem, solution, int(i)));
  }
  int64_t have = problem.machine.registersPerLane / groups / 8 * 8 * groups;
  while (true) {
    schedule::Process *poorest = nullptr;
    int64_t least = 0;
    for (size_t i = 0; i < solution.processes.size(); ++i) {
      schedule::Process &process = solution.processes[i];
      int64_t beside = process.registers - held[i];
      if (held[i] > 0 &&
          process.registers + 8 <= problem.machine.maxRegisters &&
          (!poorest || beside < least)) {
        poorest = &process;
        least = beside;
      }
    }
    if (!poorest || used + 8 * poorest->warps / 4 > have)
      return;
    poorest->registers += 8;
    used += 8 * poorest->warps / 4;
  }
}

/// A process of its own for what threads make, where the search finds soon that
/// this is worth it.
static void tryMakersApart(const schedule::Problem &problem,
                           schedule::Outcome &best, schedule::Budget budget) {
  if (!hasMakers(problem) ||
      (best.solution && best.solution->ii <= best.lowerBound))
    return;
  schedule::Outcome apart = schedule::solveExactlyOnce(
      problem, budget, best.solution ? best.solution->ii : 0);
  bool isBetter =
      apart.solution &&
      (!best.solution ||
       schedule::isWorthCodeEach(apart.solution->ii, best.solution->ii));
  if (!isBetter)
    return;
  schedule::partSubTiles(problem, *apart.solution);
  schedule::closeUp(problem, *apart.solution);
  giveWhatIsLeft(problem, *apart.solution);
  best = std::move(apart);
}

/// Sub-tiles staggered, where they are found soon and are shorter than the
/// heuristic's schedule.
static schedule::Outcome proposeStaggered(const schedule::Problem &problem) {
  schedule::Outcome plain = schedule::solveHeuristically(problem);
  if (plain.solution)
    schedule::closeUp(problem, *plain.solution);
  if (problem.subTiles < 2)
    return plain;
  schedule::Outcome staggered =
      schedule::solveInStepOnce(problem, kQuickBudget);
  bool isBetter =
      staggered.solution &&
      (!plain.solution || staggered.solution->ii < plain.solution->ii);
  if (!isBetter)
    return plain;
  schedule::closeUp(problem, *staggered.solution);
  if (hasMakers(problem))
    giveWhatIsLeft(problem, *staggered.solution);
  return staggered;
}

static schedule::Outcome proposeQuickly(const schedule::Problem &problem) {
  schedule::Outcome outcome = proposeStaggered(problem);
  tryMakersApart(problem, outcome, kQuickBudget);
  if (!outcome.solution)
    tryMakersApart(problem, outcome, kPatientBudget);
  return outcome;
}

/// A shorter interval that is not proved to be the least gives way to a
/// staggered one. What the loop does not count is what its sub-tiles do after
/// it.
static schedule::Outcome proposeExactly(const schedule::Problem &problem) {
  schedule::Outcome outcome = schedule::solveExactlyOnce(problem);
  if (!outcome.solution)
    return outcome;
  int64_t ii = outcome.solution->ii;
  if (problem.subTiles > 1 && !schedule::isInStep(problem, *outcome.solution)) {
    outcome.lowerBound = std::max(outcome.lowerBound, boundBelow(problem, ii));
    if (outcome.lowerBound < ii)
      if (schedule::Outcome staggered = schedule::solveInStepOnce(problem);
          staggered.solution &&
          !schedule::isWorthCodeEach(ii, staggered.solution->ii))
        outcome = std::move(staggered);
  }
  schedule::partSubTiles(problem, *outcome.solution);
  if (hasMakers(problem))
    giveWhatIsLeft(problem, *outcome.solution);
  return outcome;
}

static schedule::Outcome propose(const schedule::Problem &problem,
                                 Method method) {
  switch (method) {
  case Method::Automatic:
    return proposeQuickly(problem);
  case Method::Heuristic:
    return schedule::solveHeuristically(problem);
  case Method::Staggered:
    return schedule::solveInStepOnce(problem);
  case Method::Exact:
    return proposeExactly(problem);
  }
  __builtin_unreachable();
}

/// Of schedules that are as good, one that leaves the registers that the loop
/// wants; any other where there is none.
template <typename Propose>
static schedule::Outcome proposeRoomy(const Loop &loop, Propose propose) {
  if (loop.wantedRegisters > 0) {
    schedule::Problem roomy = loop.problem;
    roomy.machine.overheadRegisters += loop.wantedRegisters;
    if (schedule::Outcome outcome = propose(roomy); outcome.solution)
      return outcome;
  }
  return propose(loop.problem);
}

/// The heuristic leaves the order to whoever comes first. So does a loop that
/// keeps a branch: with a causal mask in it the order measured 0.94.
static void chooseOrder(const Loop &loop, Method method, LoopPlan &plan) {
  const schedule::Solution &solution = *plan.outcome.solution;
  bool isStaggered = schedule::isInStep(loop.problem, solution);
  plan.splitsTail = loop.hasTail && isStaggered;
  if (method == Method::Heuristic ||
      (method == Method::Automatic && !isStaggered))
    return;
  int unit = unitToOrder(loop.problem, solution, loop.choices, loop.beyondQueue,
                         loop.hasTail);
  bool keepsBranch =
      plan.splitsTail ? loop.branchesBesideTail : loop.branchesWithTail;
  if (unit >= 0 && !keepsBranch)
    plan.orderedUnit = unit;
  else
    plan.prefetchesOperands =
        !loop.hasTail && prefetchesOperands(loop.problem, solution);
}

/// What somebody fixed is kept: by what is proposed anyway, by what a quicker
/// method proposes, or by a search for it alone.
static schedule::Outcome proposeKeeping(const schedule::Problem &problem,
                                        const schedule::Partial &pinned,
                                        Method method) {
  auto keeps = [&](schedule::Outcome &outcome) {
    if (!outcome.solution)
      return false;
    schedule::conform(problem, pinned, *outcome.solution);
    return schedule::whyNotKept(problem, *outcome.solution, pinned).empty();
  };
  schedule::Outcome outcome = propose(problem, method);
  if (keeps(outcome))
    return outcome;
  for (int processes = 1; processes <= problem.subTiles; ++processes) {
    if (problem.subTiles % processes != 0)
      continue;
    outcome = schedule::solveHeuristically(problem, {}, processes);
    if (keeps(outcome))
      return outcome;
  }
  return schedule::solvePartial(problem, pinned, kQuickBudget);
}

/// The order and the code that somebody fixed.
static void keepOrder(const Loop &loop, LoopPlan &plan) {
  if (loop.pinnedUnit != -2)
    plan.orderedUnit = loop.pinnedUnit;
  plan.prefetchesOperands = loop.pinnedAhead.value_or(plan.prefetchesOperands);
  plan.splitsTail = loop.pinnedTail.value_or(plan.splitsTail);
}

LoopPlan heddle::plan::chooseLoop(const Loop &loop, Method method) {
  LoopPlan plan;
  if (loop.pinned.saysNothing())
    plan.outcome = proposeRoomy(loop, [&](const schedule::Problem &problem) {
      return propose(problem, method);
    });
  else
    plan.outcome = proposeRoomy(loop, [&](const schedule::Problem &problem) {
      return proposeKeeping(problem, loop.pinned, method);
    });
  if (plan.outcome.solution) {
    if (loop.pinned.saysNothing())
      leaveInFlight(loop.problem, loop.betweenProducts, *plan.outcome.solution);
    chooseOrder(loop, method, plan);
  }
  keepOrder(loop, plan);
  return plan;
}

LoopPlan heddle::plan::takeStated(const Loop &loop, schedule::Solution stated) {
  LoopPlan plan;
  plan.outcome.reason = schedule::verify(loop.problem, stated);
  if (!plan.outcome.reason.empty())
    return plan;
  plan.outcome.lowerBound = schedule::minII(loop.problem);
  plan.outcome.solution = std::move(stated);
  chooseOrder(loop, Method::Automatic, plan);
  keepOrder(loop, plan);
  return plan;
}

double heddle::plan::cyclesEach(const schedule::Problem &problem,
                                const LoopPlan &plan, int64_t blocks) {
  std::vector<int64_t> busy(problem.units.size());
  for (const schedule::Operation &operation : problem.operations)
    busy[size_t(operation.unit)] += operation.reservation;
  int64_t most = *std::max_element(busy.begin(), busy.end());
  return double(std::max(plan.outcome.solution->ii, most * blocks)) /
         double(blocks);
}

bool heddle::plan::isWorthMoreBlocks(double cycles, double best) {
  return schedule::isWorthCodeEach(int64_t(cycles), int64_t(best));
}

LoopPlan heddle::plan::drawLoop(const Loop &loop, uint64_t seed) {
  LoopPlan plan;
  plan.outcome = proposeRoomy(loop, [&](const schedule::Problem &problem) {
    return schedule::drawSchedule(problem, seed);
  });
  return plan;
}
