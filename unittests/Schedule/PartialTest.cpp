//===- PartialTest.cpp - Schedules of which something is said --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A partial schedule of the sample problems is completed: what is found
// verifies and keeps every word, and what cannot hold is said. Parts of
// schedules that exist are never refused.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"

#include "heddle/Schedule/Partial.h"
#include "heddle/Schedule/Timeline.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

Partial partialOf(const Problem &problem) {
  Partial partial;
  partial.operations.resize(problem.operations.size());
  return partial;
}

/// Everything that `solution` says.
Partial wholeOf(const Problem &problem, const Solution &solution) {
  Partial whole = partialOf(problem);
  whole.ii = solution.ii;
  whole.processes = solution.processes;
  whole.rings = solution.rings;
  for (size_t op = 0; op < problem.operations.size(); ++op) {
    Partial::Of &of = whole.operations[op];
    of.process = solution.processes[size_t(solution.process[op])].name;
    of.start = solution.start[op];
    of.latency = solution.latencyOf(problem, int(op));
    for (const Ring &ring : solution.rings)
      for (int carried : ring.operations)
        if (carried == int(op))
          of.ring = ring.name;
  }
  return whole;
}

void expectKept(const Problem &problem, const Partial &partial) {
  Outcome outcome = solvePartial(problem, partial);
  ASSERT_TRUE(outcome.solution) << outcome.reason;
  EXPECT_EQ(verify(problem, *outcome.solution), "");
  EXPECT_EQ(whyNotKept(problem, *outcome.solution, partial), "");
}

void expectRefused(const Problem &problem, const Partial &partial) {
  Outcome outcome = solvePartial(problem, partial);
  EXPECT_FALSE(outcome.solution);
  EXPECT_NE(outcome.reason, "");
}

TEST(Partial, AWholeOneIsTaken) {
  Problem problem = sampleProblem();
  Partial whole = wholeOf(problem, sampleSolution());
  ASSERT_TRUE(whole.isWhole(problem));
  EXPECT_FALSE(whole.saysNothing());
  Solution stated = statedBy(problem, whole);
  queueUp(problem, stated);
  EXPECT_EQ(verify(problem, stated), "");
  EXPECT_EQ(whyNotKept(problem, stated, whole), "");
  EXPECT_EQ(stated.start, sampleSolution().start);
  EXPECT_EQ(stated.rings[0].operations, (std::vector<int>{0, 1}));
}

TEST(Partial, SaysNothing) {
  Problem problem = sampleProblem();
  EXPECT_TRUE(partialOf(problem).saysNothing());
  EXPECT_FALSE(partialOf(problem).isWhole(problem));
}

TEST(Partial, OneThingAtATime) {
  Problem problem = sampleProblem();
  Partial partial = partialOf(problem);
  partial.ii = 1300;
  expectKept(problem, partial);
  partial = partialOf(problem);
  partial.rings = {{"loads", 2, {}}};
  expectKept(problem, partial);
  partial = partialOf(problem);
  partial.operations[2].start = 4000;
  expectKept(problem, partial);
  partial = partialOf(problem);
  partial.operations[2].process = "left";
  partial.operations[3].process = "right";
  partial.processes = {{"left", 0, 200}};
  expectKept(problem, partial);
  partial = partialOf(problem);
  partial.apart = {{2, 3}};
  expectKept(problem, partial);
  partial = partialOf(problem);
  ASSERT_EQ(parseRelations("issued(dot.0) < issued(dot.1)", problem,
                           partial.relations),
            "");
  ASSERT_EQ(partial.relations.size(), 1u);
  expectKept(problem, partial);
  std::swap(partial.relations[0].from, partial.relations[0].to);
  expectKept(problem, partial);
}

TEST(Partial, WhatCannotHold) {
  Problem problem = sampleProblem();
  Partial partial = partialOf(problem);
  partial.ii = 900; // the tensor core is busy for 1000
  expectRefused(problem, partial);
  partial = partialOf(problem);
  partial.rings = {{"loads", 9, {}}};
  expectRefused(problem, partial);
  partial = partialOf(problem);
  partial.operations[0].process = partial.operations[2].process = "both";
  expectRefused(problem, partial);
  partial = partialOf(problem);
  partial.together = partial.apart = {{2, 3}};
  expectRefused(problem, partial);
  partial = partialOf(problem);
  partial.operations[2].start = 10; // its operands take 800
  expectRefused(problem, partial);
}

TEST(Partial, WaitsForAsLongAsIsSaid) {
  Problem problem = sampleProblem();
  Outcome found = solvePartial(problem, partialOf(problem));
  ASSERT_TRUE(found.solution) << found.reason;
  for (int op : {2, 3})
    for (int64_t more : {0, 1, 40}) {
      Partial partial = partialOf(problem);
      partial.operations[size_t(op)].latency =
          found.solution->latencyOf(problem, op) + more;
      expectKept(problem, partial);
    }
}

// No search is needed to know it, so that what looks for a smallest set of
// lines may ask often.
TEST(Partial, ALatencyThatIsTooShortTakesNoSearch) {
  Problem problem = sampleProblem();
  Partial partial = partialOf(problem);
  int64_t takes = problem.operations[2].latency;
  partial.operations[2].latency = takes - 1;
  Outcome outcome = solvePartial(problem, partial, Budget{0});
  EXPECT_FALSE(outcome.solution);
  EXPECT_EQ(outcome.reason, "'" + problem.operations[2].name + "' takes " +
                                std::to_string(takes) + " cycles where " +
                                std::to_string(takes - 1) + " are pinned");
}

/// Any part of a schedule that exists is kept by one: the schedule.
TEST(Partial, PartsOfSchedules) {
  for (const auto &[problem, solution] :
       {std::pair(sampleProblem(), sampleSolution()),
        std::pair(alternatingProblem(), alternatingSolution())}) {
    Partial whole = wholeOf(problem, solution);
    uint32_t state = 1;
    auto isDropped = [&] {
      state = state * 1664525 + 1013904223;
      return state >> 31 != 0;
    };
    for (int draw = 0; draw < 40; ++draw) {
      Partial part = whole;
      for (Partial::Of &of : part.operations) {
        of.latency.reset();
        if (isDropped())
          of.start.reset();
        if (isDropped())
          of.process.clear();
        if (isDropped())
          of.ring.clear();
      }
      std::erase_if(part.processes, [&](const Process &) { return true; });
      std::erase_if(part.rings, [&](const Ring &) { return isDropped(); });
      expectKept(problem, part);
    }
  }
}

} // namespace
