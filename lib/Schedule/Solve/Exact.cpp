//===- Exact.cpp - Roles and times found together by an SMT solver --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three steps. Upward from the lower bound of II, in growing strides, with
// straight-line code kept together and fewest processes first, until there is a
// schedule. Downward from it, with ever smaller pieces, while the budget lasts:
// keeping code together loses schedules, so nothing that is said about the
// bound rests on it. Then one goal after the other at the II found, each kept
// while the next is improved: slack, then the length of an iteration.
//
//===----------------------------------------------------------------------===//

#include "Query.h"
#include "ReadEarly.h"

#include "heddle/Schedule/Solve.h"

#include <algorithm>

using namespace heddle::schedule;

namespace {

class Search {
public:
  Search(const Problem &problem, Budget budget)
      : problem(problem), left(budget.steps) {}

  Outcome run() {
    int64_t bound = minII(problem);
    outcome.lowerBound = bound;
    int64_t last = bound;
    for (const Operation &op : problem.operations)
      last += op.latency + op.reservation + op.issue;
    int64_t below = bound - 1; // the largest II that was tried in vain
    for (int64_t ii = bound, stride = std::max<int64_t>(1, bound / 64);
         ii <= last; ii += stride, stride += stride / 2) {
      if (findAt(ii, {6, 16}))
        break;
      below = ii;
    }
    if (!outcome.solution) {
      if (hasRoles)
        outcome.reason = "the solver found none with an interval of " +
                         std::to_string(bound) + " to " +
                         std::to_string(below) + " cycles within its budget";
      return outcome;
    }
    lower(std::max(below, bound - 1), {6, 16});
    lower(bound - 1, {24, 0});
    reachGoals();
    readEarly(problem, *outcome.solution);
    loadLate();
    fillSharedMemory(problem, outcome.solution->rings);
    waitLate();
    return outcome;
  }

private:
  /// Fewest processes first; blocks of at most II / part cycles, 0 for single
  /// operations.
  bool findAt(int64_t ii, std::initializer_list<int64_t> parts) {
    for (int compute = 1; compute <= problem.subTiles; ++compute) {
      if (problem.subTiles % compute)
        continue;
      Roles candidate = rolesFor(problem, compute);
      std::string reason = whyNever(candidate, compute, ii);
      if (!reason.empty()) {
        outcome.reason = reason;
        continue;
      }
      hasRoles = true;
      for (int64_t part : parts) {
        std::vector<Block> pieces =
            part ? straightLineBlocks(problem, candidate.process, ii / part)
                 : separateBlocks(problem);
        if (!improve(candidate, pieces, ii, {}, kFirstSteps))
          continue;
        roles = std::move(candidate);
        blocks = std::move(pieces);
        return true;
      }
    }
    return false;
  }

  /// Halves the way down to `below`, at which there is no schedule.
  void lower(int64_t below, std::initializer_list<int64_t> parts) {
    int64_t enough = std::max<int64_t>(1, outcome.lowerBound / 128);
    while (outcome.solution->ii - below > enough) {
      int64_t middle = below + (outcome.solution->ii - below) / 2;
      if (!findAt(middle, parts))
        below = middle;
    }
  }

  /// What no choice of times can mend.
  std::string whyNever(const Roles &roles, int compute, int64_t ii) const {
    for (size_t process = 0; process < roles.processes.size(); ++process) {
      int64_t held = 0, issue = 0;
      for (size_t op = 0; op < problem.operations.size(); ++op) {
        const Operation &operation = problem.operations[op];
        if (roles.process[op] != int(process))
          continue;
        held += operation.persists ? operation.registers : 0;
        issue += operation.issue;
      }
      int64_t need = held + problem.machine.overheadRegisters;
      std::string each = "each of " + std::to_string(compute) + " processes";
      if (held > 0 && need > roles.processes[process].registers)
        return each + " needs " + std::to_string(need) +
               " registers a thread and gets " +
               std::to_string(roles.processes[process].registers);
      if (issue > ii)
        return each + " is busy " + std::to_string(issue) +
               " cycles an iteration of " + std::to_string(ii);
    }
    return "";
  }

