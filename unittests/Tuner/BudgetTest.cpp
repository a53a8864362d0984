//===- BudgetTest.cpp - How many evaluations are left ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A budget buys different codes: twins are free, and too many in a row end it.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

#include "heddle/Tuner/Search.h"

#include <set>

using namespace heddle::tuner;

static Outcome coded(const std::string &code) { return {true, 1, "", code}; }

TEST(Budget, TwinsUseNoneOfIt) {
  Budget budget(3, 50);
  EXPECT_FALSE(budget.count(coded("a")));
  EXPECT_TRUE(budget.count(coded("a")));
  EXPECT_FALSE(budget.count({false, 0, "registers", "b"}));
  EXPECT_TRUE(budget.count({false, 0, "registers", "b"}));
  EXPECT_EQ(budget.evaluations(), 2);
  EXPECT_EQ(budget.twins(), 2);
  EXPECT_EQ(budget.left(), 1);
  EXPECT_FALSE(budget.isSpent());
  EXPECT_FALSE(budget.count(coded("c")));
  EXPECT_TRUE(budget.isSpent());
  EXPECT_FALSE(budget.findsTwinsAlone());
}

// Who names no codes evaluates each point.
TEST(Budget, PointsWithoutCodesAreNoTwins) {
  Budget budget(2, 50);
  EXPECT_FALSE(budget.count(coded("")));
  EXPECT_FALSE(budget.count(coded("")));
  EXPECT_TRUE(budget.isSpent());
  EXPECT_FALSE(budget.count(coded(""))); // told beyond the budget
  EXPECT_EQ(budget.left(), 0);
}

TEST(Budget, EndsAfterTwinsInARow) {
  Budget budget(9, 2);
  for (const char *code : {"a", "a", "b", "a"})
    budget.count(coded(code));
  EXPECT_FALSE(budget.isSpent());
  budget.count(coded("b"));
  EXPECT_TRUE(budget.isSpent());
  EXPECT_TRUE(budget.findsTwinsAlone());
  EXPECT_EQ(budget.left(), 7);
}

// A parameter that changes nothing costs a search none of its evaluations.
TEST(Budget, ASearchFindsAsManyCodesAsItIsWorth) {
  SearchOptions options;
  options.budget = 20;
  options.firstSamples = 4;
  Search search(space({upTo("a", 30), upTo("dead", 30)}, {}), options);
  std::set<Word> found;
  while (!search.budget().isSpent()) {
    std::optional<Point> point = search.propose();
    ASSERT_TRUE(point);
    found.insert((*point)[0]);
    double off = double((*point)[0]) - 17;
    search.tell(*point, {true, 1 + off * off, "", std::to_string((*point)[0])});
  }
  EXPECT_FALSE(search.budget().findsTwinsAlone());
  EXPECT_EQ(found.size(), 20u);
  EXPECT_EQ(search.told().size(), 20u + size_t(search.budget().twins()));
  EXPECT_GT(search.budget().twins(), 0);
}
