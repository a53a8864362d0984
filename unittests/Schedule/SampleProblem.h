//===- SampleProblem.h - A two-consumer loop as a scheduling problem -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two small loops with a schedule of each that verifies, worked out by hand.
// Tests of rules change one number and expect the one complaint; the numbers
// are therefore round, and far enough apart that no change breaks two rules by
// accident.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_SCHEDULE_SAMPLEPROBLEM_H
#define HEDDLE_UNITTESTS_SCHEDULE_SAMPLEPROBLEM_H

#include "SampleMachine.h"

#include "heddle/Schedule/Problem.h"

/// Two loads feed a dot of two sub-tiles that accumulate over the iterations:
/// operations 0 = a, 1 = b, 2 = dot.0, 3 = dot.1.
inline heddle::schedule::Problem sampleProblem() {
  using namespace heddle::schedule;
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "k";
  problem.units = {{"tma", true}, {"tensor", true}};
  problem.operations = {{"a", 0, 100, 800, 16, true, -1, 0},
                        {"b", 0, 200, 900, 16, true, -1, 0},
                        {"dot.0", 1, 500, 1060, 16, false, 0, 128, true},
                        {"dot.1", 1, 500, 1060, 16, false, 1, 128, true}};
  problem.operations[3].leader = 2;
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

/// Two sub-tiles, each a chain that closes: a product, and operations before
/// and behind a long one on a unit that both use.
inline heddle::schedule::Problem alternatingProblem() {
  using namespace heddle::schedule;
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "n";
  problem.units = {{"tensor", true}, {"alu", false}, {"special", false}};
  problem.subTiles = 2;
  for (int sub = 0; sub < 2; ++sub) {
    std::string number = "." + std::to_string(sub);
    int dot = 4 * sub;
    problem.operations.push_back({"dot" + number, 0, 10, 20, 1, false, sub, 8});
    problem.operations.push_back({"max" + number, 1, 30, 30, 30, false, sub});
    problem.operations.push_back({"exp" + number, 2, 50, 50, 50, false, sub});
    problem.operations.push_back({"sum" + number, 1, 30, 30, 30, false, sub});
    for (int op = 0; sub && op < 4; ++op)
      problem.operations[dot + op].leader = op;
    for (int op = dot; op < dot + 3; ++op)
      problem.dependences.push_back({op, op + 1, 0});
    problem.dependences.push_back({dot + 3, dot, 1});
  }
  return problem;
}

/// 160 cycles an iteration: the second sub-tile's exponentials begin where the
/// first one's end.
inline heddle::schedule::Solution alternatingSolution() {
  using namespace heddle::schedule;
  Solution solution;
  solution.ii = 160;
  solution.start = {0, 20, 50, 100, 50, 70, 100, 150};
  solution.process = {0, 0, 0, 0, 1, 1, 1, 1};
  solution.processes = {{"p0", 4, 64}, {"p1", 4, 64}};
  return solution;
}

#endif // HEDDLE_UNITTESTS_SCHEDULE_SAMPLEPROBLEM_H
