//===- Exact.cpp - The least interval that has a schedule -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upward from the lower bound of II in growing strides, fewest processes first,
// until there is a schedule, and downward from it by halving. Where roles are
// given, each question is answered by deciding who goes first (OrderSearch.h);
// questions that their share of the budget did not answer are asked again with
// a larger one. Where roles are free, an SMT solver finds them together with
// the times, of straight-line code kept together in ever smaller pieces, and
// where pieces are small, all sub-tiles do the same. That loses schedules, so
// nothing that is said about the bound rests on it. At the II found, one goal
// after the other (Improve.h).
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include "Improve.h"
#include "OrderSearch.h"

#include "heddle/Schedule/Solve.h"

#include <algorithm>

using namespace heddle::schedule;

namespace {

class Search {
public:
  Search(const Problem &problem, const Wish &wish, Budget budget)
      : problem(problem), wish(wish), left(budget.steps),
        kept(budget.steps / 5) {
    goals.relations = wish.relations;
  }

  Reached run() {
    // Classes of operations that cannot part, each in a process of its own.
    outcome.lowerBound = std::max(
        minII(problem), issueBound(problem, int(problem.operations.size())));
    if (wish.ii > 0)
      searchAt(wish.ii);
    else
      searchUpward();
    if (outcome.solution)
      finish();
    outcome.steps = spent;
    return outcome;
  }

private:
  void searchUpward() {
    int64_t bound = outcome.lowerBound, last = bound;
    for (const Operation &op : problem.operations)
      last += op.latency + op.reservation + op.issue;
    int64_t below = bound - 1; // the largest II that was tried in vain
    refuted = bound - 1;
    bool isFound = findAt(bound, {6, 16}, kCoarseSteps);
    for (int64_t ii = bound, stride = std::max<int64_t>(1, bound / 16);
         !isFound && ii <= last; stride *= 2) {
      below = ii;
      ii += stride;
      isFound = findAt(ii, {6}, kCoarseSteps);
    }
    if (!outcome.solution) {
      if (hasRoles)
        outcome.reason = "the solver found none with an interval of " +
                         std::to_string(bound) + " to " +
                         std::to_string(below) + " cycles within its budget";
      return;
    }
    if (roles.areFree()) {
      lower(bound, {16}, 32, kFineSteps);
      lower(bound, {48}, 128, kFineSteps);
      lower(bound, {kSingle}, 128, kFineSteps);
      return;
    }
    lower(below, {}, bound, kCoarseSteps);
    lower(refuted, {}, bound, kFineSteps);
  }

  /// At one interval, with everything that is legal in the end.
  void searchAt(int64_t ii) {
    if (ii < outcome.lowerBound) {
      outcome.isRefuted = true;
      outcome.reason = "no schedule has an interval below " +
                       std::to_string(outcome.lowerBound) + " cycles";
      return;
    }
    if (findAt(ii, {6, 16, 48}, kFineSteps) || !hasRoles) {
      outcome.isRefuted = !outcome.solution;
      return;
    }
    outcome.isRefuted = true;
    for (Candidate &candidate : everythingAt(problem, wish, ii)) {
      if (!candidate.impossible.empty())
        continue;
      Reach answer = improve(candidate.roles, separateBlocks(problem), ii,
                             goals, left, Mode::Complete);
      outcome.isRefuted &= answer == Reach::Refuted;
      if (answer == Reach::Found)
        return;
    }
    outcome.reason = outcome.isRefuted
                         ? "the solver refutes an interval of " +
                               std::to_string(ii) + " cycles"
                         : "the solver found none with an interval of " +
                               std::to_string(ii) + " cycles within its budget";
  }

  /// Fewest processes first; where roles are free, blocks of at most II / part
  /// cycles.
  bool findAt(int64_t ii, std::initializer_list<int64_t> parts, int64_t steps) {
    bool isRefuted = true;
    for (Candidate &candidate : candidatesAt(problem, wish, ii)) {
      if (!candidate.impossible.empty()) {
        outcome.reason = candidate.impossible;
        continue;
      }
      hasRoles = true;
      Reach answer = candidate.roles.areFree()
                         ? findFreely(candidate.roles, ii, parts)
                         : improve(candidate.roles, {}, ii, goals,
                                   std::min(steps, left - kept), Mode::Quick);
      isRefuted &= answer == Reach::Refuted;
      if (answer != Reach::Found)
        continue;
      roles = std::move(candidate.roles);
      return true;
    }
    if (isRefuted)
      refuted = std::max(refuted, ii);
    return false;
  }

