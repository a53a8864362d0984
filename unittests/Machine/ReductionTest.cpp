//===- ReductionTest.cpp - Sums over an axis, thread by thread --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out plans of reductions on counts of elements instead of numbers:
// each total must hold every element of its row exactly once. Layouts with
// replicas in lanes and warps are the ones where a plan could count twice.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Reduction.h"

#include "gtest/gtest.h"

#include <map>
#include <numeric>

using namespace heddle::machine;

namespace {

/// Which elements each register of each thread stands for.
using Held = std::map<Coord, int>;
using Warp = std::vector<std::vector<Held>>; // lane, register

Warp holdOwn(const Layout &layout, int warp) {
  Warp held(32);
  for (int lane = 0; lane < 32; ++lane)
    for (int index = 0; index < layout.registerCount(); ++index)
      held[lane].push_back({{layout.coordinate(lane, warp, index), 1}});
  return held;
}

void addTo(Held &sum, const Held &term) {
  for (auto &[coord, count] : term)
    sum[coord] += count;
}

/// What the plan makes of a warp, counting how often each element went in.
Warp combine(const Reduction &plan, const Warp &own) {
  Warp held(32);
  for (int lane = 0; lane < 32; ++lane)
    for (const std::vector<int> &group : plan.registers) {
      Held &sum = held[lane].emplace_back();
      for (int index : group)
        addTo(sum, own[lane][index]);
    }
  for (int bit : plan.laneBits) {
    Warp before = held;
    for (int lane = 0; lane < 32; ++lane)
      for (size_t index = 0; index < held[lane].size(); ++index)
        addTo(held[lane][index], before[lane ^ 1 << bit][index]);
  }
  return held;
}

/// Every total counts each element of its row once, over all warp positions.
void expectTotals(const Layout &layout, int axis) {
  std::optional<Reduction> plan = planReduction(layout, axis);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->result.extent(axis), plan->positions);
  std::map<Coord, Held> totals;
  for (int warp = 0; warp < layout.warpCount(); ++warp) {
    Warp held = combine(*plan, holdOwn(layout, warp));
    for (int lane = 0; lane < 32; ++lane)
      for (size_t index = 0; index < held[lane].size(); ++index) {
        Coord where = plan->result.coordinate(lane, warp, int(index));
        auto [known, isNew] = totals.try_emplace(where, held[lane][index]);
        EXPECT_EQ(known->second, held[lane][index]);
      }
  }
  EXPECT_EQ(int64_t(totals.size()), plan->result.elementCount());
  Held all;
  for (auto &[where, total] : totals)
    for (auto &[coord, count] : total) {
      EXPECT_EQ(count, 1);
      EXPECT_EQ(++all[coord], 1);
      for (int other = 0; other < layout.rank; ++other)
        if (other != axis) {
          EXPECT_EQ(coord[other], where[other]);
        }
    }
  EXPECT_EQ(int64_t(all.size()), layout.elementCount());
}

TEST(Reduction, AccumulatorRowsStayInAWarp) {
  for (int64_t columns : {8, 24, 80, 176}) {
    Layout layout = makeWgmmaAccumulator(128, columns);
    expectTotals(layout, 1);
    Reduction plan = *planReduction(layout, 1);
    EXPECT_EQ(plan.positions, 1);
    EXPECT_EQ(plan.laneBits, (std::vector<int>{0, 1}));
    EXPECT_EQ(plan.registers.size(), 4u);
    EXPECT_EQ(sliceAxis(plan.result, 1), sliceAxis(layout, 1));
  }
}

TEST(Reduction, AccumulatorColumnsCrossWarps) {
  Layout layout = makeWgmmaAccumulator(192, 24);
  expectTotals(layout, 0);
  Reduction plan = *planReduction(layout, 0);
  EXPECT_EQ(plan.positions, 4);
  EXPECT_EQ(plan.laneBits, (std::vector<int>{2, 3, 4}));
  Layout gathered = gatherAxis(plan.result, 0);
  EXPECT_EQ(gathered.extent(0), 4);
  expectTotals(gathered, 0);
  EXPECT_EQ(sliceAxis(planReduction(gathered, 0)->result, 0),
            sliceAxis(layout, 0));
}

/// Threads combine what they hold; lanes and warps are the positions left.
TEST(Reduction, PartsOfThreads) {
  Layout accumulator = makeWgmmaAccumulator(128, 80);
  Reduction rows = *planReduction(accumulator, 1, Combining::Threads);
  EXPECT_EQ(rows.positions, 4);
  EXPECT_TRUE(rows.laneBits.empty());
  EXPECT_EQ(rows.registers, planReduction(accumulator, 1)->registers);
  EXPECT_EQ(sliceAxis(rows.result, 1), sliceAxis(accumulator, 1));
  expectTotals(rows.result, 1);

  Reduction columns = *planReduction(accumulator, 0, Combining::Threads);
  EXPECT_EQ(columns.positions, 32);
  EXPECT_EQ(sliceAxis(columns.result, 0), sliceAxis(accumulator, 0));
  expectTotals(columns.result, 0);
}

TEST(Reduction, ReplicasCountOnce) {
  for (int64_t extent : {1, 3, 8, 40, 64, 1000})
    for (int warps : {1, 2, 4, 8})
      expectTotals(makeCoalesced({extent}, {0}, warps, 4), 0);
  for (int64_t rows : {1, 2, 5, 64})
    for (int64_t columns : {1, 6, 96})
      for (int axis : {0, 1})
        expectTotals(makeCoalesced({rows, columns}, {1, 0}, 4, 8), axis);
}

TEST(Reduction, MiddleAxis) {
  for (int axis : {0, 1, 2})
    expectTotals(makeCoalesced({6, 20, 24}, {2, 1, 0}, 4, 2), axis);
}

TEST(Reduction, DeclinesWhatItWouldCountTwice) {
  Layout layout = makeCoalesced({64, 64}, {1, 0}, 4, 2);
  Layout diagonal = layout;
  diagonal.lane[0] = {1, 2};
  EXPECT_FALSE(planReduction(diagonal, 1));
  Layout doubled = layout;
  doubled.lane[1] = doubled.lane[0];
  EXPECT_FALSE(planReduction(doubled, 1));
}

TEST(Reduction, SpreadingIsSlicingBackwards) {
  Layout rows = sliceAxis(makeWgmmaAccumulator(64, 40), 1);
  for (int64_t extent : {1, 5, 8, 24, 176}) {
    Layout spread = spreadAxis(rows, 1, extent);
    EXPECT_EQ(spread.extent(1), extent);
    EXPECT_EQ(sliceAxis(spread, 1), rows);
    expectTotals(spread, 1);
  }
  EXPECT_EQ(spreadAxis(rows, 1, 40), makeWgmmaAccumulator(64, 40));
}

// A lane a row, and two of four warps for each half of the rows: what a warp
// reads at once lies in as many 16-byte chunks of a swizzled tile as in any.
TEST(Reduction, RowsOfLanesAreReadInRuns) {
  Layout rows = sliceAxis(makeCoalesced({64, 1}, {1, 0}, 4, 1), 1);
  for (int64_t extent : {1, 4, 16, 24, 64}) {
    Layout spread = spreadAxis(rows, 1, extent);
    EXPECT_EQ(spread.extent(1), extent);
    EXPECT_EQ(sliceAxis(spread, 1), rows);
    expectTotals(spread, 1);
    EXPECT_EQ(contiguousRun(spread, 1), std::gcd<int64_t>(extent, 8));
  }
}

} // namespace
