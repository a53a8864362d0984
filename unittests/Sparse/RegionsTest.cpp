//===- RegionsTest.cpp - How far to fuse statements -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sets that may be a region, and the search beside all divisions, on random
// programs whose prices are random numbers.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Regions.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace heddle::sparse;

namespace {

TEST(Regions, OfAChain) {
  // Four statements, each of which reads the one before: every interval.
  auto regions = findRegions({0, 0b1, 0b10, 0b100});
  EXPECT_EQ(regions.size(), 10u);
  EXPECT_EQ(std::count(regions.begin(), regions.end(), 0b101u), 0);
}

TEST(Regions, AreConvexAndConnected) {
  // 2 reads 0 and 1; 1 reads 0: without 1, what 2 needs would come back.
  auto regions = findRegions({0, 0b1, 0b11});
  EXPECT_EQ(regions, (std::vector<StatementSet>{1, 2, 3, 4, 6, 7}));
  // Two that read nothing of each other have nothing to hand on.
  EXPECT_EQ(findRegions({0, 0}), (std::vector<StatementSet>{1, 2}));
}

/// The least cost of any order of regions, by trying all.
double tryAll(const RegionSearch &search,
              const std::map<StatementSet, double> &costs, StatementSet done) {
  StatementSet all = (StatementSet(1) << search.reads.size()) - 1;
  if (done == all)
    return 0;
  double least = 1e300;
  for (auto [region, cost] : costs) {
    bool isFree = !(region & done);
    for (size_t s = 0; s < search.reads.size(); ++s)
      if (region >> s & 1)
        isFree &= !(search.reads[s] & ~(done | region));
    if (isFree)
      least = std::min(least, cost + tryAll(search, costs, done | region));
  }
  return least;
}

TEST(Regions, SearchFindsTheLeast) {
  std::mt19937 random(7);
  int measured = 0, ways = 0;
  for (int trial = 0; trial < 60; ++trial) {
    RegionSearch search;
    size_t count = 1 + random() % 5;
    for (size_t s = 0; s < count; ++s)
      search.reads.push_back(s == 0 ? 0 : random() % (1u << s));
    std::map<StatementSet, double> costs;
    std::map<StatementSet, std::vector<double>> truth;
    for (StatementSet region : findRegions(search.reads))
      for (unsigned way = 0; way <= random() % 3; ++way) {
        double bound = 10 + random() % 100, cost = bound + random() % 20;
        // Some sets are declined, and some ways fail when they are run.
        if ((region & (region - 1)) && random() % 5 == 0)
          continue;
        bool fails = (region & (region - 1)) && random() % 7 == 0;
        search.ways[region].push_back({bound, {}});
        truth[region].push_back(fails ? -1 : cost);
        ++ways;
        if (fails)
          continue;
        auto [known, isNew] = costs.try_emplace(region, cost);
        known->second = std::min(known->second, cost);
      }
    search.measure = [&](StatementSet region,
                         size_t way) -> std::optional<double> {
      EXPECT_FALSE(search.ways[region][way].measured);
      double cost = truth[region][way];
      return cost < 0 ? std::nullopt : std::optional<double>(cost);
    };
    FoundDivision found = findDivision(search);
    ASSERT_TRUE(found.best);
    EXPECT_DOUBLE_EQ(found.best->cost, tryAll(search, costs, 0));
    EXPECT_DOUBLE_EQ(found.bound, found.best->cost);
    measured += found.measured;
  }
  EXPECT_LT(measured, ways); // bounds save measurements
}

TEST(Regions, SearchEndsEarlyWithABound) {
  RegionSearch search;
  search.reads = {0, 1};
  search.ways = {{1, {{10, {}}}}, {2, {{10, {}}}}, {3, {{19, {}}}}};
  search.measure = [](StatementSet region, size_t) {
    return std::optional<double>(region == 3 ? 20.5 : 10);
  };
  search.mostMeasured = 1;
  FoundDivision found = findDivision(search);
  ASSERT_TRUE(found.best);
  EXPECT_EQ(found.best->cost, 20.5);
  EXPECT_EQ(found.bound, 20);
}

} // namespace
