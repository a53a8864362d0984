//===- HeuristicTest.cpp - The heuristic and the random schedules -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The heuristic on the sample problems, and the random draw. It proves nothing,
// so its tests say what it must reach on loops of the usual form: the bound,
// shared processes, late loads, rings apart.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"

#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <set>

using namespace heddle::schedule;

TEST(Heuristic, ReachesTheLowerBoundWithOneProcessASubTile) {
  Outcome outcome = solveHeuristically(sampleProblem());
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  EXPECT_EQ(outcome.lowerBound, 1000);
  EXPECT_EQ(outcome.solution->ii, 1000);
  EXPECT_EQ(outcome.solution->processes.size(), 3u);
  EXPECT_EQ(outcome.solution->process, (std::vector<int>{0, 0, 1, 2}));
  EXPECT_EQ(outcome.solution->rings[0].depth, 4); // 200000 / 49152
}

TEST(Heuristic, IsDeterministic) {
  Outcome first = solveHeuristically(sampleProblem()),
          second = solveHeuristically(sampleProblem());
  ASSERT_TRUE(first.solution && second.solution);
  EXPECT_EQ(first.solution->start, second.solution->start);
}

TEST(Heuristic, FourSubTilesShareTwoProcessesWhereRegistersAllow) {
  Problem problem = sampleProblem();
  problem.subTiles = 4;
  for (int sub : {2, 3}) {
    int op = static_cast<int>(problem.operations.size());
    problem.operations.push_back(
        {"dot." + std::to_string(sub), 1, 500, 2060, 16, false, sub, 64});
    problem.operations.back().leader = 2;
    problem.dependences.push_back({0, op, 0, false});
    problem.dependences.push_back({op, op, 1, true});
  }
  for (Operation &op : problem.operations)
    op.registers = op.sub >= 0 ? 64 : 0;
  Outcome outcome = solveHeuristically(problem);
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  EXPECT_EQ(outcome.solution->processes.size(), 3u);
  EXPECT_EQ(outcome.solution->process[2],
            outcome.solution->process[4]); // dot.0 and dot.2
}

TEST(Heuristic, GivesLoadsWithDifferentReadersDifferentRings) {
  Problem problem = sampleProblem();
  // A third load that only a third product reads.
  problem.operations.push_back({"load_c", 0, 100, 800, 16, true, -1, 0});
  problem.operations.push_back({"late", 1, 10, 100, 16, false, 0, 8});
  int load = static_cast<int>(problem.operations.size()) - 2;
  problem.dependences.push_back({load, load + 1, 0, false});
  problem.transfers.push_back({load, 1024});
  Outcome outcome = solveHeuristically(problem);
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  ASSERT_EQ(outcome.solution->rings.size(), 2u);
  EXPECT_EQ(outcome.solution->rings[0].operations.size(), 2u);
  EXPECT_EQ(outcome.solution->rings[1].operations, std::vector<int>{load});
}

TEST(Heuristic, StartsLoadsAsLateAsTheirReadersAllow) {
  Problem problem = sampleProblem();
  Outcome outcome = solveHeuristically(problem);
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  const Solution &solution = *outcome.solution;
  // Some load ends just when its reader starts.
  int64_t slack = INT64_MAX;
  for (const Dependence &edge : problem.dependences)
    if (problem.operations[edge.from].variableLatency)
      slack =
          std::min(slack, solution.start[edge.to] - solution.start[edge.from] -
                              requiredDelay(problem, edge, true));
  EXPECT_EQ(slack, 0);
}

TEST(Heuristic, SaysWhyThereIsNoSchedule) {
  Problem problem = sampleProblem();
  problem.machine.sharedBytes = 1000;
  Outcome outcome = solveHeuristically(problem);
  EXPECT_FALSE(outcome.solution);
  EXPECT_EQ(outcome.reason,
            "the rings need 49152 B of shared memory and there are 1000 B");
}

TEST(Heuristic, RefusesResultsThatNoProcessCanHold) {
  Problem problem = sampleProblem();
  for (Operation &op : problem.operations)
    op.registers *= 2;
  Outcome outcome = solveHeuristically(problem);
  EXPECT_FALSE(outcome.solution);
  EXPECT_EQ(outcome.reason, "each of 2 processes needs 288 registers a thread "
                            "for its results and gets 232");
}

/// A product, and `operations` of mixed length on one unit, in layers:
/// each reads two of the layer before, and a chain through every layer closes.
static Problem layeredProblem(int operations) {
  Problem problem = sampleProblem();
  problem.units.push_back({"alu", false});
  int first = int(problem.operations.size());
  uint32_t random = 1;
  auto draw = [&](int below) {
    random = random * 1664525 + 1013904223;
    return int((random >> 8) % uint32_t(below));
  };
  constexpr int layer = 16;
  for (int i = 0; i < operations; ++i) {
    int64_t length = 1 + draw(64);
    problem.operations.push_back(
        {"op." + std::to_string(i), 2, length, length + 8, length, false, 0});
    for (int read = 0; i >= layer && read < 2; ++read)
      problem.dependences.push_back(
          {first + (i / layer - 1) * layer + draw(layer), first + i, 0});
  }
  problem.dependences.push_back(
      {first + operations - 1, first + draw(layer), 1});
  return problem;
}

TEST(Heuristic, SchedulesHundredsOfOperationsNearTheBound) {
  Problem problem = layeredProblem(400);
  Outcome outcome = solveHeuristically(problem);
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  EXPECT_EQ(verify(problem, *outcome.solution), "");
  EXPECT_LE(outcome.solution->ii, outcome.lowerBound * 17 / 16);
}

// A search whose cost grows with the square of the operations at each
// placement, at every interval up to the last, takes half a minute here.
TEST(Heuristic, GivesUpSoonOnHundredsOfOperations) {
  Problem problem = layeredProblem(800);
  problem.machine.sharedBytes = 1000;
  std::clock_t begin = std::clock();
  Outcome outcome = solveHeuristically(problem);
  double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_FALSE(outcome.solution);
  EXPECT_EQ(outcome.reason,
            "the rings need 49152 B of shared memory and there are 1000 B");
  EXPECT_LT(seconds, 12);
}

TEST(RandomSchedules, VerifyAndDiffer) {
  Problem problem = sampleProblem();
  std::set<std::vector<int64_t>> starts;
  std::set<size_t> processCounts, ringCounts;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Outcome outcome = drawSchedule(problem, seed);
    ASSERT_TRUE(outcome.solution) << seed << ": " << outcome.reason;
    EXPECT_EQ(verify(problem, *outcome.solution), "");
    starts.insert(outcome.solution->start);
    processCounts.insert(outcome.solution->processes.size());
    ringCounts.insert(outcome.solution->rings.size());
  }
  EXPECT_GT(starts.size(), 40u);
  EXPECT_GE(processCounts.size(), 3u);
  EXPECT_EQ(ringCounts.size(), 2u);
}
