//===- StoreEarly.cpp - Slots are filled as soon as may be ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoreEarly.h"
#include "InStep.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace heddle::schedule;

namespace {

class Storer {
public:
  Storer(const Problem &problem, Solution &solution)
      : problem(problem), solution(solution),
        inStep(isInStep(problem, solution)) {}

  void run() {
    std::map<int, std::vector<int>> stores; // of all sub-tiles, by their leader
    for (const Transfer &transfer : problem.transfers)
      if (!problem.operations[transfer.from].variableLatency &&
          !isAsynchronous(transfer.from))
        stores[leaderOf(problem, transfer.from)].push_back(transfer.from);
    for (const auto &[leader, ops] : stores)
      if (!moveUp(ops) && ops.size() > 1)
        for (int op : ops)
          moveUp({op});
  }

private:
  bool isAsynchronous(int op) const {
    return problem.units[problem.operations[op].unit].asynchronous;
  }

  /// The first cycle at which `op` has what it reads.
  int64_t readyOf(int op) const {
    int64_t ready = INT64_MIN;
    for (const Dependence &edge : problem.dependences)
      if (edge.to == op)
        ready = std::max(ready, solution.executionOf(edge.from) +
                                    requiredDelay(problem, edge,
                                                  solution.process[edge.from] !=
                                                      solution.process[op]) -
                                    edge.distance * solution.ii);
    return ready == INT64_MIN ? solution.start[op] : ready;
  }

  /// By how many cycles `op` could be earlier: at once, or in front of or
  /// behind another operation of its process. Most first.
  std::vector<int64_t> gainsOf(int op) const {
    int64_t ready = readyOf(op), now = solution.start[op];
    std::vector<int64_t> gains = {now - ready};
    for (size_t other = 0; other < problem.operations.size(); ++other) {
      if (solution.process[other] != solution.process[op])
        continue;
      for (int64_t end : {int64_t(0), problem.operations[other].issue})
        gains.push_back(modulo(now - solution.start[other] - end));
    }
    std::sort(gains.begin(), gains.end(), std::greater<>());
    gains.erase(std::unique(gains.begin(), gains.end()), gains.end());
    gains.erase(std::remove_if(gains.begin(), gains.end(),
                               [&](int64_t gain) {
                                 return gain <= 0 || now - gain < ready;
                               }),
                gains.end());
    return gains;
  }

  int64_t modulo(int64_t cycles) const {
    int64_t rest = cycles % solution.ii;
    return rest < 0 ? rest + solution.ii : rest;
  }

  /// All of `ops` by the same number of cycles.
  bool moveUp(const std::vector<int> &ops) {
    for (int64_t gain : gainsOf(ops[0])) {
      Solution moved = solution;
      for (int op : ops)
        insert(moved, op, solution.start[op] - gain);
      // Sub-tiles in step stay so.
      if (!fits(moved, ops) || (inStep && !isInStep(problem, moved)))
        continue;
      solution = std::move(moved);
      return true;
    }
    return false;
  }

  /// `op` at `cycle`; what its process issues behind it gives way, round the
  /// interval, as far as it must.
  void insert(Solution &moved, int op, int64_t cycle) const {
    std::vector<std::tuple<int64_t, int64_t, int>> behind;
    for (size_t other = 0; other < problem.operations.size(); ++other) {
      if (int(other) == op || moved.process[other] != moved.process[op])
        continue;
      int64_t distance = modulo(moved.start[other] - cycle);
      // What is being issued at that cycle gives way, too.
      if (distance + problem.operations[other].issue > moved.ii)
        distance -= moved.ii;
      behind.push_back({distance, moved.start[other], int(other)});
    }
    std::sort(behind.begin(), behind.end());
    moved.start[op] = moved.execution[op] = cycle;
    int64_t next = cycle + problem.operations[op].issue;
    for (auto [distance, before, other] : behind) {
      int64_t usual = cycle + distance, turn = before - usual;
      int64_t start = std::max(next, usual);
      for (const Dependence &edge : problem.dependences)
        if (edge.to == other && !isAsynchronous(edge.from) &&
            moved.process[edge.from] == moved.process[op])
          start = std::max(start, moved.start[edge.from] - turn -
                                      edge.distance * moved.ii +
                                      requiredDelay(problem, edge, false));
      next = start + problem.operations[other].issue;
      moved.start[other] = start + turn;
      moved.execution[other] =
          isAsynchronous(other)
              ? std::max(moved.execution[other], moved.start[other])
              : moved.start[other];
    }
  }

  /// With as many slots as that takes.
  bool fits(Solution &moved, const std::vector<int> &ops) const {
    for (;;) {
      if (verify(problem, moved).empty())
        return true;
      bool grows = false;
      for (Ring &ring : moved.rings)
        if (ring.depth < problem.machine.ringDepth &&
            std::any_of(ring.operations.begin(), ring.operations.end(),
                        [&](int member) {
                          return std::find(ops.begin(), ops.end(), member) !=
                                 ops.end();
                        })) {
          ++ring.depth;
          grows = true;
        }
      if (!grows)
        return false;
    }
  }

  const Problem &problem;
  Solution &solution;
  const bool inStep;
};

} // namespace

void heddle::schedule::storeEarly(const Problem &problem, Solution &solution) {
  if (solution.execution.empty())
    solution.execution = solution.start;
  Storer(problem, solution).run();
}
