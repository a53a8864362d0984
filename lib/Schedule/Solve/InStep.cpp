//===- InStep.cpp - Sub-tiles that do the same in turn --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InStep.h"

#include <map>

using namespace heddle::schedule;

std::string heddle::schedule::baseName(const Operation &operation) {
  std::string suffix = "." + std::to_string(operation.sub);
  return operation.name.ends_with(suffix)
             ? operation.name.substr(0, operation.name.size() - suffix.size())
             : operation.name;
}

std::vector<int> heddle::schedule::findLeaders(const Problem &problem) {
  std::map<std::string, int> first;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (problem.operations[op].sub == 0)
      first[baseName(problem.operations[op])] = int(op);
  std::vector<int> leaders(problem.operations.size(), -1);
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (const Operation &operation = problem.operations[op]; operation.sub > 0)
      if (auto leader = first.find(baseName(operation)); leader != first.end())
        leaders[op] = leader->second;
  return leaders;
}

int64_t heddle::schedule::stepOf(const Problem &problem, int64_t ii, int sub) {
  return ii * sub / problem.subTiles;
}

bool heddle::schedule::isInStep(const Problem &problem,
                                const Solution &solution) {
  if (problem.subTiles < 2)
    return false;
  std::vector<int> leaders = findLeaders(problem);
  for (size_t op = 0; op < leaders.size(); ++op)
    if (int leader = leaders[op];
        leader >= 0 && !problem.operations[op].variableLatency) {
      int64_t apart = solution.start[op] - solution.start[leader];
      if (apart != stepOf(problem, solution.ii, problem.operations[op].sub))
        return false;
    }
  return true;
}
