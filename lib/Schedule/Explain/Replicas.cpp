//===- Replicas.cpp - Processes that do the same --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem and its solution. Out: a sentence that says whether the
// processes that compute the sub-tiles are staggered, and so may run one code;
// and one that prices this against the heuristic's schedule, which is what
// `auto` compares before it decides.
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Explain.h"
#include "heddle/Schedule/Solve.h"

#include <set>

using namespace heddle::schedule;

/// The processes of the sub-tiles, in the order of their first operations.
static std::vector<std::string> findReplicas(const Problem &problem,
                                             const Solution &solution) {
  std::vector<std::string> names;
  std::set<int> seen;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (!problem.operations[op].variableLatency &&
        seen.insert(solution.process[op]).second)
      names.push_back(solution.processes[size_t(solution.process[op])].name);
  return names;
}

static std::string listed(const std::vector<std::string> &names) {
  std::string list = names.front();
  for (size_t i = 1; i < names.size(); ++i)
    list += (i + 1 == names.size() ? " and " : ", ") + names[i];
  return list;
}

std::vector<std::string>
heddle::schedule::describeReplicas(const Problem &problem,
                                   const Solution &solution) {
  std::vector<std::string> names = findReplicas(problem, solution);
  if (names.size() < 2)
    return {};
  if (!isInStep(problem, solution))
    return {listed(names) +
            " are not staggered: they do the same at other distances or in "
            "another order, so that each may need code of its own."};
  return {listed(names) + " are staggered: their sub-tiles do the same " +
          std::to_string(solution.ii / problem.subTiles) +
          " cycles apart, so that one code may serve them all."};
}

std::vector<std::string>
heddle::schedule::describeHeuristic(const Problem &problem,
                                    const Solution &solution) {
  Outcome heuristic = solveHeuristically(problem);
  if (heuristic.solution && heuristic.solution->ii == solution.ii)
    return {};
  return {heuristic.solution
              ? "The heuristic's schedule has an interval of " +
                    std::to_string(heuristic.solution->ii) +
                    " cycles where this one has " +
                    std::to_string(solution.ii) + "."
              : "The heuristic finds no schedule: " + heuristic.reason + "."};
}
