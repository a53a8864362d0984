//===- ShuffleTest.cpp - Every lane reads the element it wants --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out plans of shuffles on coordinates: each lane must end with the
// element that the new layout gives it. Plans that cross warps must be
// declined, and dear ones must lose against shared memory.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Shuffle.h"

#include "gtest/gtest.h"

using namespace heddle::machine;

namespace {

Costs defaultCosts() {
  Costs costs;
  std::string error;
  EXPECT_TRUE(findMachine(kDefaultMachine, costs, error)) << error;
  return costs;
}

/// Runs the plan on the elements' coordinates; gives the number of shuffles.
int expectMoves(const Layout &from, const Layout &to) {
  std::optional<std::vector<Shuffle>> plan = planShuffles(from, to);
  EXPECT_TRUE(plan);
  int shuffles = 0;
  for (size_t index = 0; plan && index < plan->size(); ++index) {
    const Shuffle &shuffle = (*plan)[index];
    shuffles += shuffle.count();
    for (int warp = 0; warp < to.warpCount(); ++warp)
      for (int lane = 0; lane < 32; ++lane) {
        int source = shuffle.constant;
        for (int bit = 0; bit < kLaneBits; ++bit)
          if (lane >> bit & 1)
            source += shuffle.ofBit[bit];
        EXPECT_EQ(from.coordinate(source, warp, shuffle.source[lane]),
                  to.coordinate(lane, warp, int(index)));
      }
  }
  return shuffles;
}

TEST(Shuffle, SwappedLanesTakeOneShuffleARegister) {
  Layout from = makeWgmmaAccumulator(64, 40), to = from;
  std::swap(to.lane[0], to.lane[3]);
  EXPECT_EQ(expectMoves(from, to), 20);
  EXPECT_TRUE(prefersShuffles(from, to, 32, defaultCosts()));
}

TEST(Shuffle, LanesAndRegistersTradePlaces) {
  Layout from = makeWgmmaAccumulator(64, 16), to = from;
  std::swap(to.lane[1], to.reg[0]);
  EXPECT_EQ(expectMoves(from, to), 16);
}

TEST(Shuffle, ReplicasAreReadFromTheirFirstHolder) {
  Layout from = sliceAxis(makeWgmmaAccumulator(64, 16), 0), to = from;
  // Every lane holds all that its warp does.
  to.lane = {};
  to.reg = {{1}, {2}, {4}};
  EXPECT_EQ(expectMoves(from, to), 16);
  EXPECT_TRUE(planShuffles(to, from));
}

TEST(Shuffle, DeclinesWhatAnotherWarpHolds) {
  Layout from = makeWgmmaAccumulator(64, 16), to = from;
  std::swap(to.warp[0], to.lane[0]);
  EXPECT_FALSE(planShuffles(from, to));
}

TEST(Shuffle, DearBarriersPreferShuffles) {
  Layout from = makeCoalesced({64, 64}, {1, 0}, 1, 8);
  Layout to = makeCoalesced({64, 64}, {0, 1}, 1, 8);
  Costs costs = defaultCosts();
  costs.instructions.barrier = 1e6;
  EXPECT_EQ(prefersShuffles(from, to, 32, costs),
            planShuffles(from, to).has_value());
}

TEST(Shuffle, ManyPreferSharedMemory) {
  Layout from = makeCoalesced({64, 64}, {1, 0}, 1, 8);
  Layout to = makeCoalesced({64, 64}, {0, 1}, 1, 8);
  EXPECT_FALSE(prefersShuffles(from, to, 32, defaultCosts()));
}

} // namespace
