//===- ProblemTest.cpp - Each constraint of a schedule, violated once -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// schedule::verify and the checks of a problem's own data. Each test breaks one
// rule of the sample schedule and expects the complaint about it: every solver
// relies on this verifier, and a rule that it forgets is a race in a kernel.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"

#include "heddle/Schedule/SharedTraffic.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

TEST(ScheduleProblem, BoundsComeFromTheBusiestUnitAndTheLongestCycle) {
  Problem problem = sampleProblem();
  EXPECT_EQ(resourceMinII(problem), 1000);
  EXPECT_EQ(recurrenceMinII(problem), 500); // a dot onto itself, in place
  problem.dependences.push_back({2, 0, 1, false});
  EXPECT_EQ(recurrenceMinII(problem), 1060 + 800); // dot.0 -> a -> dot.0
  problem.dependences.back().distance = 3;
  EXPECT_EQ(recurrenceMinII(problem), (1060 + 800 + 2) / 3);
}

TEST(ScheduleProblem, SharedTrafficCountsEachReaderAndNoThread) {
  Problem problem = sampleProblem();
  EXPECT_EQ(sharedTraffic(problem), 3 * (16384 + 32768)); // two products read
  problem.dependences[3].orders = true;                   // no value
  EXPECT_EQ(sharedTraffic(problem), 3 * 16384 + 2 * 32768);
  problem.units.push_back({"alu", false});
  problem.operations[0].unit = 2; // threads fill the first slot
  EXPECT_EQ(sharedTraffic(problem), 2 * 32768);
  problem.operations[2].unit = 2; // and read the second
  EXPECT_EQ(sharedTraffic(problem), 32768);
}

TEST(ScheduleProblem, AcceptsALegalSchedule) {
  EXPECT_EQ(verify(sampleProblem(), sampleSolution()), "");
}

TEST(ScheduleProblem, RejectsAnOperandThatComesTooLate) {
  Solution solution = sampleSolution();
  solution.start[2] = 1095;
  EXPECT_EQ(
      verify(sampleProblem(), solution),
      "dependence 'b' -> 'dot.0' (distance 0) needs 996 cycles and has 995");
}

TEST(ScheduleProblem, RejectsAReaderThatStartsBeforeItsSlotIsFull) {
  Problem problem = sampleProblem();
  // dot.0 no longer reads 'b', which still fills a part of the slot it waits
  // for.
  std::erase_if(problem.dependences, [](const Dependence &edge) {
    return edge.from == 1 && edge.to == 2;
  });
  EXPECT_EQ(verify(problem, sampleSolution()), "");
  Solution solution = sampleSolution();
  solution.start[2] = 1094;
  solution.start[3] = 1594;
  EXPECT_EQ(
      verify(problem, solution),
      "'dot.0' reads a slot of ring 'loads', which 'b' fills too; it needs "
      "996 cycles after that and has 994");
}

TEST(ScheduleProblem, RejectsOperationsOutOfOrder) {
  Problem problem = sampleProblem();
  // The next 'a' is 900 cycles behind 'b'.
  problem.dependences.push_back({1, 0, 1, false, true, 900});
  EXPECT_EQ(verify(problem, sampleSolution()), "");
  problem.dependences.back().delay = 901;
  EXPECT_EQ(verify(problem, sampleSolution()),
            "dependence 'b' -> 'a' (distance 1) needs 901 cycles and has 900");
  problem.dependences.back().delay = -1;
  EXPECT_NE(problem.check(), "");
}

TEST(ScheduleProblem, KeepsLoadsApartWhereItSays) {
  Problem problem = sampleProblem();
  problem.machine.registersPerLane = 1000;
  Solution solution = sampleSolution();
  solution.start = {0, 100, 1120, 1620};
  solution.process = {1, 1, 1, 2}; // the loads ride with a product
  EXPECT_EQ(verify(problem, solution), "");
  EXPECT_FALSE(keepsLoadsApart(problem, solution));
  problem.loadsApart = true;
  EXPECT_EQ(verify(problem, solution),
            "what has variable latency is not in one process of its own");
  solution.process = {0, 1, 2, 2};
  EXPECT_FALSE(keepsLoadsApart(problem, solution));
  EXPECT_EQ(verify(problem, sampleSolution()), "");
  EXPECT_TRUE(keepsLoadsApart(problem, sampleSolution()));
}

TEST(ScheduleProblem, RejectsAnAccumulatorThatChangesItsProcess) {
  Problem problem = sampleProblem();
  problem.dependences.push_back({2, 3, 0, true});
  EXPECT_EQ(verify(problem, sampleSolution()),
            "'dot.1' accumulates onto 'dot.0' in another process");
}

TEST(ScheduleProblem, RejectsAUnitUsedTwiceAtATime) {
  Solution solution = sampleSolution();
  solution.start[3] = 1599;
  EXPECT_EQ(verify(sampleProblem(), solution),
            "'dot.0' and 'dot.1' are on unit 'tensor' at the same time");
}

TEST(ScheduleProblem, SeesConflictsAcrossIterations) {
  Solution solution = sampleSolution();
  solution.start[3] =
      2600 - 1; // one interval later: the same place in the loop
  EXPECT_EQ(verify(sampleProblem(), solution),
            "'dot.0' and 'dot.1' are on unit 'tensor' at the same time");
}

