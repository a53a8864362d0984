//===- ReadEarlyTest.cpp - Readers in front of long work --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readers move in front of long work, with the operands that they need, and II
// stays. A reader stays behind where the unit's next operation would come too
// late, or where it needs the work itself; both are cases in which a careless
// move would still look right.
//
//===----------------------------------------------------------------------===//

#include "ReadEarly.h"
#include "SampleMachine.h"

#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

enum { Product, Long, Factor, Scale };

/// One process: a product of the iteration before is scaled behind long work,
/// which a factor for the scaling does not need.
Problem scaledProduct() {
  Problem problem;
  problem.machine = sampleMachine();
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
