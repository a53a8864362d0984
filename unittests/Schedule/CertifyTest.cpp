//===- CertifyTest.cpp - The certifier of schedules, rule by rule ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second verifier of schedules, rule by rule, and against the first one on
// schedules that chance has changed. The two share no code, so a disagreement
// is a bug in one of them.
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"
#include "SampleProblem.h"

#include "heddle/Schedule/Certify.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

/// The sample with what reads the products: 4 = scale.0, on lanes that compute
/// in step with their process, in place of 5 = pack.0.
Problem readingProblem() {
  Problem problem = sampleProblem();
  problem.units.push_back({"alu", false});
  problem.operations[2].persists = false;
  problem.dependences.erase(problem.dependences.begin() + 4);
  problem.operations.push_back({"scale.0", 2, 40, 48, 40, false, 0, 64});
  problem.operations.push_back(
      {"pack.0", 2, 40, 48, 40, false, 0, 32, false, true});
  problem.dependences.push_back({2, 4, 0});
  problem.dependences.push_back({4, 5, 0});
  return problem;
}

Solution readingSolution() {
  Solution solution = sampleSolution();
  solution.ii = 1300;
  solution.start = {0, 100, 1100, 1600, 2256, 2304};
  solution.process = {0, 0, 1, 2, 1, 1};
  return solution;
}

} // namespace

TEST(Certify, AcceptsLegalSchedules) {
  EXPECT_EQ(certify(sampleProblem(), sampleSolution()), "");
  EXPECT_EQ(certify(readingProblem(), readingSolution()), "");
  EXPECT_EQ(verify(readingProblem(), readingSolution()), "");
}

TEST(Certify, WantsOperandsBeforeTheirReaderIsIssued) {
  Solution solution = sampleSolution();
  solution.start[2] = 1095;
  EXPECT_EQ(
      certify(sampleProblem(), solution),
      "'dot.0' of iteration 0 is issued at cycle 1095, but because of 'b' "
      "of iteration 0 not before cycle 1096");
}

TEST(Certify, LetsAccumulatorsFollowOnTheUnitButNotSooner) {
  Problem problem = sampleProblem();
  Solution solution = sampleSolution();
  problem.dependences.push_back({2, 3, 0, true});
  EXPECT_EQ(certify(problem, solution),
            "'dot.1' accumulates onto 'dot.0' from another process");
  solution.process[3] = 1;
  solution.processes[1].registers = 240;
  problem.operations[3].registers = 64;
  EXPECT_EQ(certify(problem, solution), "");
  problem.operations[2].reservation = 501;
  EXPECT_EQ(certify(problem, solution),
            "'dot.1' of iteration 0 is taken up at cycle 1600, but because of "
            "'dot.0' of iteration 0 not before cycle 1601");
  problem.units.push_back({"alu", false});
  problem.operations[3].unit = 2;
  EXPECT_EQ(certify(problem, solution),
            "'dot.1' accumulates onto 'dot.0', which is on another unit or "
            "gives no value");
}

TEST(Certify, KeepsOrders) {
  Problem problem = sampleProblem();
  problem.dependences.push_back({1, 0, 1, false, true, 900});
  EXPECT_EQ(certify(problem, sampleSolution()), "");
  problem.dependences.back().delay = 901;
  EXPECT_EQ(certify(problem, sampleSolution()),
            "'a' of iteration 1 is issued at cycle 1000, but because of 'b' of "
            "iteration 0 not before cycle 1001");
}

TEST(Certify, LetsAUnitServeOneAtATimeAcrossIterations) {
  Solution solution = sampleSolution();
  solution.start[3] = 2599;
  EXPECT_EQ(certify(sampleProblem(), solution),
            "unit 'tensor' takes up 'dot.1' of iteration 0 at cycle 2599 while "
            "'dot.0' of iteration 1 keeps it until cycle 2600");
}

TEST(Certify, TakesOperationsUpInTheOrderOfTheirIssue) {
  Problem problem = readingProblem();
  Solution solution = readingSolution();
  solution.ii = 1400;
  solution.execution = solution.start;
  solution.execution[2] = 1200;
  solution.execution[3] = 1700;
  solution.start[4] += 100;
  solution.start[5] += 100;
  solution.execution[4] += 100;
  solution.execution[5] += 100;
  EXPECT_EQ(certify(problem, solution), "");
  solution.start[3] = 1099;
  EXPECT_EQ(certify(problem, solution),
            "'dot.1' of iteration 0 is issued at cycle 1099, before 'dot.0' of "
            "iteration 0 at cycle 1100, but unit 'tensor' takes it up later");
  solution = sampleSolution();
  solution.execution = {0, 100, 1099, 1600};
  EXPECT_EQ(certify(sampleProblem(), solution),
            "'dot.0' is taken up at cycle 1099, before it is issued at cycle "
            "1100");
  solution = readingSolution();
  solution.execution = solution.start;
  ++solution.execution[5];
  EXPECT_EQ(certify(problem, solution),
            "'pack.0' is issued at cycle 2304 and taken up at cycle 2305, but "
            "its unit keeps no queue");
  solution = sampleSolution();
  solution.latency = {800, 900, 1059, 1060};
  EXPECT_EQ(certify(sampleProblem(), solution),
            "'dot.0' is waited for until cycle 2159 and done at cycle 2160");
}

