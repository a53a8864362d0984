//===- SampleProblem.h - A two-consumer loop as a scheduling problem -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_SCHEDULE_SAMPLEPROBLEM_H
#define HEDDLE_UNITTESTS_SCHEDULE_SAMPLEPROBLEM_H

#include "heddle/Schedule/Problem.h"

/// Two loads feed a dot of two sub-tiles that accumulate over the iterations:
/// operations 0 = a, 1 = b, 2 = dot.0, 3 = dot.1.
inline heddle::schedule::Problem sampleProblem() {
  using namespace heddle::schedule;
  Problem problem;
  problem.loop = "k";
  problem.units = {{"tma", true}, {"tensor", true}};
  problem.operations = {{"a", 0, 100, 800, 16, true, -1, 0},
                        {"b", 0, 200, 900, 16, true, -1, 0},
                        {"dot.0", 1, 500, 1060, 16, false, 0, 128, true},
                        {"dot.1", 1, 500, 1060, 16, false, 1, 128, true}};
  problem.dependences = {{0, 2, 0, false}, {1, 2, 0, false}, {0, 3, 0, false},
                         {1, 3, 0, false}, {2, 2, 1, true},  {3, 3, 1, true}};
  problem.transfers = {{0, 16384}, {1, 32768}};
  problem.machine.sharedBytes = 200000;
  problem.subTiles = 2;
  return problem;
}

/// A schedule of it that verifies.
inline heddle::schedule::Solution sampleSolution() {
  using namespace heddle::schedule;
  Solution solution;
  solution.ii = 1000;
  solution.start = {0, 100, 1100, 1600};
  solution.process = {0, 0, 1, 2};
  solution.processes = {{"load", 4, 40}, {"mma.0", 4, 232}, {"mma.1", 4, 232}};
  solution.rings = {{"loads", 4, {0, 1}}};
  return solution;
}

#endif // HEDDLE_UNITTESTS_SCHEDULE_SAMPLEPROBLEM_H
