//===- ExactTest.cpp - What the exact solver answers ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The exact solver on the sample problems: the interval it reaches, the wishes
// it grants, and its words where there is no schedule or no budget. That its
// answers agree with exhaustive search is OrderSearchTest.cpp's affair.
//
//===----------------------------------------------------------------------===//

#include "SampleMachine.h"
#include "SampleProblem.h"

#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

TEST(Exact, ReachesTheLowerBoundWithOneProcessASubTile) {
  Outcome outcome = solveExactly(sampleProblem());
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  EXPECT_EQ(outcome.lowerBound, 1000);
  EXPECT_EQ(outcome.solution->ii, 1000);
  EXPECT_EQ(outcome.solution->process, (std::vector<int>{0, 0, 1, 2}));
  EXPECT_EQ(verify(sampleProblem(), *outcome.solution), "");
  EXPECT_EQ(outcome.solution->rings[0].depth, 4); // 200000 / 49152
}

TEST(Exact, IsDeterministic) {
  Outcome first = solveExactly(sampleProblem()),
          second = solveExactly(sampleProblem());
  ASSERT_TRUE(first.solution && second.solution);
  EXPECT_EQ(first.solution->start, second.solution->start);
  EXPECT_EQ(first.solution->execution, second.solution->execution);
}

TEST(Exact, IssuesProductsAheadOfTheirTurn) {
  Outcome outcome = solveExactly(sampleProblem());
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  for (int dot : {2, 3})
    EXPECT_GE(outcome.solution->execution[dot] - outcome.solution->start[dot],
              1000 / 2 - 1000 / 128);
}

TEST(Exact, WaitsForAProductWhenTheNextIsInTheQueue) {
  // Loads bind, so products are done long before the next ones are issued.
  Problem problem = sampleProblem();
  problem.machine.sharedBytes = 400000; // eight slots
  for (int dot : {2, 3}) {
    problem.operations[dot].reservation = 100;
    problem.operations[dot].latency = 150;
  }
  Outcome outcome = solveExactly(problem);
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  const Solution &solution = *outcome.solution;
  EXPECT_EQ(verify(problem, solution), "");
  for (int dot : {2, 3})
    EXPECT_EQ(solution.latencyOf(problem, dot), solution.ii + 16);
  // Who makes registers that a product reads waits for it first.
  problem.units.push_back({"alu", false});
  problem.operations.push_back({"cast", 2, 10, 10, 10, false, 0, 8});
  problem.dependences.push_back({4, 2, 0});
  outcome = solveExactly(problem);
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  EXPECT_LT(outcome.solution->latencyOf(problem, 2), outcome.solution->ii);
  EXPECT_GT(outcome.solution->latencyOf(problem, 3), outcome.solution->ii);
}

TEST(Exact, SaysWhyThereIsNoSchedule) {
  Problem problem = sampleProblem();
  problem.operations[2].registers = problem.operations[3].registers = 300;
  Outcome outcome = solveExactly(problem);
  EXPECT_FALSE(outcome.solution);
  EXPECT_EQ(outcome.reason,
            "each of 2 processes needs 332 registers a thread and gets 232");
}

/// A load and so many operations that threads do, one behind the other: all but
/// the first may be in any process.
static Problem withMakers(int makers, int64_t bytes) {
  Problem problem;
  problem.machine = sampleMachine();
  problem.machine.sharedBytes = 100000;
  problem.loop = "k";
  problem.units = {{"tma", true}, {"alu", false}};
  problem.operations = {{"load", 0, 100, 800, 16, true, -1, 0}};
  problem.transfers = {{0, bytes}};
  for (int i = 1; i <= makers; ++i) {
    problem.operations.push_back(
        {"make." + std::to_string(i), 1, 10, 10, 10, false, -1, 8});
    problem.dependences.push_back({i - 1, i, 0});
    problem.transfers.push_back({i, bytes});
  }
  return problem;
}

TEST(Exact, AsksNothingWhereSlotsHaveNoRoom) {
  Problem problem = withMakers(4, 20000); // a slot for each of five
  EXPECT_TRUE(solveExactly(problem).solution);
  problem = withMakers(5, 20000);
  Reached reached = solveWish(problem, {});
  EXPECT_FALSE(reached.solution);
  EXPECT_EQ(reached.steps, 0);
  EXPECT_EQ(reached.reason, "one slot of each ring takes 120000 B of shared "
                            "memory together, and there are 100000 for rings");
  Wish wish;
  wish.ii = 1000;
  reached = solveWish(problem, wish);
  EXPECT_FALSE(reached.solution);
  EXPECT_TRUE(reached.isRefuted);
  EXPECT_EQ(reached.steps, 0);
}

