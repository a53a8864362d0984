//===- EpilogueTest.cpp - Registers for a deferred epilogue -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a deferred epilogue finds room in the registers of a loop, on either
// side of each limit. Results do not depend on the decision, so no other test
// sees a wrong one: it costs spills on one side and idle cycles on the other.
//
//===----------------------------------------------------------------------===//

#include "SharedUnit.h"

#include "heddle/Plan/Epilogue.h"

#include <gtest/gtest.h>

using namespace heddle::plan;
using namespace heddle::schedule;

/// Two processes that start products, and keep `registers` a result.
static std::pair<Problem, Solution> products(int64_t registers) {
  auto [problem, solution] = sharedUnit(2, 400);
  for (Operation &operation : problem.operations) {
    operation.registers = registers;
    operation.persists = true;
  }
  return {problem, solution};
}

TEST(DeferredEpilogue, TakesWhatTheLoopsLeave) {
  auto [problem, solution] = products(16);
  int64_t held = peakRegisters(problem, solution, 0);
  ASSERT_GT(held, 0);
  DeferredEpilogue epilogue(/*overhead=*/40, /*deferring=*/0.125);
  epilogue.addLoop(problem, solution);
  Process process = {"mma.0", 4, held + 40 + 48};
  EXPECT_FALSE(epilogue.take(process, 49));
  EXPECT_TRUE(epilogue.take(process, 32));
  EXPECT_FALSE(epilogue.take(process, 17)); // 32 of the 48 are taken
  EXPECT_TRUE(epilogue.take(process, 16));
}

TEST(DeferredEpilogue, CountsTheLoopThatHoldsMost) {
  auto [few, first] = products(8);
  auto [many, second] = products(64);
  DeferredEpilogue epilogue(0, 0.125);
  epilogue.addLoop(few, first);
  epilogue.addLoop(many, second);
  epilogue.addLoop(few, first);
  int64_t held = peakRegisters(many, second, 0);
  ASSERT_GT(held, peakRegisters(few, first, 0));
  EXPECT_FALSE(epilogue.take({"mma.0", 4, held + 7}, 8));
  EXPECT_TRUE(epilogue.take({"mma.0", 4, held + 8}, 8));
}

TEST(DeferredEpilogue, LeavesAProcessThatComputes) {
  auto [problem, solution] = products(8);
  // An eighth of 400 cycles is still little.
  for (auto [process, issue] : {std::pair(0, 50), std::pair(1, 51)}) {
    problem.operations.push_back({"cast", 0, issue, issue, issue});
    solution.start.push_back(0);
    solution.process.push_back(process);
  }
  DeferredEpilogue epilogue(0, 0.125);
  epilogue.addLoop(problem, solution);
  EXPECT_TRUE(epilogue.take({"mma.0", 4, 240}, 8));
  EXPECT_FALSE(epilogue.take({"mma.1", 4, 240}, 8));
}
