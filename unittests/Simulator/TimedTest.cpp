//===- TimedTest.cpp - Cycles of the timed order --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulation with the model's times on programs whose cycles can be counted by
// hand: hand-overs, queues, shared units. No result of a program depends on
// these times, so a wrong one would only mislead people who read them.
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include "heddle/Simulator/Timing.h"

#include "gtest/gtest.h"

#include <map>

using namespace heddle;
using namespace heddle::simulator;

namespace {

using Lines = std::vector<std::string>;

TimedRun timedRunOf(llvm::StringRef body, const Timing &timing) {
  Simulation simulation(("tile.kernel @test() {\n" + body + "\n}\n").str());
  TimedRun run;
  Options options;
  options.schedule = Schedule::Timed;
  options.timing = &timing;
  options.run = &run;
  EXPECT_EQ(simulation.run({}, options), "");
  return run;
}

std::string span(int64_t begin, int64_t end) {
  return std::to_string(begin) + "-" + std::to_string(end);
}

Lines executionsOf(const TimedRun &run) {
  Lines lines;
  for (const TimedRun::Execution &execution : run.executions) {
    lines.push_back(run.processes[execution.process] + ": " + execution.op +
                    " #" + std::to_string(execution.number) + " " +
                    span(execution.issued, execution.issueEnd));
    if (execution.asynchronous)
      lines.back() += " on its unit " +
                      span(execution.taken, execution.unitEnd) + " landed " +
                      std::to_string(execution.landed);
  }
  return lines;
}

Lines waitsOf(const TimedRun &run) {
  Lines lines;
  for (const TimedRun::Wait &wait : run.waits)
    lines.push_back(run.processes[wait.process] + ": " + wait.reason + " " +
                    span(wait.begin, wait.end));
  return lines;
}

TEST(Timed, AHandOverTakesTimeInBothDirections) {
  constexpr llvm::StringLiteral kBody = R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = aref.ring "r" depth 1 : !aref.ring<[index]>
  aref.process "make" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[index]>
    %e = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %t0) -> (!aref.turn) {
      %a, %n = aref.acquire %r[%t] : !aref.ring<[index]>
      %x = arith.addi %i, %i {sched.op = "a"} : index
      aref.publish %r[%a], %x : !aref.ring<[index]>, index
      scf.yield %n : !aref.turn
    }
  }
  aref.process "use" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[index]>
    %e = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %t0) -> (!aref.turn) {
      %a, %n, %x = aref.get %r[%t] : !aref.ring<[index]> -> index
      %y = arith.addi %x, %x {sched.op = "b"} : index
      aref.release %r[%a] after %y : !aref.ring<[index]>, index
      scf.yield %n : !aref.turn
    }
  })";
  Timing timing;
  timing.costs["a"] = {"alu", 10, 10, 10};
  timing.costs["b"] = {"alu", 30, 30, 30};
  timing.handOver = 5;
  TimedRun run = timedRunOf(kBody, timing);
  EXPECT_EQ(executionsOf(run), (Lines{"make: a #0 0-10", "use: b #0 15-45",
                                      "make: a #1 50-60", "use: b #1 65-95"}));
  EXPECT_EQ(waitsOf(run),
            (Lines{"use: a full slot of r 0-15", "make: a free slot of r 10-50",
                   "use: a full slot of r 45-65"}));
  ASSERT_EQ(run.turns.size(), 2u);
  const TimedRun::Turn &turn = run.turns[1];
  EXPECT_EQ(
      (Lines{span(turn.acquired, turn.full), span(turn.read, turn.released)}),
      (Lines{"50-60", "65-95"}));
  EXPECT_EQ(run.cycles, 95);

  // A step of a ring takes its own time, besides waiting.
  timing.ringStep = 2;
  run = timedRunOf(kBody, timing);
  EXPECT_EQ(executionsOf(run), (Lines{"make: a #0 2-12", "use: b #0 19-49",
                                      "make: a #1 56-66", "use: b #1 73-103"}));
  EXPECT_EQ(waitsOf(run),
            (Lines{"use: a full slot of r 0-17", "make: a free slot of r 12-54",
                   "use: a full slot of r 49-71"}));
}

