//===- CasesTest.cpp - Bounds by cases, against searching and damage ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds by cases: the proofs found on small problems, and what reading makes
// of proofs that were changed at random. A certificate may come from anybody,
// so a damaged proof may be accepted only if what it claims is true after all.
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"
#include "SampleMachine.h"
#include "SampleProblem.h"

#include "heddle/Schedule/Certificate.h"
#include "heddle/Schedule/Solve.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

using namespace heddle::schedule;

namespace {

/// HEDDLE_RANDOM_PROBLEMS, or 400.
uint64_t problemCount() {
  const char *count = std::getenv("HEDDLE_RANDOM_PROBLEMS");
  return count ? std::strtoull(count, nullptr, 10) : 400;
}

/// `b` takes over the registers of `a`, and there is room for one of them.
Problem crowdedProblem() {
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "n";
  problem.units = {{"alu", false}, {"tensor", true}};
  problem.operations = {
      {"a", 1, 3, 3, 1, false, -1, 16},
      {"b", 0, 2, 2, 2, false, -1, 16, false, true},
      {"c", 1, 2, 2, 1, false, -1, 0},
  };
  problem.dependences = {{0, 1, 0}, {1, 2, 0}};
  problem.machine.maxRegisters = 32;
  problem.machine.overheadRegisters = 8;
  return problem;
}

/// Either ring may have two slots, but not both: a slot is in use 8 cycles.
Problem tightProblem() {
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "n";
  problem.units = {{"tma", true}, {"alu", false}};
  problem.operations = {{"a", 0, 1, 6, 1},
                        {"b", 0, 1, 6, 1},
                        {"x", 1, 1, 2, 1},
                        {"y", 1, 1, 2, 1}};
  problem.dependences = {{0, 2, 0}, {1, 3, 0}};
  problem.transfers = {{0, 4}, {1, 4}};
  problem.machine.sharedBytes = 12;
  problem.machine.handOverCycles = 0;
  return problem;
}

/// As random, but nothing goes through memory, so that what reads something is
/// in its process, and results are taken over and in each other's way.
Problem narrowProblem(uint64_t seed) {
  Problem problem = randomProblem(seed);
  problem.transfers.clear();
  for (Operation &op : problem.operations) {
    op.registers = 16;
    op.columns = 0;
    op.persists = false;
    op.inPlace = !problem.units[op.unit].asynchronous;
  }
  problem.machine.maxRegisters = problem.machine.overheadRegisters + 24;
  return problem;
}

Bound boundOf(const Problem &problem, int64_t ii) {
  return strengthen(problem, findBound(problem), ii);
}

/// Of the first case that is a recurrence.
size_t firstLeaf(const Bound &bound) {
  size_t leaf = 0;
  while (bound.cases[leaf].links.empty())
    ++leaf;
  return leaf;
}

/// Changes a proof somewhere, and lets it claim what it adds up to then.
class Damager {
public:
  explicit Damager(uint64_t seed) : random(seed) {}

  Bound damage(const Problem &problem, Bound bound) {
    change(problem, bound);
    if (bound.cases.empty())
      return bound;
    std::string complaint = checkBound(problem, bound),
                sum = "the witness adds up to ";
    if (complaint.compare(0, sum.size(), sum) == 0)
      bound.ii = std::stoll(complaint.substr(sum.size()));
    return bound;
  }

private:
  int64_t below(int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  }

  void change(const Problem &problem, Bound &bound) {
    size_t at = below(bound.cases.size());
    Case &node = bound.cases[at];
    int operations = static_cast<int>(problem.operations.size());
    switch (below(9)) {
    case 0:
      bound.cases.erase(bound.cases.begin() + at);
      return;
    case 1:
      bound.cases.insert(bound.cases.begin() + at,
                         bound.cases[below(bound.cases.size())]);
      return;
    case 2:
      std::swap(node, bound.cases[below(bound.cases.size())]);
      return;
    case 3: // also where nothing reads it
      node.disjunction.turn += below(2) ? 1 : -1;
      return;
    case 4:
      node.disjunction.rule = Disjunction::Rule(below(4));
      node.disjunction.second = static_cast<int>(below(operations));
      return;
    case 5:
      if (!bound.anchors.empty())
        bound.anchors.pop_back();
      return;
    case 6:
      bound.anchors.push_back({Disjunction::Rule(below(2)),
                               static_cast<int>(below(operations)),
                               static_cast<int>(below(operations)), 0});
      return;
    case 7:
      if (node.links.size() > 1)
        node.links.erase(node.links.begin() + below(node.links.size()));
      return;
    case 8:
      if (node.links.empty())
        return;
      Link &link = node.links[below(node.links.size())];
      if (below(2))
        link.rule = Link::Rule(below(Link::Assumed + 1));
      link.index = static_cast<int>(below(operations));
      link.part = static_cast<int>(below(3));
      return;
    }
  }

