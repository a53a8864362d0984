//===- ConfirmTest.cpp - Whether a win is one -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two hundred whole runs, search and confirmation, on an evaluator with ten
// percent of noise: where all points are equal few report a win, and a planted
// one of five percent is found mostly.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

#include "heddle/Support/Workers.h"
#include "heddle/Tuner/Confirm.h"

using namespace heddle::tuner;

namespace {

Space choices() {
  Parameter layout = categorical("layout", {"a", "b", "c"});
  Parameter tile = ordinal("tile", {8, 16, 32, 64, 128});
  tile.isLog = true;
  Parameter unroll = ordinal("unroll", {1, 2, 4, 8});
  unroll.isLog = true;
  layout.preset = tile.preset = unroll.preset = 0;
  return space({layout, tile, unroll}, {});
}

/// Times with noise: `share` of the time where the layout is b.
class Noisy {
public:
  Noisy(double share, uint64_t seed) : share(share), random(seed) {}

  double measure(const Point &point) {
    double u = 1 - random.unit(), v = random.unit();
    double normal = std::sqrt(-2 * std::log(u)) * std::cos(6.283185307 * v);
    return (point[0] == 1 ? share : 1) * std::exp(0.1 * normal);
  }

private:
  double share;
  Random random;
};

Verdict run(double share, uint64_t seed) {
  Noisy noisy(share, seed * 7919);
  SearchOptions options;
  options.seed = seed;
  options.firstSamples = 10;
  options.candidates = 200;
  options.process.starts = 2;
  Search search(choices(), options);
  for (int k = 0; k < 40; ++k) {
    Point point = *search.propose();
    search.tell(point, {true, noisy.measure(point), ""});
  }
  Point incumbent = search.told().front().point;
  std::vector<Point> rivals = findRivals(search, incumbent, 4);
  EXPECT_LE(rivals.size(), 4u);
  return confirm(
      incumbent, rivals,
      [&](const Point &point) { return std::optional(noisy.measure(point)); },
      ConfirmOptions());
}

/// Of 200 runs, which know nothing of each other.
std::vector<Verdict> runAll(double share) {
  std::vector<Verdict> verdicts(200);
  heddle::forEachTask(verdicts.size(), [&](size_t k) {
    verdicts[k] = run(share, uint64_t(k) + 1);
  });
  return verdicts;
}

} // namespace

TEST(Confirm, ChanceWinsSeldom) {
  int wins = 0, measurements = 0;
  double noise = 0;
  for (const Verdict &verdict : runAll(1)) {
    wins += verdict.isWin;
    measurements += verdict.measurements;
    noise += verdict.noise / 200;
    EXPECT_EQ(verdict.isWin, verdict.winner != Point({0, 0, 0}));
  }
  EXPECT_LE(wins, 10) << "of 200";
  EXPECT_NEAR(noise, 0.1, 0.01);
  std::printf("%d wins by chance of 200, %d measurements each\n", wins,
              measurements / 200);
}

TEST(Confirm, FivePercentAreFound) {
  int wins = 0, right = 0, measurements = 0;
  for (const Verdict &verdict : runAll(0.95)) {
    wins += verdict.isWin;
    right += verdict.isWin && verdict.winner[0] == 1;
    measurements += verdict.measurements;
  }
  EXPECT_GE(right, 160) << "of 200";
  EXPECT_LE(wins - right, 4);
  std::printf("%d wins of 5 %% found of 200, %d measurements each\n", right,
              measurements / 200);
}

TEST(Confirm, WithoutNoiseTheFirstLookIsEnough) {
  Point slow = {0, 0, 0}, fast = {1, 0, 0};
  auto measure = [&](const Point &point) {
    return std::optional(point == fast ? 0.99 : 1.0);
  };
  Verdict verdict = confirm(slow, {fast}, measure, {});
  EXPECT_TRUE(verdict.isWin);
  EXPECT_LE(verdict.rounds, 12);
  EXPECT_NEAR(verdict.share, 0.99, 1e-9);
  EXPECT_FALSE(confirm(fast, {slow}, measure, {}).isWin);
}

TEST(Confirm, WhatFailsNowWinsNothing) {
  Point slow = {0, 0, 0}, gone = {1, 0, 0};
  auto measure = [&](const Point &point) {
    return point == gone ? std::nullopt : std::optional(1.0);
  };
  EXPECT_FALSE(confirm(slow, {gone}, measure, {}).isWin);
  EXPECT_FALSE(confirm(slow, {gone, gone}, measure, {}).isWin);
  EXPECT_FALSE(confirm(slow, {}, measure, {}).isWin);
}
