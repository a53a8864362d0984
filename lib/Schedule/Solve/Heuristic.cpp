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
    residue.assign(count, 0);
    placed.assign(count, false);
    lastTried.assign(count, -1);
    findDelays();
    findRivals();
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
      throwOut(op, queue);
    }
    delayTransfers();
    return true;
  }

private:
  /// Another operation on the same unit, or in the same process, and how long
  /// either takes both; 0 cycles of what they do not share.
  struct Rival {
    int op;
    int64_t myUnit, itsUnit, myIssue, itsIssue;
  };

  bool crosses(const Dependence &edge) const {
    return solution.process[edge.from] != solution.process[edge.to];
  }

  /// Of each dependence: from one start to the other, at this interval.
  void findDelays() {
    size_t count = problem.operations.size();
    incoming.assign(count, {});
    outgoing.assign(count, {});
    for (size_t i = 0; i < problem.dependences.size(); ++i) {
      const Dependence &edge = problem.dependences[i];
      delays.push_back(requiredDelay(problem, edge, crosses(edge)) -
                       edge.distance * solution.ii);
      incoming[edge.to].push_back(int(i));
      outgoing[edge.from].push_back(int(i));
    }
  }

  void findRivals() {
    size_t count = problem.operations.size();
    rivals.assign(count, {});
    for (size_t op = 0; op < count; ++op)
      for (size_t other = 0; other < count; ++other) {
        const Operation &mine = problem.operations[op],
                        &its = problem.operations[other];
        bool sharesUnit = mine.unit == its.unit;
        bool sharesProcess = solution.process[op] == solution.process[other];
        if (op != other && (sharesUnit || sharesProcess))
          rivals[op].push_back({int(other), sharesUnit ? mine.reservation : 0,
                                sharesUnit ? its.reservation : 0,
                                sharesProcess ? mine.issue : 0,
                                sharesProcess ? its.issue : 0});
      }
  }

  void computeHeights() {
    height.assign(problem.operations.size(), 0);
    bool changed = true;
    for (size_t round = 0; changed && round < problem.operations.size();
         ++round) {
      changed = false;
      for (size_t i = 0; i < problem.dependences.size(); ++i) {
        const Dependence &edge = problem.dependences[i];
        int64_t through = height[edge.to] + delays[i];
        if (through <= height[edge.from])
          continue;
        height[edge.from] = through;
        changed = true;
      }
    }
  }

  void startAt(int op, int64_t cycle) {
    solution.start[op] = cycle;
    residue[op] = modulo(cycle, solution.ii);
  }

  void place(int op) {
    int64_t earliest = 0;
    for (int i : incoming[op]) {
      const Dependence &edge = problem.dependences[i];
      if (edge.from != op && placed[edge.from])
        earliest = std::max(earliest, solution.start[edge.from] + delays[i]);
    }
    placed[op] = true;
    // Small loops find most gaps at once or a few rivals later, and a sweep at
    // each placement would double their time.
    int64_t cycle = earliest, blocked = 1;
    for (int tries = 0; tries < 4 && blocked && cycle < earliest + solution.ii;
         ++tries) {
      startAt(op, cycle);
      blocked = blockedFor(op);
      cycle += blocked;
    }
    if (blocked && cycle < earliest + solution.ii)
      cycle = earliest + firstGap(op, earliest);
    if (cycle < earliest + solution.ii) {
      startAt(op, cycle);
      lastTried[op] = std::max(lastTried[op], cycle);
      return;
    }
    lastTried[op] = std::max(earliest, lastTried[op] + 1);
    startAt(op, lastTried[op]);
  }

  /// Whoever stands where `op` was placed, or no longer behind it, is placed
  /// anew.
  void throwOut(int op, std::set<std::pair<int64_t, int>> &queue) {
    auto remove = [&](int other) {
      if (!placed[other] || other == op)
        return;
      placed[other] = false;
      queue.insert({-height[other], other});
    };
    for (const Rival &rival : rivals[op])
      if (placed[rival.op] && delayBehind(op, rival))
        remove(rival.op);
    for (int i : outgoing[op])
      if (int to = problem.dependences[i].to;
          solution.start[to] - solution.start[op] < delays[i])
        remove(to);
  }

  /// What travels through a ring starts as late as its readers allow: a slot is
  /// in use from then on, and rings are shallow.
  void delayTransfers() {
    for (const Transfer &transfer : problem.transfers) {
      int op = transfer.from;
      int64_t first = solution.start[op], latest = INT64_MAX;
      for (int i : outgoing[op])
        latest = std::min(latest, solution.start[problem.dependences[i].to] -
                                      delays[i]);
      if (latest == INT64_MAX)
        continue;
      for (int64_t cycle = latest; cycle > first; --cycle) {
        startAt(op, cycle);
        if (!blockedFor(op))
          break;
        startAt(op, first);
      }
    }
  }

  /// Cycles from `earliest` to the first one where nothing placed is in the way
  /// of `op`; the interval if there is none. What is taken is gone through
  /// until nothing covers the cycle any more: to ask every rival anew at every
  /// cycle takes ten times as long for some hundred operations.
  int64_t firstGap(int op, int64_t earliest) {
    taken.clear();
    int64_t from = modulo(earliest, solution.ii);
    auto take = [&](int64_t length, int other, int64_t lengthOther) {
      int64_t begin = residue[other] - length + 1 - from;
      while (begin < 0)
        begin += solution.ii;
      int64_t end = begin + length - 1 + std::max<int64_t>(lengthOther, 1);
      if (begin == end)
        return;
      taken.push_back({begin, end});
      if (end > solution.ii)
        taken.push_back({0, end - solution.ii});
    };
    for (const Rival &rival : rivals[op]) {
      if (!placed[rival.op])
        continue;
      take(rival.myUnit, rival.op, rival.itsUnit);
      take(rival.myIssue, rival.op, rival.itsIssue);
    }
    int64_t free = 0;
    size_t left = taken.size();
    for (bool isFound = false; !isFound;) {
      isFound = true;
      for (size_t i = 0; i < left;) {
        auto [begin, end] = taken[i];
        if (begin > free) {
          ++i;
          continue;
        }
        isFound &= end <= free;
        free = std::max(free, end);
        taken[i] = taken[--left];
      }
    }
    return std::min(free, solution.ii);
  }

  /// How much later `a` starts at the earliest so that the stretches do not
  /// overlap; 0 if they do not as it is.
  int64_t delayPast(int a, int64_t lengthA, int b, int64_t lengthB) const {
    int64_t gap = residue[b] - residue[a];
    gap += gap < 0 ? solution.ii : 0;
    int64_t sinceB = solution.ii - gap;
    if (sinceB < lengthB)
      return lengthB - sinceB;
    return gap < lengthA ? gap + std::max<int64_t>(lengthB, 1) : 0;
  }

  /// The same for the unit and the process that operations may share.
  int64_t delayBehind(int op, const Rival &rival) const {
    return std::max(delayPast(op, rival.myUnit, rival.op, rival.itsUnit),
                    delayPast(op, rival.myIssue, rival.op, rival.itsIssue));
  }

  /// For so many cycles some operation placed is in the way of `op`; 0 if none
  /// is.
  int64_t blockedFor(int op) const {
    int64_t blocked = 0;
    for (const Rival &rival : rivals[op])
      if (placed[rival.op])
        blocked = std::max(blocked, delayBehind(op, rival));
    return blocked;
  }

  const Problem &problem;
  Solution &solution;
  int64_t &steps;
  std::vector<int64_t> height, lastTried;
  std::vector<int64_t> residue; ///< of each start, modulo the interval
  std::vector<char> placed;
  std::vector<int64_t> delays; ///< of each dependence
  std::vector<std::vector<int>> incoming, outgoing;
  std::vector<std::vector<Rival>> rivals;
  /// Stretches of the interval where others stand, as `firstGap` finds them.
  std::vector<std::pair<int64_t, int64_t>> taken;
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
  int64_t step = std::max<int64_t>(1, first / 32), work = budget.steps * 16;
  int64_t count = int64_t(problem.operations.size());
  for (solution.ii = first; solution.ii <= last; solution.ii += step) {
    // Large loops spend the work soon: the rest of the intervals are tried ever
    // further apart, each with a few placements an operation.
    int64_t given = budget.steps / 64;
    if (work <= 0) {
      step *= 2;
      given = std::min(given, 8 * count);
    }
    int64_t steps = given;
    bool isPlaced = ModuloScheduler(waiting, solution, steps).run();
    work -= (given - steps) * count;
    if (!isPlaced)
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