  std::mt19937_64 random;
};

/// Whatever is done to a proof, what is accepted proves nothing wrong.
int acceptDamagesThatProve(const Problem &problem, const Bound &bound,
                           int64_t optimum, uint64_t seed, int tries) {
  Damager damager(seed);
  int rejected = 0;
  for (int i = 0; i < tries; ++i) {
    Bound damaged = damager.damage(problem, bound);
    if (i % 3 == 0) // twice
      damaged = damager.damage(problem, damaged);
    if (!checkBound(problem, damaged).empty())
      ++rejected;
    else
      EXPECT_LE(damaged.ii, optimum) << "seed " << seed << ", damage " << i;
  }
  return rejected;
}

} // namespace

TEST(Cases, SeeTwoSubTilesInEachOthersWay) {
  Problem problem = alternatingProblem();
  // Each alone takes 130 cycles, and no unit is busy longer than 120.
  EXPECT_EQ(findBound(problem).ii, 130);
  EXPECT_EQ(certify(problem, alternatingSolution()), "");
  Bound bound = boundOf(problem, 160);
  EXPECT_EQ(bound.ii, 160);
  EXPECT_EQ(checkBound(problem, bound), "");
  EXPECT_EQ(describe(problem, bound),
            "whichever goes first of 2 pairs that exclude each other, in 3 "
            "cases; the fastest is the recurrence 'max.1' ... 'exp.1' (80) -> "
            "on unit 'special' 'exp.0' ... 'sum.0' (80) -> on unit 'alu' "
            "'max.1', 160 cycles over 1 iteration");
  // The same from any schedule, and none from a schedule at the bound.
  EXPECT_EQ(boundOf(problem, 163).ii, 160);
  EXPECT_EQ(boundOf(problem, 5000).ii, 160);
  EXPECT_EQ(boundOf(problem, 130).kind, Bound::Recurrence);
}

TEST(Cases, SeeThatTwoResultsFindNoRoom) {
  Problem problem = crowdedProblem();
  EXPECT_EQ(findBound(problem).ii, 5);
  EXPECT_EQ(searchExhaustively(problem, 9)->ii, 7);
  Bound bound = boundOf(problem, 7);
  EXPECT_EQ(bound.ii, 7);
  EXPECT_EQ(checkBound(problem, bound), "");
  problem.machine.maxRegisters = 40; // now they do
  EXPECT_EQ(searchExhaustively(problem, 9)->ii, 5);
  EXPECT_EQ(checkBound(problem, bound),
            "case 1 asks for the order of operations that do not exclude each "
            "other");
  EXPECT_EQ(boundOf(problem, 7).ii, 5);
}

TEST(Cases, SeeThatRingsShareMemory) {
  Problem problem = tightProblem();
  EXPECT_EQ(findBound(problem).ii, 4);
  Bound bound = boundOf(problem, 8);
  EXPECT_EQ(checkBound(problem, bound), "");
  EXPECT_EQ(describe(problem, bound),
            "whichever goes first of 1 pair that exclude each other, in 2 "
            "cases; the fastest is the recurrence 'a' ... 'x' (8) -> in its "
            "slots 'a', 8 cycles over 1 iteration");
  problem.machine.sharedBytes = 16; // now both may
  EXPECT_EQ(checkBound(problem, bound),
            "the witness adds up to 4 cycles, and the bound claims 8");
  EXPECT_EQ(boundOf(problem, 8).ii, 4);
  problem.transfers.pop_back();
  EXPECT_EQ(checkBound(problem, bound),
            "case 0 asks for the order of operations that do not exclude each "
            "other");
}

