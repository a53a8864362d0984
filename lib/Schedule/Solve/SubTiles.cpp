//===- SubTiles.cpp - A process for each sub-tile -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
