//===- ExactTest.cpp - The exact solver against exhaustive search -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HEDDLE_RANDOM_PROBLEMS=10000 in the environment tries as many.
//
//===----------------------------------------------------------------------===//

#include "Query.h"
#include "RandomProblem.h"
#include "SampleProblem.h"

#include "heddle/Schedule/Solve.h"

#include <cstdlib>
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

TEST(Exact, SaysWhyThereIsNoSchedule) {
  Problem problem = sampleProblem();
  problem.operations[2].registers = problem.operations[3].registers = 300;
  Outcome outcome = solveExactly(problem);
  EXPECT_FALSE(outcome.solution);
  EXPECT_EQ(outcome.reason,
            "each of 2 processes needs 332 registers a thread and gets 232");
}

TEST(Exact, SaysThatItsBudgetIsSpent) {
  Outcome outcome = solveExactly(sampleProblem(), {1});
  EXPECT_FALSE(outcome.solution);
  EXPECT_EQ(outcome.lowerBound, 1000);
  EXPECT_TRUE(outcome.reason.starts_with(
      "the solver found none with an interval of 1000 to "))
      << outcome.reason;
}

TEST(Exact, NeverCallsASpentBudgetARefutation) {
  Problem problem = sampleProblem();
  Roles roles = rolesFor(problem, 2);
  std::vector<Block> blocks = separateBlocks(problem);
  EXPECT_EQ(ask({problem, roles, blocks, 1000, {}}, 1).answer, Reach::Unknown);
  EXPECT_EQ(ask({problem, roles, blocks, 999, {}}, 10'000'000).answer,
            Reach::Refuted);
  EXPECT_EQ(ask({problem, roles, blocks, 1000, {}}, 10'000'000).answer,
            Reach::Found);
}

/// Everything in one process, a ring for each transfer.
static Roles alone(const Problem &problem) {
  Roles roles;
  roles.processes = {{"main", 4, 0}};
  roles.process.assign(problem.operations.size(), 0);
  for (const Transfer &transfer : problem.transfers)
    roles.rings.push_back(
        {problem.operations[transfer.from].name, 1, {transfer.from}});
  return roles;
}

/// How many random problems to try.
static uint64_t wantedProblems(uint64_t usual) {
  const char *wanted = std::getenv("HEDDLE_RANDOM_PROBLEMS");
  return wanted ? std::strtoull(wanted, nullptr, 10) : usual;
}

TEST(Exact, QueriesAgreeWithExhaustiveSearch) {
  uint64_t last = wantedProblems(150);
  int found = 0, refuted = 0;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    Problem problem = randomProblem(seed);
    // The solver gives a result one copy; here nothing limits copies.
    for (Operation &op : problem.operations)
      op.registers = op.columns = 0;
    for (int64_t ii : {2 + static_cast<int64_t>(seed % 3), int64_t(6)}) {
      std::vector<int> process(problem.operations.size(), 0);
      bool exists = ExhaustiveSearch(problem, ii).run(process).has_value();
      Roles roles = alone(problem);
      std::vector<Block> blocks = separateBlocks(problem);
      Reply reply = ask({problem, roles, blocks, ii, {}}, 100'000'000);
      if (reply.answer == Reach::Found) {
        EXPECT_EQ(verify(problem, reply.solution), "")
            << "seed " << seed << ", II " << ii;
      }
      ASSERT_EQ(reply.answer, exists ? Reach::Found : Reach::Refuted)
          << "seed " << seed << ", II " << ii;
      ++(exists ? found : refuted);
    }
  }
  EXPECT_GE(found, 50);
  EXPECT_GE(refuted, 50);
}

/// A process of the pool for each operation, and a ring for each transfer.
static Roles anywhere(const Problem &problem) {
  Roles roles = freeRoles(problem, static_cast<int>(problem.operations.size()));
  roles.rings = alone(problem).rings;
  return roles;
}

