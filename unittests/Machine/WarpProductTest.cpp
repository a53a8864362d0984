//===- WarpProductTest.cpp - Fragments of mma.sync, and sums of threads ---===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compared with the formulas of the PTX ISA for one instruction, and with what
// any division of a result must keep: each sum has an owner, and finds its
// operands in its own registers.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/WarpProduct.h"

#include "gtest/gtest.h"
#include <set>

using namespace heddle::machine;

namespace {

// PTX ISA 9.0, "Matrix Fragments for mma.m16n8k16 with floating point type",
// "... mma.m16n8k8" (.tf32) and "... mma.m16n8k32" (8 bits).
TEST(WarpProduct, AnOperandOfAGroupIsThoseOfItsWarps) {
  EXPECT_EQ(makeWgmmaOperandA(128, 64, 16), makeWgmmaOperandA(128, 64));
  // PTX ISA, wgmma m64nNk32: lane 4 g + t holds words t and t + 4 of rows g and
  // g + 8 of its warp's sixteen.
  Layout a = makeWgmmaOperandA(64, 64, 8);
  for (int warp = 0; warp < 4; ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int index = 0; index < 32; ++index) {
        int64_t row = 16 * warp + lane / 4 + index / 4 % 2 * 8;
        int64_t column =
            index / 16 * 32 + index / 8 % 2 * 16 + lane % 4 * 4 + index % 4;
        EXPECT_EQ(a.coordinate(lane, warp, index), (Coord{row, column}));
      }
}

TEST(WarpProduct, FragmentsAreThoseOfTheManual) {
  Layout sums = makeWarpAccumulator(16, 8, {});
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(sums.coordinate(lane, 0, i),
                (Coord{lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)}));
  Layout a16 = makeWarpOperandA(16, 16, 16, {}),
         b16 = makeWarpOperandB(16, 8, 16, {});
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(a16.coordinate(lane, 0, i),
                (Coord{lane / 4 + (i % 4 < 2 ? 0 : 8),
                       lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8)}));
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(b16.coordinate(lane, 0, i),
                (Coord{lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8), lane / 4}));
  }
  Layout a8 = makeWarpOperandA(16, 32, 8, {}),
         b8 = makeWarpOperandB(32, 8, 8, {});
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(a8.coordinate(lane, 0, i),
                (Coord{lane / 4 + (i / 4 % 2 ? 8 : 0),
                       lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16)}));
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(b8.coordinate(lane, 0, i),
                (Coord{lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16), lane / 4}));
  }
  Layout a32 = makeWarpOperandA(16, 8, 32, {}),
         b32 = makeWarpOperandB(8, 8, 32, {});
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(
          a32.coordinate(lane, 0, i),
          (Coord{lane / 4 + (i % 2 ? 8 : 0), lane % 4 + (i < 2 ? 0 : 4)}));
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(b32.coordinate(lane, 0, i),
                (Coord{lane % 4 + (i < 1 ? 0 : 4), lane / 4}));
  }
}

TEST(WarpProduct, WarpsGoAlongTheRowsFirst) {
  EXPECT_EQ(divideAmongWarps(64, 64, 4), (WarpGrid{4, 1}));
  EXPECT_EQ(divideAmongWarps(32, 64, 4), (WarpGrid{2, 2}));
  EXPECT_EQ(divideAmongWarps(16, 64, 4), (WarpGrid{1, 4}));
  EXPECT_EQ(divideAmongWarps(16, 16, 4), (WarpGrid{1, 2}));
  EXPECT_EQ(divideAmongWarps(48, 24, 4), (WarpGrid{1, 1}));
  EXPECT_EQ(divideAmongWarps(96, 40, 8), (WarpGrid{2, 1}));
}

/// Every element once in the warps that the layout knows, or in replicas of
/// whole warps.
void expectWhole(const Layout &layout, int64_t rows, int64_t columns) {
  ASSERT_EQ(layout.extent(0), rows);
  ASSERT_EQ(layout.extent(1), columns);
  std::set<Coord> held;
  for (int warp = 0; warp < layout.warpCount(); ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int index = 0; index < layout.registerCount(); ++index)
        held.insert(layout.coordinate(lane, warp, index));
  EXPECT_EQ(int64_t(held.size()), rows * columns);
}

TEST(WarpProduct, EveryElementIsHeld) {
  for (int64_t rows : {16, 32, 48, 128})
    for (int64_t columns : {8, 24, 64})
      for (int64_t bits : {8, 16, 32}) {
        WarpGrid grid = divideAmongWarps(rows, columns, 4);
        int64_t depth = 2 * warpDepth(bits);
        expectWhole(makeWarpAccumulator(rows, columns, grid), rows, columns);
        expectWhole(makeWarpOperandA(rows, depth, bits, grid), rows, depth);
        expectWhole(makeWarpOperandB(depth, columns, bits, grid), depth,
                    columns);
      }
}

TEST(WarpProduct, ThreadsHaveWhatTheirSumsNeed) {
  for (int64_t rows : {1, 7, 8, 16, 96})
    for (int64_t columns : {1, 5, 16, 64}) {
      Layout sums = makeThreadSums(rows, columns, 4);
      expectWhole(sums, rows, columns);
      Layout a = makeThreadOperandA(sums, 3), b = makeThreadOperandB(sums, 3);
      EXPECT_EQ(a.extent(0), rows);
      EXPECT_EQ(b.extent(1), columns);
      for (int warp = 0; warp < 4; ++warp)
        for (int lane = 0; lane < 32; ++lane) {
          std::set<Coord> left, right;
          for (int index = 0; index < a.registerCount(); ++index)
            left.insert(a.coordinate(lane, warp, index));
          for (int index = 0; index < b.registerCount(); ++index)
            right.insert(b.coordinate(lane, warp, index));
          for (int index = 0; index < sums.registerCount(); ++index) {
            Coord sum = sums.coordinate(lane, warp, index);
            for (int64_t k = 0; k < 3; ++k) {
              EXPECT_TRUE(left.contains(Coord{sum[0], k}));
              EXPECT_TRUE(right.contains(Coord{k, sum[1]}));
            }
          }
        }
    }
}

} // namespace
