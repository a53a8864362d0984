//===- FaultsTest.cpp - Programs at fault, and what is said of them -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One program for each rule, found in every order of execution.
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include "gtest/gtest.h"

using heddle::simulator::messagesOf;

namespace {

TEST(Faults, CrossedWaitsAreADeadlock) {
  EXPECT_EQ(messagesOf(R"(  %a = aref.ring "a" depth 1 : !aref.ring<[]>
  %b = aref.ring "b" depth 1 : !aref.ring<[]>
  aref.process "left" warps 1 registers 0 {
    %p = aref.first_turn %a : !aref.ring<[]>
    %c = aref.first_turn %b : !aref.ring<[]>
    %got, %c1 = aref.get %b[%c] : !aref.ring<[]>
    %put, %p1 = aref.acquire %a[%p] : !aref.ring<[]>
    aref.publish %a[%put] : !aref.ring<[]>
    aref.release %b[%got] : !aref.ring<[]>
  }
  aref.process "right" warps 1 registers 0 {
    %p = aref.first_turn %b : !aref.ring<[]>
    %c = aref.first_turn %a : !aref.ring<[]>
    %got, %c1 = aref.get %a[%c] : !aref.ring<[]>
    %put, %p1 = aref.acquire %b[%p] : !aref.ring<[]>
    aref.publish %b[%put] : !aref.ring<[]>
    aref.release %a[%got] : !aref.ring<[]>
  })"),
            "7: deadlock: process 'left' waits to get turn 0 of ring 'b', "
            "which 'right' has not published\n"
            "15: process 'right' waits to get turn 0 of ring 'a', which "
            "'left' has not published");
}

TEST(Faults, AConsumerThatStopsIsNamed) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 1 : !aref.ring<[]>
  aref.process "make" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    aref.publish %r[%a] : !aref.ring<[]>
    %b, %t2 = aref.acquire %r[%t1] : !aref.ring<[]>
    aref.publish %r[%b] : !aref.ring<[]>
  }
  aref.process "use" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.get %r[%t] : !aref.ring<[]>
  })"),
            "7: deadlock: process 'make' waits to acquire: turn 1 of ring 'r' "
            "needs the slot of turn 0, which 'use' (which has ended) has not "
            "released");
}

TEST(Faults, AProducerThatEndsTooEarlyIsNamed) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 1 : !aref.ring<[]>
  aref.process "make" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    aref.publish %r[%a] : !aref.ring<[]>
  }
  aref.process "use" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.get %r[%t] : !aref.ring<[]>
    aref.release %r[%a] : !aref.ring<[]>
    %b, %t2 = aref.get %r[%t1] : !aref.ring<[]>
    aref.release %r[%b] : !aref.ring<[]>
  })"),
            "12: deadlock: process 'use' waits to get turn 1 of ring 'r', "
            "which 'make' has not published; it ended after 1 turn");
}

TEST(Faults, AProcessMayWaitForItself) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 1 : !aref.ring<[]>
  aref.process "p" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    %b, %t2 = aref.acquire %r[%t1] : !aref.ring<[]>
    aref.publish %r[%a] : !aref.ring<[]>
    aref.publish %r[%b] : !aref.ring<[]>
  })"),
            "6: deadlock: process 'p' waits to acquire: turn 1 of ring 'r' "
            "needs the slot of turn 0, which it has not published itself");
}

/// A producer of one tile and a consumer with `body` behind its get.
std::string afterGet(llvm::StringRef body) {
  return messagesOf(
      (R"(  %r = aref.ring "r" depth 2 : !aref.ring<[tensor<4xf32>]>
  %one = arith.constant 1.0 : f32
  aref.process "make" warps 1 registers 0 {
    %x = tile.splat %one : f32 -> tensor<4xf32>
    %t = aref.first_turn %r : !aref.ring<[tensor<4xf32>]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[tensor<4xf32>]>
    aref.publish %r[%a], %x : !aref.ring<[tensor<4xf32>]>, tensor<4xf32>
  }
  aref.process "use" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[tensor<4xf32>]>
    %a, %t1, %x = aref.get %r[%t] : !aref.ring<[tensor<4xf32>]> -> tensor<4xf32>
)" + body +
       "\n}")
          .str());
}

TEST(Faults, ASlotThatWasReleasedMayNotBeRead) {
  EXPECT_EQ(afterGet(R"(
    aref.release %r[%a] : !aref.ring<[tensor<4xf32>]>
    %y = arith.addf %x, %x : tensor<4xf32>)"),
            "15: process 'use' reads turn 0 of ring 'r' after it released the "
            "slot\n14: released here");
}

