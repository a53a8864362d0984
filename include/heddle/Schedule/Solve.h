//===- Solve.h - Solvers of scheduling problems -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_SOLVE_H
#define HEDDLE_SCHEDULE_SOLVE_H

#include "heddle/Schedule/Problem.h"

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

/// Roles and times together, by an SMT solver: the least II that has a
/// schedule, or the best found when the budget is spent; then the schedule with
/// the most slack, and so on.
Outcome solveExactly(const Problem &problem, Budget budget = {25'000'000});

/// The same, or what it found before: schedules lie in HEDDLE_CACHE_DIR (empty:
/// nowhere; unset: the user's cache folder), by the problem's hash.
Outcome solveExactlyOnce(const Problem &problem, Budget budget = {25'000'000});

/// The asynchronous unit whose operations the processes should issue in the
/// order of the schedule, or -1: the unit is busy nearly all the time, and a
/// process that issues several operations an iteration would be held up by
/// another's in between. Where a unit has time to spare, order only costs.
int unitToOrder(const Problem &problem, const Solution &solution);

/// A random schedule that verifies, for tests; the same seed gives the same
/// one.
Outcome drawSchedule(const Problem &problem, uint64_t seed, Budget budget = {});

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_SOLVE_H
