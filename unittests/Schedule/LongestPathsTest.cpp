//===- LongestPathsTest.cpp - Distances and what they rest on -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of longest paths: against paths added up from scratch, with links
// drawn at random, after links were taken back, and with the links that a path
// rests on. A search trusts the table for its refutations, so a path that is
// too long would refute what has a schedule.
//
//===----------------------------------------------------------------------===//

#include "LongestPaths.h"

#include <gtest/gtest.h>
#include <random>

using namespace heddle::schedule;

static Levels level(size_t index) { return Levels().set(index); }

TEST(LongestPaths, RestOnTheLinksOfThePath) {
  LongestPaths paths(3, 100);
  EXPECT_EQ(paths(0, 2), -100);
  paths.add({0, 1, 5}, level(0));
  paths.add({1, 2, 7}, level(1));
  EXPECT_EQ(paths(0, 2), 12);
  EXPECT_EQ(paths.reason(0, 2), level(0) | level(1));
  // A longer way takes the place of what it rested on.
  paths.add({0, 2, 20}, level(2));
  EXPECT_EQ(paths(0, 2), 20);
  EXPECT_EQ(paths.reason(0, 2), level(2));
  EXPECT_EQ(paths.room({2, 0, -21}), 1);
  EXPECT_EQ(paths.room({2, 0, -19}), -1);
  EXPECT_EQ(paths.reasonAgainst({2, 0, -19}), level(2));
}

TEST(LongestPaths, RestOnLinksBesideTheFirstDistances) {
  LongestPaths paths(3, 10);
  // From 0 over 1 and up to 10 cycles back to 2.
  paths.add({0, 1, 30}, level(3));
  EXPECT_EQ(paths(0, 2), 20);
  EXPECT_EQ(paths.reason(0, 2), level(3));
}

TEST(LongestPaths, GoBackToAMark) {
  LongestPaths paths(3, 100);
  paths.add({0, 1, 5}, level(0));
  LongestPaths::Mark mark = paths.mark();
  paths.add({1, 2, 7}, level(1));
  paths.add({0, 1, 9}, level(2));
  EXPECT_EQ(paths(0, 2), 16);
  paths.goBack(mark);
  EXPECT_EQ(paths(0, 1), 5);
  EXPECT_EQ(paths(0, 2), -95); // and 100 cycles back from 1
  EXPECT_EQ(paths.reason(0, 2), level(0));
}

TEST(LongestPaths, AgreeWithAddingUpFromTheStart) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const int events = 6;
    LongestPaths paths(events, 40);
    std::vector<std::vector<int64_t>> all(events,
                                          std::vector<int64_t>(events, -40));
    for (int i = 0; i < events; ++i)
      all[i][i] = 0;
    for (int count = 0; count < 15; ++count) {
      Arc link{int(random() % events), int(random() % events),
               int64_t(random() % 21) - 12};
      if (paths.room(link) < 0)
        continue;
      size_t known = paths.changes();
      std::vector<std::vector<int64_t>> before = all;
      paths.add(link, level(0));
      all[link.from][link.to] = std::max(all[link.from][link.to], link.weight);
      for (int via = 0; via < events; ++via)
        for (int i = 0; i < events; ++i)
          for (int j = 0; j < events; ++j)
            all[i][j] = std::max(all[i][j], all[i][via] + all[via][j]);
      size_t differences = 0;
      for (int i = 0; i < events; ++i)
        for (int j = 0; j < events; ++j) {
          ASSERT_EQ(paths(i, j), all[i][j]) << i << " to " << j;
          differences += all[i][j] != before[i][j];
        }
      EXPECT_EQ(paths.changes() - known, differences);
    }
  }
}
