//===- CompiledTest.cpp - Machine code against the interpreter ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same numbers, the same cycles and the same sentences, for what processes
// of streams do and for what hand-written ones can get wrong. test/Sparse has
// whole programs.
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include "heddle/Simulator/Timing.h"

#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::simulator;

namespace {

constexpr llvm::StringLiteral kConstants = R"(
  %yes = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64)";

/// What a kernel leaves in its one array, by either engine.
struct Outcome {
  std::string messages;
  std::vector<int64_t> words;
  TimedRun times;
};

class Both {
public:
  explicit Both(llvm::StringRef body, std::string element = "i64")
      : simulation("!r = !aref.ring<[i64]>\n!v = !tile.view<?x" + element +
                   ">\ntile.kernel @test(%out: !v) {" + kConstants.str() +
                   body.str() + "\n}\n") {}

  enum Engine { Interpreted, Quick, Long };
  Outcome run(Engine engine, int64_t maxSteps = 1000000) {
    Outcome run;
    run.words.resize(64);
    interp::Buffer buffer;
    buffer.data = run.words.data();
    buffer.shape = {64};
    Options options;
    options.schedule = Schedule::Local;
    options.maxSteps = maxSteps;
    options.run = &run.times;
    run.messages =
        engine == Interpreted
            ? simulation.run({buffer}, options)
            : simulation.runCompiled({buffer}, options, engine == Long);
    return run;
  }

  /// Expects the same of all; returns the interpreter's.
  Outcome expectSame() {
    Outcome oracle = run(Interpreted);
    for (Engine engine : {Quick, Long, Quick}) {
      Outcome compiled = run(engine);
      EXPECT_EQ(compiled.messages, oracle.messages);
      EXPECT_EQ(compiled.words, oracle.words);
      if (!oracle.messages.empty())
        continue;
      EXPECT_EQ(compiled.times.cycles, oracle.times.cycles);
      EXPECT_EQ(compiled.times.busy, oracle.times.busy);
      EXPECT_EQ(compiled.times.processes, oracle.times.processes);
    }
    return oracle;
  }

private:
  Simulation simulation;
};

/// A producer of 1000 turns, `cycles` each.
std::string producer(const std::string &ring, int64_t cycles) {
  return R"(
  aref.process "fill )" +
         ring + R"(" on "u" {
    %t0 = aref.first_turn %)" +
         ring + R"( : !r
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!aref.turn) {
      %x = arith.index_cast %i : index to i64
      %s, %m = aref.acquire %)" +
         ring + R"([%t] {aref.issue = )" + std::to_string(cycles) +
         R"( : i64} : !r
      aref.publish %)" +
         ring + R"([%s], %x : !r, i64
      scf.yield %m : !aref.turn
    }
    aref.close %)" +
         ring + R"([%e] : !r
  })";
}

/// Adds up a ring's numbers and stores the sum in word `place`.
std::string consumer(const std::string &ring, int place, int64_t cycles) {
  return R"(
  aref.process "sum )" +
         std::to_string(place) + R"(" on "u" {
    %place = arith.constant )" +
         std::to_string(place) + R"( : index
    %t0 = aref.first_turn %)" +
         ring + R"( : !r
    %e, %sum = scf.while (%t = %t0, %so_far = %i0) : (!aref.turn, i64) -> (!aref.turn, i64) {
      %more = aref.more %)" +
         ring + R"([%t] : !r
      scf.condition(%more) %t, %so_far : !aref.turn, i64
    } do {
    ^bb0(%t: !aref.turn, %so_far: i64):
      %s, %m, %v = aref.get %)" +
         ring + R"([%t] : !r -> i64
      %b = arith.addi %so_far, %v {aref.issue = )" +
         std::to_string(cycles) +
         R"( : i64} : i64
      aref.release %)" +
         ring + R"([%s] after %b : !r, i64
      scf.yield %m, %b : !aref.turn, i64
    }
    %tile = tile.splat %sum : i64 -> tensor<1xi64>
    tile.store %tile, %out[%place] : tensor<1xi64>, !v
  })";
}

