//===- Choose.h - The plan of one loop ----------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop as plain data. Out: everything about its code that a schedule
// leaves open. The whole policy of loops stands behind this header; the passes
// that export problems and write tables decide nothing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PLAN_CHOOSE_H
#define HEDDLE_PLAN_CHOOSE_H

#include "heddle/Machine/Costs.h"
#include "heddle/Plan/Method.h"
#include "heddle/Schedule/Partial.h"

#include <vector>

namespace heddle::plan {

/// A loop, as far as its plan depends on it.
struct Loop {
  schedule::Problem problem;
  /// By how many steps the products of `problem` are longer than the queue of
  /// their unit, less than 0 where they leave places in it. Empty: each fills
  /// its queue.
  std::vector<int64_t> beyondQueue;
  /// Iterations near the end of every run take another branch: the tail.
  bool hasTail = false;
  /// Does a branch stay in the body if the tail has code of its own, and if it
  /// has not?
  bool branchesBesideTail = false, branchesWithTail = false;
  /// Registers that a schedule had better leave, beside the machine's overhead.
  int64_t wantedRegisters = 0;
  machine::Costs::Choices choices;
  /// From when a process sees that its product is done until it issues the
  /// next, beside the issue.
  int64_t betweenProducts = 0;
  /// What somebody fixed of its schedule, and of its code: -2 and nothing leave
  /// it open.
  schedule::Partial pinned;
  int pinnedUnit = -2; ///< as LoopPlan::orderedUnit
  std::optional<bool> pinnedAhead, pinnedTail;
};

struct LoopPlan {
  /// Empty, with the reason in `outcome`, if there is no schedule.
  schedule::Outcome outcome;
  /// The asynchronous unit whose operations the processes issue in the order of
  /// the schedule; -1: whoever comes first is served first.
  int orderedUnit = -1;
  /// What the unit reads from registers is made a step ahead.
  bool prefetchesOperands = false;
  /// The tail has a loop of its own, with no branch in either.
  bool splitsTail = false;
};

/// Keeps what `loop` says is pinned, or has no solution.
LoopPlan chooseLoop(const Loop &loop, Method method);

/// The plan with a schedule that somebody wrote out; none where it is no
/// schedule.
LoopPlan takeStated(const Loop &loop, schedule::Solution stated);

/// A random legal schedule, for tests; nothing else is chosen.
LoopPlan drawLoop(const Loop &loop, uint64_t seed);

/// Cycles an iteration, for each of `blocks` that share a multiprocessor's
/// units and work beside each other: the interval, or what its busiest unit
/// does for all of them, over their number. The plan has a solution.
double cyclesEach(const schedule::Problem &problem, const LoopPlan &plan,
                  int64_t blocks);

/// Is a plan whose cycles are `cycles` so much better than the best so far that
/// it is worth more blocks, each with less memory?
bool isWorthMoreBlocks(double cycles, double best);

/// The least interval that certificates can prove, at most `ii`.
int64_t boundBelow(const schedule::Problem &problem, int64_t ii);

} // namespace heddle::plan

#endif // HEDDLE_PLAN_CHOOSE_H
