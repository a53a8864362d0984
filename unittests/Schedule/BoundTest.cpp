//===- BoundTest.cpp - Lower bounds and their witnesses -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lower bounds and their witnesses on loops where the answer is known by hand,
// and on random ones against exhaustive search: a bound above the best schedule
// would be a proof of something false.
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"
#include "SampleMachine.h"
#include "SampleProblem.h"

#include "heddle/Schedule/Certify.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

/// A product, what reads it in step, and a product that reads that: with one
/// copy of the first product's result in registers.
Problem chainProblem() {
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "n";
  problem.units = {{"tensor", true}, {"alu", false}};
  problem.operations = {{"score", 0, 30, 34, 2, false, -1, 64},
                        {"exp", 1, 40, 44, 40, false, -1, 32},
                        {"sum", 0, 30, 34, 2, false, -1, 64, true}};
  problem.dependences = {{0, 1, 0}, {1, 2, 0}, {2, 2, 1, true}};
  return problem;
}

} // namespace

TEST(Bounds, NameTheBusiestUnit) {
  Problem problem = sampleProblem();
  Bound bound = findBound(problem);
  EXPECT_EQ(bound.ii, 1000);
  EXPECT_EQ(bound.operations, (std::vector<int>{2, 3}));
  EXPECT_EQ(describe(problem, bound), "unit 'tensor' is busy 1000 cycles");
  EXPECT_EQ(checkBound(problem, bound), "");
  bound.ii = 1001;
  EXPECT_EQ(checkBound(problem, bound), "the witness adds up to 1000 cycles, "
                                        "and the bound claims 1001");
  bound.operations = {2, 2};
  EXPECT_EQ(checkBound(problem, bound), "the witness names operation 2, which "
                                        "does not exist or is named twice");
  bound.operations = {1, 2};
  EXPECT_EQ(checkBound(problem, bound),
            "the witness counts 'b', which is on another unit");
}

TEST(Bounds, CountWhatOneProcessIssues) {
  Problem problem = chainProblem();
  problem.operations[0].issue = problem.operations[2].issue = 30;
  problem.dependences[2] = {2, 0, 2};
  problem.operations[2].persists = false;
  problem.operations[2].latency = 1;
  Bound bound = findBound(problem);
  EXPECT_EQ(bound.ii, 100);
  EXPECT_EQ(describe(problem, bound),
            "one process issues 'score' and 2 others for 100 cycles");
  EXPECT_EQ(checkBound(problem, bound), "");
  bound.dependences.pop_back();
  EXPECT_EQ(checkBound(problem, bound),
            "the witness counts 'sum', which none of its dependences keeps in "
            "the process");
  // Through shared memory they may part.
  problem.transfers = {{0, 8}, {1, 8}, {2, 8}};
  problem.machine.sharedBytes = 64;
  bound.dependences = {0, 1};
  EXPECT_EQ(checkBound(problem, bound),
            "the witness names dependence 0, which does not keep two "
            "operations in one process");
  EXPECT_LT(findBound(problem).ii, 100);
}

TEST(Bounds, FindTheSlowestRecurrence) {
  Problem problem = sampleProblem();
  problem.dependences.push_back({2, 0, 1});
  Bound bound = findBound(problem);
  EXPECT_EQ(bound.ii, 1060 + 800);
  EXPECT_EQ(describe(problem, bound), "the recurrence 'a' -> 'dot.0' takes "
                                      "1860 cycles over 1 iteration");
  EXPECT_EQ(checkBound(problem, bound), "");
  problem.dependences.back() = {2, 0, 3, false, true, 1060};
  bound = findBound(problem);
  EXPECT_EQ(bound.ii, 1000); // 620 would do for the recurrence
  problem.dependences.back().distance = 0;
  EXPECT_EQ(findBound(problem).ii, kNoInterval);
}

TEST(Bounds, SeeThatOneCopyOfAResultIsARecurrence) {
  Problem problem = chainProblem();
  Bound bound = findBound(problem);
  // score's 34 cycles, exp reads for 40, and the next score may be issued.
  EXPECT_EQ(bound.ii, 74);
  ASSERT_EQ(bound.links.size(), 3u);
  EXPECT_EQ(checkBound(problem, bound), "");
  int64_t sum = 0;
  for (const Link &link : bound.links)
    sum += link.delay;
  EXPECT_EQ(sum, 74);
  EXPECT_TRUE(
      std::any_of(bound.links.begin(), bound.links.end(),
                  [](const Link &link) { return link.rule == Link::Copy; }));
  Link copy =
      *std::find_if(bound.links.begin(), bound.links.end(),
                    [](const Link &link) { return link.rule == Link::Copy; });
  EXPECT_EQ(describeStart(problem, copy), "'exp' is issued");
  EXPECT_EQ(describeEnd(problem, copy), "'score' is issued");
  // Through a ring of two slots there is room for two.
  problem.transfers = {{0, 8}};
  problem.machine.sharedBytes = 16;
  problem.machine.handOverCycles = 6;
  EXPECT_EQ(describe(problem, findBound(problem)),
            "unit 'tensor' is busy 60 cycles");
  problem.machine.sharedBytes = 8;
  EXPECT_EQ(describe(problem, findBound(problem)),
            "the recurrence 'score' -> 'exp' takes 84 cycles over 1 iteration");
}

TEST(Bounds, RefuseARecurrenceThatDoesNotClose) {
  Problem problem = chainProblem();
  Bound bound = findBound(problem);
  std::swap(bound.links[0], bound.links[1]);
  EXPECT_NE(checkBound(problem, bound), "");
  bound = findBound(problem);
  ++bound.links[0].delay;
  EXPECT_EQ(checkBound(problem, bound),
            "step 0 of the recurrence is none of the problem's");
  bound = findBound(problem);
  bound.links.pop_back();
  EXPECT_NE(checkBound(problem, bound), "");
  bound = findBound(problem);
  bound.links[1].index = 7;
  EXPECT_NE(checkBound(problem, bound), "");
}

/// No schedule is better than a bound, and the bounds know more than those that
/// solvers start from.
TEST(Bounds, HoldForAllSchedulesOfSmallProblems) {
  int reached = 0, better = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Problem problem = randomProblemMaybeWithLoads(seed);
    Bound bound = findBound(problem);
    ASSERT_EQ(checkBound(problem, bound), "") << seed;
    int64_t simple = std::max(resourceMinII(problem), recurrenceMinII(problem));
    if (bound.ii != kNoInterval) {
      ASSERT_GE(bound.ii, simple) << seed;
      better += bound.ii > simple;
    }
    if (auto solution = searchExhaustively(problem, 7)) {
      ASSERT_LE(bound.ii, solution->ii) << seed;
      reached += bound.ii == solution->ii;
    }
  }
  EXPECT_GT(reached, 150);
  EXPECT_GT(better, 20);
  RecordProperty("reached", reached);
  RecordProperty("better", better);
}
