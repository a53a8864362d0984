//===- ChooseTest.cpp - The plan of one loop ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The policy of loops from end to end on the sample problem, by every method. A
// solver's own tests do not show which of its answers a loop gets; here it is
// said that wishes give way to schedules, and that each result verifies.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"

#include "heddle/Plan/Choose.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace heddle::plan;
using namespace heddle::schedule;

namespace {

class Choose : public testing::Test {
protected:
  void SetUp() override { setenv("HEDDLE_CACHE_DIR", "", 1); }

  static Loop sampleLoop() {
    Loop loop;
    loop.problem = sampleProblem();
    loop.choices = {
        .saturated = 0.875, .tokenRound = 0.6667, .deferring = 0.125};
    return loop;
  }
};

} // namespace

TEST_F(Choose, FindsAMethodByItsWord) {
  EXPECT_EQ(findMethod("auto"), Method::Automatic);
  EXPECT_EQ(findMethod("heuristic"), Method::Heuristic);
  EXPECT_EQ(findMethod("in-step"), Method::Staggered);
  EXPECT_EQ(findMethod("exact"), Method::Exact);
  EXPECT_FALSE(findMethod("plan.mlir"));
  EXPECT_FALSE(findMethod(""));
}

TEST_F(Choose, VerifiesWhateverTheMethod) {
  Loop loop = sampleLoop();
  for (Method method : {Method::Automatic, Method::Heuristic, Method::Staggered,
                        Method::Exact}) {
    LoopPlan plan = chooseLoop(loop, method);
    ASSERT_TRUE(plan.outcome.solution) << plan.outcome.reason;
    EXPECT_EQ(verify(loop.problem, *plan.outcome.solution), "");
    EXPECT_GE(plan.outcome.solution->ii,
              boundBelow(loop.problem, plan.outcome.solution->ii));
    bool isStaggered = isInStep(loop.problem, *plan.outcome.solution);
    EXPECT_TRUE(isStaggered || method != Method::Staggered);
    EXPECT_TRUE(method != Method::Heuristic ||
                (plan.orderedUnit < 0 && !plan.prefetchesOperands));
  }
}

// A number that waits for nothing is not carried through the iterations that a
// load beside it takes.
TEST_F(Choose, ComputesNumbersInTheIterationOfTheirReaders) {
  Loop loop = sampleLoop();
  Problem &problem = loop.problem;
  problem.units = {{"tma", true}, {"alu", false}};
  problem.operations = {{"load", 0, 20, 900, 16, true, -1, 0},
                        {"number", 1, 1, 1, 1, false, 0, 1},
                        {"choice", 1, 30, 30, 30, false, 0, 8}};
  problem.dependences = {{0, 2, 0}, {1, 2, 0}};
  problem.transfers = {{0, 4096}};
  problem.subTiles = 1;
  LoopPlan plan = chooseLoop(loop, Method::Automatic);
  ASSERT_TRUE(plan.outcome.solution) << plan.outcome.reason;
  const Solution &found = *plan.outcome.solution;
  EXPECT_GT(found.start[2], found.start[0] + 2 * found.ii);
  EXPECT_LT(found.start[2], found.start[1] + 2 * found.ii);
}

TEST_F(Choose, IsNoLongerThanTheHeuristicUnlessAsked) {
  Loop loop = sampleLoop();
  int64_t heuristic = chooseLoop(loop, Method::Heuristic).outcome.solution->ii;
  EXPECT_LE(chooseLoop(loop, Method::Automatic).outcome.solution->ii,
            heuristic);
  EXPECT_LE(chooseLoop(loop, Method::Exact).outcome.solution->ii, heuristic);
}

TEST_F(Choose, LeavesTheRegistersThatALoopWantsWhereItCan) {
  Loop loop = sampleLoop();
  Machine &machine = loop.problem.machine;
  machine.registersPerLane = 512;
  machine.maxRegisters = 240;
  for (Operation &operation : loop.problem.operations)
    if (operation.unit != 0)
      operation.registers = 40;
  LoopPlan plain = chooseLoop(loop, Method::Heuristic);
  ASSERT_TRUE(plain.outcome.solution) << plain.outcome.reason;
  loop.wantedRegisters = 24;
  LoopPlan roomy = chooseLoop(loop, Method::Heuristic);
  ASSERT_TRUE(roomy.outcome.solution);
  Problem tighter = loop.problem;
  tighter.machine.overheadRegisters += 24;
  EXPECT_EQ(verify(tighter, *roomy.outcome.solution), "");
  // No process has so many: the wish gives way.
  loop.wantedRegisters = 1000;
  LoopPlan cramped = chooseLoop(loop, Method::Heuristic);
  ASSERT_TRUE(cramped.outcome.solution);
  EXPECT_EQ(cramped.outcome.solution->start, plain.outcome.solution->start);
}

TEST_F(Choose, SaysWhyThereIsNoPlan) {
  Loop loop = sampleLoop();
  loop.problem.machine.sharedBytes = 1;
  LoopPlan plan = chooseLoop(loop, Method::Automatic);
  EXPECT_FALSE(plan.outcome.solution);
  EXPECT_NE(plan.outcome.reason, "");
}

TEST_F(Choose, DrawsWithoutPolicy) {
  Loop loop = sampleLoop();
  LoopPlan first = drawLoop(loop, 1), again = drawLoop(loop, 1);
  ASSERT_TRUE(first.outcome.solution);
  EXPECT_EQ(first.outcome.solution->start, again.outcome.solution->start);
  EXPECT_EQ(first.orderedUnit, -1);
  EXPECT_FALSE(first.prefetchesOperands);
}
