//===- OrderSearchTest.cpp - Who goes first against exhaustive search -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HEDDLE_RANDOM_PROBLEMS=10000 in the environment tries as many.
//
//===----------------------------------------------------------------------===//

#include "OrderSearch.h"
#include "Placements.h"
#include "RandomProblem.h"
#include "SampleProblem.h"
#include "Symmetry.h"

#include "heddle/Schedule/Solve.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace heddle::schedule;

/// How many random problems to try.
static uint64_t wantedProblems(uint64_t usual) {
  const char *wanted = std::getenv("HEDDLE_RANDOM_PROBLEMS");
  return wanted ? std::strtoull(wanted, nullptr, 10) : usual;
}

/// A ring for each transfer.
static std::vector<Ring> ringEach(const Problem &problem) {
  std::vector<Ring> rings;
  for (const Transfer &transfer : problem.transfers)
    rings.push_back(
        {problem.operations[transfer.from].name, 1, {transfer.from}});
  return rings;
}

/// A division of labour for `problem`, legal or not, with as many registers as
/// a process may have.
static Roles randomRoles(const Problem &problem, uint64_t seed) {
  Roles roles;
  int processes = 1 + int(seed % 2);
  for (int i = 0; i < processes; ++i)
    roles.processes.push_back(
        {"p" + std::to_string(i), 4, problem.machine.maxRegisters});
  for (size_t op = 0; op < problem.operations.size(); ++op)
    roles.process.push_back(int(seed / 3 * (op + 1) / 2 % processes));
  roles.rings = ringEach(problem);
  return roles;
}

static bool isLegal(const Problem &problem, const Roles &roles) {
  for (const Dependence &edge : problem.dependences)
    if (roles.process[edge.from] != roles.process[edge.to] && !edge.orders &&
        (edge.accumulates || !mayCross(problem, edge.from)))
      return false;
  return true;
}

TEST(OrderSearch, AgreesWithExhaustiveSearch) {
  uint64_t last = wantedProblems(400);
  int found = 0, refuted = 0, parted = 0;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    Problem problem = randomProblem(seed);
    // How the file is shared out is the roles' business.
    problem.machine.registersPerLane = 1 << 20;
    Roles roles = randomRoles(problem, seed);
    for (int64_t ii : {2 + static_cast<int64_t>(seed % 3), int64_t(6)}) {
      bool exists = isLegal(problem, roles) &&
                    ExhaustiveSearch(problem, ii).run(roles.process);
      Reply reply =
          searchOrders({problem, roles, ii, {}, Mode::Complete}, 10'000'000);
      // Nor are queries free that are refuted before there is any search: a
      // budget has to end.
      EXPECT_GT(reply.steps, 0u) << "seed " << seed;
      if (reply.answer == Reach::Found) {
        EXPECT_EQ(verify(problem, reply.solution), "")
            << "seed " << seed << ", II " << ii;
        parted += reply.solution.processes.size() > 1;
      }
      ASSERT_EQ(reply.answer, exists ? Reach::Found : Reach::Refuted)
          << "seed " << seed << ", II " << ii;
      ++(exists ? found : refuted);
    }
  }
  EXPECT_GE(found, 50);
  EXPECT_GE(refuted, 50);
  EXPECT_GE(parted, 10);
}

/// The operations of two problems on the units of the first.
static Problem longProblem(uint64_t seed) {
  Problem problem = randomProblem(seed), other = randomProblem(seed + 1);
  int count = int(problem.operations.size());
  for (Operation op : other.operations) {
    op.name += ".other";
    op.unit %= int(problem.units.size());
    op.issue = problem.units[op.unit].asynchronous ? 1 : op.reservation;
    op.columns = 0;
    problem.operations.push_back(op);
  }
  for (Dependence edge : other.dependences) {
    edge.from += count;
    edge.to += count;
    edge.accumulates = false;
    problem.dependences.push_back(edge);
  }
  for (const Transfer &transfer : other.transfers)
    problem.transfers.push_back({transfer.from + count, transfer.bytes});
  problem.dependences.push_back({0, count, 0});
  problem.machine.sharedBytes += 8;
  return problem;
}