TEST(Compiled, RingsOfEveryDepthTakeTheSameCycles) {
  for (int depth : {1, 2, 3, 7, 255, 256, 257, 1000, 65536})
    for (int slow : {1, 5}) {
      Both both("  %a = aref.ring \"a\" depth " + std::to_string(depth) +
                " : !r" + producer("a", 2) + consumer("a", 0, slow) +
                consumer("a", 1, 3));
      Outcome run = both.expectSame();
      ASSERT_EQ(run.messages, "");
      EXPECT_EQ(run.words[0], 499500) << depth;
      EXPECT_EQ(run.words[1], 499500) << depth;
      // One slot is filled and emptied in turn.
      int64_t turn = std::max(slow, 3) + (depth == 1 ? 2 : 0);
      EXPECT_EQ(run.times.cycles, 1000 * turn + (depth == 1 ? 0 : 2)) << depth;
    }
}

/// Two rings that are filled one after the other and emptied the other way
/// round need memory for all of the first, if the program gives it.
std::string crossed(int depth) {
  std::string d = std::to_string(depth);
  return "  %a = aref.ring \"a\" depth " + d + " : !r\n" +
         "  %b = aref.ring \"b\" depth " + d + " : !r" + R"(
  aref.process "fill" on "u" {
    %a0 = aref.first_turn %a : !r
    %b0 = aref.first_turn %b : !r
    %ae = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a0) -> (!aref.turn) {
      %s, %m = aref.acquire %a[%t] {aref.issue = 1 : i64} : !r
      aref.publish %a[%s], %i1 : !r, i64
      scf.yield %m : !aref.turn
    }
    %be = scf.for %i = %c0 to %n step %c1 iter_args(%t = %b0) -> (!aref.turn) {
      %s, %m = aref.acquire %b[%t] {aref.issue = 1 : i64} : !r
      aref.publish %b[%s], %i1 : !r, i64
      scf.yield %m : !aref.turn
    }
  }
  aref.process "empty" on "u" {
    %a0 = aref.first_turn %a : !r
    %b0 = aref.first_turn %b : !r
    %be = scf.for %i = %c0 to %n step %c1 iter_args(%t = %b0) -> (!aref.turn) {
      %s, %m, %v = aref.get %b[%t] : !r -> i64
      aref.release %b[%s] : !r
      scf.yield %m : !aref.turn
    }
    %ae = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a0) -> (!aref.turn) {
      %s, %m, %v = aref.get %a[%t] : !r -> i64
      aref.release %a[%s] : !r
      scf.yield %m : !aref.turn
    }
  })";
}

TEST(Compiled, RingsGetMemoryUpToTheirDepthAndNoMore) {
  EXPECT_EQ(Both(crossed(1000)).expectSame().messages, "");
  Outcome stuck = Both(crossed(999)).expectSame();
  EXPECT_NE(stuck.messages.find("deadlock: process 'fill' waits to acquire: "
                                "turn 999 of ring 'a' needs the slot of turn "
                                "0, which 'empty' has not released"),
            std::string::npos)
      << stuck.messages;
}

TEST(Compiled, WhatIsLeftUndoneIsSaidInTheSameWords) {
  Outcome run =
      Both("  %a = aref.ring \"a\" depth 4 : !r" + producer("a", 1) + R"(
  aref.process "idle" on "u" {
    %t0 = aref.first_turn %a : !r
    %s, %m, %v = aref.get %a[%t0] : !r -> i64
    aref.release %a[%s] : !r
  })")
          .expectSame();
  EXPECT_NE(run.messages.find("'idle' (which has ended)"), std::string::npos)
      << run.messages;
}

TEST(Compiled, ABrokenProtocolIsForTheInterpreter) {
  Both both(R"(
  %a = aref.ring "a" depth 4 : !r
  aref.process "fill" on "u" {
    %t0 = aref.first_turn %a : !r
    %s, %m = aref.acquire %a[%t0] : !r
    aref.publish %a[%s], %i1 : !r, i64
    %s2, %m2 = aref.acquire %a[%t0] : !r
    aref.publish %a[%s2], %i1 : !r, i64
  }
  aref.process "empty" on "u" {
    %t0 = aref.first_turn %a : !r
    %s, %m, %v = aref.get %a[%t0] : !r -> i64
    aref.release %a[%s] : !r
  })");
  EXPECT_EQ(both.run(Both::Quick).messages,
            "interpret: a process breaks the protocol of rings, or divides by "
            "zero");
}

TEST(Compiled, ADivisionByZeroIsForTheInterpreter) {
  for (int divisor : {0, 3}) {
    Both both(R"(
  aref.process "divide" on "u" {
    %a = arith.constant 17 : i64
    %b = arith.constant )" +
              std::to_string(divisor) + R"( : i64
    %q = arith.divui %a, %b : i64
    %r = arith.remui %a, %q : i64
    %t = tile.splat %r : i64 -> tensor<1xi64>
    tile.store %t, %out[%c0] : tensor<1xi64>, !v
  })");
    if (divisor)
      EXPECT_EQ(both.expectSame().words[0], 2);
    else
      EXPECT_EQ(both.run(Both::Quick).messages.substr(0, 10), "interpret:");
  }
}

