//===- QueryTest.cpp - Refutations by SMT solvers against searching -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Queries for SMT solvers, answered by the solvers that are installed and
// compared with exhaustive search. "unsat" is taken for a proof, so a line too
// much in a query would prove something false, and no other part of the
// compiler would notice.
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"
#include "SampleProblem.h"

#include "heddle/Schedule/Certify.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

class Queries : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    if (!llvm::sys::findProgramByName(GetParam()))
      GTEST_SKIP() << "no " << GetParam() << " here";
  }

  Answer askAbout(const Problem &problem, int64_t ii,
                  const std::vector<int> &processes = {},
                  bool footprints = true) {
    std::string reason;
    Answer answer =
        ask(GetParam(), refutationQuery(problem, ii, processes, footprints), 60,
            reason);
    EXPECT_EQ(reason, "");
    return answer;
  }
};

INSTANTIATE_TEST_SUITE_P(Solvers, Queries, testing::Values("z3", "cvc5"),
                         [](const auto &info) { return info.param; });

/// Questions that take cvc5 minutes.
class LongQueries : public Queries {};

INSTANTIATE_TEST_SUITE_P(Solvers, LongQueries, testing::Values("z3"),
                         [](const auto &info) { return info.param; });

} // namespace

/// Free division of labour. The register file as a whole is not in the query.
TEST_P(Queries, AgreeWithExhaustiveSearch) {
  int sat = 0, unsat = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Problem problem = randomProblemMaybeWithLoads(seed);
    problem.machine.registersPerLane = 1 << 20;
    for (int64_t ii : {2 + static_cast<int64_t>(seed % 3), int64_t(6)}) {
      bool exists = ExhaustiveSearch(problem, ii).run().has_value();
      ASSERT_EQ(askAbout(problem, ii), exists ? Answer::Sat : Answer::Unsat)
          << "seed " << seed << ", II " << ii;
      ++(exists ? sat : unsat);
    }
  }
  EXPECT_GE(sat, 10);
  EXPECT_GE(unsat, 10);
}

TEST_P(Queries, AgreeWithExhaustiveSearchInGivenProcesses) {
  int sat = 0, unsat = 0;
  for (uint64_t seed = 41; seed <= 70; ++seed) {
    Problem problem = randomProblem(seed);
    problem.machine.registersPerLane = 1 << 20;
    std::vector<int> processes;
    for (size_t op = 0; op < problem.operations.size(); ++op)
      processes.push_back(static_cast<int>(seed / 2 * (op + 1) % 2));
    int64_t ii = 3 + static_cast<int64_t>(seed % 4);
    // The search takes the division of labour as legal.
    bool isLegal = true;
    for (const Dependence &edge : problem.dependences)
      if (processes[edge.from] != processes[edge.to] && !edge.orders)
        isLegal &= !edge.accumulates && mayCross(problem, edge.from);
    bool exists =
        isLegal && ExhaustiveSearch(problem, ii).run(processes).has_value();
    ASSERT_EQ(askAbout(problem, ii, processes),
              exists ? Answer::Sat : Answer::Unsat)
        << "seed " << seed << ", II " << ii;
    ++(exists ? sat : unsat);
  }
  EXPECT_GE(sat, 3);
  EXPECT_GE(unsat, 3);
}

TEST_P(Queries, RefuteBelowTheBoundAndFindAtIt) {
  Problem problem = sampleProblem();
  EXPECT_EQ(askAbout(problem, 999), Answer::Unsat);
  EXPECT_EQ(askAbout(problem, 1000), Answer::Sat);
  EXPECT_EQ(askAbout(problem, 1000, sampleSolution().process), Answer::Sat);
  // All in one process: it holds 256 registers of results, and may hold 208.
  EXPECT_EQ(askAbout(problem, 1000, {0, 0, 0, 0}), Answer::Unsat);
  EXPECT_EQ(askAbout(problem, 4000, {0, 0, 0, 0}), Answer::Unsat);
  EXPECT_EQ(askAbout(problem, 1000, {0, 0, 0, 0}, false), Answer::Sat);
  EXPECT_EQ(askAbout(problem, 999, {0, 0, 0, 0}, false), Answer::Unsat);
  problem.machine.maxRegisters = 288;
  EXPECT_EQ(askAbout(problem, 1000, {0, 0, 0, 0}), Answer::Sat);
}

/// Cases and solvers find the same least interval.
TEST_P(LongQueries, AgreeWithCases) {
  Problem problem = alternatingProblem();
  Bound bound = strengthen(problem, findBound(problem), 1000);
  ASSERT_EQ(bound.kind, Bound::Cases);
  EXPECT_EQ(askAbout(problem, bound.ii - 1, {}, false), Answer::Unsat);
  EXPECT_EQ(askAbout(problem, bound.ii, {}, false), Answer::Sat);
}

TEST(Ask, SaysWhyThereIsNoAnswer) {
  std::string reason;
  EXPECT_EQ(ask("no-such-solver", "(check-sat)", 5, reason), Answer::Unknown);
  EXPECT_EQ(reason, "there is no program 'no-such-solver'");
  // A program that answers something else.
  EXPECT_EQ(ask("cat", "(check-sat)", 5, reason), Answer::Unknown);
  EXPECT_EQ(reason, "'cat' answers \"(check-sat)\"");
  EXPECT_EQ(ask("false", "(check-sat)", 5, reason), Answer::Unknown);
  EXPECT_EQ(reason, "'false' answers \"\"");
  // One that says "unsat" and fails.
  llvm::SmallString<128> path;
  int file = 0;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("solver", "sh", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true)
      << "#!/bin/sh\necho unsat\nexit 1\n";
  ASSERT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all));
  EXPECT_EQ(ask(path.str().str(), "(check-sat)", 5, reason), Answer::Unknown);
  EXPECT_EQ(reason, "'" + path.str().str() + "' answers \"unsat\"");
  llvm::sys::fs::remove(path);
}

TEST(Query, IsTheSameTextEachTime) {
  EXPECT_EQ(refutationQuery(sampleProblem(), 1000),
            refutationQuery(sampleProblem(), 1000));
  Problem problem = sampleProblem();
  problem.operations[0].name = "a\n(assert false)";
  EXPECT_EQ(refutationQuery(problem, 1000).find("\n(assert false)"),
            std::string::npos);
}
