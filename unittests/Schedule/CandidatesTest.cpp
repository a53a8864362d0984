//===- CandidatesTest.cpp - Who can share the sub-tiles at all ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers alone say over how many processes the sub-tiles may be shared out.
// Callers who need more do not search, so no schedule that is found may have
// more.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"

#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>
#include <set>

using namespace heddle::schedule;

/// The sample with other results and another register file.
static Problem withRegisters(int64_t result, int64_t file) {
  Problem problem = sampleProblem();
  for (Operation &operation : problem.operations)
    if (operation.sub >= 0)
      operation.registers = result;
  problem.machine.registersPerLane = file;
  return problem;
}

TEST(MostDivision, IsTheLargestThatHoldsTheResults) {
  EXPECT_EQ(mostDivision(withRegisters(64, 512)), 2);
  // One process would need 2 * 128 + 32 of at most 240 registers.
  EXPECT_EQ(mostDivision(withRegisters(128, 512)), 2);
  // Of 216, two processes beside the loader get 88 each, and 64 + 32 are
  // needed.
  EXPECT_EQ(mostDivision(withRegisters(64, 216)), 1);
  EXPECT_EQ(mostDivision(withRegisters(128, 256)), 0);
}

TEST(MostDivision, IsNotKnownWhereResultsChangeProcesses) {
  Problem problem = withRegisters(128, 512);
  problem.operations.push_back({"cast.0", 1, 10, 10, 10, false, 0});
  problem.dependences.push_back({2, 4, 0});
  problem.transfers.push_back({2, 1024});
  EXPECT_EQ(mostDivision(problem), std::nullopt);
}

TEST(MostDivision, HoldsOfEveryScheduleThatIsFound) {
  int found = 0;
  for (int64_t result = 8; result <= 200; result += 8)
    for (int64_t file = 128; file <= 512; file += 24) {
      Problem problem = withRegisters(result, file);
      std::optional<int> most = mostDivision(problem);
      ASSERT_TRUE(most);
      Wish inStep;
      inStep.inStep = true;
      for (const Outcome &outcome :
           {solveHeuristically(problem), Outcome(solveWish(problem, inStep)),
            solveExactly(problem)}) {
        if (!outcome.solution)
          continue;
        ++found;
        std::set<int> computing;
        for (size_t op = 0; op < problem.operations.size(); ++op)
          if (!problem.operations[op].variableLatency)
            computing.insert(outcome.solution->process[op]);
        EXPECT_LE(computing.size(), size_t(*most))
            << result << " of " << file << " registers";
      }
    }
  EXPECT_GT(found, 100);
}