  /// A schedule that reaches `goals` replaces the one there is.
  bool improve(const Roles &roles, const std::vector<Block> &blocks, int64_t ii,
               const Goals &goals, int64_t steps) {
    if (left <= 0)
      return false;
    Reply reply = ask({problem, roles, blocks, ii, goals, false},
                      uint64_t(std::min(left, steps)));
    left -= int64_t(reply.steps);
    if (reply.answer != Reach::Found)
      return false;
    std::string reason = verify(problem, reply.solution);
    if (!reason.empty()) {
      outcome.reason = reason;
      return false;
    }
    outcome.solution = reply.solution;
    return true;
  }

  /// The largest `value` in [low, high] that `reach` reaches, in steps.
  template <class Reaches>
  int64_t most(int64_t low, int64_t high, int64_t step, Reaches reach) {
    while (high - low >= step) {
      int64_t middle = low + (high - low + 1) / 2;
      if (reach(middle))
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }

  int64_t length() const {
    const Solution &solution = *outcome.solution;
    int64_t first = INT64_MAX, last = 0;
    for (size_t op = 0; op < problem.operations.size(); ++op)
      if (!problem.operations[op].variableLatency) {
        first = std::min(first, solution.start[op]);
        last = std::max(last, solution.start[op]);
      }
    return last - first;
  }

  /// A slot is in use from when it is first filled, and what is left of its
  /// turn is how late memory may be. So loads start as late as their readers
  /// allow, the last first.
  void loadLate() {
    Solution &solution = *outcome.solution;
    std::vector<int> loads;
    for (const Transfer &transfer : problem.transfers)
      if (problem.operations[transfer.from].variableLatency)
        loads.push_back(transfer.from);
    std::sort(loads.begin(), loads.end(), [&](int a, int b) {
      return std::pair(solution.start[a], a) > std::pair(solution.start[b], b);
    });
    for (int load : loads) {
      int64_t first = solution.start[load], latest = first;
      for (const Dependence &edge : problem.dependences)
        if (edge.from == load)
          latest = std::max(latest, solution.start[edge.to] +
                                        edge.distance * solution.ii);
      for (int64_t cycle = latest; cycle > first; --cycle) {
        solution.start[load] = solution.execution[load] = cycle;
        if (verify(problem, solution).empty())
          break;
        solution.start[load] = solution.execution[load] = first;
      }
    }
  }

  /// A process that waits for a result to read it need not wait before only to
  /// give a slot back: real units are later than the timetable says, now and
  /// then. So what ends with an operation ends when its first reader waits.
  void waitLate() {
    Solution &solution = *outcome.solution;
    std::vector<int64_t> latency;
    for (size_t op = 0; op < problem.operations.size(); ++op)
      latency.push_back(solution.latencyOf(problem, int(op)));
    solution.latency = latency;
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      if (!problem.units[problem.operations[op].unit].asynchronous ||
          problem.operations[op].variableLatency)
        continue;
      int64_t first = INT64_MAX;
      for (const Dependence &edge : problem.dependences)
        if (edge.from == int(op) && !edge.orders && !edge.accumulates)
          first = std::min(first, solution.start[edge.to] +
                                      edge.distance * solution.ii -
                                      solution.start[op]);
      if (first == INT64_MAX || first <= solution.latency[op])
        continue;
      std::swap(first, solution.latency[op]);
      if (!verify(problem, solution).empty())
        solution.latency[op] = first;
    }
  }

  void reachGoals() {
    int64_t ii = outcome.solution->ii;
    Goals goals;
    auto reaches = [&](const Goals &more) {
      return improve(roles, blocks, ii, more, kGoalSteps);
    };
    goals.slack =
        most(0, ii / 2, std::max<int64_t>(1, ii / 128), [&](int64_t slack) {
          Goals more = goals;
          more.slack = slack;
          return reaches(more);
        });
    goals.longest = -most(-length(), 0, std::max<int64_t>(1, ii / 32),
                          [&](int64_t negated) {
                            Goals more = goals;
                            more.longest = -negated;
                            return reaches(more);
                          });
  }

  /// A query's share of the budget. What is found is found long before.
  static constexpr int64_t kFirstSteps = 3'000'000, kGoalSteps = 2'000'000;

  const Problem &problem;
  int64_t left;
  Outcome outcome;
  bool hasRoles = false; ///< some division of labour is not impossible
  Roles roles;
  std::vector<Block> blocks;
};

} // namespace

Outcome heddle::schedule::solveExactly(const Problem &problem, Budget budget) {
  Outcome outcome;
  if (outcome.reason = problem.check(); !outcome.reason.empty())
    return outcome;
  return Search(problem, budget).run();
}
