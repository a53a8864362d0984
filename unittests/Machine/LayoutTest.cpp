//===- LayoutTest.cpp - Layouts against enumeration of every register -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts are computed on vectors of bits. The tests list the element of every
// register, lane and warp instead, and compare. A conversion may be classified
// as dearer than that list shows, never as cheaper.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Layout.h"

#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace heddle::machine;

namespace {

using Thread = std::pair<int, int>; // warp, lane
/// element -> who holds it, by enumeration.
std::map<Coord, std::set<Thread>> holders(const Layout &layout) {
  std::map<Coord, std::set<Thread>> result;
  for (int warp = 0; warp < layout.warpCount(); ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int index = 0; index < layout.registerCount(); ++index)
        result[layout.coordinate(lane, warp, index)].insert({warp, lane});
  return result;
}

void expectCovers(const Layout &layout) {
  auto map = holders(layout);
  EXPECT_EQ(int64_t(map.size()), layout.elementCount());
  for (auto &[coord, threads] : map)
    for (int axis = 0; axis < layout.rank; ++axis) {
      EXPECT_GE(coord[axis], 0);
      EXPECT_LT(coord[axis], layout.extent(axis));
    }
}

TEST(Layout, AccumulatorFollowsThePtxTable) {
  for (int64_t columns : {8, 24, 40, 64, 176, 256}) {
    Layout layout = makeWgmmaAccumulator(64, columns);
    ASSERT_EQ(layout.registerCount(), columns / 2);
    expectCovers(layout);
    for (int warp = 0; warp < 4; ++warp)
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < layout.registerCount(); ++i) {
          Coord expected = {16 * warp + lane / 4 + 8 * (i / 2 % 2),
                            i / 4 * 8 + lane % 4 * 2 + i % 2};
          ASSERT_EQ(layout.coordinate(lane, warp, i), expected);
        }
  }
}

TEST(Layout, TallAccumulatorRepeatsRowsSlowest) {
  Layout layout = makeWgmmaAccumulator(192, 40);
  expectCovers(layout);
  EXPECT_EQ(layout.registerCoordinate(20), (Coord{64, 0}));
}

TEST(Layout, OperandAIsAnAccumulatorOfTheSameExtents) {
  for (int64_t depth : {16, 48, 64, 176})
    EXPECT_EQ(classifyConversion(makeWgmmaAccumulator(64, depth),
                                 makeWgmmaOperandA(64, depth)),
              Conversion::Same);
}

TEST(Layout, CoalescedCoversAnyExtents) {
  for (int64_t rows : {1, 3, 24, 64, 128})
    for (int64_t columns : {1, 5, 24, 40, 64, 176})
      for (int warps : {1, 4, 8})
        for (int vector : {1, 2, 8})
          for (bool rowMajor : {true, false}) {
            std::vector<int> order =
                rowMajor ? std::vector<int>{1, 0} : std::vector<int>{0, 1};
            expectCovers(makeCoalesced({rows, columns}, order, warps, vector));
          }
}

TEST(Layout, CoalescedPutsNeighboursInNeighbouringLanes) {
  Layout layout = makeCoalesced({64, 64}, {1, 0}, 4, 2);
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(layout.coordinate(lane, 0, 0), (Coord{0, 2 * lane}));
  EXPECT_EQ(layout.coordinate(0, 3, 0), (Coord{3, 0}));
}

TEST(Layout, RunsAreAlignedNeighboursOfOneThread) {
  Layout rows = makeCoalesced({4, 512}, {1, 0}, 4, 8);
  EXPECT_EQ(contiguousRun(rows, 1), 8);
  EXPECT_EQ(contiguousRun(rows, 0), 1);
  EXPECT_EQ(coalescedSpan(rows, 1, 8), 256);
  Layout accumulator = makeWgmmaAccumulator(64, 24);
  EXPECT_EQ(contiguousRun(accumulator, 1), 2);
  EXPECT_EQ(coalescedSpan(accumulator, 1, 2), 8);
  // Blocks of 6 are not aligned to runs of 4, whatever the registers do.
  Layout odd;
  odd.reg = {{1}, {2}};
  odd.tile = {6};
  odd.rep = {2};
  EXPECT_EQ(contiguousRun(odd, 0), 2);
}

