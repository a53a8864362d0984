//===- PublishedSpacesTest.cpp - Spaces of the literature -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ten spaces of bench/tuner/spaces have the published number of points, and
// those below a hundred thousand are drawn uniformly.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

#include "heddle/Support/Files.h"
#include "heddle/Tuner/Scenario.h"

#include <map>

using namespace heddle::tuner;

namespace {

struct Published {
  const char *name;
  const char *count;
};

class PublishedSpaces : public testing::TestWithParam<Published> {
protected:
  void SetUp() override {
    std::string path =
        std::string(HEDDLE_SPACES) + "/" + GetParam().name + ".json";
    std::string reason;
    auto buffer = heddle::readFile(path, reason);
    ASSERT_TRUE(buffer) << path << ": " << reason;
    llvm::Expected<Scenario> scenario = parseScenario(buffer->getBuffer());
    ASSERT_TRUE(bool(scenario)) << llvm::toString(scenario.takeError());
    llvm::Expected<Space> made = makeSpace(*scenario);
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    space = *made;
  }
  std::optional<Space> space;
};

INSTANTIATE_TEST_SUITE_P(Suites, PublishedSpaces,
                         testing::Values(Published{"taco-spmm", "46656"},
                                         Published{"taco-sddmm", "77760"},
                                         Published{"taco-spmv", "3024000"},
                                         Published{"taco-mttkrp", "680400"},
                                         Published{"rise-mm-cpu", "41503"},
                                         Published{"rise-mm-gpu", "154888140"},
                                         Published{"rise-asum", "63954"},
                                         Published{"rise-scal", "4201714"},
                                         Published{"rise-kmeans", "3641"},
                                         Published{"rise-harris", "10482439"}),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace

TEST_P(PublishedSpaces, Count) { EXPECT_EQ(space->count(), GetParam().count); }

TEST_P(PublishedSpaces, DrawsUniformly) {
  size_t cells = size_t(*space->smallCount());
  if (cells >= 100000)
    cells = 0;
  // One seed in a hundred fails a test at one in a hundred; five together are
  // one test of half a million draws.
  double sum = 0, freedom = 0;
  constexpr int kDraws = 100000;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    std::map<Point, int> seen;
    Random random(seed);
    for (int k = 0; k < (cells != 0 ? kDraws : 1000); ++k) {
      Point point = *space->draw(random);
      if (k < 1000)
        EXPECT_TRUE(space->contains(point));
      if (cells != 0)
        ++seen[point];
    }
    if (cells == 0)
      continue;
    double expected = double(kDraws) / double(cells);
    sum += double(cells - seen.size()) * expected;
    for (const auto &[point, count] : seen)
      sum += (count - expected) * (count - expected) / expected;
    freedom += double(cells - 1);
  }
  if (cells != 0)
    EXPECT_GT(chiSquareTail(sum, freedom), 0.01);
}
