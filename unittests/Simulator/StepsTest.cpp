//===- StepsTest.cpp - What each step waits for and does ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right programs whose output shows the order that the rings force, the same in
// every order of execution.
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::simulator;

namespace {

/// What a kernel without arguments prints, or its messages.
std::string outputOf(llvm::StringRef body, const Options &order) {
  Simulation simulation(("tile.kernel @test() {\n" + body + "\n}\n").str());
  std::string messages = simulation.run({}, order);
  return messages.empty() ? simulation.output : messages;
}

TEST(Steps, PingPongIsOneRingWithoutPayload) {
  constexpr llvm::StringLiteral kBody = R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = aref.ring "order" depth 1 : !aref.ring<[]>
  aref.process "second" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[]>
    %e = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %t0) -> (!aref.turn) {
      %a, %n = aref.get %r[%t] : !aref.ring<[]>
      tile.print "second", %i : index
      aref.release %r[%a] : !aref.ring<[]>
      scf.yield %n : !aref.turn
    }
  }
  aref.process "first" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[]>
    %e = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %t0) -> (!aref.turn) {
      %a, %n = aref.acquire %r[%t] : !aref.ring<[]>
      tile.print "first", %i : index
      aref.publish %r[%a] : !aref.ring<[]>
      scf.yield %n : !aref.turn
    }
  })";
  for (const Options &order : allOrders())
    EXPECT_EQ(outputOf(kBody, order), "first: 0\nsecond: 0\nfirst: 1\n"
                                      "second: 1\nfirst: 2\nsecond: 2\n");
}

TEST(Steps, ASlotIsEmptyWhenAllConsumersReleasedIt) {
  // "late" holds turn 0 until "early" has come to turn 1, so turn 2 waits for
  // it.
  constexpr llvm::StringLiteral kBody = R"(
  %x = arith.constant 7 : i32
  %r = aref.ring "r" depth 2 : !aref.ring<[i32]>
  %s = aref.ring "seen" depth 1 : !aref.ring<[]>
  aref.process "make" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[i32]>
    %a, %t1 = aref.acquire %r[%t0] : !aref.ring<[i32]>
    aref.publish %r[%a], %x : !aref.ring<[i32]>, i32
    %b, %t2 = aref.acquire %r[%t1] : !aref.ring<[i32]>
    aref.publish %r[%b], %x : !aref.ring<[i32]>, i32
    %c, %t3 = aref.acquire %r[%t2] : !aref.ring<[i32]>
    tile.print "third", %x : i32
    aref.publish %r[%c], %x : !aref.ring<[i32]>, i32
  }
  aref.process "early" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[i32]>
    %u0 = aref.first_turn %s : !aref.ring<[]>
    %a, %t1, %v = aref.get %r[%t0] : !aref.ring<[i32]> -> i32
    aref.release %r[%a] : !aref.ring<[i32]>
    %b, %t2, %w = aref.get %r[%t1] : !aref.ring<[i32]> -> i32
    %d, %u1 = aref.acquire %s[%u0] : !aref.ring<[]>
    aref.publish %s[%d] : !aref.ring<[]>
    aref.release %r[%b] : !aref.ring<[i32]>
    %c, %t3, %y = aref.get %r[%t2] : !aref.ring<[i32]> -> i32
    aref.release %r[%c] : !aref.ring<[i32]>
  }
  aref.process "late" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[i32]>
    %u0 = aref.first_turn %s : !aref.ring<[]>
    %a, %t1, %v = aref.get %r[%t0] : !aref.ring<[i32]> -> i32
    %d, %u1 = aref.get %s[%u0] : !aref.ring<[]>
    tile.print "late", %v : i32
    aref.release %s[%d] : !aref.ring<[]>
    aref.release %r[%a] : !aref.ring<[i32]>
    %b, %t2, %w = aref.get %r[%t1] : !aref.ring<[i32]> -> i32
    aref.release %r[%b] : !aref.ring<[i32]>
    %c, %t3, %y = aref.get %r[%t2] : !aref.ring<[i32]> -> i32
    aref.release %r[%c] : !aref.ring<[i32]>
  })";
  for (const Options &order : allOrders())
    EXPECT_EQ(outputOf(kBody, order), "late: 7\nthird: 7\n");
}

