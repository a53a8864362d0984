//===- CertificateTest.cpp - Certificates, and 200 damaged ones -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Certificates as a whole: what they claim, their text, and the refutations of
// an SMT solver. Damage is done to them in many ways, and 200 harmful ones for
// each loop must be rejected; schedule::verify, which shares no code with the
// certifier, says which do harm.
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"
#include "SampleMachine.h"
#include "SampleProblem.h"

#include "heddle/Schedule/Certificate.h"

#include "llvm/Support/Program.h"

#include <gtest/gtest.h>

#include <map>

using namespace heddle::schedule;

namespace {

/// Two products of one process with what reads them in between: no schedule
/// reaches the bound, since one in-order process cannot hide both.
Problem gapProblem() {
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "n";
  problem.units = {{"alu", false}, {"tensor", true}};
  problem.operations = {{"a", 1, 3, 3, 1, false, -1, 8},
                        {"b", 0, 2, 2, 2, false, -1, 8},
                        {"c", 1, 2, 2, 1, false, -1, 8}};
  problem.dependences = {{0, 1, 0}, {1, 2, 0}};
  problem.machine.maxRegisters = 24;
  problem.machine.overheadRegisters = 8;
  return problem;
}

/// A damage's name, and what it does to a certificate.
struct Damage {
  std::string name;
  CertifiedLoop loop;
};

class Damager {
public:
  Damager(const CertifiedLoop &loop, uint64_t seed)
      : original(loop), random(seed) {}

  Damage next() {
    Damage damage{"", original};
    CertifiedLoop &loop = damage.loop;
    Solution &solution = loop.solution;
    size_t op = below(solution.start.size());
    switch (below(loop.bound.kind == Bound::Cases ? 13 : 12)) {
    case 0: {
      damage.name = "an issue shifted";
      int64_t by = 1 + below(loop.ii);
      solution.start[op] += below(2) ? by : -by;
      if (!solution.execution.empty())
        solution.execution[op] = solution.start[op];
      break;
    }
    case 1:
      damage.name = "two operations exchanged";
      std::swap(solution.start[op], solution.start[below(size())]);
      break;
    case 2:
      damage.name = "another process";
      solution.process[op] = static_cast<int>(below(solution.processes.size()));
      break;
    case 3:
      damage.name = "processes exchanged";
      std::swap(solution.process[op], solution.process[below(size())]);
      break;
    case 4:
      damage.name = "fewer slots";
      if (!solution.rings.empty())
        --solution.rings[below(solution.rings.size())].depth;
      break;
    case 5:
      damage.name = "a lower II";
      loop.ii = solution.ii -= 1 + below(3);
      break;
    case 6:
      damage.name = "taken up before its issue";
      if (solution.execution.empty())
        solution.execution = solution.start;
      solution.execution[op] -= 1 + below(5);
      break;
    case 7: {
      damage.name = "fewer registers";
      Process &process = solution.processes[below(solution.processes.size())];
      process.registers =
          std::max<int64_t>(8, process.registers - 8 - 8 * below(20));
      break;
    }
    case 8:
      damage.name = "an inflated bound";
      loop.bound.ii += 1 + below(3);
      loop.gap = std::max<int64_t>(0, loop.ii - loop.bound.ii);
      loop.optimal = loop.gap == 0;
      break;
    case 9:
      damage.name = "optimality flipped";
      loop.optimal = !loop.optimal;
      break;
    case 10:
      damage.name = "another gap";
      loop.gap += below(2) ? 1 : -1;
      break;
    case 11:
      damage.name = "an awaited result before it is there";
      solution.latency.clear();
      for (size_t i = 0; i < size(); ++i)
        solution.latency.push_back(solution.executionOf(static_cast<int>(i)) -
                                   solution.start[i] +
                                   loop.problem.operations[i].latency);
      solution.latency[op] -= 1 + below(3);
      break;
    case 12:
      damage.name = "a case left out";
      loop.bound.cases.erase(loop.bound.cases.begin() +
                             below(loop.bound.cases.size()));
      break;
    }
    return damage;
  }

private:
  size_t size() const { return original.solution.start.size(); }
  int64_t below(int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  }

