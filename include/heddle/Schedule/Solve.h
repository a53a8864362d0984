//===- Solve.h - Solvers of scheduling problems -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_SOLVE_H
#define HEDDLE_SCHEDULE_SOLVE_H

#include "heddle/Schedule/Relation.h"

#include <optional>

namespace heddle::schedule {

/// How hard a solver may try, in solver steps: never wall-clock time, so that
/// the same input gives the same schedule.
struct Budget {
  int64_t steps = 1'000'000;
};

struct Outcome {
  std::optional<Solution> solution;
  int64_t lowerBound = 0; ///< of II
  std::string reason;     ///< why there is no solution
};

/// Iterative modulo scheduling (Rau 1994) with fixed roles: loads in one
/// process, sub-tiles dealt to compute processes. Fast, not optimal.
/// `processes` that compute, a divisor of the sub-tiles; 0: as few as hold
/// their registers.
Outcome solveHeuristically(const Problem &problem, Budget budget = {},
                           int processes = 0);

/// Roles and times together: the least II that has a schedule, or the best
/// found when the budget is spent; then the schedule with the most slack, and
/// so on.
Outcome solveExactly(const Problem &problem, Budget budget = {36'000'000});

/// The same, or what it found before: schedules lie in HEDDLE_CACHE_DIR (empty:
/// nowhere; unset: the user's cache folder), by the problem's hash.
Outcome solveExactlyOnce(const Problem &problem, Budget budget = {36'000'000});

/// The same with `Wish::inStep`.
Outcome solveInStepOnce(const Problem &problem, Budget budget = {36'000'000});

/// What compiles by default: sub-tiles in step, where they are found soon and
/// are as short as the heuristic's schedule, or else that one.
Outcome solveQuickly(const Problem &problem);

/// What a person asks for beside a legal schedule.
struct Wish {
  int64_t ii = 0;    ///< at this interval alone; 0: at the least that is found
  int processes = 0; ///< that compute; 0: as few as there can be
  bool isDivided = false; ///< by sub-tiles only, whatever else might cross
  bool wantsSlack = true;
  /// Sub-tile s of S does everything s II / S cycles after the first.
  bool inStep = false;
  std::vector<Relation> relations;
};

struct Reached : Outcome {
  /// With the wish granted there is no schedule at `Wish::ii`; else nothing was
  /// found, which proves nothing.
  bool isRefuted = false;
  int64_t slack = 0; ///< that was asked for in the end
  int64_t steps = 0; ///< of the solver
};

/// The best schedule that grants `wish`.
Reached solveWish(const Problem &problem, const Wish &wish,
                  Budget budget = {36'000'000});

/// The least number of cycles an iteration in which `processes` can issue
/// everything but loads, however it is dealt out and whatever waits.
int64_t issueBound(const Problem &problem, int processes);

/// Bytes of results, not of loads, that other processes read.
int64_t crossingBytes(const Problem &problem, const Solution &solution);
/// How often the units with queues go over from one process to another, but for
/// loads.
int64_t ownerChanges(const Problem &problem, const Solution &solution);

/// Does sub-tile s of S do everything s II / S cycles after the first? Whenever
/// its operands are loaded: who loads them does nothing else, and loads late.
bool isInStep(const Problem &problem, const Solution &solution);

/// The asynchronous unit whose operations the processes should issue in the
/// order of the schedule, or -1: the unit is busy nearly all the time, and a
/// process that issues several operations an iteration would be held up by
/// another's in between. Where a unit has time to spare, order only costs.
/// Processes in step keep it by themselves, unless the unit has an operation
/// among those that `outgrowQueue` marks: its issue ends when little of it is
/// left to do, so the next of its process is not in the queue in time. Nor do
/// they keep it where the loop `hasPhase`, iterations that take longer, and the
/// unit no cycle to spare: thrown out of step, they wait for it together and
/// compute together from then on. Then the credit's way round must leave a
/// third of the interval.
int unitToOrder(const Problem &problem, const Solution &solution,
                const std::vector<bool> &outgrowQueue = {},
                bool hasPhase = false);

/// Is an interval so much shorter than one in step that each process may have a
/// text of its own for it? Processes in step can run one text, which is worth
/// more than the last cycles of an interval (docs/performance.md).
bool isWorthATextEach(int64_t ii, int64_t inStep);

/// Gives each sub-tile a process, at the times that there are, where that is a
/// schedule: what is to do with the sub-tiles behind the loop is done side by
/// side then.
void partSubTiles(const Problem &problem, Solution &solution);

/// Should processes in step, without order, make what an asynchronous unit
/// reads from registers a step ahead? Yes if it has no cycle to spare: whoever
/// comes to issue then holds it up.
bool preparesAhead(const Problem &problem, const Solution &solution);

/// A random schedule that verifies, for tests; the same seed gives the same
/// one.
Outcome drawSchedule(const Problem &problem, uint64_t seed, Budget budget = {});

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_SOLVE_H
