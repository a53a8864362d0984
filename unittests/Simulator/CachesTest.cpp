//===- CachesTest.cpp - Lines, ways and requests to the cycle -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small memory whose times can be added up by hand.
//
//===----------------------------------------------------------------------===//

#include "Caches.h"

#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::simulator;

namespace {

/// A cache of two sets with two ways each, 10 cycles away; memory with two
/// channels, 100 cycles behind it, a line every 4.
machine::Units smallMemory() {
  machine::Units units;
  units.lineBytes = 64;
  units.latency = 100;
  units.channels = 2;
  units.interleave = 64;
  units.interval = 4;
  machine::Cache cache;
  cache.name = "C";
  cache.bytes = 4 * 64;
  cache.ways = 2;
  cache.latency = 10;
  cache.interval = 1;
  cache.outstanding = 8;
  units.caches.push_back(cache);
  machine::Unit unit;
  unit.name = "u";
  unit.cache = "C";
  unit.outstanding = 2;
  units.units.push_back(unit);
  return units;
}

TEST(Caches, AMissTakesBothLatenciesAndAHitOne) {
  Caches caches(smallMemory());
  EXPECT_EQ(caches.ask("u", 0, 0, false).arrival, 10 + 4 + 100);
  EXPECT_EQ(caches.ask("u", 60, 200, false).arrival, 210);
  EXPECT_EQ(caches.uses()[0].asked, 2);
  EXPECT_EQ(caches.uses()[0].hits, 1);
  EXPECT_EQ(caches.uses()[1].asked, 1);
}

TEST(Caches, ALineOnItsWayIsNotAskedForTwice) {
  Caches caches(smallMemory());
  int64_t arrival = caches.ask("u", 0, 0, false).arrival;
  EXPECT_EQ(caches.ask("u", 4, 1, false).arrival, arrival);
  EXPECT_EQ(caches.uses()[1].asked, 1);
}

TEST(Caches, TheLineUsedLongestAgoMakesRoom) {
  Caches caches(smallMemory());
  // Lines 0, 2 and 4 share a set of two ways; 0 is used again before 4 comes.
  for (int64_t line : {0, 2, 0, 4})
    caches.ask("u", line * 64, line * 1000 + 1000, false);
  EXPECT_EQ(caches.ask("u", 0, 90000, false).arrival, 90010);
  EXPECT_GT(caches.ask("u", 2 * 64, 91000, false).arrival, 91010);
}

TEST(Caches, AStreamedLineStaysNowhere) {
  Caches caches(smallMemory());
  caches.ask("u", 0, 0, true);
  EXPECT_EQ(caches.ask("u", 0, 1000, false).arrival, 1000 + 10 + 4 + 100);
}

TEST(Caches, AUnitWaitsWithTheRequestBeyondItsNumber) {
  Caches caches(smallMemory());
  int64_t first = caches.ask("u", 0, 0, false).arrival;
  caches.ask("u", 64, 0, false);
  // A third leaves when the first has come.
  EXPECT_EQ(caches.ask("u", 3 * 64, 1, false).accepted, first);
}

TEST(Caches, AChannelHandsOutOneLineAtATime) {
  machine::Units units = smallMemory();
  units.units[0].outstanding = 8;
  Caches caches(units);
  // Lines 0 and 2 lie in one channel, line 1 in the other.
  EXPECT_EQ(caches.ask("u", 0, 0, false).arrival, 114);
  EXPECT_EQ(caches.ask("u", 64, 0, false).arrival, 115); // the cache's interval
  EXPECT_EQ(caches.ask("u", 128, 0, false).arrival, 118);
}

TEST(Caches, AMissHoldsAPlaceUntilItsLineComes) {
  machine::Units units = smallMemory();
  units.units[0].outstanding = 8;
  units.caches[0].outstanding = 1;
  Caches caches(units);
  EXPECT_EQ(caches.ask("u", 0, 0, false).arrival, 114);
  EXPECT_EQ(caches.ask("u", 64, 0, false).arrival, 114 + 4 + 100);
}

} // namespace
