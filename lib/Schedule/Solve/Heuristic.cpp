//===- Heuristic.cpp - Iterative modulo scheduling with fixed roles -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rau 1994: operations by decreasing height (longest path to the end), each at
// its earliest legal cycle, or, where the modulo table is full, at its earliest
// cycle with whatever stands there thrown out. Roles come first: operations of
// variable latency go to one process that only issues, sub-tile s to compute
// process s mod n. Ring depths take what shared memory allows.
//
//===----------------------------------------------------------------------===//

#include "Roles.h"
#include "heddle/Schedule/Solve.h"

#include <algorithm>
#include <set>

using namespace heddle::schedule;

namespace {

int64_t modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

/// Must a process hold the result while it goes on with something else: what an
/// asynchronous unit makes or reads, and what the next iteration needs? Other
/// results are used up one after the other.
bool isHeld(const Problem &problem, int op) {
  auto isAsynchronous = [&](int op) {
    return problem.units[problem.operations[op].unit].asynchronous;
  };
  return problem.operations[op].persists || isAsynchronous(op) ||
         std::any_of(problem.dependences.begin(), problem.dependences.end(),
                     [&](const Dependence &edge) {
                       return edge.from == op && !edge.orders &&
                              (edge.distance > 0 || isAsynchronous(edge.to));
                     });
}

/// Registers of a thread for the results of one sub-tile.
int64_t registersPerSubTile(const Problem &problem) {
  int64_t registers = 0;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (problem.operations[op].sub <= 0 && isHeld(problem, int(op)))
      registers += problem.operations[op].registers;
  return registers;
}

/// Compute processes that the register file can feed: each holds the registers
/// of its sub-tiles.
int computeProcesses(const Problem &problem) {
  int64_t perSub = registersPerSubTile(problem);
  for (int processes = 1; processes < problem.subTiles; ++processes) {
    if (problem.subTiles % processes)
      continue;
    int64_t need = perSub * (problem.subTiles / processes) +
                   problem.machine.overheadRegisters;
    int64_t have = std::min(
        problem.machine.maxRegisters,
        (problem.machine.registersPerLane - problem.machine.overheadRegisters) /
            processes);
    // One process alone would leave the tensor core idle while it waits.
    if (processes > 1 && need <= have)
      return processes;
  }
  return problem.subTiles;
}

class ModuloScheduler {
public:
  ModuloScheduler(const Problem &problem, Solution &solution, int64_t &steps)
      : problem(problem), solution(solution), steps(steps) {}

  bool run() {
    size_t count = problem.operations.size();
    solution.start.assign(count, 0);
    placed.assign(count, false);
    lastTried.assign(count, -1);
    computeHeights();
    std::set<std::pair<int64_t, int>> queue; // (-height, op)
    for (size_t op = 0; op < count; ++op)
      queue.insert({-height[op], static_cast<int>(op)});
    while (!queue.empty()) {
      if (--steps < 0)
        return false;
      int op = queue.begin()->second;
      queue.erase(queue.begin());
      place(op);
      for (size_t other = 0; other < count; ++other)
        if (placed[other] && static_cast<int>(other) != op &&
            conflicts(op, other)) {
          placed[other] = false;
          queue.insert({-height[other], static_cast<int>(other)});
        }
    }
    delayTransfers();
    return true;
  }

private:
  bool crosses(const Dependence &edge) const {
    return solution.process[edge.from] != solution.process[edge.to];
  }

  void computeHeights() {
    height.assign(problem.operations.size(), 0);
    for (size_t round = 0; round < problem.operations.size(); ++round)
      for (const Dependence &edge : problem.dependences)
        height[edge.from] = std::max(
            height[edge.from], height[edge.to] +
                                   requiredDelay(problem, edge, crosses(edge)) -
                                   edge.distance * solution.ii);
  }

  void place(int op) {
    int64_t earliest = 0;
    for (const Dependence &edge : problem.dependences)
      if (edge.to == op && edge.from != op && placed[edge.from])
        earliest =
            std::max(earliest, solution.start[edge.from] +
                                   requiredDelay(problem, edge, crosses(edge)) -
                                   edge.distance * solution.ii);
    placed[op] = true;
    for (int64_t cycle = earliest; cycle < earliest + solution.ii;) {
      solution.start[op] = cycle;
      int64_t blocked = blockedFor(op);
      if (!blocked) {
        lastTried[op] = std::max(lastTried[op], cycle);
        return;
      }
      cycle += blocked;
    }
    solution.start[op] = lastTried[op] = std::max(earliest, lastTried[op] + 1);
  }

  /// What travels through a ring starts as late as its readers allow: a slot is
  /// in use from then on, and rings are shallow.
  void delayTransfers() {
    for (const Transfer &transfer : problem.transfers) {
      int op = transfer.from;
      int64_t first = solution.start[op], latest = INT64_MAX;
      for (const Dependence &edge : problem.dependences)
        if (edge.from == op)
          latest = std::min(
              latest, solution.start[edge.to] + edge.distance * solution.ii -
                          requiredDelay(problem, edge, crosses(edge)));
      if (latest == INT64_MAX)
        continue;
      for (int64_t cycle = latest; cycle > first; --cycle) {
        solution.start[op] = cycle;
        if (!blockedFor(op))
          break;
        solution.start[op] = first;
      }
    }
  }