TEST(Cases, CountNoLifeThatMayBeEmpty) {
  // b reads a in no time, so that a's result is gone when c's is born.
  Problem problem = crowdedProblem();
  problem.operations[0].latency = problem.operations[1].issue = 0;
  problem.operations[1].reservation = 0;
  for (const Case &node : boundOf(problem, 7).cases)
    EXPECT_FALSE(node.links.empty() &&
                 node.disjunction.rule == Disjunction::Registers);
}

TEST(Cases, GiveUpWhenTheBudgetEnds) {
  Problem problem = alternatingProblem();
  EXPECT_EQ(strengthen(problem, findBound(problem), 160, 0).ii, 130);
}

TEST(Cases, AreRejectedStepByStep) {
  Problem problem = alternatingProblem();
  const Bound sound = boundOf(problem, 160);
  ASSERT_EQ(sound.anchors.size(), 1u);
  size_t leaf = firstLeaf(sound);
  std::string number = std::to_string(leaf);
  auto complaint = [&](auto damage) {
    Bound bound = sound;
    damage(bound);
    return checkBound(problem, bound);
  };
  EXPECT_EQ(complaint([](Bound &bound) { ++bound.ii; }),
            "the witness adds up to 160 cycles, and the bound claims 161");
  EXPECT_EQ(complaint([](Bound &bound) { bound.cases.pop_back(); }),
            "a case is missing");
  EXPECT_EQ(complaint([](Bound &bound) { bound.cases.clear(); }),
            "a case is missing");
  EXPECT_EQ(complaint([](Bound &bound) {
              bound.cases.push_back(bound.cases.back());
            }),
            "no question leads to case 5");
  EXPECT_EQ(
      complaint([](Bound &bound) { bound.cases[0].disjunction.first = 0; }),
      "case 0 asks for the order of operations that do not exclude each "
      "other");
  EXPECT_EQ(
      complaint([](Bound &bound) { bound.cases[0].disjunction.second = 8; }),
      "case 0 asks for the order of operations that do not exclude each "
      "other");
  EXPECT_EQ(
      complaint([](Bound &bound) { bound.cases[0].disjunction.turn = 5000; }),
      "case 0 asks for the order of operations that do not exclude each other");
  EXPECT_EQ(complaint([](Bound &bound) { bound.anchors[0].second = 0; }),
            "the anchors name operations that do not exclude each other");
  EXPECT_EQ(complaint([](Bound &bound) {
              bound.anchors.push_back(bound.anchors[0]);
              for (Case &node : bound.cases)
                for (Link &link : node.links)
                  link.index += link.rule == Link::Assumed && link.index > 0;
            }),
            "'exp.0' and 'exp.1' are anchored, but links join them already");
  EXPECT_EQ(
      complaint([&](Bound &bound) { bound.cases[leaf].links[0].index = 99; }),
      "step 0 of case " + number +
          " is none of the problem's and of what is assumed");
  for (Link wrong : {Link{Link::Assumed, 7}, Link{Link::Assumed, -1},
                     Link{Link::Assumed, 0, 0, 0, 2}})
    EXPECT_EQ(
        complaint([&](Bound &bound) { bound.cases[leaf].links[0] = wrong; }),
        "step 0 of case " + number +
            " is none of the problem's and of what is assumed");
  EXPECT_EQ(complaint([&](Bound &bound) {
              std::swap(bound.cases[leaf].links[0], bound.cases[leaf].links[1]);
            }).substr(0, 21),
            "step 1 of case " + number + " does");
  EXPECT_EQ(
      complaint([&](Bound &bound) { bound.cases[leaf].links.resize(1025); }),
      "the recurrence of case " + number + " has more than 1024 steps");
  // What is assumed is not assumed in the sibling.
  EXPECT_NE(complaint([&](Bound &bound) {
              std::swap(bound.cases[2], bound.cases[3]);
            }),
            "");
}

