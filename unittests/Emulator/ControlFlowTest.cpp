//===- ControlFlowTest.cpp - Divergence, scopes and the parser ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that diverge, scopes of inline asm, and texts that the parser refuses.
// Each lane stores a result of its own. Aligned instructions behind a branch
// show whether the lanes have met again.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle::emulator;
using namespace heddle::emulator::test;

/// Runs one warp; `body` leaves each lane's result in %r0. %r1 is the lane.
static std::vector<uint32_t> runLanes(const std::string &body,
                                      const Options &options = {}) {
  std::vector<uint32_t> out(32, 0xDEAD);
  TestKernel kernel("mov.u32 %r1, %tid.x;\n" + body +
                    "\nld.param.b64 %d0, [p0]; mul.wide.u32 %d1, %r1, 4;\n"
                    "add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r0;");
  kernel.buffer(out);
  Result result = kernel.run(options);
  EXPECT_TRUE(result.ok) << result.error;
  return out;
}

TEST(EmulatorControlFlow, LanesMeetBehindABranchToFarAway) {
  // The elected block stands behind everything, as block placement likes it;
  // all lanes must still come to the aligned barrier together.
  for (const Options &options : allSchedules()) {
    auto out = runLanes("mov.b32 %r0, 1; setp.eq.u32 %p0, %r1, 3;\n"
                        "@%p0 bra FAR;\n"
                        "BACK: bar.sync 0; add.s32 %r0, %r0, 10; bra.uni END;\n"
                        "FAR: mov.b32 %r0, 5; bra.uni BACK;\n"
                        "END:",
                        options);
    EXPECT_EQ(out[3], 15u);
    EXPECT_EQ(out[4], 11u);
  }
}

TEST(EmulatorControlFlow, LoopsOfDifferentLength) {
  auto out = runLanes("mov.b32 %r0, 0; mov.b32 %r2, 0;\n"
                      "LOOP: setp.ge.u32 %p0, %r2, %r1; @%p0 bra DONE;\n"
                      "add.s32 %r0, %r0, %r2; add.s32 %r2, %r2, 1; bra LOOP;\n"
                      "DONE: bar.warp.sync -1;");
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane * (lane - 1) / 2);
}

TEST(EmulatorControlFlow, NestedDivergence) {
  auto out = runLanes(
      "mov.b32 %r0, 0; setp.lt.u32 %p0, %r1, 16; @!%p0 bra ELSE;\n"
      "setp.lt.u32 %p1, %r1, 8; @!%p1 bra INNER; add.s32 %r0, %r0, 1;\n"
      "INNER: add.s32 %r0, %r0, 10; bra JOIN;\n"
      "ELSE: and.b32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 0; @%p1 ret;\n"
      "add.s32 %r0, %r0, 100;\n"
      "JOIN: bar.sync 0;");
  EXPECT_EQ(out[0], 11u);
  EXPECT_EQ(out[9], 10u);
  EXPECT_EQ(out[17], 100u);
  EXPECT_EQ(out[18], 0xDEADu); // left
}

TEST(EmulatorControlFlow, IndexedBranch) {
  auto out = runLanes("and.b32 %r2, %r1, 3;\n"
                      "TABLE: .branchtargets A, B, C, A;\n"
                      "brx.idx %r2, TABLE;\n"
                      "A: mov.b32 %r0, 1; bra.uni END;\n"
                      "B: mov.b32 %r0, 2; bra.uni END;\n"
                      "C: mov.b32 %r0, 3;\n"
                      "END: bar.sync 0;");
  EXPECT_EQ(out[4], 1u);
  EXPECT_EQ(out[5], 2u);
  EXPECT_EQ(out[6], 3u);
  EXPECT_EQ(out[7], 1u);
}

TEST(EmulatorControlFlow, InlineAsmHasItsOwnNames) {
  auto out = runLanes("mov.b32 %r0, 0;\n"
                      "{ .reg .b32 t; mov.b32 t, 0;\n"
                      "L: add.s32 t, t, 1; setp.lt.u32 %p0, t, 4; @%p0 bra L;\n"
                      "add.s32 %r0, %r0, t; }\n"
                      "{ .reg .b32 t; mov.b32 t, 40; bra L;\n"
                      "mov.b32 t, 0; L: add.s32 %r0, %r0, t; }");
  EXPECT_EQ(out[7], 44u);
}

TEST(EmulatorControlFlow, AlignedInstructionsWantTheWholeWarp) {
  TestKernel kernel("mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0;\n"
                    "@!%p0 bra END; wgmma.fence.sync.aligned;\nEND:");
  expectError(kernel.run(), "executed by 1 of 32 lanes");
  TestKernel barrier("mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0;\n"
                     "@%p0 bar.sync 0;");
  expectError(barrier.run(), "only 1 of the warp's 32 lanes");
}

TEST(EmulatorParser, RefusesWhatItDoesNotKnow) {
  expectError(TestKernel("frobnicate.b32 %r1, %r2;").run(),
              "frobnicate.b32: the emulator does not know this instruction");
  expectError(TestKernel("add.wild.s32 %r1, %r2, %r3;").run(),
              "does not know modifier '.wild'");
  expectError(TestKernel("add.s32 %r1, %r2, %nosuch;").run(), "%nosuch");
  expectError(TestKernel("bra NOWHERE;").run(), "unknown name 'NOWHERE'");
  expectError(TestKernel("add.s32 %r1, %r2;").run(), "too few operands");
  expectError(TestKernel("add.s32 %r1, %r2, %r3, %r4;").run(),
              "too many operands");
  expectError(TestKernel("mov.b32 %r1 %r2;").run(), "expected ','");
}

TEST(EmulatorParser, NamesThePtxLine) {
  Result result = TestKernel("\n\nfrobnicate;").run();
  EXPECT_EQ(result.error.substr(0, 7), "ptx:13:") << result.error;
}

TEST(EmulatorParser, RefusesDeviceFunctions) {
  std::string error;
  EXPECT_EQ(Program::parse(".version 8.6\n.func f() { ret; }", error), nullptr);
  EXPECT_EQ(error, "ptx:2: device functions are not supported; the kernel must "
                   "be inlined whole");
}
