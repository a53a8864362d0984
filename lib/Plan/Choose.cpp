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

/// Sub-tiles staggered, where they are found soon and are shorter than the
/// heuristic's schedule.
static schedule::Outcome proposeQuickly(const schedule::Problem &problem) {
  schedule::Outcome plain = schedule::solveHeuristically(problem);
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
  return staggered;
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
  int unit = unitToOrder(loop.problem, solution, loop.choices,
                         loop.outgrowsQueue, loop.hasTail);
  bool keepsBranch =
      plan.splitsTail ? loop.branchesBesideTail : loop.branchesWithTail;
  if (unit >= 0 && !keepsBranch)
    plan.orderedUnit = unit;
  else
    plan.prefetchesOperands =
        !loop.hasTail && prefetchesOperands(loop.problem, solution);
}

LoopPlan heddle::plan::chooseLoop(const Loop &loop, Method method) {
  LoopPlan plan;
  plan.outcome = proposeRoomy(loop, [&](const schedule::Problem &problem) {
    return propose(problem, method);
  });
  if (plan.outcome.solution)
    chooseOrder(loop, method, plan);
  return plan;
}

LoopPlan heddle::plan::drawLoop(const Loop &loop, uint64_t seed) {
  LoopPlan plan;
  plan.outcome = proposeRoomy(loop, [&](const schedule::Problem &problem) {
    return schedule::drawSchedule(problem, seed);
  });
  return plan;
}
