//===- Solve.h - Solvers of scheduling problems -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem and a budget in steps. Out: schedules that verify, or the
// reason why there is none. All ways to propose a schedule stand here side by
// side: the heuristic, the exact search and the random draw. Which of them a
// loop uses is policy and stands in Plan/Choose.h; certificates use none of
// them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_SOLVE_H
#define HEDDLE_SCHEDULE_SOLVE_H

#include "heddle/Schedule/Relation.h"

#include <optional>
#include <utility>

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
Outcome solveExactlyOnce(const Problem &problem, Budget budget = {36'000'000},
                         int64_t beside = 0);

/// The same with `Wish::inStep`.
Outcome solveInStepOnce(const Problem &problem, Budget budget = {36'000'000});

/// What a person asks for beside a legal schedule.
struct Wish {
  int64_t ii = 0;    ///< at this interval alone; 0: at the least that is found
  int processes = 0; ///< that compute; 0: as few as there can be
  bool isDivided = false; ///< by sub-tiles only, whatever else might cross
  bool wantsSlack = true;
  /// An interval that there is already; 0: none. A schedule that is not worth
  /// code of its own beside it is given as it was found, with no goal reached.
  int64_t beside = 0;
  /// Sub-tile s of S does everything s II / S cycles after the first.
  bool inStep = false;
  std::vector<Relation> relations;
  /// Operations of one process, and of two.
  std::vector<std::pair<int, int>> together, apart;

  /// May operations be dealt out to processes in this way?
  bool allows(const std::vector<int> &process) const;
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

/// The most processes that can share the sub-tiles and have the registers that
/// each needs, whatever the times are: 0 if there is no such number. None if
/// results may change processes, since registers tell little then.
std::optional<int> mostDivision(const Problem &problem);

/// Bytes of results, not of loads, that other processes read.
int64_t crossingBytes(const Problem &problem, const Solution &solution);
/// How often the units with queues go over from one process to another, but for
/// loads.
int64_t ownerChanges(const Problem &problem, const Solution &solution);

/// Does sub-tile s of S do everything s II / S cycles after the first? Whenever
/// its operands are loaded: who loads them does nothing else, and loads late.
bool isInStep(const Problem &problem, const Solution &solution);

/// Moves operations by whole intervals to where their results are read, those
/// that do the same for each sub-tile alike. II, processes and what happens
/// when in an interval stay.
void closeUp(const Problem &problem, Solution &solution);

/// Is an interval so much shorter than a staggered one that each process may
/// have code of its own for it? Staggered processes can run one code, which is
/// worth more than the last cycles of an interval
/// (docs/lab/2026-11-22-staggered-replicas.md).
bool isWorthCodeEach(int64_t ii, int64_t staggered);

/// Gives each sub-tile a process, at the times that there are, where that is a
/// schedule: what is to do with the sub-tiles behind the loop is done side by
/// side then.
void partSubTiles(const Problem &problem, Solution &solution);

/// A random schedule that verifies, for tests; the same seed gives the same
/// one.
Outcome drawSchedule(const Problem &problem, uint64_t seed, Budget budget = {});

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_SOLVE_H
