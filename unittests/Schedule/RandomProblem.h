//===- RandomProblem.h - Small random problems and all solutions -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solvers and certifiers are compared with exhaustive search on problems small
// enough for it: 2 to 5 operations on 1 or 2 units.
//
// Why a bounded search is exhaustive. Shifting all times alike changes nothing,
// so operation 0 is issued at cycle 0. Let T be `farthest`. If no
// operation is issued for more than T cycles between two that are, then all
// that are issued later can move down by II: residues stay, the dependences
// that lead up have room, and none leads down. Lives get shorter. So some
// solution has no such pause, if there is any. Queues: if all operations of a
// unit wait II or more, all can be taken up II earlier; and where one waits W,
// all on the unit wait W - II at least, since the unit serves each of them once
// in II cycles.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_SCHEDULE_RANDOMPROBLEM_H
#define HEDDLE_UNITTESTS_SCHEDULE_RANDOMPROBLEM_H

#include "SampleMachine.h"

#include "heddle/Schedule/Problem.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <random>

/// The same problem for the same seed on every platform. Registers come in
/// eights. No operation has variable latency, since which process those need is
/// the solver's choice and not part of a solution's meaning.
inline heddle::schedule::Problem randomProblem(uint64_t seed) {
  using namespace heddle::schedule;
  std::mt19937_64 random(seed * 2654435761u + 1);
  auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  auto oneIn = [&](int64_t n) { return below(n) == 0; };
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "random." + std::to_string(seed);
  int count = 2 + static_cast<int>(std::min(below(4), below(4)));
  int units = oneIn(3) ? 1 : 2;
  for (int unit = 0; unit < units; ++unit)
    problem.units.push_back({"unit." + std::to_string(unit), oneIn(2)});
  bool hasColumns = oneIn(5);
  for (int i = 0; i < count; ++i) {
    Operation op;
    op.name = "op." + std::to_string(i);
    op.unit = static_cast<int>(below(units));
    bool asynchronous = problem.units[op.unit].asynchronous;
    op.reservation = 1 + below(3);
    op.issue = asynchronous ? 1 : op.reservation;
    op.latency = op.reservation + below(3);
    op.registers = oneIn(5) ? 0 : 8 * (1 + below(3));
    if (oneIn(2)) {
      op.registers = 0; // in memory
      problem.transfers.push_back({i, 1 + below(2)});
    } else if (hasColumns && oneIn(2)) {
      op.registers = 0;
      op.columns = 8 * (1 + below(2));
    }
    op.inPlace = !asynchronous && oneIn(4);
    op.persists = oneIn(8);
    problem.operations.push_back(op);
  }
  auto isTransferred = [&](int op) {
    return std::any_of(
        problem.transfers.begin(), problem.transfers.end(),
        [&](const Transfer &transfer) { return transfer.from == op; });
  };
  auto connect = [&](int from, int to, int64_t distance) {
    Dependence edge{from, to, distance, false, false, 0};
    bool sharesUnit =
        problem.operations[from].unit == problem.operations[to].unit;
    if (sharesUnit && oneIn(3))
      edge.accumulates = true;
    else if (!isTransferred(from) && oneIn(6)) {
      edge.orders = true;
      edge.delay = below(4);
    }
    problem.dependences.push_back(edge);
  };
  for (int to = 1; to < count; ++to)
    connect(static_cast<int>(below(to)), to, oneIn(6) ? 1 : 0);
  for (int64_t extra = below(3); extra > 0; --extra) {
    int from = static_cast<int>(below(count)),
        to = static_cast<int>(below(count));
    connect(from, to, from < to ? below(2) : 1 + below(2));
  }
  // What nobody reads goes through no ring.
  std::erase_if(problem.transfers, [&](const Transfer &transfer) {
    return std::none_of(problem.dependences.begin(), problem.dependences.end(),
                        [&](const Dependence &edge) {
                          return edge.from == transfer.from && !edge.orders;
                        });
  });
  problem.machine.handOverCycles = below(2);
  problem.machine.ringDepth = 2 + below(2);
  problem.machine.sharedBytes = 3 + below(8);
  problem.machine.overheadRegisters = 8 * below(2);
  problem.machine.loaderRegisters = 0;
  problem.machine.maxRegisters = 40 + 8 * below(6);
  problem.machine.registersPerLane = 64 + 8 * below(12);
  problem.machine.columns = hasColumns ? 8 * (2 + below(4)) : 0;
  return problem;
}