TEST(Faults, AnUnreadSlotMayBeCarriedPastItsRelease) {
  EXPECT_EQ(afterGet(R"(
    %true = arith.constant true
    %z = tile.splat %one : f32 -> tensor<4xf32>
    aref.release %r[%a] : !aref.ring<[tensor<4xf32>]>
    %y = scf.if %true -> tensor<4xf32> {
      scf.yield %x : tensor<4xf32>
    } else {
      scf.yield %z : tensor<4xf32>
    })"),
            "");
}

TEST(Faults, AFlightReadsItsSlotUntilItIsAwaited) {
  EXPECT_EQ(afterGet(R"(
    %f = aref.start "unit" (%b = %x : tensor<4xf32>) {
      %y = arith.addf %b, %b : tensor<4xf32>
      aref.yield %y : tensor<4xf32>
    } : !aref.flight<tensor<4xf32>>
    aref.release %r[%a] : !aref.ring<[tensor<4xf32>]>
    %y = aref.await %f pending 0 : !aref.flight<tensor<4xf32>> -> tensor<4xf32>)"),
            "18: process 'use' releases turn 0 of ring 'r' while a flight on "
            "unit 'unit' may still read it; await the flight first\n"
            "14: started here");
}

TEST(Faults, AValueMayNotBeReadBeforeItLanded) {
  EXPECT_EQ(afterGet(R"(
    %f = aref.start "unit" (%b = %x : tensor<4xf32>) {
      aref.yield %b : tensor<4xf32>
    } : !aref.flight<tensor<4xf32>>
    %y = aref.await %f pending 1 : !aref.flight<tensor<4xf32>> -> tensor<4xf32>
    %z = arith.addf %y, %y : tensor<4xf32>
    aref.release %r[%a] after %z : !aref.ring<[tensor<4xf32>]>, tensor<4xf32>)"),
            "18: process 'use' reads the result of a flight on unit 'unit' "
            "that may not have landed; wait for it with a smaller pending "
            "count\n17: this wait leaves the last 1 flight out, and it is "
            "among them\n14: started here");
}

TEST(Faults, AReleaseWaitsForTheRightFlight) {
  EXPECT_EQ(afterGet(R"(
    %f = aref.start "unit" (%b = %x : tensor<4xf32>) {
      aref.yield %b : tensor<4xf32>
    } : !aref.flight<tensor<4xf32>>
    %g = aref.start "unit" (%b = %x : tensor<4xf32>) {
      aref.yield %b : tensor<4xf32>
    } : !aref.flight<tensor<4xf32>>
    %y = aref.await %f pending 1 : !aref.flight<tensor<4xf32>> -> tensor<4xf32>
    aref.release %r[%a] after %y : !aref.ring<[tensor<4xf32>]>, tensor<4xf32>
    %z = aref.await %g pending 0 : !aref.flight<tensor<4xf32>> -> tensor<4xf32>)"),
            "21: process 'use' releases turn 0 of ring 'r' while a flight on "
            "unit 'unit' may still read it; await the flight first\n"
            "17: started here");
}

TEST(Faults, AFlightStaysOnItsUnit) {
  EXPECT_EQ(afterGet(R"(
    %f = aref.start "unit" (%b = %x : tensor<4xf32>) {
      aref.yield %b : tensor<4xf32>
    } : !aref.flight<tensor<4xf32>>
    %g = aref.start "other" (%b = %f : !aref.flight<tensor<4xf32>>) {
      aref.yield %b : tensor<4xf32>
    } : !aref.flight<tensor<4xf32>>)"),
            "17: process 'use' hands unit 'other' a flight of unit 'unit'; "
            "only the same unit may read it before it is awaited");
}

TEST(Faults, ATokenIsSpentOnce) {
  EXPECT_EQ(afterGet(R"(
    aref.release %r[%a] : !aref.ring<[tensor<4xf32>]>
    aref.release %r[%a] : !aref.ring<[tensor<4xf32>]>)"),
            "15: process 'use' releases turn 0 of ring 'r' a second time\n"
            "14: the first time was here");
}

TEST(Faults, PublishNeedsAnAcquire) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    aref.publish %r[%a] : !aref.ring<[]>
    aref.publish %r[%a] : !aref.ring<[]>
  })"),
            "7: process 'p' publishes turn 0 of ring 'r' a second time\n"
            "6: the first time was here");
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    aref.publish %r[%a] : !aref.ring<[]>
    %b, %u1 = aref.get %r[%t] : !aref.ring<[]>
    aref.publish %r[%b] : !aref.ring<[]>
  })"),
            "8: process 'p' uses a token that came from aref.get; this needs "
            "one from aref.acquire");
}

TEST(Faults, TokensAndTurnsBelongToOneRing) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  %s = aref.ring "s" depth 2 : !aref.ring<[]>
  aref.process "p" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    aref.publish %s[%a] : !aref.ring<[]>
  })"),
            "7: process 'p' uses a token of ring 'r' on ring 's'");
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  %s = aref.ring "s" depth 2 : !aref.ring<[]>
  aref.process "p" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %s[%t] : !aref.ring<[]>
  })"),
            "6: process 'p' uses a turn of ring 'r' on ring 's'");
}