/// A shift of one part must not move a reader away from what it reads.
TEST(Cases, KeepReadersWithTheLivesTheyEnd) {
  Problem problem = crowdedProblem();
  Bound bound = boundOf(problem, 7);
  bound.anchors.push_back({Disjunction::Unit, 0, 2, 0});
  for (Case &node : bound.cases)
    for (Link &link : node.links)
      link.index += link.rule == Link::Assumed;
  EXPECT_EQ(checkBound(problem, bound),
            "'a' and 'c' are anchored, but links join them already");
  bound.anchors[0] = {Disjunction::Registers, 0, 1, 0};
  EXPECT_EQ(checkBound(problem, bound),
            "the anchors name operations that do not exclude each other");
}

TEST(Cases, NeverProveWhatIsWrongWhenDamaged) {
  Problem problem = alternatingProblem();
  Bound bound = boundOf(problem, 160);
  EXPECT_GE(acceptDamagesThatProve(problem, bound, 160, 1, 4000), 1000);
  problem = tightProblem();
  bound = boundOf(problem, 8);
  EXPECT_GE(acceptDamagesThatProve(problem, bound, 8, 3, 4000), 1000);
  problem = crowdedProblem();
  bound = boundOf(problem, 7);
  EXPECT_GE(acceptDamagesThatProve(problem, bound, 7, 2, 4000), 1000);
}

/// Two products that read one slot, which is all there is room for.
Problem oneSlotProblem() {
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "k";
  problem.units = {{"tma", true}, {"tensor", true}};
  problem.operations = {{"load", 0, 10, 30, 1, true},
                        {"dot.0", 1, 20, 25, 1, false, 0},
                        {"dot.1", 1, 20, 25, 1, false, 1}};
  problem.dependences = {{0, 1, 0}, {0, 2, 0}};
  problem.transfers = {{0, 1000}};
  problem.machine.sharedBytes = 1500;
  problem.machine.handOverCycles = 7;
  problem.subTiles = 2;
  return problem;
}

/// A load's process is another one, so its slot is handed over twice a turn.
TEST(Cases, CountTheHandOverOfLoadsThatAreKeptApart) {
  Problem problem = oneSlotProblem();
  EXPECT_EQ(boundOf(problem, 200).ii, 30 + 20 + 25 + 7);
  problem.loadsApart = true;
  Bound bound = boundOf(problem, 200);
  EXPECT_EQ(bound.ii, 30 + 7 + 20 + 25 + 7);
  EXPECT_EQ(checkBound(problem, bound), "");
  std::optional<Solution> best = solveWish(problem, {}).solution;
  ASSERT_TRUE(best);
  EXPECT_EQ(best->ii, bound.ii);
  problem.loadsApart = false;
  EXPECT_NE(checkBound(problem, bound), "");
}

TEST(Cases, NeverExcludeASchedule) {
  int gaps = 0, stronger = 0, reached = 0, rejected = 0;
  std::map<int, int> asked;
  for (uint64_t seed = 1; seed <= problemCount(); ++seed) {
    Problem problem =
        seed % 2 ? narrowProblem(seed) : randomProblemMaybeWithLoads(seed);
    Bound bound = findBound(problem);
    std::optional<Solution> solution = searchExhaustively(problem, 7);
    if (!solution)
      continue;
    // Also where more is asked for than there is.
    for (int64_t more : {0, 3}) {
      Bound cases = strengthen(problem, bound, solution->ii + more);
      ASSERT_EQ(checkBound(problem, cases), "") << seed;
      ASSERT_LE(cases.ii, solution->ii) << seed;
      if (cases.kind != Bound::Cases || more)
        continue;
      for (const Case &node : cases.cases)
        asked[node.disjunction.rule] += node.links.empty();
      stronger += cases.ii > bound.ii;
      reached += cases.ii == solution->ii;
      rejected +=
          acceptDamagesThatProve(problem, cases, solution->ii, seed, 50);
    }
    gaps += bound.ii < solution->ii;
  }
  EXPECT_GE(stronger, 5);
  EXPECT_GE(rejected, 100);
  EXPECT_GE(asked.size(), 3u);
  RecordProperty("gaps", gaps);
  RecordProperty("stronger", stronger);
  RecordProperty("reached", reached);
}
