//===- InStep.cpp - Sub-tiles that do the same in turn --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InStep.h"

using namespace heddle::schedule;

int heddle::schedule::leaderOf(const Problem &problem, int op) {
  int leader = problem.operations[op].leader;
  return leader < 0 ? op : leader;
}

int64_t heddle::schedule::stepOf(const Problem &problem, int64_t ii, int sub) {
  return ii * sub / problem.subTiles;
}

bool heddle::schedule::isInStep(const Problem &problem,
                                const Solution &solution) {
  if (problem.subTiles < 2)
    return false;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (const Operation &operation = problem.operations[op];
        operation.leader >= 0 && !operation.variableLatency) {
      int64_t apart = solution.start[op] - solution.start[operation.leader];
      if (apart != stepOf(problem, solution.ii, operation.sub))
        return false;
    }
  return true;
}