TEST(Steps, AFlightFillsAndFreesSlotsByItself) {
  // "run" starts both flights and ends; nobody awaits them.
  constexpr llvm::StringLiteral kBody = R"(
  %one = arith.constant 1 : i32
  %r = aref.ring "in" depth 1 : !aref.ring<[i32]>
  %s = aref.ring "out" depth 1 : !aref.ring<[i32]>
  aref.process "feed" warps 1 registers 0 {
    %t0 = aref.first_turn %r : !aref.ring<[i32]>
    %a, %t1 = aref.acquire %r[%t0] : !aref.ring<[i32]>
    aref.publish %r[%a], %one : !aref.ring<[i32]>, i32
    %b, %t2 = aref.acquire %r[%t1] : !aref.ring<[i32]>
    %two = arith.addi %one, %one : i32
    aref.publish %r[%b], %two : !aref.ring<[i32]>, i32
  }
  aref.process "run" warps 1 registers 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t0 = aref.first_turn %r : !aref.ring<[i32]>
    %u0 = aref.first_turn %s : !aref.ring<[i32]>
    %e:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %t0, %u = %u0) -> (!aref.turn, !aref.turn) {
      %a, %tn, %v = aref.get %r[%t] : !aref.ring<[i32]> -> i32
      %f = aref.start "unit" (%x = %v : i32) {
        %y = arith.muli %x, %x : i32
        %z = arith.addi %y, %x : i32
        aref.yield %z : i32
      } : !aref.flight<i32>
      %b, %un = aref.acquire %s[%u] : !aref.ring<[i32]>
      aref.publish %s[%b], %f : !aref.ring<[i32]>, !aref.flight<i32>
      aref.release %r[%a] after %f : !aref.ring<[i32]>, !aref.flight<i32>
      scf.yield %tn, %un : !aref.turn, !aref.turn
    }
  }
  aref.process "show" warps 1 registers 0 {
    %u0 = aref.first_turn %s : !aref.ring<[i32]>
    %a, %u1, %v = aref.get %s[%u0] : !aref.ring<[i32]> -> i32
    tile.print "first", %v : i32
    aref.release %s[%a] : !aref.ring<[i32]>
    %b, %u2, %w = aref.get %s[%u1] : !aref.ring<[i32]> -> i32
    tile.print "second", %w : i32
    aref.release %s[%b] : !aref.ring<[i32]>
  })";
  for (const Options &order : allOrders())
    EXPECT_EQ(outputOf(kBody, order), "first: 2\nsecond: 6\n");
}

TEST(Steps, ACopyMayNotReadWhatIsBeingWritten) {
  // The first program writes over what its copy may still read; the second only
  // after the copy has arrived.
  auto program =
      [](llvm::StringRef early, llvm::StringRef late) {
        return (R"(tile.kernel @test(%v: !tile.view<4xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %r = aref.ring "r" depth 1 : !aref.ring<[tensor<4xi32>]>
  %s = aref.ring "there" depth 1 : !aref.ring<[]>
  aref.process "copy" warps 1 registers 0 {
    %new = tile.splat %one : i32 -> tensor<4xi32>
    %t = aref.first_turn %r : !aref.ring<[tensor<4xi32>]>
    %u = aref.first_turn %s : !aref.ring<[]>
    %a, %t1 = aref.acquire %r[%t] : !aref.ring<[tensor<4xi32>]>
    %x = tile.load %v[%c0] : !tile.view<4xi32> -> tensor<4xi32>
    aref.publish %r[%a], %x : !aref.ring<[tensor<4xi32>]>, tensor<4xi32>
    )" + early + R"(
    %b, %u1 = aref.get %s[%u] : !aref.ring<[]>
    )" + late + R"(
    aref.release %s[%b] : !aref.ring<[]>
  }
  aref.process "use" warps 1 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[tensor<4xi32>]>
    %u = aref.first_turn %s : !aref.ring<[]>
    %a, %t1, %x = aref.get %r[%t] : !aref.ring<[tensor<4xi32>]> -> tensor<4xi32>
    tile.print "x", %x : tensor<4xi32>
    aref.release %r[%a] : !aref.ring<[tensor<4xi32>]>
    %b, %u1 = aref.acquire %s[%u] : !aref.ring<[]>
    aref.publish %s[%b] : !aref.ring<[]>
  }
})")
            .str();
      };
  constexpr llvm::StringLiteral kStore =
      "tile.store %new, %v[%c0] : tensor<4xi32>, !tile.view<4xi32>";
  auto run = [](const std::string &text, const Options &order) {
    std::vector<int32_t> data = {5, 6, 7, 8};
    interp::Buffer buffer;
    buffer.data = data.data();
    buffer.shape = {4};
    Simulation simulation(text);
    std::string messages = simulation.run({buffer}, order);
    return messages.empty() ? simulation.output : messages;
  };
  for (const Options &order : allOrders())
    EXPECT_EQ(run(program("", kStore), order), "x: [5, 6, 7, 8]\n");
  EXPECT_EQ(run(program(kStore, ""), {Schedule::Adversarial}),
            "11: the memory that process 'copy' copies here was written before "
            "the copy had landed; order the two by a ring");
}

} // namespace
