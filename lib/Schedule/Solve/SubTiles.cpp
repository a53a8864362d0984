//===- SubTiles.cpp - A process for each sub-tile -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two questions on code after a schedule was found: whether a shorter interval
// is worth code of its own for each process, and whether each sub-tile can have
// a process of its own at the times that there are. The interval knows neither:
// instruction cache and the work behind the loop are no part of the problem.
//
//===----------------------------------------------------------------------===//

#include "Roles.h"

#include "heddle/Schedule/Solve.h"

using namespace heddle::schedule;

bool heddle::schedule::isWorthCodeEach(int64_t ii, int64_t staggered) {
  return 64 * (staggered - ii) >= staggered;
}

void heddle::schedule::partSubTiles(const Problem &problem,
                                    Solution &solution) {
  Roles roles = rolesFor(problem, problem.subTiles);
  if (solution.processes.size() >= roles.processes.size())
    return;
  Solution parted = solution;
  parted.process = std::move(roles.process);
  parted.processes = std::move(roles.processes);
  if (verify(problem, parted).empty())
    solution = std::move(parted);
}
