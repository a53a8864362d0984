//===- StoreEarlyTest.cpp - Slots are filled as soon as may be ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store moves in front of products that can wait, with slots for it, and
// stays behind those that cannot. Sub-tiles in step stay in step.
//
//===----------------------------------------------------------------------===//

#include "StoreEarly.h"
#include "SampleMachine.h"

#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

enum { Make, Product, Store, Reader };

/// A process makes a tile, issues a product that has nothing to do with it and
/// stores the tile for a product of another process.
Problem storedBehindAProduct() {
  Problem problem;
  problem.machine = sampleMachine();
  problem.machine.sharedBytes = 2048;
  problem.loop = "loop";
  problem.units = {{"tensor", true}, {"alu", false}};
  problem.operations = {{"make", 1, 50, 50, 50},
                        {"product", 0, 100, 100, 60},
                        {"store", 1, 40, 45, 40},
                        {"reader", 0, 100, 100, 10}};
  problem.dependences = {{Make, Store, 0}, {Store, Reader, 0}};
  problem.transfers = {{Store, 1024}};
  return problem;
}

Solution storedLate() {
  Solution solution;
  solution.ii = 500;
  solution.start = {0, 50, 300, 500};
  solution.execution = {0, 100, 300, 500};
  solution.process = {0, 0, 0, 1};
  solution.processes = {{"mma.0", 4, 0}, {"mma.1", 4, 0}};
  solution.rings = {{"store", 1, {Store}}};
  return solution;
}

} // namespace

TEST(StoreEarly, MovesInFrontOfAProductThatCanWait) {
  Problem problem = storedBehindAProduct();
  Solution solution = storedLate();
  ASSERT_EQ(verify(problem, solution), "");
  storeEarly(problem, solution);
  EXPECT_EQ(verify(problem, solution), "");
  EXPECT_EQ(solution.start[Store], 50);
  EXPECT_EQ(solution.start[Product], 90);
  EXPECT_EQ(solution.execution[Product], 100); // its queue had the time
  EXPECT_EQ(solution.rings[0].depth, 2);       // in use for 646 cycles
  EXPECT_EQ(solution.ii, 500);
}

TEST(StoreEarly, TakesNoSlotsThatSharedMemoryLacks) {
  Problem problem = storedBehindAProduct();
  problem.machine.sharedBytes = 1024;
  Solution solution = storedLate();
  ASSERT_EQ(verify(problem, solution), "");
  storeEarly(problem, solution);
  EXPECT_EQ(verify(problem, solution), "");
  EXPECT_EQ(solution.rings[0].depth, 1);
  EXPECT_EQ(solution.start[Store], 300);
}

TEST(StoreEarly, StaysBehindAProductWhoseResultIsWaitedFor) {
  Problem problem = storedBehindAProduct();
  problem.operations.push_back({"scale", 1, 40, 40, 40});
  problem.dependences.push_back({Product, 4, 0});
  Solution solution = storedLate();
  solution.start.push_back(160);
  solution.execution = solution.start;
  solution.process.push_back(0);
  solution.start[Product] = solution.execution[Product] = 60;
  solution.start[Reader] = solution.execution[Reader] = 700;
  solution.rings[0].depth = 2;
  ASSERT_EQ(verify(problem, solution), "");
  storeEarly(problem, solution);
  EXPECT_EQ(verify(problem, solution), "");
  EXPECT_EQ(solution.start[Product], 60);
  EXPECT_EQ(solution.start[Store], 120); // between that and the scaling
  EXPECT_EQ(solution.start[4], 160);
}

TEST(StoreEarly, KeepsSubTilesInStep) {
  Problem one = storedBehindAProduct(), problem = one;
  problem.subTiles = 2;
  problem.machine.sharedBytes = 4096;
  problem.operations.clear();
  problem.dependences.clear();
  problem.transfers.clear();
  Solution solution;
  solution.ii = 1000;
  for (int sub : {0, 1}) {
    int first = 4 * sub;
    for (int op : {Make, Product, Store, Reader}) {
      Operation operation = one.operations[op];
      operation.name += "." + std::to_string(sub);
      operation.sub = sub;
      operation.leader = sub ? op : -1;
      problem.operations.push_back(operation);
      solution.start.push_back(storedLate().start[op] + 500 * sub);
      solution.execution.push_back(storedLate().execution[op] + 500 * sub);
      solution.process.push_back(op == Reader ? 2 : sub);
    }
    for (Dependence edge : one.dependences) {
      edge.from += first, edge.to += first;
      problem.dependences.push_back(edge);
    }
    problem.transfers.push_back({first + Store, 1024});
    solution.rings.push_back(
        {"store." + std::to_string(sub), 1, {first + Store}});
  }
  solution.processes = {{"mma.0", 4, 0}, {"mma.1", 4, 0}, {"mma.2", 4, 0}};
  ASSERT_EQ(verify(problem, solution), "");
  ASSERT_TRUE(isInStep(problem, solution));
  storeEarly(problem, solution);
  EXPECT_EQ(verify(problem, solution), "");
  EXPECT_TRUE(isInStep(problem, solution));
  EXPECT_EQ(solution.start[Store], 50);
  EXPECT_EQ(solution.start[4 + Store], 550);
}
