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

} // namespace

int heddle::plan::unitToOrder(const Problem &problem, const Solution &solution,
                              const machine::Costs::Choices &choices,
                              const std::vector<bool> &outgrowsQueue,
                              bool hasTail) {
  bool keepsOrder = isInStep(problem, solution);
  for (int unit = 0; unit < int(problem.units.size()); ++unit) {
    if (!problem.units[unit].asynchronous)
      continue;
    Demand demand(problem, solution, unit);
    if (!demand.isShared() || !isSaturated(demand.busy, solution.ii, choices))
      continue;
    bool losesOrder = hasTail && demand.busy >= solution.ii;
    for (size_t op = 0; op < outgrowsQueue.size(); ++op)
      losesOrder |= outgrowsQueue[op] && problem.operations[op].unit == unit;
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
