//===- FlightRegistersTest.cpp - Who touches what a product writes ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of a few lines. test/EndToEnd/landed.test has one that the back end
// writes.
//
//===----------------------------------------------------------------------===//

#include "FlightRegisters.h"

#include "gtest/gtest.h"

using namespace heddle;

namespace {

bool touches(const std::string &body) {
  return touchesFlights(".visible .entry k(\n)\n{\n" + body + "\tret;\n\n}\n");
}

/// Starts a group of one product whose result is this register.
std::string start(const std::string &sum) {
  return "\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {" + sum +
         "}, a, b, keep, 1, 1, 0, 0;\n\twgmma.commit_group.sync.aligned;\n";
}

std::string wait(int left) {
  return "\twgmma.wait_group.sync.aligned " + std::to_string(left) + ";\n";
}

const std::string kCopy = "\tmov.b32 \t%r2, %r1;\n";

TEST(FlightRegisters, FindsACopyBeforeTheWait) {
  EXPECT_TRUE(touches(start("%r1") + kCopy + wait(0)));
  EXPECT_FALSE(touches(start("%r1") + wait(0) + kCopy));
}

TEST(FlightRegisters, FindsWritesAndOtherInstructions) {
  EXPECT_TRUE(touches(start("%r1") + "\tadd.f32 \t%r1, %r3, %r4;\n" + wait(0)));
  EXPECT_TRUE(
      touches(start("%r1") + "\t@%p1 st.global.v2.b32 [%rd1], {%r1,%r2};\n"));
}

TEST(FlightRegisters, CountsGroups) {
  EXPECT_TRUE(touches(start("%r1") + start("%r3") + wait(2) + kCopy));
  EXPECT_FALSE(touches(start("%r1") + start("%r3") + wait(1) + kCopy));
  EXPECT_TRUE(touches(start("%r3") + start("%r1") + wait(1) + kCopy));
}

TEST(FlightRegisters, LeavesOtherRegisters) {
  EXPECT_FALSE(touches(start("%r3") + kCopy + wait(0)));
  EXPECT_FALSE(touches(start("%r12") + kCopy + wait(0)));
}

TEST(FlightRegisters, LeavesAProductThatGoesOn) {
  EXPECT_FALSE(touches(start("%r1") + start("%r1") + wait(0) + kCopy));
}

TEST(FlightRegisters, FollowsBranches) {
  const std::string branch = "\t@%p1 bra \t$L__BB0_2;\n";
  EXPECT_TRUE(
      touches(start("%r1") + branch + wait(0) + "$L__BB0_2:\n" + kCopy));
  EXPECT_FALSE(touches(start("%r1") + branch + wait(0) + kCopy +
                       "\tbra.uni \t$L__BB0_3;\n$L__BB0_2:\n" + wait(0) +
                       "$L__BB0_3:\n" + kCopy));
}

TEST(FlightRegisters, FollowsLoops) {
  auto loop = [](const std::string &body) {
    return "$L__BB0_1:\n" + body + "\t@%p1 bra \t$L__BB0_1;\n" + wait(0);
  };
  EXPECT_TRUE(touches(loop(kCopy + start("%r1"))));
  EXPECT_FALSE(touches(loop(kCopy + start("%r1") + wait(0))));
}

TEST(FlightRegisters, ReadsEachKernel) {
  EXPECT_TRUE(touchesFlights(".visible .entry a(\n)\n{\n\tret;\n\n}\n"
                             ".visible .entry b(\n)\n{\n" +
                             start("%r1") + kCopy + "\tret;\n\n}\n"));
}

} // namespace
