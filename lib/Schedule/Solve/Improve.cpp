//===- Improve.cpp - The best of the schedules of one II ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Improve.h"
#include "ReadEarly.h"
#include "StoreEarly.h"

#include "heddle/Schedule/Solve.h"

#include <algorithm>

using namespace heddle::schedule;

namespace {

/// The largest value in [low, high] that `reaches` reaches, in steps.
template <class Reaches>
int64_t most(int64_t low, int64_t high, int64_t step, Reaches reaches) {
  while (high - low >= step) {
    int64_t middle = low + (high - low + 1) / 2;
    if (reaches(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// Downward from `value`, whose successor by `next` is the next to try.
template <class Next, class Reaches>
int64_t least(int64_t value, Next next, Reaches reaches) {
  for (int64_t lower = next(value); lower >= 0 && reaches(lower);
       lower = next(value))
    value = lower;
  return value;
}

int64_t length(const Problem &problem, const Solution &solution) {
  int64_t first = INT64_MAX, last = 0;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (!problem.operations[op].variableLatency) {
      first = std::min(first, solution.start[op]);
      last = std::max(last, solution.start[op]);
    }
  return first == INT64_MAX ? 0 : last - first;
}

/// Registers that the fullest process needs, in eights.
int64_t neededRegisters(const Problem &problem, const Solution &solution) {
  int64_t most = 0;
  for (size_t process = 0; process < solution.processes.size(); ++process)
    most = std::max(most, peakRegisters(problem, solution, int(process)));
  return most ? (most + problem.machine.overheadRegisters + 7) / 8 * 8 : 0;
}

/// Cycles after what loads are tried; each is verified.
constexpr int64_t kMostLater = 1 << 14;

/// A slot is in use from when it is first filled, and what is left of its turn
/// is how late memory may be. So loads start as late as their readers allow,
/// the last first.
void loadLate(const Problem &problem, Solution &solution,
              const std::vector<Relation> &relations) {
  std::vector<int> loads;
  for (const Transfer &transfer : problem.transfers)
    if (problem.operations[transfer.from].variableLatency)
      loads.push_back(transfer.from);
  std::sort(loads.begin(), loads.end(), [&](int a, int b) {
    return std::pair(solution.start[a], a) > std::pair(solution.start[b], b);
  });
  auto isLegal = [&] {
    return verify(problem, solution).empty() &&
           std::all_of(relations.begin(), relations.end(),
                       [&](const Relation &relation) {
                         return holds(problem, solution, relation);
                       });
  };
  for (int load : loads) {
    int64_t first = solution.start[load], latest = first;
    for (const Dependence &edge : problem.dependences)
      if (edge.from == load)
        latest = std::max(latest, solution.start[edge.to] +
                                      edge.distance * solution.ii);
    int64_t end = std::max(first, latest - kMostLater);
    for (int64_t cycle = latest; cycle > end; --cycle) {
      solution.start[load] = solution.execution[load] = cycle;
      if (isLegal())
        break;
      solution.start[load] = solution.execution[load] = first;
    }
  }
}

/// Cycles from the issue of `op` until its process has issued what adds to its
/// result next; 0 if nothing does, or if it reads registers, which the process
/// makes anew after it has waited for `op`.
int64_t untilIsAddedTo(const Problem &problem, const Solution &solution,
                       int op) {
  int64_t issued = 0;
  for (const Dependence &edge : problem.dependences)
    if (edge.to == op && !edge.accumulates && !edge.orders &&
        !problem.operations[edge.from].variableLatency)
      return 0;
    else if (edge.from == op && edge.accumulates)
      issued = std::max(
          issued, solution.start[edge.to] + edge.distance * solution.ii +
                      problem.operations[edge.to].issue - solution.start[op]);
  return issued;
}

/// A process that waits for a result to read it need not wait before only to
/// give a slot back: real units are later than the timetable says, now and
/// then. So what ends with an operation ends when its first reader waits. What
/// is only added to, nobody waits for: that ends when the unit has the next
/// addend in its queue, so that the process never leaves the queue empty while
/// it waits.
void waitLate(const Problem &problem, Solution &solution) {
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
    if (first == INT64_MAX)
      first = untilIsAddedTo(problem, solution, int(op));
    if (first <= solution.latency[op])
      continue;
    std::swap(first, solution.latency[op]);
    if (!verify(problem, solution).empty())
      solution.latency[op] = first;
  }
}

} // namespace

int64_t heddle::schedule::crossingBytes(const Problem &problem,
                                        const Solution &solution) {
  std::vector<bool> crosses(problem.operations.size(), false);
  for (const Dependence &edge : problem.dependences)
    if (!edge.orders &&
        solution.process[edge.from] != solution.process[edge.to])
      crosses[edge.from] = true;
  int64_t bytes = 0;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (crosses[op] && !problem.operations[op].variableLatency)
      bytes += handedOverBytes(problem, int(op));
  return bytes;
}

int64_t heddle::schedule::ownerChanges(const Problem &problem,
                                       const Solution &solution) {
  int64_t changes = 0;
  for (size_t unit = 0; unit < problem.units.size(); ++unit) {
    std::vector<std::pair<int64_t, int>> turns; // residue, process
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      const Operation &operation = problem.operations[op];
      if (operation.unit == int(unit) && problem.units[unit].asynchronous &&
          !operation.variableLatency && operation.reservation > 0)
        turns.push_back({solution.executionOf(int(op)) % solution.ii,
                         solution.process[op]});
    }
    std::sort(turns.begin(), turns.end());
    for (size_t i = 0; i < turns.size(); ++i)
      changes +=
          turns[i].second != turns[(i + 1) % turns.size()].second ? 1 : 0;
  }
  return changes;
}

void heddle::schedule::reachGoals(const Problem &problem, bool wantsSlack,
                                  const Solution &solution, Goals &goals,
                                  const Asker &reaches) {
  auto with = [&](auto member, int64_t value) {
    Goals more = goals;
    more.*member = value;
    return reaches(more);
  };
  int64_t ii = solution.ii;
  if (wantsSlack)
    goals.slack =
        most(0, ii / 2, std::max<int64_t>(1, ii / 128),
             [&](int64_t slack) { return with(&Goals::slack, slack); });
  goals.ownerChanges = least(
      ownerChanges(problem, solution),
      [&](int64_t) { return ownerChanges(problem, solution) - 1; },
      [&](int64_t changes) { return with(&Goals::ownerChanges, changes); });
  goals.registers = least(
      neededRegisters(problem, solution),
      [&](int64_t) { return neededRegisters(problem, solution) - 8; },
      [&](int64_t registers) { return with(&Goals::registers, registers); });
  if (*goals.registers == 0)
    goals.registers.reset(); // nothing holds any
  goals.longest =
      -most(-length(problem, solution), 0, std::max<int64_t>(1, ii / 32),
            [&](int64_t negated) { return with(&Goals::longest, -negated); });
}

void heddle::schedule::tidy(const Problem &problem, Solution &solution,
                            const std::vector<Relation> &relations) {
  for (auto *move : {readEarly, storeEarly}) {
    Solution before = solution;
    move(problem, solution);
    if (!std::all_of(relations.begin(), relations.end(),
                     [&](const Relation &relation) {
                       return holds(problem, solution, relation);
                     }))
      solution = std::move(before);
  }
  loadLate(problem, solution, relations);
  fitRings(problem, solution);
  fillSharedMemory(problem, solution.rings);
  waitLate(problem, solution);
}