TEST(Timed, AUnitTakesUpOneOperationAfterTheOther) {
  constexpr llvm::StringLiteral kBody = R"(
  %x = arith.constant 7 : i32
  aref.process "p" warps 1 registers 0 {
    %f = aref.start "tensor" () {
      %y = arith.addi %x, %x {sched.op = "f"} : i32
      aref.yield %y : i32
    } : !aref.flight<i32>
    %g = aref.start "tensor" () {
      %y = arith.addi %x, %x {sched.op = "g"} : i32
      aref.yield %y : i32
    } : !aref.flight<i32>
    %v = aref.await %f pending 1 : !aref.flight<i32> -> i32
    %u = arith.addi %v, %v {sched.op = "h"} : i32
    %w = aref.await %g pending 0 : !aref.flight<i32> -> i32
  }
  aref.process "q" warps 1 registers 0 {
    %y = arith.addi %x, %x {sched.op = "late"} : i32
    %f = aref.start "tensor" () {
      %y2 = arith.addi %x, %x {sched.op = "q"} : i32
      aref.yield %y2 : i32
    } : !aref.flight<i32>
    %v = aref.await %f pending 0 : !aref.flight<i32> -> i32
  })";
  Timing timing;
  for (const char *name : {"f", "g", "q"})
    timing.costs[name] = {"tensor", 2, 20, 30};
  timing.costs["h"] = {"alu", 4, 4, 12};
  timing.costs["late"] = {"alu", 1, 1, 1};
  TimedRun run = timedRunOf(kBody, timing);
  // q is issued between f and g, and served so.
  EXPECT_EQ(
      executionsOf(run),
      (Lines{"p: f #0 0-2 on its unit 0-20 landed 30", "q: late #0 0-1",
             "q: q #0 1-3 on its unit 20-40 landed 50",
             "p: g #0 2-4 on its unit 40-60 landed 70", "p: h #0 30-34"}));
  EXPECT_EQ(waitsOf(run), (Lines{"p: f 4-30", "q: q 3-50", "p: g 34-70"}));
}

TEST(Timed, AResultIsReadWhenItIsThere) {
  constexpr llvm::StringLiteral kBody = R"(
  %x = arith.constant 7 : i32
  %no = arith.constant false
  aref.process "p" warps 1 registers 0 {
    %a = arith.addi %x, %x {sched.op = "a"} : i32
    %b = arith.addi %x, %x {sched.op = "b"} : i32
    %c = arith.addi %a, %b {sched.op = "c"} : i32
    %d = scf.if %no -> (i32) {
      %e = arith.addi %c, %c : i32
      scf.yield %e : i32
    } else {
      scf.yield %c : i32
    } {sched.op = "d"}
  })";
  Timing timing;
  for (const char *name : {"a", "b", "c", "d"})
    timing.costs[name] = {"alu", 4, 4, 12};
  TimedRun run = timedRunOf(kBody, timing);
  // A branch with nothing in it takes no time.
  EXPECT_EQ(executionsOf(run),
            (Lines{"p: a #0 0-4", "p: b #0 4-8", "p: c #0 16-20"}));
}

/// Two processes that each execute one operation, at the same time.
constexpr llvm::StringLiteral kSideBySide = R"(
  %x = arith.constant 7 : i32
  aref.process "p" warps 1 registers 0 {
    %a = arith.addi %x, %x {sched.op = "a"} : i32
    %c = arith.addi %a, %a {sched.op = "c"} : i32
  }
  aref.process "q" warps 1 registers 0 {
    %b = arith.addi %x, %x {sched.op = "b"} : i32
  })";

TEST(Timed, ProcessesShareAUnitAboveItsCapacity) {
  Timing timing;
  timing.costs["a"] = {"alu", 10, 10, 10};
  timing.costs["b"] = {"alu", 20, 20, 25};
  timing.costs["c"] = {"alu", 5, 5, 5};
  // At half speed while both are there: b's last cycles are its own.
  EXPECT_EQ(executionsOf(timedRunOf(kSideBySide, timing)),
            (Lines{"p: a #0 0-20", "q: b #0 0-35", "p: c #0 20-30"}));
  // Below it nobody notices the other.
  timing.costs["a"] = {"alu", 10, 5, 10};
  timing.costs["b"] = {"alu", 20, 10, 25};
  timing.costs["c"] = {"alu", 5, 2, 5};
  EXPECT_EQ(executionsOf(timedRunOf(kSideBySide, timing)),
            (Lines{"p: a #0 0-10", "q: b #0 0-20", "p: c #0 10-15"}));
  // Other units are nobody's business; c and b want 7 of 5 cycles.
  timing.costs["a"] = {"special", 10, 10, 10};
  timing.costs["b"] = {"alu", 20, 20, 25};
  EXPECT_EQ(executionsOf(timedRunOf(kSideBySide, timing)),
            (Lines{"p: a #0 0-10", "q: b #0 0-22", "p: c #0 10-17"}));
}