TEST(ScheduleProblem, RejectsAnOperationLongerThanTheInterval) {
  Solution solution = sampleSolution();
  solution.ii = 450;
  solution.rings[0].depth = 9;
  EXPECT_EQ(
      verify(sampleProblem(), solution).find("dependence 'dot.0' -> 'dot.0'"),
      0u);
  Problem problem = sampleProblem();
  problem.dependences.clear();
  EXPECT_EQ(verify(problem, solution),
            "'dot.0' keeps its unit 500 cycles, longer than II = 450");
}

TEST(ScheduleProblem, RejectsTwoIssuesAtATimeInOneProcess) {
  Problem problem = sampleProblem();
  problem.operations[0].reservation = 1;
  problem.operations[1].reservation = 1;
  Solution solution = sampleSolution();
  solution.start[1] = 15;
  EXPECT_EQ(verify(problem, solution),
            "process 'load' issues 'a' and 'b' at the same time");
}

TEST(ScheduleProblem, RejectsAResultReadAfterItsRegistersAreWrittenAgain) {
  Problem problem = sampleProblem();
  problem.units.push_back({"alu", false});
  problem.operations.push_back({"add", 2, 40, 48, 40, false, 0, 128});
  problem.dependences.push_back({2, 4, 0, false});
  problem.operations[2].latency = 560;
  Solution solution = sampleSolution();
  solution.process.push_back(1);
  solution.start.push_back(1100 + 960);
  EXPECT_EQ(verify(problem, solution), "");
  solution.start[4] = 1100 + 1020; // behind the next issue of dot.0
  EXPECT_EQ(
      verify(problem, solution),
      "'add' reads the registers of 'dot.0' until cycle 2160, but the next "
      "'dot.0' writes them from cycle 2100");
}

TEST(ScheduleProblem, RejectsASlotThatComesRoundTooSoon) {
  Solution solution = sampleSolution();
  solution.rings[0].depth = 2;
  EXPECT_EQ(verify(sampleProblem(), solution),
            "a slot of ring 'loads' is in use 2756 cycles, but comes round "
            "after 2 x 1000");
}

TEST(ScheduleProblem, RejectsRingsLargerThanSharedMemory) {
  Solution solution = sampleSolution();
  solution.rings[0].depth = 5;
  EXPECT_EQ(verify(sampleProblem(), solution),
            "the rings need 245760 B of shared memory and there are 200000 B");
}

TEST(ScheduleProblem, RejectsRingsThatCannotBe) {
  Solution solution = sampleSolution();
  solution.rings[0].depth = 9;
  EXPECT_EQ(verify(sampleProblem(), solution),
            "ring 'loads' has 9 slots and may have 1 to 8");
  solution = sampleSolution();
  solution.rings[0].operations.push_back(4);
  EXPECT_EQ(verify(sampleProblem(), solution),
            "ring 'loads' carries operation 4 of 4");
}

TEST(ScheduleProblem, RejectsAnOperationThatIsIssuedLongerThanTheInterval) {
  Problem problem = sampleProblem();
  problem.operations[1].issue = 1001;
  EXPECT_EQ(verify(problem, sampleSolution()),
            "'b' takes 1001 cycles to issue, longer than II = 1000");
}

TEST(ScheduleProblem, RejectsPartialSolutions) {
  Solution solution = sampleSolution();
  solution.start.pop_back();
  EXPECT_EQ(verify(sampleProblem(), solution),
            "the solution places 3 of 4 operations");
  solution = sampleSolution();
  solution.process[1] = 7;
  EXPECT_EQ(verify(sampleProblem(), solution), "'b' is in no process");
}

TEST(ScheduleProblem, ChecksItsOwnData) {
  Problem problem = sampleProblem();
  EXPECT_EQ(problem.check(), "");
  problem.operations[0].unit = 5;
  EXPECT_EQ(problem.check(),
            "operation 'a' names unit 5, of which there are 2");
  problem = sampleProblem();
  problem.operations[2].sub = 2;
  EXPECT_EQ(problem.check(), "operation 'dot.0' works on sub-tile 2 of 2");
  problem = sampleProblem();
  problem.operations[3].leader = 0;
  EXPECT_EQ(problem.check(), "operation 'dot.1' does the same as operation 0, "
                             "which is none of sub-tile 0");
  problem.operations[3].leader = 4;
  EXPECT_EQ(problem.check(), "operation 'dot.1' does the same as operation 4, "
                             "which is none of sub-tile 0");
  problem.operations[3].leader = 2;
  EXPECT_EQ(problem.check(), "");
  problem = sampleProblem();
  problem.operations[0].latency = int64_t(1) << 32;
  EXPECT_EQ(problem.check(), "operation 'a' takes 4294967296 cycles; at most "
                             "1048576 are scheduled");
  problem = sampleProblem();
  problem.dependences[0].distance = int64_t(1) << 40;
  EXPECT_EQ(problem.check(),
            "a dependence has a delay of 0 cycles over 1099511627776 "
            "iterations; at most 1048576 are scheduled");
  problem = sampleProblem();
  problem.dependences[0].distance = -1;
  EXPECT_NE(problem.check(), "");
}