  const CertifiedLoop &original;
  std::mt19937_64 random;
};

/// Does the damaged certificate still claim nothing wrong, by what shares no
/// code with the certifier?
bool isHarmless(const CertifiedLoop &original, const CertifiedLoop &loop) {
  return verify(loop.problem, loop.solution).empty() &&
         loop.ii == loop.solution.ii && loop.ii == original.ii &&
         loop.bound.ii == original.bound.ii &&
         loop.bound.cases.size() == original.bound.cases.size() &&
         loop.gap == original.gap && loop.optimal == original.optimal;
}

/// 200 damages that do harm are all rejected, and those that do none are not.
void rejectDamages(const Problem &problem, const Solution &solution,
                   uint64_t seed) {
  CertifiedLoop loop = certificateOf(problem, solution);
  ASSERT_EQ(recheck(loop).kind, Verdict::Certified) << recheck(loop).text;
  Damager damager(loop, seed);
  std::map<std::string, int> rejected;
  int harmful = 0;
  for (int tries = 0; harmful < 200 && tries < 5000; ++tries) {
    Damage damage = damager.next();
    Verdict verdict = recheck(damage.loop);
    if (isHarmless(loop, damage.loop)) {
      ASSERT_EQ(verdict.kind, Verdict::Certified)
          << damage.name << ": " << verdict.text;
      continue;
    }
    ++harmful;
    ++rejected[damage.name];
    ASSERT_EQ(verdict.kind, Verdict::Objected)
        << damage.name << ": " << verdict.text
        << "\nverify: " << verify(damage.loop.problem, damage.loop.solution);
  }
  ASSERT_EQ(harmful, 200);
  ASSERT_GE(rejected.size(), 7u);
}

} // namespace

TEST(Certificates, SayThatAScheduleIsOptimal) {
  CertifiedLoop loop = certificateOf(sampleProblem(), sampleSolution());
  EXPECT_EQ(recheck(loop).text,
            "II 1000, optimal (unit 'tensor' is busy 1000 cycles)");
  EXPECT_EQ(recheck(loop).kind, Verdict::Certified);
}

TEST(Certificates, SayHowFarAScheduleMayBeFromTheBest) {
  Solution solution = sampleSolution();
  solution.ii = 1024;
  solution.processes[1].registers = 216;
  CertifiedLoop loop = certificateOf(sampleProblem(), solution);
  EXPECT_EQ(loop.gap, 24);
  EXPECT_FALSE(loop.optimal);
  EXPECT_EQ(recheck(loop).text, "II 1024, at most 24 cycles above the least "
                                "(unit 'tensor' is busy 1000 cycles)");
}

TEST(Certificates, GiveBackEverythingAsText) {
  std::vector<Problem> problems = {sampleProblem(), gapProblem()};
  problems.push_back(sampleProblem()); // bound by a recurrence
  problems.back().dependences.push_back({2, 0, 1});
  problems.push_back(gapProblem()); // bound by a process
  problems.back().operations[1].issue = 20;
  problems.push_back(alternatingProblem()); // bound by cases
  for (const Problem &problem : problems) {
    Certificate certificate{"kernel", {}}, again;
    Solution solution = sampleSolution();
    solution.ii = 5000;
    certificate.loops.push_back(
        certificateOf(problem, solution, {Refutation{4999}}));
    std::string text = toJson(certificate);
    ASSERT_EQ(fromJson(text, again), "");
    EXPECT_EQ(toJson(again), text);
    EXPECT_EQ(again.kernel, "kernel");
    EXPECT_EQ(again.loops[0].refuted.size(), 1u);
  }
}

/// What reading a certificate complains about if `what` stands there as `by`.
static std::string complaintAbout(std::string text, const std::string &what,
                                  const std::string &by) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), by);
  Certificate certificate;
  return fromJson(text, certificate);
}

