//===- Timetable.cpp - A schedule unrolled into cycles --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timetable.h"

#include <algorithm>
#include <tuple>

using namespace heddle::schedule;

Timetable::Timetable(const Problem &problem, const Solution &solution)
    : problem(problem), solution(solution) {
  int64_t begin = INT64_MAX, end = 0;
  for (int op = 0; op < static_cast<int>(problem.operations.size()); ++op) {
    const Operation &described = problem.operations[op];
    begin = std::min(begin, issued(op, 0));
    end = std::max({end, issued(op, 0) + described.issue,
                    takenUp(op, 0) + described.reservation, awaited(op, 0),
                    dead(op, 0)});
  }
  for (const Dependence &edge : problem.dependences)
    end = std::max(end, awaited(edge.to, edge.distance));
  int64_t span = end - begin + problem.machine.handOverCycles;
  unrolled = problem.operations.empty() ? 0 : span / solution.ii + 3;
}

int64_t Timetable::issued(int op, int64_t iteration) const {
  return solution.start[op] + iteration * solution.ii;
}

int64_t Timetable::takenUp(int op, int64_t iteration) const {
  return (solution.execution.empty() ? solution.start
                                     : solution.execution)[op] +
         iteration * solution.ii;
}

int64_t Timetable::awaited(int op, int64_t iteration) const {
  return solution.latency.empty()
             ? takenUp(op, iteration) + problem.operations[op].latency
             : issued(op, iteration) + solution.latency[op];
}

int64_t Timetable::doneReading(int op, int64_t iteration) const {
  return isAsynchronous(op)
             ? awaited(op, iteration)
             : issued(op, iteration) + problem.operations[op].issue;
}

int64_t Timetable::born(int op, int64_t iteration) const {
  const Operation &described = problem.operations[op];
  bool takesOver = described.inPlace && !isAsynchronous(op);
  return issued(op, iteration) + (takesOver ? described.issue : 0);
}

int64_t Timetable::dead(int op, int64_t iteration) const {
  int64_t end = born(op, iteration);
  for (const Dependence &edge : problem.dependences)
    if (edge.from == op && !edge.orders)
      end = std::max(end, doneReading(edge.to, iteration + edge.distance));
  return end;
}

bool Timetable::isAsynchronous(int op) const {
  return problem.units[problem.operations[op].unit].asynchronous;
}

std::vector<Stretch> Timetable::reservationsOn(int unit) const {
  std::vector<Stretch> result;
  for (int op = 0; op < static_cast<int>(problem.operations.size()); ++op)
    for (int64_t i = 0; problem.operations[op].unit == unit && i < unrolled;
         ++i)
      result.push_back({takenUp(op, i),
                        takenUp(op, i) + problem.operations[op].reservation, op,
                        i});
  return result;
}

std::vector<Stretch> Timetable::issuesOf(int process) const {
  std::vector<Stretch> result;
  for (int op = 0; op < static_cast<int>(problem.operations.size()); ++op)
    for (int64_t i = 0; solution.process[op] == process && i < unrolled; ++i)
      result.push_back(
          {issued(op, i), issued(op, i) + problem.operations[op].issue, op, i});
  return result;
}

Overlap heddle::schedule::findOverlap(std::vector<Stretch> stretches) {
  // What takes no time fits in front of what begins in its cycle.
  std::sort(stretches.begin(), stretches.end(),
            [](const Stretch &a, const Stretch &b) {
              return std::tie(a.begin, a.end, a.op, a.iteration) <
                     std::tie(b.begin, b.end, b.op, b.iteration);
            });
  size_t last = 0; // of those seen, the one that ends last
  for (size_t i = 1; i < stretches.size(); ++i) {
    if (stretches[i].begin < stretches[last].end)
      return {true, stretches[last], stretches[i]};
    if (stretches[i].end >= stretches[last].end)
      last = i;
  }
  return {};
}

Peak heddle::schedule::findPeak(const std::vector<Load> &loads) {
  // At one cycle, what ends makes room before what begins takes it.
  std::vector<std::pair<int64_t, int64_t>> changes;
  for (const Load &load : loads)
    if (load.end > load.begin) {
      changes.push_back({load.begin, load.weight});
      changes.push_back({load.end, -load.weight});
    }
  std::sort(changes.begin(), changes.end());
  Peak peak;
  int64_t now = 0;
  for (const auto &[cycle, change] : changes) {
    now += change;
    if (now > peak.amount)
      peak = {now, cycle};
  }
  return peak;
}