TEST(Faults, EachTurnIsTakenOnce) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    %b, %t2 = aref.acquire %r[%t] : !aref.ring<[]>
  })"),
            "6: process 'p' uses turn 0 of ring 'r' where its next one is turn "
            "1; carry the turn that the last step returned");
}

TEST(Faults, SlotsGoBackBeforeTheEnd) {
  EXPECT_EQ(afterGet(""), "12: process 'use' ends without releasing turn 0 of "
                          "ring 'r', which it got here");
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
  })"),
            "5: process 'p' ends without publishing turn 0 of ring 'r', which "
            "it acquired here");
}

TEST(Faults, BothSidesMakeTheSameNumberOfTurns) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "make" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    aref.publish %r[%a] : !aref.ring<[]>
    %b, %t2 = aref.acquire %r[%t1] : !aref.ring<[]>
    aref.publish %r[%b] : !aref.ring<[]>
  }
  aref.process "use" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.get %r[%t] : !aref.ring<[]>
    aref.release %r[%a] : !aref.ring<[]>
  })"),
            "2: ring 'r': process 'make' published 2 turns but process 'use' "
            "got 1");
}

TEST(Faults, AClosedRingHasNoMoreTurns) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "make" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    aref.close %r[%t] : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
  })"),
            "6: process 'make' acquires a slot of ring 'r', which it has "
            "closed\n5: closed here");
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "make" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    aref.close %r[%t] : !aref.ring<[]>
    aref.close %r[%t] : !aref.ring<[]>
  })"),
            "6: process 'make' closes ring 'r' a second time\n"
            "5: the first time was here");
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    aref.close %r[%t] : !aref.ring<[]>
    %more = aref.more %r[%t] : !aref.ring<[]>
    %a, %t1 = aref.get %r[%t] : !aref.ring<[]>
  })"),
            "7: process 'p' gets turn 0 of ring 'r', which was closed after 0 "
            "turns; ask aref.more first\n5: closed here");
}

TEST(Faults, AStreamThatIsNeverClosedIsADeadlock) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "make" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    aref.publish %r[%a] : !aref.ring<[]>
  }
  aref.process "use" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %more = aref.more %r[%t] : !aref.ring<[]>
    %a, %t1 = aref.get %r[%t] : !aref.ring<[]>
    aref.release %r[%a] : !aref.ring<[]>
    %again = aref.more %r[%t1] : !aref.ring<[]>
  })"),
            "13: deadlock: process 'use' waits to hear of turn 1 of ring 'r', "
            "which 'make' has not published; it ended after 1 turn");
}

TEST(Faults, TokensAndTurnsAreNoValues) {
  EXPECT_EQ(messagesOf(R"(  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 1 registers 0 {
    %true = arith.constant true
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[]>
    %b = arith.select %true, %a, %a : !aref.token
    aref.publish %r[%b] : !aref.ring<[]>
  })"),
            "7: the oracle has no values of type '!aref.token'");
  EXPECT_EQ(afterGet(R"(
    %f = aref.start "unit" (%b = %x : tensor<4xf32>) {
      aref.yield %b : tensor<4xf32>
    } : !aref.flight<tensor<4xf32>>
    tile.print "f", %f : !aref.flight<tensor<4xf32>>)"),
            "17: process 'use' reads a '!aref.flight<tensor<4xf32>>' as if it "
            "were a value");
}

TEST(Faults, MemoryIsForProcesses) {
  EXPECT_EQ(messagesOf(R"(  %x = arith.constant 1 : i32
  tile.print "x", %x : i32
  aref.process "p" warps 1 registers 0 {
  })"),
            "3: 'tile.print' stands outside every process, which may not read "
            "or write memory there");
}

TEST(Faults, AKernelWithoutProcessesIsNoneOfTheArefRung) {
  EXPECT_EQ(messagesOf("  %x = arith.constant 1 : i32"),
            "1: kernel @test has no aref.process; the simulator runs programs "
            "of the aref rung");
}

TEST(Faults, EndlessProgramsAreStopped) {
  heddle::simulator::Simulation simulation(R"(tile.kernel @test() {
  aref.process "p" warps 1 registers 0 {
    scf.while : () -> () {
      %true = arith.constant true
      scf.condition(%true)
    } do {
      scf.yield
    }
  }
})");
  heddle::simulator::Options options;
  options.maxSteps = 1000;
  EXPECT_NE(simulation.run({}, options)
                .find("the simulator stops after 1000 operations, here in "
                      "process 'p'"),
            std::string::npos);
}

} // namespace