/// A process that starts two products, after `before`, and waits for them.
std::string twoProducts(const std::string &process, const std::string &first,
                        const std::string &second,
                        const std::string &before = "") {
  auto product = [](const std::string &value, const std::string &name) {
    return "    %" + value + R"( = aref.start "tensor" () {
      %y = arith.addi %x, %x {sched.op = ")" +
           name + R"("} : i32
      aref.yield %y : i32
    } : !aref.flight<i32>
)";
  };
  return "  aref.process \"" + process + "\" warps 1 registers 0 {\n" + before +
         product("f", first) + product("g", second) + R"(
    %v = aref.await %f pending 1 : !aref.flight<i32> -> i32
    %w = aref.await %g pending 0 : !aref.flight<i32> -> i32
  }
)";
}

const std::string kNumber = "  %x = arith.constant 7 : i32\n";

const std::string kBesideProduct = kNumber + twoProducts("p", "f", "g") + R"(
  aref.process "q" warps 1 registers 0 {
    %b = arith.addi %x, %x {sched.op = "b"} : i32
  })";

TEST(Timed, OperationsAreSlowerBesideProducts) {
  Timing timing;
  timing.slowing = "tensor";
  timing.costs["f"] = timing.costs["g"] = {"tensor", 1, 10, 12};
  timing.costs["b"] = {"alu", 30, 15, 30, 60};
  // 20 cycles of products do the work of 10; the other 20 are as ever.
  EXPECT_EQ(executionsOf(timedRunOf(kBesideProduct, timing)),
            (Lines{"p: f #0 0-1 on its unit 0-10 landed 12", "q: b #0 0-40",
                   "p: g #0 1-2 on its unit 10-20 landed 22"}));
}

TEST(Timed, WhoIssuesMoreThanTheQueueHoldsWaits) {
  Timing timing;
  timing.slowing = "tensor";
  timing.queue = 6;
  timing.costs["f"] = timing.costs["g"] = {"tensor", 1, 10, 12, 0, 0, 10};
  timing.costs["b"] = {"alu", 3, 3, 3};
  // Six instructions of a cycle may be left.
  EXPECT_EQ(executionsOf(timedRunOf(kBesideProduct, timing)),
            (Lines{"p: f #0 0-4 on its unit 0-10 landed 12", "q: b #0 0-3",
                   "p: g #0 4-14 on its unit 10-20 landed 22"}));
  // A product ends no sooner than its last instruction is issued.
  timing.costs["f"] = timing.costs["g"] = {"tensor", 15, 10, 12, 0, 0, 10};
  EXPECT_EQ(executionsOf(timedRunOf(kBesideProduct, timing)),
            (Lines{"p: f #0 0-15 on its unit 0-15 landed 17", "q: b #0 0-3",
                   "p: g #0 15-30 on its unit 15-30 landed 32"}));
}

/// Two processes with two products each, those of the second later.
const std::string kTwoGroups =
    kNumber + twoProducts("p", "f", "g") +
    twoProducts("q", "f2", "g2",
                "    %l = arith.addi %x, %x {sched.op = \"later\"} : i32\n");

/// When the unit was done with the second product of each process, and when
/// the second process had issued its first one.
std::vector<int64_t> endsWhenLaterBy(int64_t cycles) {
  Timing timing;
  timing.slowing = "tensor";
  timing.queue = 8;
  timing.apart = 60;
  for (const char *name : {"f", "g", "f2", "g2"})
    timing.costs[name] = {"tensor", 112, 512, 512 + 58, 0, 0, 8};
  timing.costs["later"] = {"alu", cycles, 1, cycles};
  std::map<std::string, TimedRun::Execution> done;
  for (const TimedRun::Execution &one :
       timedRunOf(kTwoGroups, timing).executions)
    done[one.op] = one;
  return {done["g"].unitEnd, done["g2"].unitEnd, done["f2"].issueEnd};
}

// Eight instructions of 64 cycles a product, as measured: the lab page of
// 2026-11-23 about two groups at one tensor core.
TEST(Timed, WhoComesLaterToTheTensorCoreWaitsUntilItIsFree) {
  EXPECT_EQ(endsWhenLaterBy(128), (std::vector<int64_t>{1024, 2048, 1136}));
  EXPECT_EQ(endsWhenLaterBy(500), (std::vector<int64_t>{1024, 2048, 1136}));
  EXPECT_EQ(endsWhenLaterBy(2000), (std::vector<int64_t>{1024, 3024, 2112}));
}

TEST(Timed, WhoComesWhileTheQueueIsFilledSharesIt) {
  // The first was five to seven instructions ahead, 320 to 448 cycles.
  std::vector<int64_t> ends = endsWhenLaterBy(20);
  EXPECT_EQ(ends[1], 2048);
  EXPECT_NEAR(ends[1] - ends[0], 384, 64);
  EXPECT_GT(ends[0], 1500);
}

} // namespace
