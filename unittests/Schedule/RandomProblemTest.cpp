//===- RandomProblemTest.cpp - The small problems are worth searching -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The random problems that other tests draw are well-formed, and of every kind.
// A generator whose problems always have a schedule, or never a queue, would
// let all comparisons with exhaustive search pass without a look at the other
// kind.
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"

#include <gtest/gtest.h>

#include <map>

using namespace heddle::schedule;

TEST(RandomProblems, AreWellFormedAndOfEveryKind) {
  std::map<std::string, int> seen;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    Problem problem = randomProblem(seed);
    ASSERT_EQ(problem.check(), "") << seed;
    std::optional<Solution> solution = searchExhaustively(problem, 8);
    if (!solution) {
      ++seen["without a schedule"];
      continue;
    }
    ASSERT_EQ(verify(problem, *solution), "") << seed;
    int64_t bound = std::max(resourceMinII(problem), recurrenceMinII(problem));
    ASSERT_LE(bound, solution->ii) << seed;
    ++seen[bound < solution->ii ? "above the bounds" : "at the bounds"];
    if (solution->processes.size() > 1)
      ++seen["of several processes"];
    for (size_t op = 0; op < problem.operations.size(); ++op)
      if (solution->execution[op] > solution->start[op]) {
        ++seen["that waits in a queue"];
        break;
      }
  }
  for (const char *kind :
       {"without a schedule", "above the bounds", "at the bounds",
        "of several processes", "that waits in a queue"})
    EXPECT_GE(seen[kind], 8) << kind;
  for (auto &[kind, number] : seen)
    RecordProperty(kind, number);
}
