//===- UnitToOrder.cpp - Where order among processes is worth a credit ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Solve.h"

#include <map>

using namespace heddle::schedule;

/// On an H200, a loop whose products fill the interval gains 4 % and more from
/// order, and one whose tensor core is busy for two thirds of it loses as much
/// (docs/performance.md).
static bool isSaturated(int64_t busy, int64_t ii) { return 8 * busy >= 7 * ii; }

int heddle::schedule::unitToOrder(const Problem &problem,
                                  const Solution &solution,
                                  const std::vector<bool> &outgrowQueue) {
  bool keepsOrder = isInStep(problem, solution);
  for (size_t unit = 0; unit < problem.units.size(); ++unit) {
    if (!problem.units[unit].asynchronous)
      continue;
    int64_t busy = 0;
    int most = 0;
    bool needsOrder = !keepsOrder;
    std::map<int, int> issued; // by process
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      const Operation &operation = problem.operations[op];
      if (operation.unit != int(unit) || operation.variableLatency)
        continue;
      busy += operation.reservation;
      most = std::max(most, ++issued[solution.process[op]]);
      needsOrder |= op < outgrowQueue.size() && outgrowQueue[op];
    }
    if (needsOrder && issued.size() > 1 && most > 1 &&
        isSaturated(busy, solution.ii))
      return int(unit);
  }
  return -1;
}
