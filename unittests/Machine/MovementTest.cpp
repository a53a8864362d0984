//===- MovementTest.cpp - Axes renamed, tiles joined and split --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts after their axes are permuted, joined, split or resized. The lowering
// emits no data movement for them, so each thread must hold the elements that
// it held before, in the registers that the map says.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Movement.h"

#include "gtest/gtest.h"

using namespace heddle::machine;

namespace {

TEST(Movement, PermutedAxesKeepTheirThreadsElements) {
  Layout layout = makeCoalesced({6, 20, 32}, {2, 1, 0}, 4, 4);
  Layout moved = permuteAxes(layout, {2, 0, 1});
  std::vector<int> map = mapPermuted(layout, {2, 0, 1});
  ASSERT_EQ(int(map.size()), moved.registerCount());
  for (int lane = 0; lane < 32; ++lane)
    for (int warp = 0; warp < 4; ++warp)
      for (int index = 0; index < moved.registerCount(); ++index) {
        Coord from = layout.coordinate(lane, warp, map[index]);
        EXPECT_EQ(moved.coordinate(lane, warp, index),
                  (Coord{from[2], from[0], from[1]}));
      }
  EXPECT_EQ(moved.extent(0), 32);
  EXPECT_EQ(permuteAxes(moved, {1, 2, 0}), layout);
}

TEST(Movement, JoinedTilesAlternate) {
  Layout layout = makeWgmmaAccumulator(64, 24), joined = joinTiles(layout);
  ASSERT_EQ(joined.registerCount(), 2 * layout.registerCount());
  EXPECT_EQ(joined.extent(2), 2);
  for (int index = 0; index < joined.registerCount(); ++index) {
    Coord expected = layout.coordinate(5, 2, index / 2);
    expected[2] = index % 2;
    EXPECT_EQ(joined.coordinate(5, 2, index), expected);
  }
  EXPECT_EQ(splitTiles(joined), layout);
  EXPECT_FALSE(splitTiles(makeCoalesced({16, 2}, {1, 0}, 1, 1)));
  EXPECT_FALSE(splitTiles(layout));
}

TEST(Movement, ResizingRepeatsWholeAtoms) {
  Layout layout = makeWgmmaAccumulator(64, 24);
  EXPECT_EQ(resizeAxis(layout, 1, 40), makeWgmmaAccumulator(64, 40));
  EXPECT_FALSE(resizeAxis(layout, 1, 20));
}

} // namespace