TEST(Certify, LetsAProcessIssueOneAtATime) {
  Problem problem = sampleProblem();
  problem.operations[0].reservation = problem.operations[1].reservation = 1;
  Solution solution = sampleSolution();
  solution.start[1] = 15;
  EXPECT_EQ(certify(problem, solution),
            "process 'load' issues 'b' of iteration 0 at cycle 15, but it is "
            "busy with 'a' of iteration 0 until cycle 16");
  // One operation alone in its process, with itself.
  problem = sampleProblem();
  problem.operations[2].issue = 1001;
  EXPECT_EQ(certify(problem, sampleSolution()),
            "process 'mma.0' issues 'dot.0' of iteration 1 at cycle 2100, but "
            "it is busy with 'dot.0' of iteration 0 until cycle 2101");
}

TEST(Certify, KeepsLoadsApartWhereTheProblemSays) {
  Problem problem = sampleProblem();
  Solution solution = sampleSolution();
  solution.start = {0, 100, 1120, 1620};
  solution.process = {1, 1, 1, 2}; // the loads ride with a product
  EXPECT_EQ(certify(problem, solution), "");
  problem.loadsApart = true;
  EXPECT_EQ(certify(problem, solution),
            "'a' and 'dot.0' are in one process, and what has variable latency "
            "shares none with the rest");
  solution.process = {0, 1, 2, 2};
  EXPECT_EQ(certify(problem, solution),
            "'a' and 'b' have variable latency and are in two processes");
  EXPECT_EQ(certify(problem, sampleSolution()), "");
}

TEST(Certify, LetsRegistersOfAResultCrossNoProcess) {
  Solution solution = readingSolution();
  solution.process[5] = 2;
  EXPECT_EQ(certify(readingProblem(), solution),
            "'pack.0' is in another process than 'scale.0', whose result it "
            "reads from registers");
}

TEST(Certify, KeepsOneCopyOfWhatAnAsynchronousUnitWrites) {
  Problem problem = readingProblem();
  Solution solution = readingSolution();
  problem.units[2].asynchronous = true;
  problem.operations[4].issue = problem.operations[5].issue = 16;
  solution.start[4] = 2353;
  solution.start[5] = 2420;
  EXPECT_EQ(certify(problem, solution),
            "'scale.0' of iteration 0 reads the result of 'dot.0' of iteration "
            "0 until cycle 2401, but 'dot.0' of iteration 1 overwrites it from "
            "cycle 2400");
}

TEST(Certify, CountsRegistersAtEveryCycle) {
  Problem problem = readingProblem();
  Solution solution = readingSolution();
  // dot.0's 128 and scale.0's 64; pack.0 has no reader.
  solution.processes[1].registers = 223;
  EXPECT_EQ(certify(problem, solution),
            "process 'mma.0' holds results of 192 registers a thread at cycle "
            "2256; with 32 for everything else that is above its 223");
  solution.processes[1].registers = 224;
  EXPECT_EQ(certify(problem, solution), "");
  solution.processes[1].registers = 248;
  EXPECT_EQ(certify(problem, solution),
            "process 'mma.0' has 248 registers a thread, and a thread has at "
            "most 240");
  solution.processes[1].registers = 240;
  solution.processes[2].registers = 240;
  EXPECT_EQ(certify(problem, solution),
            "the processes have 2080 registers in a lane of all their warps, "
            "and there are 2048");
  // What takes its operand's registers over is born when it is done.
  problem.operations[4].inPlace = true;
  solution = readingSolution();
  solution.processes[1].registers = 160;
  EXPECT_EQ(certify(problem, solution), "");
}

TEST(Certify, CountsColumnsOfTensorMemory) {
  Problem problem = readingProblem();
  problem.operations[2].columns = problem.operations[3].columns = 128;
  problem.machine.columns = 255;
  EXPECT_EQ(
      certify(problem, readingSolution()),
      "results take 256 columns of tensor memory at cycle 1100, and there "
      "are 255");
  problem.machine.columns = 256;
  EXPECT_EQ(certify(problem, readingSolution()), "");
}

