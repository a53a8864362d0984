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

/// The products of `staggered` read what their processes compute.
static void withCast(Problem &problem, Solution &solution) {
  for (int sub : {0, 1}) {
    int cast = int(problem.operations.size());
    problem.operations.push_back(
        {"cast." + std::to_string(sub), 0, 10, 10, 10, false, sub});
    problem.operations.back().leader = sub ? cast - 1 : -1;
    solution.start.push_back(solution.start[2 * sub] + solution.ii - 20);
    solution.process.push_back(sub);
    problem.dependences.push_back({cast, 2 * sub, 1});
  }
}

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
    problem.operations.back().leader = sub ? 4 : -1;
    solution.start.push_back(30 * sub);
    solution.process.push_back(2);
  }
  EXPECT_TRUE(isInStep(problem, solution));
  EXPECT_EQ(unitToOrder(problem, solution, kChoices), -1);
  // A product that its queue does not hold lets the other's in behind it.
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, {1, 0, 1, 0}), 1);
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, std::vector<int64_t>(6)),
            -1);
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
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, {1, 0, 1, 0}), -1);
}

TEST(UnitToOrder, HoldsStaggeredProductsThatLeavePlacesInTheQueue) {
  auto [problem, solution] = staggered();
  const std::vector<int64_t> shorter = {-2, 0, -2, 0};
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, shorter), -1)
      << "sums, for which nobody waits";
  withCast(problem, solution);
  ASSERT_TRUE(isInStep(problem, solution));
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, shorter), 1);
  EXPECT_EQ(unitToOrder(problem, solution, kChoices, {0, 0, 0, 0}), -1);
  auto [same, spare] = staggered(420);
  withCast(same, spare);
  EXPECT_EQ(unitToOrder(same, spare, kChoices, shorter), 1);
  EXPECT_EQ(unitToOrder(same, spare, kChoices, shorter, /*hasTail=*/true), -1);
  auto [idle, apart] = staggered(480);
  withCast(idle, apart);
  EXPECT_EQ(unitToOrder(idle, apart, kChoices, shorter), -1)
      << "busy for five sixths";
}

TEST(PrefetchesOperands, WhereAFullUnitReadsRegisters) {
  auto [problem, solution] = staggered();
  EXPECT_FALSE(prefetchesOperands(problem, solution)); // nothing to prepare
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

namespace {

/// A loop of one load and one product, which adds to its own result.
struct OneSum {
  Problem problem;
  Solution solution;

  explicit OneSum(int64_t depth) {
    problem.loop = "loop";
    problem.units = {{"tma", true}, {"tensor", true}};
    problem.operations = {{"load", 0, 200, 600, 10, true},
                          {"dot", 1, 128, 195, 70}};
    problem.dependences = {{0, 1, 0}, {1, 1, 1, true}};
    problem.transfers = {{0, 1024}};
    problem.machine.sharedBytes = depth * 1024;
    problem.machine.ringDepth = 8;
    problem.machine.handOverCycles = 100;
    problem.machine.maxRegisters = problem.machine.registersPerLane = 240;
    solution.ii = 256;
    solution.start = {0, 700};
    solution.process = {0, 1};
    solution.processes = {{"load", 4, 24}, {"mma", 4, 160}};
    solution.rings = {{"loads", depth, {0}}};
  }
};

} // namespace

TEST(LeaveInFlight, WaitsBehindTheNextIssueWhereARoundIsTooLong) {
  OneSum sum(5);
  ASSERT_EQ(verify(sum.problem, sum.solution), "");
  // 195 cycles until it is there, 70 of the next issue and 100 in between.
  leaveInFlight(sum.problem, 100, sum.solution);
  EXPECT_EQ(sum.solution.latencyOf(sum.problem, 0), 600);
  EXPECT_EQ(sum.solution.latencyOf(sum.problem, 1), 256 + 70);
  EXPECT_EQ(verify(sum.problem, sum.solution), "");
}

TEST(LeaveInFlight, WaitsAtOnceWhereARoundFits) {
  OneSum sum(5);
  sum.solution.ii = 365;
  leaveInFlight(sum.problem, 100, sum.solution);
  EXPECT_TRUE(sum.solution.latency.empty());
  leaveInFlight(sum.problem, 101, sum.solution);
  EXPECT_EQ(sum.solution.latencyOf(sum.problem, 1), 365 + 70);
}

TEST(LeaveInFlight, NeedsASlot) {
  OneSum sum(4); // 700 + 195 cycles of 1024; 700 + 326 are too many
  ASSERT_EQ(verify(sum.problem, sum.solution), "");
  leaveInFlight(sum.problem, 100, sum.solution);
  EXPECT_TRUE(sum.solution.latency.empty());
}

TEST(LeaveInFlight, IsForSumsThatNobodyReads) {
  OneSum sum(5);
  sum.problem.units.push_back({"alu", false});
  sum.problem.operations.push_back({"exp", 2, 20, 20, 20});
  sum.problem.dependences.push_back({1, 2, 0});
  sum.solution.start.push_back(900);
  sum.solution.process.push_back(1);
  leaveInFlight(sum.problem, 100, sum.solution);
  EXPECT_TRUE(sum.solution.latency.empty());
}