TEST(Certificates, HoldWordsAgainstNumbers) {
  Certificate certificate{"kernel", {}};
  Problem problem = sampleProblem();
  problem.dependences.push_back({2, 0, 1});
  Solution solution = sampleSolution();
  solution.ii = 3000;
  certificate.loops.push_back(certificateOf(problem, solution));
  std::string text = toJson(certificate);
  auto complaint = [&](const std::string &what, const std::string &by) {
    return complaintAbout(text, what, by);
  };
  EXPECT_EQ(complaint("'a' is issued", "'b' is issued").substr(0, 28),
            "loops[0].bound.steps[0].from");
  EXPECT_EQ(complaint("takes 1860 cycles", "takes 1960 cycles").substr(0, 30),
            "loops[0].bound.text: expected ");
  EXPECT_EQ(complaint("\"kind\": \"recurrence\"", "\"kind\": \"guess\""),
            "loops[0].bound.kind: expected unit, process, recurrence or cases, "
            "found \"guess\"");
  EXPECT_EQ(complaint("\"version\": 1", "\"version\": 3"),
            "version: expected an integer from 1 to 1, found 3");
  EXPECT_EQ(complaint("\"optimal\"", "\"optimum\""),
            "loops[0].optimal: the field is missing");
  EXPECT_EQ(complaint("\"unit\": 1", "\"unit\": 7").substr(0, 79),
            "loops[0].problem: expected a sound problem (operation 'dot.0' is "
            "on no unit), f");
}

TEST(Certificates, ProveByCasesWithoutASolver) {
  CertifiedLoop loop =
      certificateOf(alternatingProblem(), alternatingSolution());
  ASSERT_EQ(loop.bound.kind, Bound::Cases);
  EXPECT_TRUE(loop.optimal);
  EXPECT_EQ(recheck(loop).text,
            "II 160, optimal (" + describe(loop.problem, loop.bound) + ")");
  Certificate certificate{"kernel", {loop}}, again;
  std::string text = toJson(certificate);
  ASSERT_EQ(fromJson(text, again), "");
  EXPECT_EQ(recheck(again.loops[0]).kind, Verdict::Certified);
  auto complaint = [&](const std::string &what, const std::string &by) {
    return complaintAbout(text, what, by);
  };
  EXPECT_EQ(complaint("'exp.0' before or", "'exp.1' before or").substr(0, 40),
            "loops[0].bound.anchors[0].text: expected");
  EXPECT_EQ(complaint("'max.0' before or", "'max.1' before or").substr(0, 38),
            "loops[0].bound.cases[0].text: expected");
  EXPECT_EQ(complaint("\"depth\": 1", "\"depth\": 2"),
            "loops[0].bound.cases[1].depth: expected 1, found 2");
  EXPECT_EQ(complaint("\"steps\": \"", "\"steps\": \"guess 1, ").substr(0, 76),
            "loops[0].bound.cases[2].steps: expected steps such as \"value 3, "
            "assumed 2.0\"");
  EXPECT_EQ(complaint("\"rule\": \"unit\"", "\"rule\": \"lock\""),
            "loops[0].bound.anchors[0].rule: expected unit, process, "
            "registers or slots, found \"lock\"");
  EXPECT_EQ(
      complaint("\"turn\": 0", "\"turn\": 99999"),
      "loops[0].bound.anchors[0].turn: expected an integer from -65536 to "
      "65536, found 99999");
}

TEST(Certificates, AskASolverAboutRefutations) {
  // a and c are single copies, and one process waits for both: not at 5 or 6.
  Problem problem = gapProblem();
  std::optional<Solution> best = searchExhaustively(problem, 12);
  ASSERT_TRUE(best);
  int64_t bound = findBound(problem).ii;
  ASSERT_LT(bound, best->ii);
  std::vector<Refutation> refuted;
  for (int64_t ii = bound; ii < best->ii; ++ii)
    refuted.push_back({ii});
  CertifiedLoop loop = certificateOf(problem, *best, refuted);
  EXPECT_TRUE(loop.optimal);
  Verdict verdict = recheck(loop);
  EXPECT_EQ(verdict.kind, Verdict::NotRechecked);
  EXPECT_NE(verdict.text.find("not re-checked without a solver"),
            std::string::npos)
      << verdict.text;
  EXPECT_EQ(recheck(loop, "no-such-solver").kind, Verdict::NotRechecked);
  loop.refuted[0].query[0] ^= 1;
  EXPECT_EQ(recheck(loop).kind, Verdict::Objected);
  if (!llvm::sys::findProgramByName("z3"))
    GTEST_SKIP() << "no z3 here";
  loop = certificateOf(problem, *best, refuted);
  verdict = recheck(loop, "z3", 60);
  EXPECT_EQ(verdict.kind, Verdict::Certified) << verdict.text;
  EXPECT_NE(verdict.text.find("optimal"), std::string::npos);
  // Only the registers exclude the bound itself.
  refuted[0].footprints = false;
  loop = certificateOf(problem, *best, refuted);
  EXPECT_EQ(recheck(loop, "z3", 60).text,
            "'z3' does not refute II " + std::to_string(bound));
  refuted[0].footprints = true;
  // What is no refutation.
  Solution slow = *best;
  slow.ii += 20;
  refuted.push_back({best->ii});
  loop = certificateOf(problem, slow, refuted);
  verdict = recheck(loop, "z3", 60);
  EXPECT_EQ(verdict.kind, Verdict::Objected);
  EXPECT_EQ(verdict.text,
            "'z3' does not refute II " + std::to_string(best->ii));
}