/// In two of five, operations with variable latency are kept apart from the
/// others, of which there is one at least.
inline heddle::schedule::Problem randomProblemMaybeWithLoads(uint64_t seed) {
  heddle::schedule::Problem problem = randomProblem(seed);
  if (seed % 5 < 3)
    return problem;
  std::mt19937_64 random(seed * 2654435761u + 2);
  problem.loadsApart = true;
  for (size_t op = 1; op < problem.operations.size(); ++op)
    problem.operations[op].variableLatency = random() % 3 == 0;
  return problem;
}

/// Every schedule of one II, up to what the head of this file says changes
/// nothing.
class ExhaustiveSearch {
public:
  using Problem = heddle::schedule::Problem;
  using Solution = heddle::schedule::Solution;
  using Dependence = heddle::schedule::Dependence;

  ExhaustiveSearch(const Problem &problem, int64_t ii)
      : problem(problem), ii(ii), count(problem.operations.size()) {}

  /// Only schedules that `accepts`, which may tie operations that are up to
  /// `apart` cycles apart.
  void require(std::function<bool(const Solution &)> accepts, int64_t apart) {
    this->accepts = std::move(accepts);
    this->apart = apart;
  }

  /// With the given process for each operation, or with any.
  std::optional<Solution> run(std::vector<int> process = {}) {
    std::vector<int64_t> work(problem.units.size(), 0);
    for (const auto &op : problem.operations) {
      work[op.unit] += op.reservation;
      if (work[op.unit] > ii || op.issue > ii)
        return std::nullopt;
    }
    if (!process.empty()) {
      this->process = process;
      return searchTimes() ? std::optional(result) : std::nullopt;
    }
    return assign(0, 0) ? std::optional(result) : std::nullopt;
  }

private:
  bool isAsynchronous(size_t op) const {
    return problem.units[problem.operations[op].unit].asynchronous;
  }
  bool isTransferred(size_t op) const {
    return std::any_of(problem.transfers.begin(), problem.transfers.end(),
                       [&](const auto &transfer) {
                         return transfer.from == static_cast<int>(op);
                       });
  }

  /// Every partition of the operations, each once.
  bool assign(size_t op, int used) {
    if (op == 0)
      process.assign(count, 0);
    if (op == count)
      return searchTimes();
    for (process[op] = 0; process[op] <= used; ++process[op])
      if (assignmentIsLegal(op) &&
          assign(op + 1, std::max(used, process[op] + 1)))
        return true;
    return false;
  }

  bool assignmentIsLegal(size_t last) const {
    for (size_t op = 0; problem.loadsApart && op < last; ++op) {
      bool isLoad = problem.operations[last].variableLatency,
           isAlike = isLoad == problem.operations[op].variableLatency;
      if (process[op] == process[last] ? !isAlike : isAlike && isLoad)
        return false;
    }
    for (const Dependence &edge : problem.dependences) {
      if (std::max<size_t>(edge.from, edge.to) > last ||
          process[edge.from] == process[edge.to])
        continue;
      if (edge.accumulates || (!edge.orders && !isTransferred(edge.from) &&
                               problem.operations[edge.from].columns == 0))
        return false;
    }
    return true;
  }

  bool searchTimes() {
    start.assign(count, 0);
    execution.assign(count, 0);
    longestWait.assign(count, 0);
    int64_t longest = 0;
    farthest = apart;
    for (size_t op = 0; op < count; ++op)
      // Alone on its unit, an operation waits only if somebody asks for it.
      if (isAsynchronous(op) && (hasCompany(op) || accepts))
        longest = longestWait[op] = 2 * ii - 1;
    for (const Dependence &edge : problem.dependences)
      farthest = std::max(
          {farthest, edge.distance * ii + 1,
           ii + longest +
               heddle::schedule::requiredDelay(problem, edge, crosses(edge))});
    int64_t window = static_cast<int64_t>(count - 1) * farthest;
    low.assign(count, -window);
    high.assign(count, window);
    low[0] = high[0] = 0;
    return placeFrom(0);
  }

