//===- MemberMaskTest.cpp - .sync instructions and who takes part ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every instruction with a member mask waits for the lanes that it names and
// that have not exited. Lanes that a guard or a branch keeps away may come
// later; if they never do, that is a deadlock and is reported at once.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle::emulator;
using namespace heddle::emulator::test;

/// Instructions with a member mask; %r1 is the lane, %p1 whether it is below
/// 16.
static const char *instructions[] = {
    "shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1;",
    "vote.sync.ballot.b32 %r0, %p1, -1;",
    "match.any.sync.b32 %r0, %r1, -1;",
    "redux.sync.add.s32 %r0, %r1, -1;",
    "elect.sync %r0|%p2, -1;",
    "bar.warp.sync -1;",
};

static const std::string start =
    "mov.u32 %r1, %laneid; mov.b32 %r0, 0; setp.lt.u32 %p1, %r1, 16;\n";
static const std::string finish =
    "ld.param.b64 %d0, [p0]; mul.wide.u32 %d1, %r1, 4;\n"
    "add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r0;";

static Result runLanes(const std::string &body, std::vector<uint32_t> &out,
                       Options options = {}) {
  out.assign(32, 0);
  TestKernel kernel(start + body + "\n" + finish);
  kernel.buffer(out).shared(64);
  // Whoever spins is found out soon.
  options.maxStepsPerCta = 100'000;
  return kernel.run(options);
}

TEST(EmulatorMemberMask, HalfAWarpThatWaitsForAllIsADeadlock) {
  // The other half waits elsewhere: behind the guard, or at another branch.
  for (const char *instruction : instructions)
    for (const Options &options : allSchedules()) {
      std::vector<uint32_t> out;
      std::string other = "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1;\n";
      expectError(
          runLanes("@%p1 " + std::string(instruction) + other, out, options),
          "waits for 16 lanes of its own warp");
      expectError(runLanes("@!%p1 bra SKIP; " + std::string(instruction) +
                               "SKIP: " + other,
                           out, options),
                  "waits for 16 lanes of its own warp");
    }
}

TEST(EmulatorMemberMask, GuardedLanesMayComeLater) {
  // First the lower half, then, around the loop, the upper half: together.
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out;
    expectOk(runLanes("mov.b32 %r4, 0;\n"
                      "AGAIN: @%p1 shfl.sync.idx.b32 %r0, %r1, 20, 31, -1;\n"
                      "add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r1, 16;\n"
                      "@%p2 bra DONE; setp.eq.u32 %p1, %r4, 1;\n"
                      "@%p1 bra AGAIN;\nDONE:",
                      out, options));
    EXPECT_EQ(out, std::vector<uint32_t>(32, 20));
  }
}

TEST(EmulatorMemberMask, ExitedLanesAreNotWaitedFor) {
  for (const char *instruction : instructions)
    for (const Options &options : allSchedules()) {
      std::vector<uint32_t> out;
      expectOk(
          runLanes("@!%p1 ret; " + std::string(instruction), out, options));
      // Also where they go only after the others wait.
      expectOk(runLanes("@%p1 bra GO; nanosleep.u32 10; ret; GO: " +
                            std::string(instruction),
                        out, options));
    }
}

TEST(EmulatorMemberMask, TeamsOfOneWarpAreApart) {
  // Four teams of eight, each with its own mask, in one instruction.
  const std::string mask =
      "and.b32 %r4, %r1, 24; mov.b32 %r5, 255; shl.b32 %r5, %r5, %r4;\n";
  std::vector<uint32_t> out;
  expectOk(runLanes(mask + "setp.eq.u32 %p2, %r1, 9;\n"
                           "vote.sync.any.pred %p3, %p2, %r5;\n"
                           "selp.b32 %r0, 1, 0, %p3;",
                    out));
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane / 8 == 1);
  expectOk(runLanes(mask + "redux.sync.add.u32 %r0, %r1, %r5;", out));
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane / 8 * 64 + 28);
  expectOk(runLanes(mask + "vote.sync.ballot.b32 %r0, %p1, %r5;", out));
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane < 8 ? 0xFFu : lane < 16 ? 0xFF00u : 0u);
  expectOk(runLanes(mask + "match.all.sync.b32 %r0|%p2, %r4, %r5;", out));
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], 0xFFu << lane / 8 * 8);
  expectOk(runLanes(mask + "elect.sync %r0|%p2, %r5;", out));
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane / 8 * 8);
  expectOk(runLanes(mask + "shfl.sync.idx.b32 %r0, %r1, 3, 0x181f, %r5;", out));
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane / 8 * 8 + 3);
}

TEST(EmulatorMemberMask, ALaneMustBeInItsOwnMask) {
  std::vector<uint32_t> out;
  expectError(runLanes("shfl.sync.idx.b32 %r0, %r1, 0, 31, 0xFFFF;", out),
              "thread 16: the executing lane is not in its member mask 0xffff");
}

TEST(EmulatorMemberMask, WarpBarriersMeetFromDifferentPlaces) {
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out;
    expectOk(runLanes("mov.b32 %r2, smem; shl.b32 %r3, %r1, 1;\n"
                      "@%p1 bra LOW;\n"
                      "bar.warp.sync -1; ld.shared.b32 %r0, [smem];\n"
                      "bra DONE;\n"
                      "LOW: setp.eq.u32 %p2, %r1, 0; mov.b32 %r4, 77;\n"
                      "@%p2 st.shared.b32 [smem], %r4; bar.warp.sync -1;\n"
                      "ld.shared.b32 %r0, [smem];\n"
                      "DONE:",
                      out, options));
    EXPECT_EQ(out, std::vector<uint32_t>(32, 77));
  }
}
