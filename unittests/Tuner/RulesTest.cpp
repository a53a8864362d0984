//===- RulesTest.cpp - What invalid points have in common -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that were planted are found, chance makes none, and those that a few
// tens of points of a real table give hold on the whole of it.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

#include "heddle/Support/Files.h"
#include "heddle/Tuner/Record.h"
#include "heddle/Tuner/Rules.h"
#include "heddle/Tuner/Scenario.h"

#include <map>

using namespace heddle;
using namespace heddle::tuner;

namespace {

Space tiles() {
  return space({ordinal("m", {1, 2, 4, 8, 16, 32, 64, 128}),
                ordinal("n", {1, 2, 4, 8, 16, 32, 64, 128}), integer("k", 2, 9),
                categorical("layout", {"a", "b", "c"})},
               {});
}

std::vector<Told> draw(const Space &from, int count, uint64_t seed,
                       const std::function<std::string(const Point &)> &fault) {
  Random random(seed);
  std::vector<Told> told;
  for (int k = 0; k < count; ++k) {
    Point point = *from.draw(random);
    std::string reason = fault(point);
    told.push_back({point, {reason.empty(), 1, reason}});
  }
  return told;
}

double times(const Point &point) { return std::exp2(point[0] + point[1]); }

} // namespace

TEST(Rules, FindWhatWasPlanted) {
  Space from = tiles();
  std::vector<Told> told = draw(from, 80, 1, [](const Point &point) {
    return times(point) >= 512 ? "registers" : "";
  });
  std::vector<Rule> rules = findRules(from, told);
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_EQ(rules[0].reason, "registers");
  EXPECT_EQ(rules[0].condition, "m * n >= 512");
  EXPECT_EQ(rules[0].covered, rules[0].all);
  for (const Told &one : told)
    EXPECT_EQ(holds(rules[0], from, one.point), !one.outcome.isValid);
}

TEST(Rules, HaveTwoAtomsWhereOneSaysTooMuch) {
  Space from = tiles();
  auto fault = [](const Point &point) {
    return point[3] == 1 && point[2] + 2 >= 5 ? "bank" : "";
  };
  std::vector<Rule> rules = findRules(from, draw(from, 150, 2, fault));
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_TRUE(rules[0].condition == "layout == 'b' and k >= 5" ||
              rules[0].condition == "k >= 5 and layout == 'b'")
      << rules[0].condition;
  Random random(9);
  for (int k = 0; k < 500; ++k) {
    Point point = *from.draw(random);
    EXPECT_EQ(holds(rules[0], from, point), fault(point)[0] != 0);
  }
}

TEST(Rules, ChanceMakesNone) {
  Space from = tiles();
  int runs = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Random coin(seed * 77);
    std::vector<Told> told = draw(from, 40, seed, [&](const Point &) {
      return coin.below(2) ? "chance" : "";
    });
    runs += !findRules(from, told).empty();
  }
  EXPECT_LE(runs, 5);
}

TEST(Rules, InactiveParametersKeepNone) {
  Parameter depth = integer("depth", 2, 9);
  depth.activeIf = "mode == 'ring'";
  Space from = space({categorical("mode", {"none", "ring"}), depth}, {});
  std::vector<Told> told = draw(from, 80, 4, [](const Point &point) {
    return point[1] != kInactive && point[1] + 2 >= 6 ? "shared-memory" : "";
  });
  std::vector<Rule> rules = findRules(from, told);
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_EQ(rules[0].condition, "depth >= 6");
  EXPECT_FALSE(holds(rules[0], from, {0, kInactive}));
}

/// Tiles of a product: what the compiler refused of all 384, and the model's
/// cycles of the others.
TEST(Rules, OfARealTableHoldOnIt) {
  std::string reason;
  auto scenarioText = readFile(HEDDLE_SPACES "/heddle-gemm-tiles.json", reason);
  ASSERT_TRUE(scenarioText) << reason;
  llvm::Expected<Scenario> scenario = parseScenario(scenarioText->getBuffer());
  ASSERT_TRUE(bool(scenario));
  llvm::Expected<Space> from = makeSpace(*scenario);
  ASSERT_TRUE(bool(from));
  llvm::Expected<std::vector<Told>> table =
      readRecord(HEDDLE_SPACES "/../tables/gemm-1024-tiles-model.jsonl", *from);
  ASSERT_TRUE(bool(table)) << llvm::toString(table.takeError());
  ASSERT_EQ(table->size(), 384u);
  std::map<Point, Outcome> outcomes;
  for (const Told &one : *table)
    outcomes[one.point] = one.outcome;

  int found = 0, covered = 0, wrong = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SearchOptions options;
    options.seed = seed;
    options.method = Method::Uniform;
    Search search(*from, options);
    for (int k = 0; k < 60; ++k) {
      Point point = *search.propose();
      search.tell(point, outcomes.at(point));
    }
    for (const Rule &rule : findRules(*from, search.told())) {
      ++found;
      for (const auto &[point, outcome] : outcomes)
        if (holds(rule, *from, point)) {
          ++covered;
          wrong += outcome.isValid;
        }
    }
  }
  EXPECT_GE(found, 5);
  EXPECT_LE(wrong, covered / 100) << "of " << covered;
}
