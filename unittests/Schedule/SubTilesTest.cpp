//===- SubTilesTest.cpp - A process for each sub-tile -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process for each sub-tile at the times that there are: taken where the
// result is a schedule, declined where one sub-tile reads the registers of the
// other.
//
//===----------------------------------------------------------------------===//

#include "SharedUnit.h"

#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

TEST(PartSubTiles, GivesEachAProcessAtTheSameTimes) {
  auto [problem, solution] = staggered();
  problem.machine.registersPerLane = 512;
  problem.machine.maxRegisters = 240;
  Solution merged = solution;
  merged.process = {0, 0, 0, 0};
  merged.processes = {{"mma.0", 4, 240}};
  ASSERT_EQ(verify(problem, merged), "");
  std::vector<int64_t> times = merged.start;
  partSubTiles(problem, merged);
  EXPECT_EQ(merged.process, (std::vector<int>{0, 0, 1, 1}));
  ASSERT_EQ(merged.processes.size(), 2u);
  EXPECT_EQ(merged.processes[1].name, "mma.1");
  EXPECT_EQ(merged.start, times);
  EXPECT_EQ(verify(problem, merged), "");
}

TEST(PartSubTiles, LeavesThoseTogetherThatTwoProcessesCannotHold) {
  auto [problem, solution] = staggered();
  solution.process = {0, 0, 0, 0};
  solution.processes = {{"mma.0", 4, 240}};
  // The second sub-tile reads the first one's registers.
  problem.operations.push_back({"cast.0", 0, 10, 10, 10, false, 0});
  problem.operations.push_back({"use.1", 0, 10, 10, 10, false, 1});
  problem.dependences.push_back({4, 5, 0});
  solution.start.insert(solution.start.end(), {20, 50});
  solution.process.insert(solution.process.end(), {0, 0});
  ASSERT_EQ(verify(problem, solution), "");
  partSubTiles(problem, solution);
  EXPECT_EQ(solution.processes.size(), 1u);
}

TEST(IsWorthCodeEach, OnlyMoreThanOnePartIn64) {
  EXPECT_FALSE(isWorthCodeEach(1607, 1614));
  EXPECT_TRUE(isWorthCodeEach(1580, 1614));
}