TEST(Exact, ManyPlacementsShareItsBudget) {
  Problem problem = withMakers(9, 8);
  for (Operation &operation : problem.operations)
    operation.registers = operation.variableLatency ? 0 : 300;
  problem.operations.back().sub = 0; // others may have a process of their own
  Reached reached = solveWish(problem, {}, {1'000'000});
  EXPECT_FALSE(reached.solution);
  EXPECT_LE(reached.steps, 1'000'000 + 1'000);
}

TEST(Exact, SaysThatItsBudgetIsSpent) {
  Outcome outcome = solveExactly(sampleProblem(), {1});
  EXPECT_FALSE(outcome.solution);
  EXPECT_EQ(outcome.lowerBound, 1000);
  EXPECT_TRUE(outcome.reason.starts_with(
      "the solver found none with an interval of 1000 to "))
      << outcome.reason;
}

TEST(Exact, RelationsNameEventsOfEachSubTile) {
  Problem problem = sampleProblem();
  std::vector<Relation> relations;
  EXPECT_EQ(parseRelations("done(a) <= issued(dot)@1 < done(dot.1)", problem,
                           relations),
            "");
  ASSERT_EQ(relations.size(), 3u); // a to both; dot.1 to itself
  EXPECT_EQ(relations[0].to, 2);
  EXPECT_EQ(relations[1].distance, 1);
  EXPECT_EQ(relations[2].from, 3);
  EXPECT_EQ(relations[2].distance, -1);
  EXPECT_EQ(relations[2].delay, 1);
  EXPECT_NE(parseRelations("done(c) < done(a)", problem, relations), "");
  EXPECT_NE(parseRelations("done(a)", problem, relations), "");
  EXPECT_NE(parseRelations("done(a)@ < done(b)", problem, relations), "");
}

TEST(Exact, KeepsSubTilesInStepIfAsked) {
  Problem problem = alternatingProblem();
  Wish wish;
  wish.inStep = true;
  Reached reached = solveWish(problem, wish);
  ASSERT_TRUE(reached.solution) << reached.reason;
  const Solution &solution = *reached.solution;
  EXPECT_EQ(verify(problem, solution), "");
  for (int op = 0; op < 4; ++op)
    EXPECT_EQ(solution.start[op + 4] - solution.start[op], solution.ii / 2)
        << problem.operations[op].name;
  // Of schedules as short, the solver prefers such a one anyway.
  Outcome preferred = solveExactly(problem);
  EXPECT_EQ(preferred.solution->ii, solution.ii);
  EXPECT_TRUE(isInStep(problem, *preferred.solution));
  // The second product right behind the first.
  problem.dependences.push_back({4, 0, 1, false, true, solution.ii - 20});
  EXPECT_TRUE(solveWish(problem, {}).solution);
  wish.ii = solution.ii;
  EXPECT_TRUE(solveWish(problem, wish).isRefuted);
}

TEST(Exact, LeavesLoadsOutOfTheStep) {
  // A shared load finds no room between two that are half an interval apart.
  Problem problem = sampleProblem();
  problem.operations[0].name = "a.0";
  problem.operations[0].sub = 0;
  Operation second = problem.operations[0];
  second.name = "a.1";
  second.sub = 1;
  second.leader = 0;
  problem.operations.push_back(second);
  problem.operations[0].reservation = problem.operations[4].reservation = 250;
  problem.operations[1].reservation = 500;
  for (Dependence &edge : problem.dependences)
    if (edge.from == 0 && edge.to == 3)
      edge.from = 4;
  problem.transfers.push_back({4, problem.transfers[0].bytes});
  problem.machine.sharedBytes = 400000;
  Wish wish;
  wish.inStep = true;
  Reached reached = solveWish(problem, wish);
  ASSERT_TRUE(reached.solution) << reached.reason;
  EXPECT_EQ(reached.solution->ii, 1000);
  EXPECT_TRUE(isInStep(problem, *reached.solution));
}

TEST(Exact, ImprovesNothingThatIsNotWorthItsCode) {
  Problem problem = sampleProblem();
  Reached all = solveWish(problem, {});
  ASSERT_TRUE(all.solution) << all.reason;
  Wish wish;
  wish.beside = all.solution->ii; // no shorter
  Reached rough = solveWish(problem, wish);
  ASSERT_TRUE(rough.solution) << rough.reason;
  EXPECT_EQ(verify(problem, *rough.solution), "");
  EXPECT_EQ(rough.solution->ii, all.solution->ii);
  EXPECT_LT(rough.steps, all.steps);
  EXPECT_EQ(rough.slack, 0);
  wish.beside = 2 * all.solution->ii;
  Reached wanted = solveWish(problem, wish);
  ASSERT_TRUE(wanted.solution) << wanted.reason;
  EXPECT_EQ(wanted.solution->start, all.solution->start);
  EXPECT_EQ(wanted.solution->execution, all.solution->execution);
  EXPECT_EQ(wanted.steps, all.steps);
}

TEST(Exact, IssueBoundDealsOutWhatCannotPart) {
  Problem problem = sampleProblem();
  problem.operations[2].issue = 30;
  problem.operations[3].issue = 20;
  EXPECT_EQ(issueBound(problem, 1), 50);
  EXPECT_EQ(issueBound(problem, 2), 30);
  problem.dependences.push_back({2, 3, 0, false}); // registers
  EXPECT_EQ(issueBound(problem, 2), 50);
}

TEST(Exact, RefutesAWishOnlyForEveryNumberOfProcesses) {
  // What the tensor core makes may change processes, and each operation keeps
  // its process for most of the interval.
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "k";
  problem.units = {{"tensor", true}, {"alu", false}};
  problem.operations = {{"a", 0, 10, 20, 60, false, 0},
                        {"b", 0, 10, 20, 60, false, 0},
                        {"c", 1, 10, 60, 60, false, 0}};
  for (int op : {0, 1})
    problem.operations[op].columns = 8;
  problem.dependences = {{0, 1, 0, false}, {1, 2, 0, false}};
  problem.machine.columns = 64;
  problem.machine.handOverCycles = 10;
  Wish wish;
  wish.ii = 100;
  Reached three = solveWish(problem, wish);
  ASSERT_TRUE(three.solution) << three.reason;
  EXPECT_EQ(three.solution->processes.size(), 3u);
  wish.processes = 2;
  EXPECT_TRUE(solveWish(problem, wish).isRefuted);
  wish.processes = 0;
  wish.isDivided = true;
  EXPECT_TRUE(solveWish(problem, wish).isRefuted);
}