TEST(Exact, CompleteQueriesOfAnyPlacementAgreeWithExhaustiveSearch) {
  uint64_t last = wantedProblems(150);
  int found = 0, refuted = 0, parted = 0;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    Problem problem = randomProblem(seed);
    for (int64_t ii : {2 + static_cast<int64_t>(seed % 3), int64_t(6)}) {
      bool exists = ExhaustiveSearch(problem, ii).run().has_value();
      Roles roles = anywhere(problem);
      std::vector<Block> blocks = separateBlocks(problem);
      Reply reply =
          ask({problem, roles, blocks, ii, {}, Mode::Complete}, 200'000'000);
      if (reply.answer == Reach::Found) {
        EXPECT_EQ(verify(problem, reply.solution), "")
            << "seed " << seed << ", II " << ii;
        parted += reply.solution.process.back() > 0;
      }
      ASSERT_EQ(reply.answer, exists ? Reach::Found : Reach::Refuted)
          << "seed " << seed << ", II " << ii;
      ++(exists ? found : refuted);
    }
  }
  EXPECT_GE(found, 50);
  EXPECT_GE(refuted, 50);
  EXPECT_GE(parted, 20);
}

/// Goals that some schedules of `problem` reach and others do not.
static Goals randomGoals(const Problem &problem, uint64_t seed, int64_t ii) {
  Goals goals;
  int count = static_cast<int>(problem.operations.size());
  if (seed % 3 == 0)
    goals.bytes = int64_t(seed % 2);
  if (seed % 3 == 1)
    goals.ownerChanges = int64_t(seed % 4);
  if (seed % 4 == 0)
    goals.registers = 24 + 8 * int64_t(seed % 5);
  if (seed % 5 == 0)
    goals.longest = ii / 2;
  if (seed % 2 == 0)
    goals.relations.push_back({int(seed % count), int(seed / 7 % count),
                               Event(seed / 3 % 3), Event(seed / 5 % 3),
                               int64_t(seed / 11 % 3) - 1,
                               int64_t(seed / 13 % 4) - 1});
  return goals;
}

static bool reaches(const Problem &problem, const Solution &solution,
                    const Goals &goals) {
  auto [first, last] =
      std::minmax_element(solution.start.begin(), solution.start.end());
  for (const Process &process : solution.processes)
    if (goals.registers && process.registers > *goals.registers)
      return false;
  for (const Relation &relation : goals.relations)
    if (!holds(problem, solution, relation))
      return false;
  return (!goals.bytes || crossingBytes(problem, solution) <= *goals.bytes) &&
         (!goals.ownerChanges ||
          ownerChanges(problem, solution) <= *goals.ownerChanges) &&
         (!goals.longest || *last - *first <= *goals.longest);
}

TEST(Exact, GoalsAgreeWithExhaustiveSearch) {
  uint64_t last = wantedProblems(90);
  int found = 0, refuted = 0, missed = 0;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    Problem problem = randomProblem(seed);
    int64_t ii = 4 + static_cast<int64_t>(seed % 3);
    Goals goals = randomGoals(problem, seed, ii);
    ExhaustiveSearch search(problem, ii);
    bool isLegal = search.run().has_value();
    search.require(
        [&](const Solution &solution) {
          return reaches(problem, solution, goals);
        },
        ii + 8);
    bool exists = isLegal && search.run().has_value();
    Roles roles = anywhere(problem);
    std::vector<Block> blocks = separateBlocks(problem);
    Reply reply =
        ask({problem, roles, blocks, ii, goals, Mode::Complete}, 200'000'000);
    if (reply.answer == Reach::Found) {
      EXPECT_EQ(verify(problem, reply.solution), "") << "seed " << seed;
      EXPECT_TRUE(reaches(problem, reply.solution, goals)) << "seed " << seed;
    }
    ASSERT_EQ(reply.answer, exists ? Reach::Found : Reach::Refuted)
        << "seed " << seed << ", II " << ii;
    ++(exists ? found : refuted);
    missed += isLegal && !exists;
  }
  EXPECT_GE(found, 15);
  EXPECT_GE(refuted, 15);
  EXPECT_GE(missed, 5);
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
