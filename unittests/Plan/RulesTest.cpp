//===- RulesTest.cpp - What a schedule leaves open --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules that ask for an order of a unit, or for operands a step ahead, each
// beside schedules just on the other side of it. The thresholds were measured
// on kernels, which no test without a GPU can repeat; so the tests pin which
// side a loop falls on.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "SharedUnit.h"

#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>

using namespace heddle::plan;
using namespace heddle::schedule;

/// As on an H200.
static constexpr heddle::machine::Costs::Choices kChoices = {
    .saturated = 0.875, .tokenRound = 0.6667, .deferring = 0.125};

TEST(UnitToOrder, IsBusyAndServesPairs) {
  auto [pairs, full] = sharedUnit(2, 400);
  EXPECT_EQ(verify(pairs, full), "");
  EXPECT_EQ(unitToOrder(pairs, full, kChoices), 1);
  auto [same, idle] = sharedUnit(2, 500);
  EXPECT_EQ(unitToOrder(same, idle, kChoices),
            -1); // a fifth of its time to spare
  auto [single, one] = sharedUnit(1, 200);
  EXPECT_EQ(unitToOrder(single, one, kChoices), -1); // nothing to hold together
  full.process = {0, 0, 0, 0};
  EXPECT_EQ(unitToOrder(pairs, full, kChoices),
            -1); // one process orders itself
}

TEST(UnitToOrder, LeavesStaggeredSubTilesToThemselves) {
  auto [problem, solution] = staggered();
  EXPECT_TRUE(isInStep(problem, solution)); // 200 cycles apart
  EXPECT_EQ(unitToOrder(problem, solution, kChoices), -1);
  // Who loads for them does nothing else, and loads as late as it can.
  for (int sub : {0, 1}) {
    std::string name = "load." + std::to_string(sub);
    problem.operations.push_back({name, 0, 10, 50, 10, true, sub});
    solution.start.push_back(30 * sub);
    solution.process.push_back(2);
  }
  EXPECT_TRUE(isInStep(problem, solution));
  EXPECT_EQ(unitToOrder(problem, solution, kChoices), -1);
  // A product that its queue does not hold lets the other's in behind it.
  EXPECT_EQ(
      unitToOrder(problem, solution, kChoices, {true, false, true, false}), 1);
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, std::vector<bool>(6)), -1);
  solution.ii = 404;
  EXPECT_FALSE(isInStep(problem, solution));
  EXPECT_EQ(unitToOrder(problem, solution, kChoices), 1);
  solution.ii = 400;
  std::swap(solution.start[2], solution.start[3]);
  EXPECT_FALSE(isInStep(problem, solution));
}

TEST(UnitToOrder, HoldsStaggeredSubTilesThatATailThrowsOut) {
  auto [problem, solution] = staggered();
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, {}, /*hasTail=*/true), 1);
  auto [same, spare] = staggered(420);
  ASSERT_TRUE(isInStep(same, spare));
  EXPECT_EQ(unitToOrder(same, spare, kChoices, {}, true),
            -1); // they get back by it
  // 40 cycles of issues and two hand-overs are at most two thirds of 400.
  problem.machine.handOverCycles = 113;
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, {}, true), 1);
  problem.machine.handOverCycles = 114;
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, {}, true), -1);
  EXPECT_EQ(
      unitToOrder(problem, solution, kChoices, {true, false, true, false}), -1);
}

TEST(PrefetchesOperands, WhereAFullUnitReadsRegisters) {
  auto [problem, solution] = staggered();
  EXPECT_FALSE(prefetchesOperands(problem, solution)); // nothing to prepare
  auto withCast = [](Problem &problem, Solution &solution) {
    for (int sub : {0, 1}) {
      int cast = int(problem.operations.size());
      problem.operations.push_back(
          {"cast." + std::to_string(sub), 0, 10, 10, 10, false, sub});
      solution.start.push_back(solution.start[2 * sub] + solution.ii - 20);
      solution.process.push_back(sub);
      problem.dependences.push_back({cast, 2 * sub, 1});
    }
  };
  withCast(problem, solution);
  ASSERT_TRUE(isInStep(problem, solution));
  EXPECT_TRUE(prefetchesOperands(problem, solution));
  auto [same, spare] = staggered(420);
  withCast(same, spare);
  ASSERT_TRUE(isInStep(same, spare));
  EXPECT_FALSE(prefetchesOperands(same, spare));
  std::swap(solution.start[0], solution.start[1]);
  ASSERT_FALSE(isInStep(problem, solution));
  EXPECT_FALSE(prefetchesOperands(problem, solution));
}