  bool hasCompany(size_t op) const {
    for (size_t other = 0; other < count; ++other)
      if (other != op &&
          problem.operations[other].unit == problem.operations[op].unit)
        return true;
    return false;
  }

  bool crosses(const Dependence &edge) const {
    return process[edge.from] != process[edge.to];
  }

  bool placeFrom(size_t op) {
    if (op == count)
      return completes();
    int64_t first = low[op], last = high[op];
    bound(op, first, last);
    for (start[op] = first; start[op] <= last; ++start[op])
      for (execution[op] = start[op];
           execution[op] <= start[op] + longestWait[op]; ++execution[op])
        if (isClose(op) && isCompatible(op) && fits(op) && placeFrom(op + 1))
          return true;
    return false;
  }

  /// Operations still to place can fill so many pauses.
  bool isClose(size_t op) const {
    std::vector<int64_t> issues(start.begin(), start.begin() + op + 1);
    std::sort(issues.begin(), issues.end());
    int64_t longest = farthest * static_cast<int64_t>(count - op);
    for (size_t i = 1; i < issues.size(); ++i)
      if (issues[i] - issues[i - 1] > longest)
        return false;
    return true;
  }

  /// Do the results of operations up to `last` and their readers up to there
  /// find room? More readers only need more.
  bool fits(size_t last) const {
    int64_t bytes = 0;
    for (const auto &transfer : problem.transfers) {
      int64_t depth = static_cast<size_t>(transfer.from) > last
                          ? 1
                          : depthOf(transfer, last);
      bytes += depth * transfer.bytes;
      if (depth > problem.machine.ringDepth)
        return false;
    }
    if (bytes > problem.machine.sharedBytes)
      return false;
    for (size_t born = 0; born <= last; ++born)
      if (!fitsAt(born, last))
        return false;
    return true;
  }

  int64_t depthOf(const heddle::schedule::Transfer &transfer,
                  size_t last) const {
    int64_t used = 0;
    for (const Dependence &edge : problem.dependences)
      if (edge.from == transfer.from && static_cast<size_t>(edge.to) <= last)
        used = std::max(used, edge.distance * ii + execution[edge.to] +
                                  problem.operations[edge.to].latency +
                                  problem.machine.handOverCycles -
                                  start[transfer.from]);
    return std::max<int64_t>(1, (used + ii - 1) / ii);
  }

  int64_t birthOf(size_t op) const {
    const auto &made = problem.operations[op];
    return start[op] + (made.inPlace && !isAsynchronous(op) ? made.issue : 0);
  }

  bool fitsAt(size_t born, size_t last) const {
    int64_t registers = 0, columns = 0;
    for (size_t op = 0; op <= last; ++op) {
      const auto &made = problem.operations[op];
      int64_t copies = made.persists ? 1 : 0, begin = birthOf(op), end = begin;
      for (const Dependence &edge : problem.dependences)
        if (edge.from == static_cast<int>(op) && !edge.orders &&
            static_cast<size_t>(edge.to) <= last)
          end = std::max(end, endOf(edge));
      int64_t age = modulo(birthOf(born) - begin, ii);
      if (!made.persists && end - begin > age)
        copies = (end - begin - age + ii - 1) / ii;
      columns += copies * made.columns;
      if (process[op] == process[born])
        registers += copies * made.registers;
    }
    return columns <= problem.machine.columns &&
           (registers == 0 || registers + problem.machine.overheadRegisters <=
                                  problem.machine.maxRegisters);
  }

  /// What the edges to operations already placed leave of its issue.
  void bound(size_t op, int64_t &first, int64_t &last) const {
    for (const Dependence &edge : problem.dependences) {
      int64_t delay =
          heddle::schedule::requiredDelay(problem, edge, crosses(edge));
      size_t from = edge.from, to = edge.to;
      int64_t shift = edge.distance * ii;
      if (to == op && from < op)
        first = std::max(first, execution[from] + delay - shift -
                                    (edge.accumulates ? longestWait[op] : 0));
      if (from == op && to < op)
        last = std::min(last, (edge.accumulates ? execution[to] : start[to]) +
                                  shift - delay);
      if (to == op && from < op && isSingle(edge))
        last = std::min(last, start[from] + ii - shift);
    }
  }

