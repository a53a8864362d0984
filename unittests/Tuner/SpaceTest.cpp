//===- SpaceTest.cpp - Points, their number and their neighbours ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spaces small enough to count by hand, and those that are known from
// elsewhere: linear extensions, tiles of a cube. Draws are as likely as they
// are said to be.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

#include <chrono>
#include <map>
#include <set>

using namespace heddle::tuner;

TEST(Space, FreeParametersMultiply) {
  Space made = space({upTo("a", 7), integer("i", -5, 1000000000),
                      categorical("l", {"x", "y"}), permutation("p", 16)},
                     {});
  // 7 * 1000000006 * 2 * 16!
  EXPECT_EQ(made.count(), "292919060189514350592000");
  Random random(1);
  for (int k = 0; k < 1000; ++k)
    EXPECT_TRUE(made.contains(*made.draw(random)));
}

TEST(Space, CountsBeyond128Bits) {
  std::vector<Parameter> parameters;
  for (int k = 0; k < 40; ++k)
    parameters.push_back(upTo("a" + std::to_string(k), 10));
  Space made = space(parameters, {"a0 + a1 <= 20"});
  EXPECT_EQ(made.count(), "1" + std::string(40, '0'));
  EXPECT_FALSE(made.smallCount());
}

TEST(Space, DeclaredOrderDoesNotMatter) {
  for (bool isTurned : {false, true}) {
    std::vector<Parameter> parameters = {upTo("a", 12), upTo("b", 12),
                                         upTo("c", 12)};
    if (isTurned)
      std::reverse(parameters.begin(), parameters.end());
    EXPECT_EQ(space(parameters, {"a % b == 0", "c <= a", "b * c < 30"}).count(),
              [] {
                int count = 0;
                for (int a = 1; a <= 12; ++a)
                  for (int b = 1; b <= 12; ++b)
                    for (int c = 1; c <= 12; ++c)
                      count += a % b == 0 && c <= a && b * c < 30;
                return std::to_string(count);
              }());
  }
}

TEST(Space, NumbersPoints) {
  Space made = space({upTo("a", 6), upTo("b", 6), permutation("p", 4),
                      categorical("l", {"x", "y"})},
                     {"a % b == 0", "p_i0 < p_i1", "b < 4 or l == 'x'"});
  std::set<Point> seen;
  Count count = *made.smallCount();
  for (Count k = 0; k < count; ++k) {
    Point point = made.at(k);
    EXPECT_TRUE(made.contains(point));
    seen.insert(point);
  }
  EXPECT_EQ(seen.size(), size_t(count));
}

/// Of a partial order, by a recursion over subsets of its own.
static uint64_t
linearExtensions(int items, const std::vector<std::pair<int, int>> &before) {
  std::vector<uint64_t> ways(size_t(1) << items, 0);
  ways[0] = 1;
  for (size_t set = 0; set < ways.size(); ++set)
    for (int next = 0; next < items; ++next) {
      bool isPossible = !(set >> next & 1);
      for (auto [first, second] : before)
        isPossible &= second != next || (set >> first & 1);
      if (isPossible)
        ways[set | size_t(1) << next] += ways[set];
    }
  return ways.back();
}

static const std::vector<std::pair<int, int>> kFifteen = {
    {0, 3}, {0, 4}, {1, 4},  {1, 5}, {2, 5},  {3, 6},  {4, 6},  {4, 7},
    {5, 8}, {6, 9}, {7, 10}, {8, 9}, {8, 10}, {2, 11}, {11, 10}};

static Space twelveItems() {
  std::vector<std::string> constraints;
  for (auto [first, second] : kFifteen)
    constraints.push_back("p_i" + std::to_string(first) + " < p_i" +
                          std::to_string(second));
  return space({permutation("p", 12)}, constraints);
}

TEST(Space, PrecedencesNeedSubsetsAlone) {
  Space made = twelveItems();
  EXPECT_EQ(made.count(), std::to_string(linearExtensions(12, kFifteen)));
  EXPECT_LE(made.components()[0].nodes, size_t(1) << 12);
  std::vector<std::string> chain;
  for (int k = 0; k + 1 < 16; k += 2)
    chain.push_back("pos(p, " + std::to_string(k) + ") < pos(p, " +
                    std::to_string(k + 1) + ")");
  // 16! / 2^8
  EXPECT_EQ(space({permutation("p", 16)}, chain).count(), "81729648000");
}

TEST(Space, CubeOfTilesMerges) {
  auto start = std::chrono::steady_clock::now();
  Space made = space({upTo("a", 1024), upTo("b", 1024), upTo("c", 1024)},
                     {"a * b * c <= 32768"});
  uint64_t expected = 0;
  for (int a = 1; a <= 1024; ++a)
    for (int b = 1; b <= 1024; ++b)
      expected += uint64_t(std::min(1024, 32768 / (a * b)));
  EXPECT_EQ(made.count(), std::to_string(expected));
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  RecordProperty("seconds", std::to_string(took.count()));
  EXPECT_LT(took.count(), 20.0); // of a machine that others use too
}