TEST(Layout, SliceHoldsTheSameLinesAsTheTile) {
  for (int64_t columns : {8, 24, 176}) {
    Layout tile = makeWgmmaAccumulator(64, columns);
    for (int axis : {0, 1}) {
      Layout line = sliceAxis(tile, axis);
      expectCovers(line);
      auto lines = holders(line);
      for (auto &[coord, threads] : holders(tile))
        for (Thread thread : threads)
          ASSERT_TRUE(lines.at({coord[1 - axis]}).count(thread));
    }
    EXPECT_EQ(sliceAxis(tile, 1).registerCount(), 2);
    EXPECT_EQ(sliceAxis(tile, 0).registerCount(), columns / 4);
  }
}

TEST(Layout, BroadcastOfASliceIsFree) {
  for (int axis : {0, 1}) {
    Layout tile = makeWgmmaAccumulator(128, 40);
    Layout line = expandAxis(sliceAxis(tile, axis), axis);
    auto map = mapRegisters(line, tile);
    ASSERT_TRUE(map);
    for (int warp = 0; warp < 4; ++warp)
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < tile.registerCount(); ++i) {
          Coord expected = tile.coordinate(lane, warp, i);
          expected[axis] = 0;
          ASSERT_EQ(line.coordinate(lane, warp, (*map)[i]), expected);
        }
  }
}

TEST(Layout, SubtileTakesRegistersOfTheTile) {
  Layout tile = makeWgmmaAccumulator(64, 176);
  std::optional<Layout> part = subtile(tile, {64, 88});
  ASSERT_TRUE(part);
  auto map = mapRegisters(tile, *part, {0, 88});
  ASSERT_TRUE(map);
  EXPECT_EQ(map->front(), 44);
  EXPECT_FALSE(subtile(tile, {64, 12}));
  EXPECT_FALSE(subtile(tile, {32, 88}));
}

/// The classes by enumeration: does each thread, or each warp, hold what it
/// needs?
Conversion classifyByEnumeration(const Layout &from, const Layout &to) {
  auto held = holders(from);
  bool inThread = true, inWarp = true;
  for (auto &[coord, threads] : holders(to))
    for (Thread thread : threads) {
      inThread &= held.at(coord).count(thread) != 0;
      bool found = false;
      for (Thread holder : held.at(coord))
        found |= holder.first == thread.first;
      inWarp &= found;
    }
  if (inThread) {
    bool same = from.registerCount() == to.registerCount();
    for (int warp = 0; same && warp < to.warpCount(); ++warp)
      for (int lane = 0; same && lane < 32; ++lane)
        for (int i = 0; same && i < to.registerCount(); ++i)
          same = from.coordinate(lane, warp, i) == to.coordinate(lane, warp, i);
    return same ? Conversion::Same : Conversion::RegisterPermutation;
  }
  return inWarp ? Conversion::WarpShuffle : Conversion::SharedRoundTrip;
}

TEST(Layout, ClassesAgreeWithEnumeration) {
  for (int64_t columns : {16, 48, 64, 176}) {
    Layout permuted = makeWgmmaAccumulator(64, columns);
    std::swap(permuted.reg[0], permuted.reg[1]);
    Layout swappedLanes = makeWgmmaAccumulator(64, columns);
    std::swap(swappedLanes.lane[0], swappedLanes.lane[2]);
    std::vector<Layout> all = {makeWgmmaAccumulator(64, columns),
                               makeWgmmaOperandA(64, columns),
                               permuted,
                               swappedLanes,
                               makeCoalesced({64, columns}, {1, 0}, 4, 8),
                               makeCoalesced({64, columns}, {0, 1}, 4, 1)};
    for (const Layout &from : all)
      for (const Layout &to : all) {
        Conversion exact = classifyByEnumeration(from, to);
        Conversion found = classifyConversion(from, to);
        // Never cheaper than the truth; equal wherever the warps move alike.
        EXPECT_GE(int(found), int(exact));
        if (from.warp == to.warp)
          EXPECT_EQ(int(found), int(exact));
      }
    EXPECT_EQ(classifyConversion(all[0], permuted),
              Conversion::RegisterPermutation);
    EXPECT_EQ(classifyConversion(all[0], swappedLanes),
              Conversion::WarpShuffle);
    if (columns == 64)
      EXPECT_EQ(classifyConversion(all[0], all[4]),
                Conversion::SharedRoundTrip);
  }
}

} // namespace