  Reach findFreely(const Roles &free, int64_t ii,
                   std::initializer_list<int64_t> parts) {
    for (int64_t part : parts) {
      std::vector<Block> pieces = blocksOf(ii, part);
      Mode mode = part > 16 ? Mode::Regular : Mode::Quick;
      if (improve(free, pieces, ii, goals, std::min(kBlockSteps, left - kept),
                  mode) != Reach::Found)
        continue;
      blocks = std::move(pieces);
      found = mode;
      return Reach::Found;
    }
    return Reach::Unknown;
  }

  std::vector<Block> blocksOf(int64_t ii, int64_t part) const {
    if (part == kSingle)
      return separateBlocks(problem);
    return straightLineBlocks(problem, inseparableClasses(problem), ii / part);
  }

  /// Halves the way down to `below`, where there is no schedule, to within so
  /// much of the bound.
  void lower(int64_t below, std::initializer_list<int64_t> parts, int64_t share,
             int64_t steps) {
    int64_t enough = std::max<int64_t>(1, outcome.lowerBound / share);
    while (outcome.solution->ii - below > enough && left > kept) {
      int64_t middle = below + (outcome.solution->ii - below) / 2;
      if (!findAt(middle, parts, steps))
        below = middle;
    }
  }

  /// A schedule that reaches `goals` replaces the one there is.
  Reach improve(const Roles &roles, const std::vector<Block> &blocks,
                int64_t ii, const Goals &goals, int64_t steps, Mode mode) {
    if (steps <= 0)
      return Reach::Unknown;
    Query query{problem, roles, blocks, ii, goals, mode};
    Reply reply = roles.areFree() ? ask(query, uint64_t(steps))
                                  : searchOrders(query, uint64_t(steps));
    left -= int64_t(reply.steps);
    spent += int64_t(reply.steps);
    if (reply.answer != Reach::Found)
      return reply.answer;
    std::string reason = verify(problem, reply.solution);
    if (!reason.empty()) {
      outcome.reason = reason;
      return Reach::Unknown;
    }
    outcome.solution = reply.solution;
    return Reach::Found;
  }

  void finish() {
    outcome.reason.clear();
    outcome.isRefuted = false;
    Asker asker = [&](const Goals &more) {
      return improve(roles, blocks, outcome.solution->ii, more,
                     std::min(left, kGoalSteps), found) == Reach::Found;
    };
    if (!problem.operations.empty())
      reachGoals(problem, roles, wish.wantsSlack, *outcome.solution, goals,
                 asker);
    outcome.slack = goals.slack;
    tidy(problem, *outcome.solution, wish.relations);
  }

  /// In place of a share of II: pieces of one operation.
  static constexpr int64_t kSingle = INT64_MAX;
  /// A query's share of the budget. What is found is mostly found long before.
  static constexpr int64_t kCoarseSteps = 1'000'000, kFineSteps = 12'000'000,
                           kBlockSteps = 6'000'000, kGoalSteps = 2'500'000;

  const Problem &problem;
  const Wish &wish;
  int64_t left;
  int64_t kept; ///< for the goals
  int64_t spent = 0;
  Reached outcome;
  int64_t refuted = 0;   ///< the largest II at which no candidate has one
  bool hasRoles = false; ///< some division of labour is not impossible
  Goals goals;
  Roles roles;
  std::vector<Block> blocks;
  Mode found = Mode::Quick;
};

} // namespace

Reached heddle::schedule::solveWish(const Problem &problem, const Wish &wish,
                                    Budget budget) {
  Reached outcome;
  if (outcome.reason = problem.check(); !outcome.reason.empty())
    return outcome;
  return Search(problem, wish, budget).run();
}

Outcome heddle::schedule::solveExactly(const Problem &problem, Budget budget) {
  return solveWish(problem, {}, budget);
}
