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

/// On an H200, a loop whose products fill the interval gains 4 % and more from
/// order, and one whose tensor core is busy for two thirds of it loses as much
/// (docs/lab/2026-11-22-staggered-replicas.md).
bool isSaturated(int64_t busy, int64_t ii) { return 8 * busy >= 7 * ii; }

/// Only the process that has the token issues: its way round an interval is all
/// that is issued, and a hand-over for each process. On an H200, a loop where
/// that is half of the interval gains 2 to 13 % from it, and one where it is
/// three quarters loses 4 to 5 % (docs/lab/2026-11-22-staggered-replicas.md).
bool isRoundShort(const Problem &problem, const Demand &demand, int64_t ii) {
  int64_t handOvers = int64_t(demand.issued.size());
  int64_t round = demand.issue + handOvers * problem.machine.handOverCycles;
  return 3 * round <= 2 * ii;
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

} // namespace

int heddle::plan::unitToOrder(const Problem &problem, const Solution &solution,
                              const std::vector<bool> &outgrowsQueue,
                              bool hasTail) {
  bool keepsOrder = isInStep(problem, solution);
  for (int unit = 0; unit < int(problem.units.size()); ++unit) {
    if (!problem.units[unit].asynchronous)
      continue;
    Demand demand(problem, solution, unit);
    if (!demand.isShared() || !isSaturated(demand.busy, solution.ii))
      continue;
    bool losesOrder = hasTail && demand.busy >= solution.ii;
    for (size_t op = 0; op < outgrowsQueue.size(); ++op)
      losesOrder |= outgrowsQueue[op] && problem.operations[op].unit == unit;
    if (!keepsOrder ||
        (losesOrder && isRoundShort(problem, demand, solution.ii)))
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
