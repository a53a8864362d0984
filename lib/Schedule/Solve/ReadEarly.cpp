//===- ReadEarly.cpp - Results are read before long work, not after -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Model time does not tell apart the two places that a reader may have beside a
// long operation, if the result is there before both. The machine does: ptxas
// moves a wgmma.wait_group up over arithmetic anyway, and schedules what stands
// around it better where the table has it there too. With a product's rescaling
// in front of the exponentials instead of behind them, and the processes in
// order, a loop of two products is 1.07 times as fast on an H200
// (docs/lab/2026-11-22-staggered-replicas.md).
//
//===----------------------------------------------------------------------===//

#include "ReadEarly.h"

#include <algorithm>
#include <tuple>

using namespace heddle::schedule;

namespace {

class Mover {
public:
  Mover(const Problem &problem, Solution &solution)
      : problem(problem), solution(solution) {}

  void run() {
    for (const Dependence &edge : problem.dependences)
      if (isAsynchronous(edge.from) && !isAsynchronous(edge.to) &&
          !edge.accumulates && !edge.orders &&
          !problem.operations[edge.from].variableLatency &&
          solution.process[edge.from] == solution.process[edge.to])
        moveUp(edge);
  }

private:
  bool isAsynchronous(int op) const {
    return problem.units[problem.operations[op].unit].asynchronous;
  }

  /// In front of the first operation that lets it.
  void moveUp(const Dependence &edge) {
    int64_t ready = solution.executionOf(edge.from) +
                    requiredDelay(problem, edge, false) -
                    edge.distance * solution.ii;
    int64_t now = solution.start[edge.to];
    // What has ended when the result is there is not in its way.
    std::vector<int> passed;
    for (size_t op = 0; op < problem.operations.size(); ++op)
      if (solution.process[op] == solution.process[edge.to] &&
          !isAsynchronous(int(op)) && solution.start[op] < now &&
          solution.start[op] + problem.operations[op].issue > ready)
        passed.push_back(int(op));
    std::sort(passed.begin(), passed.end(), [&](int a, int b) {
      return std::pair(solution.start[a], a) < std::pair(solution.start[b], b);
    });
    for (int first : passed)
      if (moveInFront(edge.to, ready, first))
        return;
  }

  /// What `op` needs that starts at or after `cycle`, itself included.
  std::vector<bool> neededBy(int op, int64_t cycle) const {
    std::vector<bool> needed(problem.operations.size());
    std::vector<int> open = {op};
    needed[op] = true;
    while (!open.empty()) {
      int reader = open.back();
      open.pop_back();
      for (const Dependence &edge : problem.dependences)
        if (edge.to == reader && edge.distance == 0 && !needed[edge.from] &&
            solution.start[edge.from] >= cycle) {
          needed[edge.from] = true;
          open.push_back(edge.from);
        }
    }
    return needed;
  }

  /// `op`, and what it needs, at the place of `first`; everything behind gives
  /// way, round the interval, as far as it must.
  bool moveInFront(int op, int64_t ready, int first) {
    const std::vector<int64_t> &before = solution.start;
    std::vector<bool> needed = neededBy(op, before[first]);
    if (needed[first])
      return false;
    auto behind = [&](int other) {
      int64_t distance = (before[other] - before[first]) % solution.ii;
      return distance < 0 ? distance + solution.ii : distance;
    };
    std::vector<int> order;
    for (size_t other = 0; other < problem.operations.size(); ++other)
      if (solution.process[other] == solution.process[op])
        order.push_back(int(other));
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return std::tuple(!needed[a], needed[a] ? before[a] : behind(a), a) <
             std::tuple(!needed[b], needed[b] ? before[b] : behind(b), b);
    });
    Solution moved = solution;
    int64_t cycle = before[first];
    for (int other : order) {
      if (needed[other] && isAsynchronous(other))
        return false;
      int64_t usual = before[first] + behind(other);
      int64_t start = std::max(cycle, other == op     ? ready
                                      : needed[other] ? cycle
                                                      : usual);
      // Operands that moved with it; `before` tells which iteration this is.
      int64_t turn = needed[other] ? 0 : before[other] - usual;
      for (const Dependence &edge : problem.dependences)
        if (edge.to == other && !isAsynchronous(edge.from) &&
            solution.process[edge.from] == solution.process[op])
          start = std::max(start, moved.start[edge.from] - turn -
                                      edge.distance * solution.ii +
                                      requiredDelay(problem, edge, false));
      cycle = start + problem.operations[other].issue;
      moved.start[other] = start + turn;
      if (!isAsynchronous(other))
        moved.execution[other] = moved.start[other];
    }
    if (!verify(problem, moved).empty())
      return false;
    solution = std::move(moved);
    return true;
  }

  const Problem &problem;
  Solution &solution;
};

} // namespace

void heddle::schedule::readEarly(const Problem &problem, Solution &solution) {
  if (solution.execution.empty())
    solution.execution = solution.start;
  Mover(problem, solution).run();
}
