//===- Rules.cpp - Rules that were measured -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "heddle/Schedule/Solve.h"

#include <algorithm>
#include <map>

using namespace heddle;
using namespace heddle::plan;
using namespace heddle::schedule;

namespace {

/// What an asynchronous unit does for a loop, but for what loads take.
struct Demand {
  int64_t busy = 0;          ///< cycles an interval
  int64_t issue = 0;         ///< cycles of its processes
  std::map<int, int> issued; ///< operations, by process

  Demand(const Problem &problem, const Solution &solution, int unit) {
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      const Operation &operation = problem.operations[op];
      if (operation.unit != unit || operation.variableLatency)
        continue;
      busy += operation.reservation;
      issue += operation.issue;
      ++issued[solution.process[op]];
    }
  }

  /// Several processes have several operations each to keep together.
  bool isShared() const {
    return issued.size() > 1 &&
           std::any_of(issued.begin(), issued.end(),
                       [](const auto &one) { return one.second > 1; });
  }
};

bool isSaturated(int64_t busy, int64_t ii,
                 const machine::Costs::Choices &choices) {
  return double(busy) >= choices.saturated * double(ii);
}

/// Only the process that has the token issues: its way round an interval is all
/// that is issued, and a hand-over for each process.
bool isRoundShort(const Problem &problem, const Demand &demand, int64_t ii,
                  const machine::Costs::Choices &choices) {
  int64_t handOvers = int64_t(demand.issued.size());
  int64_t round = demand.issue + handOvers * problem.machine.handOverCycles;
  return double(round) <= choices.tokenRound * double(ii);
}

/// Does the unit read what processes compute, as from registers?
bool readsComputed(const Problem &problem, int unit) {
  return std::any_of(problem.dependences.begin(), problem.dependences.end(),
                     [&](const Dependence &edge) {
                       int from = problem.operations[edge.from].unit;
                       return problem.operations[edge.to].unit == unit &&
                              !edge.orders && !edge.accumulates &&
                              !problem.units[from].asynchronous;
                     });
}

/// Of one process, what it has asynchronous units do, if all of that adds to
/// its own results, which nobody else reads in the loop.
struct Sums {
  std::vector<size_t> operations;
  int64_t round = 0; ///< cycles of an iteration that waits for all of it

  Sums(const Problem &problem, const Solution &solution, int process) {
    int64_t latency = 0, issue = 0, busy = 0;
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      const Operation &operation = problem.operations[op];
      if (solution.process[op] != process ||
          !problem.units[operation.unit].asynchronous)
        continue;
      if (operation.variableLatency || !isSum(problem, int(op))) {
        operations.clear();
        return;
      }
      operations.push_back(op);
      latency = std::max(latency, operation.latency - operation.reservation);
      issue += operation.issue;
      busy += operation.reservation;
    }
    round = latency + issue + busy;
  }

private:
  static bool isSum(const Problem &problem, int op) {
    bool adds = false, isRead = false;
    for (const Dependence &edge : problem.dependences)
      if (edge.from == op && !edge.orders) {
        adds |= edge.to == op && edge.accumulates;
        isRead |= edge.to != op;
      }
    return adds && !isRead;
  }
};

} // namespace

int heddle::plan::unitToOrder(const Problem &problem, const Solution &solution,
                              const machine::Costs::Choices &choices,
                              const std::vector<int64_t> &beyondQueue,
                              bool hasTail) {
  bool keepsOrder = isInStep(problem, solution);
  for (int unit = 0; unit < int(problem.units.size()); ++unit) {
    if (!problem.units[unit].asynchronous)
      continue;
    Demand demand(problem, solution, unit);
    if (!demand.isShared() || !isSaturated(demand.busy, solution.ii, choices))
      continue;
    bool losesOrder = hasTail && demand.busy >= solution.ii;
    bool waitsInTurn = !hasTail && readsComputed(problem, unit);
    for (size_t op = 0; op < beyondQueue.size(); ++op)
      if (problem.operations[op].unit == unit)
        losesOrder |=
            beyondQueue[op] > 0 || (beyondQueue[op] < 0 && waitsInTurn);
    if (!keepsOrder ||
        (losesOrder && isRoundShort(problem, demand, solution.ii, choices)))
      return unit;
  }
  return -1;
}

bool heddle::plan::prefetchesOperands(const Problem &problem,
                                      const Solution &solution) {
  if (!isInStep(problem, solution))
    return false;
  for (int unit = 0; unit < int(problem.units.size()); ++unit) {
    Demand demand(problem, solution, unit);
    if (problem.units[unit].asynchronous && demand.isShared() &&
        demand.busy >= solution.ii && readsComputed(problem, unit))
      return true;
  }
  return false;
}

void heddle::plan::leaveInFlight(const Problem &problem, int64_t between,
                                 Solution &solution) {
  Solution later = solution;
  bool isLater = false;
  for (size_t op = 0; later.latency.size() < problem.operations.size(); ++op)
    later.latency.push_back(solution.latencyOf(problem, int(op)));
  for (size_t process = 0; process < solution.processes.size(); ++process) {
    Sums sums(problem, solution, int(process));
    if (sums.round + between <= solution.ii)
      continue;
    for (size_t op : sums.operations) {
      if (later.latency[op] > solution.ii)
        continue;
      isLater = true;
      later.latency[op] = solution.ii + problem.operations[op].issue;
    }
  }
  if (isLater && verify(problem, later).empty())
    solution = std::move(later);
}