/// Attempts that end soon leave what they refuted to those that follow. One
/// that never ends has nothing to leave, and is what the other tests look at.
TEST(OrderSearch, ShortAttemptsAgreeWithALongOne) {
  uint64_t last = wantedProblems(400);
  int found = 0, refuted = 0, late = 0;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    Problem problem = longProblem(seed);
    ASSERT_EQ(problem.check(), "") << "seed " << seed;
    problem.machine.registersPerLane = 1 << 20;
    Roles roles;
    roles.processes.push_back({"p", 4, problem.machine.maxRegisters});
    roles.process.assign(problem.operations.size(), 0);
    roles.rings = ringEach(problem);
    // Up to the least that has a schedule, where there are few.
    Reach answer = Reach::Refuted;
    for (int64_t ii = minII(problem), left = 6;
         answer == Reach::Refuted && left > 0; ++ii, --left) {
      Query query{problem, roles, ii, {}, Mode::Complete};
      constexpr uint64_t kSteps = 100'000;
      Reply whole = searchOrders(query, kSteps, kSteps),
            parts = searchOrders(query, kSteps, 1);
      answer = whole.answer;
      if (answer == Reach::Unknown || parts.answer == Reach::Unknown)
        continue;
      ASSERT_EQ(answer, parts.answer) << "seed " << seed << ", II " << ii;
      if (answer == Reach::Found) {
        EXPECT_EQ(verify(problem, parts.solution), "") << "seed " << seed;
      }
      ++(answer == Reach::Found ? found : refuted);
      late += parts.steps > 20;
    }
  }
  EXPECT_GE(found, 100);
  EXPECT_GE(refuted, 100);
  EXPECT_GE(late, 100);
}

TEST(OrderSearch, AgreesWithExhaustiveSearchInAllPlacements) {
  uint64_t last = wantedProblems(300);
  int found = 0, refuted = 0, parted = 0;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    Problem problem = randomProblemMaybeWithLoads(seed);
    int count = int(problem.operations.size());
    for (int64_t ii : {2 + static_cast<int64_t>(seed % 3), int64_t(6)}) {
      bool exists = ExhaustiveSearch(problem, ii).run().has_value();
      Reach answer = Reach::Refuted;
      for (int compute = 1; compute <= count && answer != Reach::Found;
           ++compute) {
        Placements placements = findPlacements(problem, compute, ii);
        ASSERT_FALSE(placements.isCut);
        for (Roles &roles : placements.all) {
          roles.rings = ringEach(problem);
          Reply reply = searchOrders({problem, roles, ii, {}, Mode::Complete},
                                     10'000'000);
          ASSERT_NE(reply.answer, Reach::Unknown) << "seed " << seed;
          if (reply.answer != Reach::Found)
            continue;
          EXPECT_EQ(verify(problem, reply.solution), "")
              << "seed " << seed << ", II " << ii;
          parted += compute > 1;
          answer = Reach::Found;
          break;
        }
      }
      ASSERT_EQ(answer, exists ? Reach::Found : Reach::Refuted)
          << "seed " << seed << ", II " << ii;
      ++(exists ? found : refuted);
    }
  }
  EXPECT_GE(found, 50);
  EXPECT_GE(refuted, 50);
  EXPECT_GE(parted, 10);
}

/// Goals that some schedules of `problem` reach and others do not.
static Goals randomGoals(const Problem &problem, uint64_t seed, int64_t ii) {
  Goals goals;
  uint64_t count = problem.operations.size();
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
  return (!goals.ownerChanges ||
          ownerChanges(problem, solution) <= *goals.ownerChanges) &&
         (!goals.longest || *last - *first <= *goals.longest);
}

TEST(OrderSearch, GoalsAgreeWithExhaustiveSearch) {
  uint64_t last = wantedProblems(300);
  int found = 0, refuted = 0, missed = 0;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    Problem problem = randomProblem(seed);
    problem.machine.registersPerLane = 1 << 20;
    Roles roles = randomRoles(problem, seed);
    if (!isLegal(problem, roles))
      continue;
    int64_t ii = 4 + static_cast<int64_t>(seed % 3);
    Goals goals = randomGoals(problem, seed, ii);
    ExhaustiveSearch search(problem, ii);
    bool isPossible = search.run(roles.process).has_value();
    search.require(
        [&](const Solution &solution) {
          return reaches(problem, solution, goals);
        },
        ii + 8);
    bool exists = isPossible && search.run(roles.process).has_value();
    Reply reply =
        searchOrders({problem, roles, ii, goals, Mode::Complete}, 10'000'000);
    if (reply.answer == Reach::Found) {
      Goals others = goals; // what a process may have is the roles' business
      others.registers.reset();
      EXPECT_EQ(verify(problem, reply.solution), "") << "seed " << seed;
      EXPECT_TRUE(reaches(problem, reply.solution, others)) << "seed " << seed;
      for (size_t i = 0; goals.registers && i < roles.processes.size(); ++i) {
        int64_t peak = peakRegisters(problem, reply.solution, int(i));
        EXPECT_TRUE(peak == 0 || peak + problem.machine.overheadRegisters <=
                                     *goals.registers)
            << "seed " << seed;
      }
    }
    ASSERT_EQ(reply.answer, exists ? Reach::Found : Reach::Refuted)
        << "seed " << seed << ", II " << ii;
    ++(exists ? found : refuted);
    missed += isPossible && !exists;
  }
  EXPECT_GE(found, 30);
  EXPECT_GE(refuted, 30);
  EXPECT_GE(missed, 10);
}