TEST(Space, ConditionalParameters) {
  Parameter depth = upTo("depth", 4);
  depth.activeIf = "mode == 'ring'";
  Parameter ahead = upTo("ahead", 3);
  ahead.activeIf = "depth > 2";
  Space made = space({categorical("mode", {"plain", "ring"}), depth, ahead},
                     {"ahead < depth"});
  // plain; depth 1 and 2; depth 3 with ahead 1, 2; depth 4 with 1, 2, 3.
  EXPECT_EQ(made.count(), "8");
  EXPECT_TRUE(made.contains({0, kInactive, kInactive}));
  EXPECT_TRUE(made.contains({1, 0, kInactive}));
  EXPECT_FALSE(made.contains({1, 3, kInactive}));
  EXPECT_FALSE(made.contains({0, 0, kInactive}));
  std::set<Point> near;
  made.neighbours({0, kInactive, kInactive}, nullptr,
                  [&](const Point &point) { near.insert(point); });
  EXPECT_EQ(near, (std::set<Point>{{1, 0, kInactive}}));
  near.clear();
  made.neighbours({1, 1, kInactive}, nullptr,
                  [&](const Point &point) { near.insert(point); });
  EXPECT_EQ(near,
            (std::set<Point>{
                {0, kInactive, kInactive}, {1, 0, kInactive}, {1, 2, 0}}));
}

TEST(Space, RealsAreDrawnAgain) {
  Parameter rate = real("rate", 0.001, 1);
  rate.isLog = true;
  Parameter extra = real("extra", 0, 1);
  extra.activeIf = "n > 2";
  Space made = space({rate, upTo("n", 4), extra}, {"rate * n < 0.5"});
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    Point point = *made.draw(random);
    EXPECT_LT(realOf(point[0]) * double(point[1] + 1), 0.5);
    EXPECT_EQ(point[2] == kInactive, point[1] + 1 <= 2);
    EXPECT_TRUE(made.contains(point));
    made.neighbours(point, &random, [&](const Point &near) {
      EXPECT_TRUE(made.contains(near));
    });
  }
  Space never = space({real("x", 0, 1)}, {"x > 2"});
  EXPECT_FALSE(never.draw(random));
}

TEST(Space, Fixing) {
  Space made = space({upTo("a", 6), upTo("b", 6), permutation("p", 3)},
                     {"a % b == 0", "p_i0 < p_i1"});
  llvm::Expected<Space> fixed = made.fix({{0, 5}, {2, packItems({2, 0, 1})}});
  ASSERT_TRUE(bool(fixed));
  EXPECT_EQ(fixed->count(), "4"); // 1, 2, 3, 6
  EXPECT_FALSE(fixed->contains({4, 0, packItems({2, 0, 1})}));
  llvm::Expected<Space> none = made.fix({{0, 4}, {1, 1}});
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(llvm::toString(none.takeError()),
            "no point keeps constraint 1 (a % b == 0) [tuner-space-empty]");
}

TEST(Space, FewestConstraintsAreNamed) {
  // Leaving out one after the other alone would find the three of a chain.
  EXPECT_EQ(fault({upTo("a", 8), upTo("b", 8), upTo("c", 8)},
                  {"a < b", "b < c", "c < a", "a + b + c < 20", "a > 7"}),
            "no point keeps all of constraint 1 (a < b) and constraint 5 "
            "(a > 7) [tuner-space-empty]");
  EXPECT_EQ(fault({upTo("a", 8), upTo("b", 8)}, {"a < b", "a * b > 100"}),
            "no point keeps constraint 2 (a * b > 100) [tuner-space-empty]");
  EXPECT_EQ(fault({upTo("a", 8)}, {"1 > 2"}),
            "no point keeps constraint 1 (1 > 2) [tuner-space-empty]");
}

TEST(Space, TooManyWaysAreRefused) {
  std::vector<Parameter> parameters;
  std::string text = "0";
  for (int k = 0; k < 12; ++k) {
    parameters.push_back(upTo("a" + std::to_string(k), 100));
    text += " + a" + std::to_string(k) + " ** " + std::to_string(k + 1);
  }
  std::string error = fault(parameters, {text + " == 123456"});
  EXPECT_NE(error.find("in too many ways"), std::string::npos) << error;
  EXPECT_NE(error.find("[tuner-space-size]"), std::string::npos) << error;
  error = fault({integer("i", 0, 1000000)}, {"i % 2 == 0"});
  EXPECT_NE(error.find("'i' has 1000001 values"), std::string::npos) << error;
}

TEST(Space, DrawsOrdersUniformly) {
  Space made = twelveItems();
  size_t cells = size_t(*made.smallCount());
  std::map<Point, int> seen;
  Random random(11);
  constexpr int kDraws = 100000;
  for (int k = 0; k < kDraws; ++k)
    ++seen[*made.draw(random)];
  double expected = double(kDraws) / double(cells);
  double sum = double(cells - seen.size()) * expected;
  for (const auto &[point, count] : seen)
    sum += (count - expected) * (count - expected) / expected;
  EXPECT_GT(chiSquareTail(sum, double(cells - 1)), 0.01);
}

TEST(Space, EmbeddingHasItsBias) {
  // b among those that go with a: 1 / (4 a), not 1 / 10.
  Space made = space({upTo("a", 4), upTo("b", 4)}, {"b <= a"});
  Random random(5);
  std::map<Point, int> seen;
  constexpr int kDraws = 100000;
  for (int k = 0; k < kDraws; ++k)
    ++seen[*made.drawEmbedded(random)];
  ASSERT_EQ(seen.size(), 10u);
  double sum = 0, uniform = 0;
  for (const auto &[point, count] : seen) {
    double expected = kDraws / (4.0 * double(point[0] + 1));
    sum += (count - expected) * (count - expected) / expected;
    uniform +=
        (count - kDraws / 10.0) * (count - kDraws / 10.0) / (kDraws / 10.0);
  }
  EXPECT_GT(chiSquareTail(sum, 9), 0.01);
  EXPECT_LT(chiSquareTail(uniform, 9), 1e-6);
}
