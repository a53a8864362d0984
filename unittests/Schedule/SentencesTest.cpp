//===- SentencesTest.cpp - What is said about a schedule ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constraints behind a schedule, and the sentences made of them: the unit,
// the recurrence, the ring or the order that binds. Chains are compared with
// the certifier's bound, since a sentence that blames the wrong operation is
// worse than none.
//
//===----------------------------------------------------------------------===//

#include "SampleMachine.h"
#include "SampleProblem.h"

#include "Chains.h"
#include "Sentences.h"

#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

using Lines = std::vector<std::string>;

/// A loop in which `dot`, `exp` and the next `dot` follow one another.
static Problem chained() {
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "k";
  problem.units = {{"tensor", true}, {"alu", false}};
  problem.operations = {{"dot", 0, 100, 160, 16}, {"exp", 1, 50, 58, 50}};
  problem.dependences = {{0, 1, 0}, {1, 0, 1}};
  return problem;
}

static Solution chainedSolution(int64_t ii) {
  Solution solution;
  solution.ii = ii;
  solution.start = {0, 160};
  solution.process = {0, 0};
  solution.processes = {{"p", 4, 0}};
  return solution;
}

TEST(Chains, EveryConstraintHoldsInASolutionThatVerifies) {
  Problem problem = sampleProblem();
  int count = static_cast<int>(problem.operations.size());
  int drawn = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Outcome outcome = drawSchedule(problem, seed);
    if (!outcome.solution)
      continue;
    ++drawn;
    ASSERT_EQ(verify(problem, *outcome.solution), "");
    std::vector<Constraint> all = constraintsOf(problem, *outcome.solution);
    for (const Constraint &constraint : all)
      EXPECT_GE(slackOf(constraint, *outcome.solution), 0)
          << "seed " << seed << ": " << constraint.from << " -> "
          << constraint.to << ", kind " << constraint.kind;
    // Nothing excludes the interval that it has.
    EXPECT_TRUE(findRecurrence(all, count, outcome.solution->ii + 1).empty());
  }
  EXPECT_GT(drawn, 100);
}

TEST(Chains, AgreeWithTheRecurrenceBound) {
  Problem problem = chained();
  EXPECT_EQ(recurrenceBound(constraintsOf(problem), 2, 10000),
            recurrenceMinII(problem));
  std::vector<Constraint> cycle =
      findRecurrence(constraintsOf(problem), 2, 218);
  ASSERT_EQ(cycle.size(), 2u);
  EXPECT_EQ(cycle[0].delay + cycle[1].delay, 218);
  EXPECT_TRUE(findRecurrence(constraintsOf(problem), 2, 219).empty());
}

TEST(Sentences, NameTheUnitThatBinds) {
  EXPECT_EQ(describePipeline(sampleProblem(), sampleSolution()),
            (Lines{"Unit tensor binds: dot.0 (500) and dot.1 (500) keep it "
                   "busy 1000 of 1000 cycles an iteration.",
                   "Idle of an interval: tma 70 % and tensor 0 %.",
                   "Issuing: load 3 %, mma.0 2 % and mma.1 2 %.",
                   "Least slack at asynchronous units, in cycles: b -> dot.0 "
                   "4, a -> dot.0 204, b -> dot.1 504 and a -> dot.1 704; the "
                   "median of all 4 is 504.",
                   "Rings take 196608 of 200000 B of shared memory.",
                   "Registers held at the most: mma.0 160 of 232 and mma.1 160 "
                   "of 232."}));
}

TEST(Sentences, NameTheRecurrenceThatBinds) {
  EXPECT_EQ(describePipeline(chained(), chainedSolution(218))[0],
            "No schedule has a shorter interval: the recurrence dot (160) -> "
            "exp (58) -> "
            "dot, 218 cycles over 1 iteration.");
}

TEST(Sentences, SayWhatAnOrderAllows) {
  Lines said = describePipeline(chained(), chainedSolution(300));
  EXPECT_EQ(said[0],
            "No schedule has an interval below 218 cycles: the recurrence dot "
            "(160) -> exp (58) -> dot, 218 cycles over 1 iteration.");
  EXPECT_EQ(said[1],
            "This one has 300, though its processes, order and waits allow "
            "218, where this chain has no slack: dot (160) -> exp (58) -> "
            "dot, 218 cycles over 1 iteration.");
  // A table that waits longer than it must.
  Solution late = chainedSolution(300);
  late.start = {0, 242};
  late.latency = {242, 58};
  EXPECT_EQ(describePipeline(chained(), late)[1],
            "This one has 300, because with its processes, order and waits "
            "this chain has no slack: dot (242) -> exp (58) -> dot, 300 cycles "
            "over 1 iteration.");
}

TEST(Sentences, NameTheRingThatBinds) {
  // Too few slots for the time that a turn takes: the next load waits.
  Problem problem = sampleProblem();
  problem.machine.sharedBytes = 49152;
  Solution solution = sampleSolution();
  solution.rings[0].depth = 1;
  solution.ii = 2756;
  ASSERT_EQ(verify(problem, solution), "");
  Lines said = describePipeline(problem, solution);
  EXPECT_EQ(said[1],
            "This one has 2756, though its processes, order and waits allow "
            "2752, where this chain has no slack: dot.0 (500 on tensor) -> "
            "dot.1 (1156 until its slot of loads is free) -> a (100 on tma) "
            "-> b (996) -> dot.0, 2752 cycles over 1 iteration.");
  EXPECT_EQ(said[2], "Ring loads has 1 slot; one more takes 49152 B, and 0 B "
                     "of shared memory are left.");
}

TEST(Sentences, SayWhatATableBreaks) {
  Solution solution = sampleSolution();
  solution.start[2] = 900;
  EXPECT_EQ(describePipeline(sampleProblem(), solution)[0],
            "The table asks for what the machine's model excludes: dependence "
            "'b' -> 'dot.0' (distance 0) needs 996 cycles and has 800.");
}

TEST(Sentences, SayWhatOneProcessWaitsFor) {
  Problem problem = chained();
  problem.dependences.pop_back();
  Timeline timeline =
      unroll(problem, inProgramOrder(problem, {"main", 4, 0}), 0, 1);
  EXPECT_EQ(describeOrder(timeline),
            (Lines{"One process does everything in order, in about 218 cycles "
                   "an iteration; it waits 66 % of them, longest for dot "
                   "(144)."}));
}
