//===- CloseUpTest.cpp - What is moved to where it is read ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations move by whole intervals to their readers. Sub-tiles that could
// move by different distances must move alike, or processes no longer run one
// text, and what is read at once stays.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"
#include "heddle/Schedule/Solve.h"

#include "gtest/gtest.h"

using namespace heddle::schedule;

namespace {

/// alternatingProblem() with a number for each sub-tile that only its exp
/// reads.
Problem withNumbers() {
  Problem problem = alternatingProblem();
  for (int sub = 0; sub < 2; ++sub) {
    problem.operations.push_back(
        {"number." + std::to_string(sub), 1, 1, 1, 1, false, sub, 1});
    problem.operations.back().leader = sub ? 8 : -1;
    problem.dependences.push_back({8 + sub, 4 * sub + 2, 0});
  }
  return problem;
}

Solution withNumbersAt(int64_t first, int64_t second, int64_t rest) {
  Solution solution = alternatingSolution();
  for (int64_t &start : solution.start)
    start += rest;
  solution.start.insert(solution.start.end(), {first, second});
  solution.process.insert(solution.process.end(), {0, 1});
  return solution;
}

// By two intervals, and all of them back by as many.
TEST(CloseUp, MovesByWholeIntervals) {
  Problem problem = withNumbers();
  Solution solution = withNumbersAt(135, 220, 480);
  ASSERT_EQ(verify(problem, solution), "");
  closeUp(problem, solution);
  EXPECT_EQ(solution.start, withNumbersAt(135, 220, 160).start);
  EXPECT_EQ(verify(problem, solution), "");
}

// The second one could move by three intervals, the first by two.
TEST(CloseUp, MovesSubTilesAlike) {
  Problem problem = withNumbers();
  Solution solution = withNumbersAt(135, 60, 480);
  ASSERT_EQ(verify(problem, solution), "");
  closeUp(problem, solution);
  EXPECT_EQ(solution.start, withNumbersAt(135, 60, 160).start);
}

TEST(CloseUp, LeavesWhatIsReadAtOnce) {
  Problem problem = alternatingProblem();
  Solution solution = alternatingSolution();
  closeUp(problem, solution);
  EXPECT_EQ(solution.start, alternatingSolution().start);
}

} // namespace
