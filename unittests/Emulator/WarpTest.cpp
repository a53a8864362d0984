//===- WarpTest.cpp - Instructions between lanes --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shuffles, votes, reductions, matrix loads and mma within one warp, on cases
// whose results can be told by hand. Lanes start with their own numbers, so a
// result shows the lanes that it came from.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include <bit>
#include <numeric>

using namespace heddle::emulator;
using namespace heddle::emulator::test;

/// Each lane's %r0; %r1 is the lane.
static std::vector<uint32_t> runLanes(const std::string &body) {
  std::vector<uint32_t> out(32);
  TestKernel kernel("mov.u32 %r1, %laneid;\n" + body +
                    "\nld.param.b64 %d0, [p0]; mul.wide.u32 %d1, %r1, 4;\n"
                    "add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r0;");
  kernel.buffer(out).shared(4096);
  Result result = kernel.run();
  EXPECT_TRUE(result.ok) << result.error;
  return out;
}

TEST(EmulatorWarp, Shuffles) {
  auto out = runLanes("shfl.sync.bfly.b32 %r0, %r1, 5, 31, -1;");
  EXPECT_EQ(out[2], 7u);
  out = runLanes("shfl.sync.idx.b32 %r0, %r1, 9, 31, -1;");
  EXPECT_EQ(out[30], 9u);
  out = runLanes("shfl.sync.down.b32 %r0|%p0, %r1, 4, 31, -1;\n"
                 "@!%p0 mov.b32 %r0, 77;");
  EXPECT_EQ(out[20], 24u);
  EXPECT_EQ(out[30], 77u);
  // Segments of eight lanes.
  out = runLanes("shfl.sync.up.b32 %r0, %r1, 1, 0x1800, -1;");
  EXPECT_EQ(out[8], 8u);
  EXPECT_EQ(out[9], 8u);
}

TEST(EmulatorWarp, Votes) {
  auto out = runLanes("setp.lt.u32 %p0, %r1, 4;\n"
                      "vote.sync.ballot.b32 %r0, %p0, -1;");
  EXPECT_EQ(out[31], 15u);
  out = runLanes("setp.lt.u32 %p0, %r1, 4; vote.sync.any.pred %p1, %p0, -1;\n"
                 "vote.sync.all.pred %p2, %p0, -1; selp.b32 %r0, 1, 0, %p1;\n"
                 "@%p2 add.s32 %r0, %r0, 2;");
  EXPECT_EQ(out[31], 1u);
}

TEST(EmulatorWarp, ElectsOneLane) {
  auto out = runLanes("mov.b32 %r0, 0; elect.sync %r2|%p0, -1;\n"
                      "@%p0 mov.b32 %r0, 1;");
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0u), 1u);
}

TEST(EmulatorWarp, Reductions) {
  EXPECT_EQ(runLanes("redux.sync.add.s32 %r0, %r1, -1;")[7], 496u);
  EXPECT_EQ(runLanes("sub.s32 %r1, 0, %r1; redux.sync.min.s32 %r0, %r1, -1;"
                     "mov.u32 %r1, %laneid;")[7],
            uint32_t(-31));
  EXPECT_EQ(
      runLanes("shr.u32 %r2, %r1, 3; match.any.sync.b32 %r0, %r2, -1;")[9],
      0xFF00u);
}

TEST(EmulatorWarp, ConvergesAtTheMask) {
  // Both halves come to the shuffle, one after the other.
  auto out = runLanes("setp.lt.u32 %p0, %r1, 16; mov.b32 %r2, 1;\n"
                      "@%p0 bra GO; mov.b32 %r2, 2;\n"
                      "GO: shfl.sync.idx.b32 %r0, %r2, 20, 31, -1;");
  EXPECT_EQ(out[0], 2u);
}

TEST(EmulatorWarp, MatricesGoToSharedMemoryAndBack) {
  // stmatrix and ldmatrix are inverse, with and without .trans.
  for (const char *trans : {"", ".trans"}) {
    std::string t = trans;
    auto out =
        runLanes("mov.b32 %r4, smem; shl.b32 %r5, %r1, 4; add.s32 %r4, %r4, "
                 "%r5;\n"
                 "add.s32 %r6, %r1, 32; add.s32 %r7, %r1, 64; add.s32 %r8, "
                 "%r1, 96;\n"
                 "stmatrix.sync.aligned.m8n8.x4" +
                 t +
                 ".shared.b16 [%r4], {%r1, %r6, %r7, %r8};\n"
                 "bar.warp.sync -1;\n"
                 "ldmatrix.sync.aligned.m8n8.x4" +
                 t +
                 ".shared.b16 {%r9, %r10, %r11, %r12}, [%r4];\n"
                 "mad.lo.s32 %r0, %r12, 1000, %r9;");
    for (uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(out[lane], (lane + 96) * 1000 + lane);
  }
}

TEST(EmulatorWarp, LoadsMatrixRows) {
  // Row r of the matrix is the words 4r to 4r+3, which is what lane 4r to 4r+3
  // hold.
  auto out = runLanes("mov.b32 %r4, smem; shl.b32 %r5, %r1, 2;\n"
                      "add.s32 %r6, %r4, %r5; st.shared.b32 [%r6], %r1;\n"
                      "bar.warp.sync -1;\n"
                      "and.b32 %r7, %r1, 7; shl.b32 %r7, %r7, 4;\n"
                      "add.s32 %r4, %r4, %r7;\n"
                      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r4];");
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane);
}

TEST(EmulatorWarp, MmaPicksARowOfB) {
  // A has a single one, at row 0 and column 0, so D's row 0 is B's row 0. B has
  // 1 + n there: column n belongs to lanes 4n to 4n+3, k = 0 to the first one.
  auto out = runLanes(
      "mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r6, 0;\n"
      "setp.eq.u32 %p0, %r1, 0; @%p0 mov.b32 %r2, 0x00003C00;\n"
      "and.b32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 0;\n"
      "shr.u32 %r5, %r1, 2; add.s32 %r5, %r5, 1; cvt.rn.f16.u32 %h1, %r5;\n"
      "mov.b16 %h2, 0; @%p1 mov.b32 %r3, {%h1, %h2};\n"
      "mov.b32 %f0, 0f00000000;\n"
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, "
      "%f4}, {%r2, %r6, %r6, %r6}, {%r3, %r6}, {%f0, %f0, %f0, %f0};\n"
      "mov.b32 %r0, %f2;");
  // Row 0 is in lanes 0 to 3; their second value is the odd column.
  for (uint32_t lane = 0; lane < 4; ++lane)
    EXPECT_EQ(std::bit_cast<float>(out[lane]), float(2 * lane + 2));
  EXPECT_EQ(out[4], 0u);
}
