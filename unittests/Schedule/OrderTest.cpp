//===- OrderTest.cpp - What is read early, and what is kept in order ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadEarly.h"

#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

enum { Product, Long, Factor, Scale };

/// One process: a product of the iteration before is scaled behind long work,
/// which a factor for the scaling does not need.
Problem scaledProduct() {
  Problem problem;
  problem.loop = "loop";
  problem.units = {{"tensor", true}, {"alu", false}};
  problem.operations = {{"product", 0, 100, 150, 10},
                        {"long", 1, 200, 200, 200},
                        {"factor", 1, 10, 15, 10},
                        {"scale", 1, 50, 50, 50}};
  problem.dependences = {{Product, Scale, 1},
                         {Factor, Scale, 0},
                         {Scale, Product, 0},
                         {Long, Product, 0}};
  return problem;
}

Solution behindLongWork() {
  Solution solution;
  solution.ii = 500;
  solution.start = {300, 0, 210, 230};
  solution.process = {0, 0, 0, 0};
  solution.processes = {{"mma.0", 4, 0}};
  solution.execution = {300, 0, 210, 230};
  return solution;
}

} // namespace

TEST(ReadEarly, MovesAReaderAndItsOperandsInFrontOfLongWork) {
  Problem problem = scaledProduct();
  Solution solution = behindLongWork();
  solution.start[Product] = solution.execution[Product] = 330;
  ASSERT_EQ(verify(problem, solution), "");
  readEarly(problem, solution);
  EXPECT_EQ(verify(problem, solution), "");
  EXPECT_EQ(solution.start[Factor], 0);
  EXPECT_EQ(solution.start[Scale], 15); // behind the factor's latency
  EXPECT_EQ(solution.start[Long], 65);
  EXPECT_EQ(solution.start[Product], 330); // nothing pushed it
  EXPECT_EQ(solution.ii, 500);
}

TEST(ReadEarly, StaysBehindWhereTheUnitsTurnWouldBeMissed) {
  Problem problem = scaledProduct();
  Solution solution = behindLongWork();
  // The product lands 40 cycles after the long work began. Read first, it would
  // end at 40 + 50 + 200, and the unit takes the next one up at 280.
  solution.start[Product] = solution.execution[Product] = 280;
  solution.ii = 390;
  ASSERT_EQ(verify(problem, solution), "");
  readEarly(problem, solution);
  EXPECT_EQ(solution.start, (std::vector<int64_t>{280, 0, 210, 230}));
}

TEST(ReadEarly, LeavesAReaderOfWorkThatItNeeds) {
  Problem problem = scaledProduct();
  problem.dependences.push_back({Long, Scale, 0});
  Solution solution = behindLongWork();
  ASSERT_EQ(verify(problem, solution), "");
  readEarly(problem, solution);
  EXPECT_EQ(verify(problem, solution), "");
  EXPECT_GT(solution.start[Scale], solution.start[Long]);
}

namespace {

/// `count` products a process of 100 cycles each, two processes.
std::pair<Problem, Solution> sharedUnit(int count, int64_t ii) {
  Problem problem;
  problem.loop = "loop";
  problem.units = {{"alu", false}, {"tensor", true}};
  Solution solution;
  solution.ii = ii;
  solution.processes = {{"mma.0", 4, 0}, {"mma.1", 4, 0}};
  for (int process = 0; process < 2; ++process)
    for (int i = 0; i < count; ++i) {
      problem.operations.push_back(
          {"p" + std::to_string(process) + std::to_string(i), 1, 100, 120, 10});
      solution.start.push_back((process * count + i) * 100);
      solution.process.push_back(process);
    }
  return {problem, solution};
}

} // namespace

TEST(UnitToOrder, IsBusyAndServesPairs) {
  auto [pairs, full] = sharedUnit(2, 400);
  EXPECT_EQ(verify(pairs, full), "");
  EXPECT_EQ(unitToOrder(pairs, full), 1);
  auto [same, idle] = sharedUnit(2, 500);
  EXPECT_EQ(unitToOrder(same, idle), -1); // a fifth of its time to spare
  auto [single, one] = sharedUnit(1, 200);
  EXPECT_EQ(unitToOrder(single, one), -1); // nothing to hold together
  full.process = {0, 0, 0, 0};
  EXPECT_EQ(unitToOrder(pairs, full), -1); // one process orders itself
}