/// Two sub-tiles that do the same, of two operations each, and what both read.
static Problem twinProblem(uint64_t seed) {
  Problem one = randomProblem(seed), problem = one;
  problem.operations.resize(2);
  problem.dependences.clear();
  problem.transfers.clear();
  problem.subTiles = 2;
  Operation shared = problem.operations[0];
  shared.name = "shared";
  shared.registers = shared.columns = 0;
  shared.persists = false;
  for (int sub : {0, 1})
    for (int op : {0, 1}) {
      Operation &mine =
          sub ? problem.operations.emplace_back() : problem.operations[op];
      mine = one.operations[op];
      mine.name += "." + std::to_string(sub);
      mine.sub = sub;
      mine.leader = sub ? op : -1;
    }
  problem.operations.push_back(shared);
  problem.transfers.push_back({4, 1});
  for (int sub : {0, 1}) {
    problem.dependences.push_back({4, 2 * sub, 0, false, false, 0});
    for (const Dependence &edge : one.dependences)
      if (edge.from < 2 && edge.to < 2) {
        problem.dependences.push_back(edge);
        problem.dependences.back().from += 2 * sub;
        problem.dependences.back().to += 2 * sub;
      }
  }
  return problem;
}

TEST(OrderSearch, AgreesWithExhaustiveSearchWhereSubTilesMayChangePlaces) {
  int found = 0, refuted = 0, symmetric = 0;
  for (uint64_t seed = 1; seed <= wantedProblems(80); ++seed) {
    Problem problem = twinProblem(seed);
    ASSERT_EQ(problem.check(), "");
    problem.machine.registersPerLane = 1 << 20;
    Roles roles;
    roles.process = {0, 0, 1, 1, 0};
    if (seed % 2 == 0)
      roles.process = {0, 0, 0, 0, 0};
    if (seed % 4 == 1)
      roles.process[4] = 2;
    for (const char *name : {"p0", "p1", "p2"})
      roles.processes.push_back({name, 4, problem.machine.maxRegisters});
    roles.rings = ringEach(problem);
    for (int64_t ii : {3 + static_cast<int64_t>(seed % 3), int64_t(6)}) {
      bool exists = isLegal(problem, roles) &&
                    ExhaustiveSearch(problem, ii).run(roles.process);
      Query query{problem, roles, ii, {}, Mode::Complete};
      symmetric += !findSymmetric(query).empty();
      Reply reply = searchOrders(query, 10'000'000);
      if (reply.answer == Reach::Found) {
        EXPECT_EQ(verify(problem, reply.solution), "")
            << "seed " << seed << ", II " << ii;
      }
      ASSERT_EQ(reply.answer, exists ? Reach::Found : Reach::Refuted)
          << "seed " << seed << ", II " << ii;
      ++(exists ? found : refuted);
    }
  }
  EXPECT_GE(found, 10);
  EXPECT_GE(refuted, 20);
  EXPECT_GE(symmetric, 50);
}

TEST(OrderSearch, SeesWhichSubTilesMayChangePlaces) {
  Problem problem = sampleProblem();
  Roles roles = rolesFor(problem, 2);
  auto symmetric = [&] { return findSymmetric({problem, roles, 1000, {}}); };
  ASSERT_EQ(symmetric().size(), 1u);
  EXPECT_EQ(symmetric().front(), std::pair(2, 3));
  problem.operations[3].latency += 1;
  EXPECT_TRUE(symmetric().empty());
  problem = sampleProblem();
  problem.dependences.push_back({2, 3, 0, false, true, 5});
  EXPECT_TRUE(symmetric().empty());
  problem = sampleProblem();
  roles.processes.back().registers -= 8;
  EXPECT_TRUE(symmetric().empty());
}

TEST(OrderSearch, NeverCallsASpentBudgetARefutation) {
  Problem problem = sampleProblem();
  Roles roles = rolesFor(problem, 2);
  auto ask = [&](int64_t ii, uint64_t steps) {
    return searchOrders({problem, roles, ii, {}}, steps).answer;
  };
  EXPECT_EQ(ask(1000, 0), Reach::Unknown);
  EXPECT_EQ(ask(999, 1'000'000), Reach::Refuted);
  EXPECT_EQ(ask(1000, 1'000'000), Reach::Found);
}
