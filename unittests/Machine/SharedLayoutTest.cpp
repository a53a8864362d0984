//===- SharedLayoutTest.cpp - Swizzles against the address-bit definition ---===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Offsets in shared tiles, for every element, against the swizzle as the
// hardware defines it, on address bits. The library computes them from rows and
// chunks; both must name the same byte, or TMA, wgmma and threads disagree.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/SharedLayout.h"

#include "gtest/gtest.h"
#include <set>

using namespace heddle::machine;

namespace {

// CUTLASS, Swizzle<B, 4, 3>: bits [4, 4 + B) of the address ^= bits [7, 7 + B).
int64_t swizzleAddress(int64_t address, int64_t swizzle) {
  int64_t mask = swizzle ? swizzle / 16 - 1 : 0;
  return address ^ (address >> 7 & mask) << 4;
}

TEST(SharedLayout, MatchesTheAddressBits) {
  for (int64_t swizzle : {0, 32, 64, 128})
    for (bool rowMajor : {true, false})
      for (int64_t elementBytes : {1, 2, 4}) {
        SharedLayout layout;
        layout.shape = {128, 256};
        layout.order = rowMajor ? std::array<int, kMaxRank>{1, 0}
                                : std::array<int, kMaxRank>{0, 1};
        layout.swizzle = swizzle;
        layout.elementBytes = elementBytes;
        std::set<int64_t> seen;
        for (int64_t i = 0; i < 128; ++i)
          for (int64_t j = 0; j < 256; ++j) {
            int64_t fast = rowMajor ? j : i, slow = rowMajor ? i : j;
            int64_t width = layout.boxWidth(), height = rowMajor ? 128 : 256;
            int64_t plain =
                (fast / width * height * width + slow * width + fast % width) *
                elementBytes;
            ASSERT_EQ(layout.offset({i, j}), swizzleAddress(plain, swizzle));
            seen.insert(layout.offset({i, j}));
          }
        EXPECT_EQ(int64_t(seen.size()), 128 * 256);
        EXPECT_LE(*seen.rbegin(), layout.bytes() - elementBytes);
      }
}

TEST(SharedLayout, ChunksAreLinearOverDisjointBits) {
  SharedLayout layout;
  layout.shape = {64, 176};
  layout.swizzle = 32;
  for (int64_t i = 0; i < 64; ++i)
    for (int64_t j = 0; j < 176; ++j) {
      Coord low = {i & 7, j & 7}, high = {i & ~7, j & ~7};
      ASSERT_EQ(layout.offset({i, j}),
                layout.fixedOffset(low) + layout.fixedOffset(high) +
                    (layout.chunkOffset(low) ^ layout.chunkOffset(high)));
    }
}

} // namespace