  /// How much later `a` starts at the earliest so that the stretches do not
  /// overlap; 0 if they do not as it is.
  int64_t delayPast(int a, int64_t lengthA, int b, int64_t lengthB) const {
    int64_t gap = modulo(solution.start[b] - solution.start[a], solution.ii);
    int64_t sinceB = solution.ii - gap;
    if (sinceB < lengthB)
      return lengthB - sinceB;
    return gap < lengthA ? gap + std::max<int64_t>(lengthB, 1) : 0;
  }

  /// The same for the unit and the process that operations may share.
  int64_t delayBehind(int op, int other) const {
    const Operation &mine = problem.operations[op],
                    &rival = problem.operations[other];
    int64_t delay = 0;
    if (mine.unit == rival.unit)
      delay = delayPast(op, mine.reservation, other, rival.reservation);
    if (solution.process[op] == solution.process[other])
      delay = std::max(delay, delayPast(op, mine.issue, other, rival.issue));
    return delay;
  }

  /// For so many cycles some operation placed is in the way of `op`; 0 if none
  /// is.
  int64_t blockedFor(int op) const {
    int64_t blocked = 0;
    for (size_t other = 0; other < problem.operations.size(); ++other)
      if (placed[other] && static_cast<int>(other) != op)
        blocked = std::max(blocked, delayBehind(op, static_cast<int>(other)));
    return blocked;
  }

  bool conflicts(int op, int other) const {
    if (delayBehind(op, other))
      return true;
    for (const Dependence &edge : problem.dependences)
      if (edge.from == op && edge.to == other &&
          solution.start[other] + edge.distance * solution.ii -
                  solution.start[op] <
              requiredDelay(problem, edge, crosses(edge)))
        return true;
    return false;
  }

  const Problem &problem;
  Solution &solution;
  int64_t &steps;
  std::vector<int64_t> height, lastTried;
  std::vector<bool> placed;
};

/// The problem with what its rings add: a reader of one part of a slot waits
/// for all of it.
Problem withSlots(const Problem &problem, const Solution &solution) {
  Problem result = problem;
  for (const Ring &ring : solution.rings)
    for (int last : ring.operations)
      for (int op : ring.operations)
        for (const Dependence &edge : problem.dependences)
          if (edge.from == op && op != last && !edge.orders) {
            Dependence wait{last, edge.to, edge.distance, false};
            wait.delay = requiredDelay(problem, wait,
                                       solution.process[last] !=
                                           solution.process[edge.to]);
            wait.orders = true;
            result.dependences.push_back(wait);
          }
  return result;
}

/// A process waits for its own operation while others' share the unit, so one
/// is done when all of the loop's have had their turn. Loads have queues deep
/// enough.
Problem withTurns(const Problem &problem) {
  Problem result = problem;
  std::vector<int64_t> added(problem.operations.size(), 0);
  for (size_t op = 0; op < added.size(); ++op) {
    const Operation &mine = problem.operations[op];
    if (!problem.units[mine.unit].asynchronous || mine.variableLatency)
      continue;
    for (const Operation &other : problem.operations)
      if (other.unit == mine.unit)
        added[op] += other.reservation;
    added[op] -= mine.reservation;
    result.operations[op].latency += added[op];
  }
  for (Dependence &edge : result.dependences)
    if (edge.orders)
      edge.delay += added[edge.from];
  return result;
}

/// Empty if every compute process can hold its results, else why not.
std::string checkRegisters(const Problem &problem, int compute,
                           int64_t registers) {
  int64_t need = registersPerSubTile(problem) * (problem.subTiles / compute) +
                 problem.machine.overheadRegisters;
  if (need <= registers)
    return "";
  return "each of " + std::to_string(compute) + " processes needs " +
         std::to_string(need) +
         " registers a thread for its results and gets " +
         std::to_string(registers);
}

} // namespace

Outcome heddle::schedule::solveHeuristically(const Problem &problem,
                                             Budget budget, int processes) {
  Outcome outcome;
  if (outcome.reason = problem.check(); !outcome.reason.empty())
    return outcome;
  outcome.lowerBound = minII(problem);
  Solution solution;
  int compute = processes ? processes : computeProcesses(problem);
  Roles roles = rolesFor(problem, compute);
  outcome.reason =
      checkRegisters(problem, compute, roles.processes.back().registers);
  if (!outcome.reason.empty())
    return outcome;
  solution.process = roles.process;
  solution.processes = roles.processes;
  solution.rings = roles.rings;
  fillSharedMemory(problem, solution.rings);
  Problem turns = withTurns(problem), waiting = withSlots(turns, solution);
  for (const Operation &op : turns.operations)
    solution.latency.push_back(op.latency);
  int64_t first = std::max<int64_t>(outcome.lowerBound, recurrenceMinII(turns)),
          last = first;
  for (const Operation &op : turns.operations)
    last += op.latency + op.reservation + op.issue;
  int64_t step = std::max<int64_t>(1, first / 32);
  for (solution.ii = first; solution.ii <= last; solution.ii += step) {
    int64_t steps = budget.steps / 64;
    if (!ModuloScheduler(waiting, solution, steps).run())
      continue;
    outcome.reason = verify(problem, solution);
    if (outcome.reason.empty()) {
      outcome.solution = solution;
      return outcome;
    }
  }
  if (outcome.reason.empty())
    outcome.reason = "no schedule found within the step budget";
  return outcome;
}
