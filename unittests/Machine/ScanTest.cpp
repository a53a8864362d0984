//===- ScanTest.cpp - Digits of the position along an axis ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Digits of the position along an axis, in layouts made for scans and in
// accumulators. A missing digit gives totals that are wrong at some positions
// only, so scales are compared digit by digit.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Scan.h"

#include "gtest/gtest.h"
#include <set>

using namespace heddle::machine;

namespace {

TEST(Scan, DigitsCountUp) {
  for (int64_t extent : {1, 3, 8, 24, 32, 96, 1000, 1024})
    for (int64_t rows : {1, 5, 16}) {
      Layout layout = makeScannable({rows, extent}, 1, 4);
      EXPECT_EQ(layout.extent(0), rows);
      EXPECT_EQ(layout.extent(1), extent);
      std::optional<Scan> scan = planScan(layout, 1);
      ASSERT_TRUE(scan);
      int64_t scale = 1;
      for (const ScanDigit &digit : scan->digits) {
        EXPECT_EQ(digit.scale, scale);
        scale *= 2;
      }
      EXPECT_EQ(scale * scan->repetitions, extent);
    }
}

TEST(Scan, EveryElementIsHeld) {
  for (int axis : {0, 1}) {
    Layout layout = makeScannable({48, 40}, axis, 4);
    std::set<Coord> held;
    for (int warp = 0; warp < 4; ++warp)
      for (int lane = 0; lane < 32; ++lane)
        for (int index = 0; index < layout.registerCount(); ++index)
          held.insert(layout.coordinate(lane, warp, index));
    EXPECT_EQ(held.size(), 48u * 40u);
  }
}

TEST(Scan, AccumulatorsScanAlongRowsOnly) {
  Layout layout = makeWgmmaAccumulator(64, 40);
  std::optional<Scan> scan = planScan(layout, 1);
  ASSERT_TRUE(scan);
  ASSERT_EQ(scan->digits.size(), 3u);
  EXPECT_FALSE(scan->digits[0].isLane);
  EXPECT_TRUE(scan->digits[1].isLane);
  EXPECT_EQ(scan->digits[2].bit, 1);
  EXPECT_EQ(scan->repetitions, 5);
  EXPECT_FALSE(planScan(layout, 0)); // warps hold different rows
}

} // namespace
