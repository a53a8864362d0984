//===- CloseUp.cpp - No operation waits whole intervals for nothing -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search that is content with the first schedule of an interval may begin an
// operation many iterations before its result is read. The result is then
// carried through as many, in registers that the model counts and in copies
// from one to the next that it does not; and a prologue has as many parts.
//
//===----------------------------------------------------------------------===//

#include "InStep.h"

#include "heddle/Schedule/Solve.h"

#include <algorithm>
#include <limits>
#include <map>

using namespace heddle::schedule;

namespace {

class Closer {
public:
  Closer(const Problem &problem, Solution &solution)
      : problem(problem), solution(solution) {
    for (int op = 0; op < int(problem.operations.size()); ++op)
      alike[leaderOf(problem, op)].push_back(op);
  }

  /// Those that are read first move first, so a chain moves as a whole.
  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto &[leader, group] : alike) {
        int64_t intervals = std::numeric_limits<int64_t>::max();
        for (int op : group)
          intervals = std::min(intervals, spareOf(op));
        if (intervals <= 0 || intervals == std::numeric_limits<int64_t>::max())
          continue;
        for (int op : group)
          move(op, intervals * solution.ii);
        changed = true;
      }
    }
    int64_t first =
        *std::min_element(solution.start.begin(), solution.start.end());
    for (size_t op = 0; op < solution.start.size(); ++op)
      move(int(op), -(first / solution.ii) * solution.ii);
  }

private:
  void move(int op, int64_t cycles) {
    solution.start[op] += cycles;
    if (!solution.execution.empty())
      solution.execution[op] += cycles;
  }

  /// Whole intervals before its first reader, or before whom it goes first.
  int64_t spareOf(int op) const {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const Dependence &edge : problem.dependences) {
      if (edge.from != op || edge.to == op)
        continue;
      int64_t from = solution.executionOf(op);
      int64_t to = edge.accumulates ? solution.executionOf(edge.to)
                                    : solution.start[edge.to];
      int64_t slack =
          to + edge.distance * solution.ii - from -
          requiredDelay(problem, edge,
                        solution.process[op] != solution.process[edge.to]);
      least = std::min(least, slack / solution.ii);
    }
    return least;
  }

  const Problem &problem;
  Solution &solution;
  std::map<int, std::vector<int>> alike; ///< by the first of them
};

} // namespace

void heddle::schedule::closeUp(const Problem &problem, Solution &solution) {
  Solution closer = solution;
  Closer(problem, closer).run();
  if (verify(problem, closer).empty())
    solution = std::move(closer);
}
