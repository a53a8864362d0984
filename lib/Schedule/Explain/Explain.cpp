//===- Explain.cpp - What of a loop is shown ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sentences.h"

#include "heddle/Schedule/Explain.h"

#include <algorithm>

using namespace heddle::schedule;

/// Iterations in front of the steady state's window whose operations, waits or
/// slots may reach into it.
static int64_t reachOf(const Problem &problem, const Solution &solution) {
  int64_t end = 0, depth = 0;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    end = std::max(end, solution.start[op] + problem.operations[op].latency);
  for (const Ring &ring : solution.rings)
    depth = std::max(depth, ring.depth);
  for (const Dependence &edge : problem.dependences)
    depth = std::max(depth, edge.distance);
  return end / solution.ii + depth + 1;
}

int64_t heddle::schedule::intervalsShown(const Problem &problem) {
  return problem.operations.size() <= 12 ? 3 : 2;
}

Explanation heddle::schedule::explain(const std::string &kernel,
                                      const Problem &problem,
                                      const Solution &solution,
                                      bool isPipelined) {
  int64_t intervals = isPipelined ? intervalsShown(problem) : 1;
  int64_t reach = isPipelined ? reachOf(problem, solution) : 0;
  Explanation result;
  result.timeline = unroll(problem, solution, -reach, reach + intervals);
  result.timeline.kernel = kernel;
  result.timeline.isPipelined = isPipelined;
  result.begin = 0;
  result.end = intervals * solution.ii;
  result.sentences = isPipelined ? describePipeline(problem, solution)
                                 : describeOrder(result.timeline);
  return result;
}