TEST(Certify, FillsSlotsInTurn) {
  Solution solution = sampleSolution();
  solution.rings[0].depth = 2;
  EXPECT_EQ(
      certify(sampleProblem(), solution),
      "iteration 2 fills slot 0 of ring 'loads' from cycle 2000, but what "
      "iteration 0 put there is read until cycle 2756, the hand-over "
      "included");
  solution.rings[0].depth = 9;
  EXPECT_EQ(certify(sampleProblem(), solution),
            "ring 'loads' has 9 slots, and may have 1 to 8");
  solution.rings[0].depth = 5;
  EXPECT_EQ(certify(sampleProblem(), solution),
            "the slots of all rings take 245760 B of shared memory, and there "
            "are 200000 B");
  solution = sampleSolution();
  solution.rings[0].operations = {0};
  EXPECT_EQ(certify(sampleProblem(), solution),
            "'b' hands its result over through no ring");
  solution.rings[0].operations = {0, 1, 1};
  EXPECT_EQ(certify(sampleProblem(), solution),
            "'b' is in rings 'loads' and 'loads'");
  solution.rings[0].operations = {0, 1, 2};
  EXPECT_EQ(
      certify(sampleProblem(), solution),
      "ring 'loads' holds results of 'dot.0', which have no slot's share");
}

TEST(Certify, WaitsForAllThatFillASlot) {
  Problem problem = sampleProblem();
  std::erase_if(problem.dependences, [](const Dependence &edge) {
    return edge.from == 1 && edge.to == 2;
  });
  EXPECT_EQ(certify(problem, sampleSolution()), "");
  Solution solution = sampleSolution();
  solution.start[2] = 1094;
  solution.start[3] = 1594;
  EXPECT_EQ(
      certify(problem, solution),
      "'dot.0' of iteration 0 is issued at cycle 1094, but the slot of "
      "ring 'loads' that it reads is filled by 'b' of iteration 0 too, at "
      "cycle 1096");
}

TEST(Certify, RefusesWhatIsNoScheduleOfTheProblem) {
  Solution solution = sampleSolution();
  solution.start.pop_back();
  EXPECT_EQ(certify(sampleProblem(), solution),
            "the schedule does not say for each of 4 operations when and where "
            "it is issued");
  solution = sampleSolution();
  solution.process[1] = 7;
  EXPECT_EQ(certify(sampleProblem(), solution), "'b' is in process 7 of 3");
  solution = sampleSolution();
  solution.ii = 0;
  EXPECT_EQ(certify(sampleProblem(), solution),
            "an iteration every 0 cycles is none");
  solution = sampleSolution();
  solution.start[3] = int64_t(1) << 40;
  EXPECT_EQ(certify(sampleProblem(), solution),
            "the schedule spans 1099511632 iterations, and at most 4096 are "
            "looked at");
  solution = sampleSolution();
  solution.rings[0].operations = {0, 4};
  EXPECT_EQ(certify(sampleProblem(), solution),
            "ring 'loads' holds results of operation 4, of which there are 4");
  Problem problem = sampleProblem();
  problem.dependences[0].to = 4;
  EXPECT_EQ(certify(problem, sampleSolution()),
            "a dependence from operation 0 to 4 over 0 iterations is none");
}

/// Both verifiers say the same of schedules and of what chance makes of them.
TEST(Certify, AgreesWithTheVerifierOfSchedules) {
  std::mt19937_64 random(1);
  auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  int legal = 0, illegal = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    Problem problem = randomProblemMaybeWithLoads(seed);
    std::optional<Solution> found = searchExhaustively(problem, 8);
    if (!found)
      continue;
    ASSERT_EQ(certify(problem, *found), "") << seed;
    for (int damage = 0; damage < 200; ++damage) {
      Solution solution = *found;
      size_t op = below(solution.start.size());
      switch (below(6)) {
      case 0: {
        int64_t shift = below(9) - 4;
        solution.start[op] += shift;
        solution.execution[op] += shift;
        break;
      }
      case 1:
        solution.start[op] += below(3) - 1;
        break;
      case 2:
        solution.execution[op] += below(5) - 2;
        break;
      case 3:
        solution.ii = std::max<int64_t>(1, solution.ii + below(5) - 2);
        break;
      case 4:
        solution.process[op] = below(solution.processes.size());
        break;
      case 5:
        for (Process &process : solution.processes)
          if (process.registers > 8)
            process.registers -= 8 * below(2);
        for (Ring &ring : solution.rings)
          ring.depth = 1 + below(problem.machine.ringDepth);
        break;
      }
      // A process that states no registers is verify's business alone.
      for (Process &process : solution.processes)
        process.registers = std::max<int64_t>(process.registers, 8);
      std::string other = verify(problem, solution),
                  mine = certify(problem, solution);
      ASSERT_EQ(other.empty(), mine.empty())
          << seed << "/" << damage << "\nverify: " << other
          << "\ncertify: " << mine;
      ++(mine.empty() ? legal : illegal);
    }
  }
  EXPECT_GT(legal, 1000);
  EXPECT_GT(illegal, 5000);
  RecordProperty("legal", legal);
  RecordProperty("illegal", illegal);
}