namespace {

/// Two sub-tiles, half an interval of 400 cycles apart, that keep the unit busy
/// but for what `ii` is longer.
std::pair<Problem, Solution> inStep(int64_t ii = 400) {
  auto [problem, solution] = sharedUnit(2, ii);
  problem.subTiles = 2;
  for (int op = 0; op < 4; ++op) {
    problem.operations[op].name =
        "p" + std::to_string(op % 2) + "." + std::to_string(op / 2);
    problem.operations[op].sub = op / 2;
    solution.start[op] = op % 2 * 100 + op / 2 * ii / 2;
  }
  return {problem, solution};
}

} // namespace

TEST(UnitToOrder, LeavesSubTilesInStepToThemselves) {
  auto [problem, solution] = inStep();
  EXPECT_TRUE(isInStep(problem, solution)); // 200 cycles apart
  EXPECT_EQ(unitToOrder(problem, solution), -1);
  // Who loads for them does nothing else, and loads as late as it can.
  for (int sub : {0, 1}) {
    std::string name = "load." + std::to_string(sub);
    problem.operations.push_back({name, 0, 10, 50, 10, true, sub});
    solution.start.push_back(30 * sub);
    solution.process.push_back(2);
  }
  EXPECT_TRUE(isInStep(problem, solution));
  EXPECT_EQ(unitToOrder(problem, solution), -1);
  // A product that its queue does not hold lets the other's in behind it.
  EXPECT_EQ(unitToOrder(problem, solution, {true, false, true, false}), 1);
  EXPECT_EQ(unitToOrder(problem, solution, std::vector<bool>(6)), -1);
  solution.ii = 404;
  EXPECT_FALSE(isInStep(problem, solution));
  EXPECT_EQ(unitToOrder(problem, solution), 1);
  solution.ii = 400;
  std::swap(solution.start[2], solution.start[3]);
  EXPECT_FALSE(isInStep(problem, solution));
}

TEST(UnitToOrder, HoldsSubTilesInStepThatPhasesThrowOut) {
  auto [problem, solution] = inStep();
  EXPECT_EQ(unitToOrder(problem, solution, {}, /*hasPhase=*/true), 1);
  auto [same, spare] = inStep(420);
  ASSERT_TRUE(isInStep(same, spare));
  EXPECT_EQ(unitToOrder(same, spare, {}, true), -1); // they get back by it
  // 40 cycles of issues and two hand-overs are at most two thirds of 400.
  problem.machine.handOverCycles = 113;
  EXPECT_EQ(unitToOrder(problem, solution, {}, true), 1);
  problem.machine.handOverCycles = 114;
  EXPECT_EQ(unitToOrder(problem, solution, {}, true), -1);
  EXPECT_EQ(unitToOrder(problem, solution, {true, false, true, false}), -1);
}

TEST(PreparesAhead, WhereAFullUnitReadsRegisters) {
  auto [problem, solution] = inStep();
  EXPECT_FALSE(preparesAhead(problem, solution)); // nothing to prepare
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
  EXPECT_TRUE(preparesAhead(problem, solution));
  auto [same, spare] = inStep(420);
  withCast(same, spare);
  ASSERT_TRUE(isInStep(same, spare));
  EXPECT_FALSE(preparesAhead(same, spare));
  std::swap(solution.start[0], solution.start[1]);
  ASSERT_FALSE(isInStep(problem, solution));
  EXPECT_FALSE(preparesAhead(problem, solution));
}

TEST(IsWorthATextEach, OnlyMoreThanOnePartIn64) {
  EXPECT_FALSE(isWorthATextEach(1607, 1614));
  EXPECT_TRUE(isWorthATextEach(1580, 1614));
}

TEST(PartSubTiles, GivesEachAProcessAtTheSameTimes) {
  auto [problem, solution] = inStep();
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
  auto [problem, solution] = inStep();
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
