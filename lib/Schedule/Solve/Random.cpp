//===- Random.cpp - Random legal schedules -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws roles, start times, rings and depths until the verifier accepts: input
// for tests of everything below the schedule. Any accepted schedule must give
// the same numbers. With each failure waits become rarer and the interval may
// be longer, since a long recurrence leaves little room for chance.
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Solve.h"

#include <algorithm>
#include <map>
#include <random>

using namespace heddle::schedule;

namespace {

class Draw {
public:
  Draw(const Problem &problem, uint64_t seed)
      : problem(problem), random(seed) {}

  Solution once(int64_t lowerBound, int64_t failures) {
    solution = {};
    waitOneIn = 2 + failures / 16;
    solution.ii = lowerBound + below(lowerBound * (1 + failures / 64) + 1);
    drawRoles();
    drawTimes();
    drawRings();
    return solution;
  }

private:
  /// Uniform in [0, limit), the same on every platform.
  int64_t below(int64_t limit) {
    return limit <= 0
               ? 0
               : static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  }

  /// Loads get one or two processes of their own or ride with the dots, which
  /// are dealt to any number of processes that divides the sub-tiles.
  void drawRoles() {
    int loaders = static_cast<int>(below(3));
    int compute = 1 + static_cast<int>(below(problem.subTiles));
    while (problem.subTiles % compute)
      --compute;
    for (int i = 0; i < loaders; ++i)
      solution.processes.push_back({"load." + std::to_string(i), 4, 0});
    for (int i = 0; i < compute; ++i)
      solution.processes.push_back({"mma." + std::to_string(i), 4, 0});
    for (const Operation &op : problem.operations) {
      if (!op.variableLatency)
        solution.process.push_back(loaders + std::max(op.sub, 0) % compute);
      else
        solution.process.push_back(
            static_cast<int>(loaders ? below(loaders) : below(compute)));
    }
  }

  /// Program order is a topological order of the edges within an iteration.
  void drawTimes() {
    solution.start.assign(problem.operations.size(), 0);
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      int64_t earliest = waits() ? below(2 * solution.ii) : 0;
      for (const Dependence &edge : problem.dependences)
        if (edge.to == static_cast<int>(op) && edge.from < edge.to)
          earliest =
              std::max(earliest,
                       solution.start[edge.from] - edge.distance * solution.ii +
                           requiredDelay(problem, edge, crosses(edge)) +
                           (waits() ? below(solution.ii) : 0));
      solution.start[op] = earliest;
      for (int64_t tries = 0; tries < solution.ii && clashes(op); ++tries)
        ++solution.start[op];
    }
  }

  bool waits() { return below(waitOneIn) == 1; }

  bool crosses(const Dependence &edge) const {
    return solution.process[edge.from] != solution.process[edge.to];
  }

  bool clashes(size_t op) const {
    auto overlap = [&](size_t other, int64_t a, int64_t b) {
      int64_t gap = (solution.start[other] - solution.start[op]) % solution.ii;
      gap += gap < 0 ? solution.ii : 0;
      return gap < a || solution.ii - gap < b;
    };
    for (size_t other = 0; other < op; ++other) {
      const Operation &x = problem.operations[op],
                      &y = problem.operations[other];
      if ((x.unit == y.unit && overlap(other, x.reservation, y.reservation)) ||
          (solution.process[op] == solution.process[other] &&
           overlap(other, x.issue, y.issue)))
        return true;
    }
    return false;
  }

  void drawRings() {
    std::map<int, std::vector<int>> byProcess;
    for (const Transfer &transfer : problem.transfers)
      byProcess[solution.process[transfer.from]].push_back(transfer.from);
    for (auto &[process, sources] : byProcess) {
      size_t first = solution.rings.size();
      for (int source : sources) {
        size_t rings = solution.rings.size() - first;
        size_t choice =
            static_cast<size_t>(below(static_cast<int64_t>(rings) + 1));
        if (choice == rings)
          solution.rings.push_back(
              {"ring." + std::to_string(solution.rings.size()), 1, {}});
        solution.rings[first + choice].operations.push_back(source);
      }
    }
    for (Ring &ring : solution.rings)
      ring.depth = lifetime(ring) / solution.ii + 1 + below(2);
  }

  int64_t lifetime(const Ring &ring) const {
    int64_t begin = INT64_MAX, end = 0;
    for (int op : ring.operations) {
      begin = std::min(begin, solution.start[op]);
      for (const Dependence &edge : problem.dependences)
        if (edge.from == op)
          end = std::max(end, solution.start[edge.to] +
                                  edge.distance * solution.ii +
                                  problem.operations[edge.to].latency +
                                  problem.machine.handOverCycles);
    }
    return std::max<int64_t>(0, end - begin);
  }

  const Problem &problem;
  std::mt19937_64 random;
  int64_t waitOneIn = 2;
  Solution solution;
};

} // namespace

Outcome heddle::schedule::drawSchedule(const Problem &problem, uint64_t seed,
                                       Budget budget) {
  Outcome outcome;
  if (outcome.reason = problem.check(); !outcome.reason.empty())
    return outcome;
  outcome.lowerBound = minII(problem);
  Draw draw(problem, seed);
  for (int64_t tries = 0; tries < std::min<int64_t>(budget.steps, 10000);
       ++tries) {
    Solution solution = draw.once(outcome.lowerBound, tries);
    if (outcome.reason = verify(problem, solution); outcome.reason.empty()) {
      outcome.solution = solution;
      return outcome;
    }
  }
  return outcome;
}
