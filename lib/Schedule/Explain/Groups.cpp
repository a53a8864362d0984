//===- Groups.cpp - What another number of processes would give -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem and its solution. Out: sentences on fewer and more computing
// processes. Both counts are solved by the heuristic, the present one too, so
// that like is compared with like and not with what an exact search found.
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Explain.h"
#include "heddle/Schedule/Solve.h"

#include <set>

using namespace heddle::schedule;

static std::string text(int64_t value) { return std::to_string(value); }

static std::string groups(int count) {
  return text(count) +
         (count == 1 ? " computing process" : " computing processes");
}

static int countComputing(const Problem &problem, const Solution &solution) {
  std::set<int> computing;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    if (!problem.operations[op].variableLatency)
      computing.insert(solution.process[op]);
  return static_cast<int>(computing.size());
}

std::vector<std::string>
heddle::schedule::describeGroups(const Problem &problem,
                                 const Solution &solution) {
  int now = countComputing(problem, solution), fewer = 0, more = 0;
  for (int count = 1; count <= problem.subTiles; ++count) {
    if (problem.subTiles % count)
      continue;
    if (count < now)
      fewer = count;
    if (count > now && more == 0)
      more = count;
  }
  std::vector<std::string> sentences;
  Outcome own = solveHeuristically(problem, {}, now);
  for (int count : {fewer, more}) {
    if (count == 0)
      continue;
    Outcome other = solveHeuristically(problem, {}, count);
    std::string with = "With " + groups(count) + " instead of " + text(now);
    if (!other.solution)
      sentences.push_back(with + " there is no schedule: " + other.reason +
                          ".");
    else if (own.solution)
      sentences.push_back(with + " the heuristic finds an interval of " +
                          text(other.solution->ii) +
                          " cycles, where it finds " + text(own.solution->ii) +
                          " with " + text(now) + ".");
  }
  if (more == 0 && now > 0)
    sentences.push_back("One more computing process would have nothing to do, "
                        "because this tile has " +
                        text(problem.subTiles) +
                        (problem.subTiles == 1 ? " sub-tile" : " sub-tiles") +
                        "; it takes a taller tile.");
  return sentences;
}