TEST(Compiled, AValueBehindTheReleaseIsForTheInterpreter) {
  Both both("  %a = aref.ring \"a\" depth 4 : !r" + producer("a", 1) + R"(
  aref.process "late" on "u" {
    %t0 = aref.first_turn %a : !r
    %s, %m, %v = aref.get %a[%t0] : !r -> i64
    aref.release %a[%s] : !r
    %w = arith.addi %v, %v : i64
  })");
  EXPECT_EQ(both.run(Both::Quick).messages,
            "interpret: process 'late': 'aref.get' has a value that is used "
            "behind the release");
}

TEST(Compiled, ALoopWithoutEndStops) {
  Both both(R"(
  aref.process "endless" on "u" {
    scf.while : () -> () {
      scf.condition(%yes)
    } do {
      scf.yield
    }
  })");
  EXPECT_EQ(both.run(Both::Quick, 1000).messages,
            "11: the simulator stops after 1000 steps of one process, here in "
            "process 'endless'");
}

TEST(Compiled, FunctionsAndShiftsAreThoseOfTheInterpreter) {
  std::string body = R"(
  aref.process "numbers" on "u" {
    %half = arith.constant 3.7e-1 : f32
    %long = arith.constant 65 : i64
    %three = arith.constant -3 : i64
    %x0 = math.exp %half : f32
    %x1 = math.rsqrt %x0 : f32
    %x2 = math.tanh %x1 : f32
    %x3 = math.log %x2 : f32
    %x4 = math.sqrt %x2 : f32
    %x5 = arith.divf %x3, %x4 : f32
    %x6 = arith.maximumf %x5, %x0 : f32
    %s0 = arith.shli %three, %long : i64
    %s1 = arith.shrui %three, %i1 : i64
    %s2 = arith.shrui %three, %long : i64
    %z = math.cttz %i0 : i64)";
  int place = 0;
  for (const char *value : {"x0", "x1", "x2", "x3", "x4", "x5", "x6"}) {
    std::string n = std::to_string(place++);
    body += "\n    %p" + n + " = arith.constant " + n + " : index\n    %b" + n +
            " = arith.bitcast %" + value + " : f32 to i32\n    %w" + n +
            " = arith.extui %b" + n + " : i32 to i64\n    %t" + n +
            " = tile.splat %w" + n + " : i64 -> tensor<1xi64>\n" +
            "    tile.store %t" + n + ", %out[%p" + n + "] : tensor<1xi64>, !v";
  }
  for (const char *value : {"s0", "s1", "s2", "z"}) {
    std::string n = std::to_string(place++);
    body += "\n    %p" + n + " = arith.constant " + n + " : index\n    %t" + n +
            " = tile.splat %" + value + " : i64 -> tensor<1xi64>\n" +
            "    tile.store %t" + n + ", %out[%p" + n + "] : tensor<1xi64>, !v";
  }
  Outcome run = Both(body + "\n  }").expectSame();
  EXPECT_EQ(run.messages, "");
  EXPECT_NE(run.words[0], 0);
  EXPECT_EQ(run.words[7], 0);
  EXPECT_EQ(run.words[10], 64);
}

TEST(Compiled, WhatLiesOutsideOfAnArrayIsZeroAndStaysAsItIs) {
  Outcome run = Both(R"(
  aref.process "edges" on "u" {
    %below = arith.constant -1 : index
    %behind = arith.constant 64 : index
    %last = arith.constant 63 : index
    %one = tile.splat %i1 : i64 -> tensor<1xi64>
    tile.store %one, %out[%below] : tensor<1xi64>, !v
    tile.store %one, %out[%behind] : tensor<1xi64>, !v
    %a = tile.load %out[%behind] : !v -> tensor<1xi64>
    %b = tile.unsplat %a : tensor<1xi64> -> i64
    %c = arith.addi %b, %i1 : i64
    %d = tile.splat %c : i64 -> tensor<1xi64>
    tile.store %d, %out[%last] : tensor<1xi64>, !v
  })")
                    .expectSame();
  EXPECT_EQ(run.messages, "");
  EXPECT_EQ(run.words[63], 1);
}

} // namespace