  bool isSingle(const Dependence &edge) const {
    return !edge.accumulates && !edge.orders && isAsynchronous(edge.from) &&
           !isTransferred(edge.from);
  }

  int64_t endOf(const Dependence &edge) const {
    size_t to = edge.to;
    const auto &reader = problem.operations[to];
    return edge.distance * ii + (isAsynchronous(to)
                                     ? execution[to] + reader.latency
                                     : start[to] + reader.issue);
  }

  /// Against itself and what was placed before.
  bool isCompatible(size_t op) const {
    for (const Dependence &edge : problem.dependences) {
      size_t from = edge.from, to = edge.to;
      if (std::max(from, to) != op)
        continue;
      int64_t read = edge.accumulates ? execution[to] : start[to];
      if (read + edge.distance * ii - execution[from] <
          heddle::schedule::requiredDelay(problem, edge, crosses(edge)))
        return false;
      if (isSingle(edge) && endOf(edge) > start[from] + ii)
        return false;
    }
    for (size_t other = 0; other < op; ++other)
      if (!isCompatible(op, other))
        return false;
    return true;
  }

  static int64_t modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

  bool isApart(int64_t a, int64_t lengthA, int64_t b, int64_t lengthB) const {
    int64_t gap = modulo(b - a, ii);
    return gap >= lengthA && ii - gap >= lengthB;
  }

  bool isCompatible(size_t a, size_t b) const {
    const auto &first = problem.operations[a], &second = problem.operations[b];
    if (process[a] == process[b] &&
        !isApart(start[a], first.issue, start[b], second.issue))
      return false;
    if (first.unit != second.unit)
      return true;
    if (!isApart(execution[a], first.reservation, execution[b],
                 second.reservation))
      return false;
    if (!isAsynchronous(a))
      return true;
    // b's turn that follows a's, and precedes a's next.
    int64_t turns = (modulo(execution[b] - execution[a], ii) -
                     (execution[b] - execution[a]));
    int64_t later = start[b] + turns - start[a];
    return later >= 0 && later <= ii;
  }

  /// Budgets and depths no larger than the times need, then everything.
  bool completes() {
    result = {};
    result.ii = ii;
    int64_t first = *std::min_element(start.begin(), start.end());
    int64_t shift = first < 0 ? (-first + ii - 1) / ii * ii : 0;
    int processes = 0;
    for (size_t op = 0; op < count; ++op) {
      result.start.push_back(start[op] + shift);
      result.execution.push_back(execution[op] + shift);
      processes = std::max(processes, process[op] + 1);
    }
    result.process = process;
    for (int i = 0; i < processes; ++i) {
      int64_t peak = heddle::schedule::peakRegisters(problem, result, i);
      result.processes.push_back(
          {"p" + std::to_string(i), 4,
           peak ? peak + problem.machine.overheadRegisters : 0});
    }
    for (const auto &transfer : problem.transfers) {
      int64_t depth = depthOf(transfer, count - 1);
      result.rings.push_back({"ring." + std::to_string(result.rings.size()),
                              depth,
                              {transfer.from}});
    }
    return heddle::schedule::verify(problem, result).empty() &&
           (!accepts || accepts(result));
  }

  const Problem &problem;
  int64_t ii;
  size_t count;
  std::function<bool(const Solution &)> accepts;
  int64_t apart = 0;
  int64_t farthest = 0; ///< between one issue and the next
  std::vector<int> process;
  std::vector<int64_t> start, execution, longestWait, low, high;
  Solution result;
};

/// A schedule of the least II, if there is one of at most `limit`.
inline std::optional<heddle::schedule::Solution>
searchExhaustively(const heddle::schedule::Problem &problem, int64_t limit) {
  for (int64_t ii = 1; ii <= limit; ++ii)
    if (auto solution = ExhaustiveSearch(problem, ii).run())
      return solution;
  return std::nullopt;
}

#endif // HEDDLE_UNITTESTS_SCHEDULE_RANDOMPROBLEM_H
