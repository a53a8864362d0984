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

/// In which interval the picture begins: where it shows the most of iteration
/// 0, the one that the eye follows.
static int64_t chooseFirstInterval(const Timeline &timeline,
                                   int64_t intervals) {
  int64_t best = 0, most = -1;
  for (int64_t first = 0; first < timeline.stages; ++first) {
    int64_t shown = 0, begin = first * timeline.interval,
            end = begin + intervals * timeline.interval;
    for (const auto *spans : {&timeline.issued, &timeline.executed})
      for (const Span &span : *spans)
        if (span.iteration == 0)
          shown += std::max<int64_t>(0, std::min(span.end, end) -
                                            std::max(span.begin, begin));
    if (shown <= most)
      continue;
    most = shown;
    best = first;
  }
  return best;
}

Explanation heddle::schedule::explain(const std::string &kernel,
                                      const Problem &problem,
                                      const Solution &solution,
                                      bool isPipelined) {
  int64_t intervals = isPipelined ? intervalsShown(problem) : 1;
  int64_t reach = isPipelined ? reachOf(problem, solution) : 0;
  Explanation result;
  int64_t first = 0;
  if (isPipelined)
    first = chooseFirstInterval(unroll(problem, solution, 0, 1), intervals);
  result.timeline =
      unroll(problem, solution, -reach, reach + first + intervals);
  result.timeline.kernel = kernel;
  result.timeline.isPipelined = isPipelined;
  result.begin = first * solution.ii;
  result.end = result.begin + intervals * solution.ii;
  result.sentences = isPipelined ? describePipeline(problem, solution)
                                 : describeOrder(result.timeline);
  return result;
}