TEST(Certificates, RefuteAllShorterIntervalsWithoutFootprints) {
  // In one process for 6 cycles, or in two, with 18 over two iterations.
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "n";
  problem.units = {{"alu", false}, {"special", false}};
  problem.operations = {{"a", 0, 3, 3, 3}, {"x", 1, 3, 3, 3}};
  problem.dependences = {{0, 1, 0}, {1, 0, 2}};
  problem.transfers = {{0, 4}, {1, 4}};
  problem.machine.sharedBytes = 64;
  problem.machine.handOverCycles = 6;
  Solution solution;
  solution.ii = 6;
  solution.start = {0, 3};
  solution.process = {0, 0};
  solution.processes = {{"p", 4, 0}};
  solution.rings = {{"a", 2, {0}}, {"x", 3, {1}}};
  ASSERT_EQ(certify(problem, solution), "");
  EXPECT_EQ(certificateOf(problem, solution).gap, 3);
  EXPECT_EQ(certificateOf(problem, solution, {{5, true}}).gap, 3);
  CertifiedLoop loop = certificateOf(problem, solution, {{5, false}});
  EXPECT_TRUE(loop.optimal);
  EXPECT_NE(recheck(loop).text.find("that II up to 5 is refuted"),
            std::string::npos)
      << recheck(loop).text;
  loop.refuted[0].footprints = true;
  EXPECT_EQ(recheck(loop).kind, Verdict::Objected);
  if (!llvm::sys::findProgramByName("z3"))
    GTEST_SKIP() << "no z3 here";
  loop.refuted[0].footprints = false;
  EXPECT_EQ(recheck(loop, "z3", 60).kind, Verdict::Certified);
}

/// What that rests on.
TEST(Certificates, FindSchedulesOfLongerIntervalsWithoutFootprints) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Problem problem = randomProblem(seed);
    for (Operation &op : problem.operations)
      op.registers = op.columns = 0;
    bool exists = false;
    for (int64_t ii = 1; ii <= 7; ++ii) {
      bool next = ExhaustiveSearch(problem, ii).run().has_value();
      ASSERT_TRUE(next || !exists) << "seed " << seed << ", II " << ii;
      exists = next;
    }
    found += exists;
  }
  EXPECT_GT(found, 100);
}

TEST(Certificates, RejectDamagedSchedulesOfTheSample) {
  rejectDamages(sampleProblem(), sampleSolution(), 1);
}

TEST(Certificates, RejectDamagedSchedulesThatAreOptimalByCases) {
  rejectDamages(alternatingProblem(), alternatingSolution(), 2);
}

TEST(Certificates, RejectDamagedSchedulesOfSmallProblems) {
  int samples = 0;
  for (uint64_t seed = 1; samples < 20; ++seed) {
    Problem problem = randomProblem(seed);
    std::optional<Solution> solution = searchExhaustively(problem, 8);
    if (!solution)
      continue;
    for (Process &process : solution->processes)
      process.registers = std::max<int64_t>(process.registers, 8);
    if (!verify(problem, *solution).empty())
      continue; // the file is full
    ++samples;
    SCOPED_TRACE(seed);
    rejectDamages(problem, *solution, seed);
    if (HasFatalFailure())
      return;
  }
}
