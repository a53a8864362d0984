//===- ScenarioTest.cpp - Spaces as JSON ----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kind of parameter is read and its values written again; parameters keep
// the order of the text.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

#include "heddle/Tuner/Record.h"
#include "heddle/Tuner/Scenario.h"

using namespace heddle::tuner;

static const char kEverything[] = R"({
  "application_name": "all kinds",
  "optimization_objectives": ["seconds"],
  "input_parameters": {
    "z": {"parameter_type": "real", "values": [0.5, 2], "transform": "log", "parameter_default": 1},
    "n": {"parameter_type": "integer", "values": [-3, 3], "parameter_default": 0},
    "a": {"parameter_type": "ordinal", "values": [8, 2, 4], "parameter_default": 4,
          "constraints": ["a % 2 == 0"], "dependencies": ["n"]},
    "l": {"parameter_type": "categorical", "values": ["x", "y \"q\""], "parameter_default": "x"},
    "p": {"parameter_type": "permutation", "values": [3], "parametrization": "kendall",
          "parameter_default": [2, 0, 1]},
    "d": {"parameter_type": "ordinal", "values": [1, 2], "active_if": "l == 'x'", "parameter_default": 2}
  },
  "constraints": ["n < a"]
})";

TEST(Scenario, ReadsEveryKind) {
  llvm::Expected<Scenario> scenario = parseScenario(kEverything);
  ASSERT_TRUE(bool(scenario)) << llvm::toString(scenario.takeError());
  EXPECT_EQ(scenario->name, "all kinds");
  EXPECT_EQ(scenario->objective, "seconds");
  llvm::Expected<Space> made = makeSpace(*scenario);
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  EXPECT_EQ(made->find("z"), 0);
  EXPECT_EQ(made->find("a"), 2);
  EXPECT_EQ(made->find("none"), -1);
  EXPECT_EQ(made->parameters()[4].distance, Distance::Kendall);
  std::optional<Point> preset = presetOf(*made);
  ASSERT_TRUE(preset);
  EXPECT_EQ(made->spell(*preset),
            R"({"z": 1, "n": 0, "a": 4, "l": "x", "p": [2, 0, 1], "d": 2})");
}

TEST(Scenario, PointsOfSpacesMadeInCodeAreReadAgain) {
  Space made = space({integer("n", 2, 8), upTo("tile", 3)}, {});
  Point again;
  EXPECT_EQ(parsePoint(R"({"n": 3, "tile": 2})", made, again), "");
  EXPECT_EQ(made.spell(again), R"({"n": 3, "tile": 2})");
  EXPECT_NE(parsePoint(R"({"n": 9, "tile": 2})", made, again), "");
}

TEST(Scenario, SpacesAreWrittenAndReadAgain) {
  llvm::Expected<Scenario> scenario = parseScenario(kEverything);
  ASSERT_TRUE(bool(scenario)) << llvm::toString(scenario.takeError());
  Parameter odd = ordinal("odd", {1.0 / 3, 0.1, 1e9 + 0.5, 9007199254740991.0});
  std::sort(odd.numbers.begin(), odd.numbers.end());
  odd.isLog = true;
  for (const Space &made : {llvm::cantFail(makeSpace(*scenario)),
                            space({integer("n", -2, 8), odd, upTo("tile", 3)},
                                  {"n < tile", "tile == 2 or n == -2"})})
    for (bool isLogOutput : {true, false}) {
      std::string text = writeScenario(made, isLogOutput);
      EXPECT_EQ(text.find('\n'), std::string::npos);
      llvm::Expected<Scenario> read = parseScenario(text);
      ASSERT_TRUE(bool(read)) << text << llvm::toString(read.takeError());
      EXPECT_EQ(read->isLogOutput, isLogOutput);
      llvm::Expected<Space> again = makeSpace(*read);
      ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
      EXPECT_EQ(identify(*again), identify(made)) << text;
      EXPECT_EQ(again->count(), made.count());
      EXPECT_EQ(presetOf(*again), presetOf(made));
      for (size_t k = 0; k < made.parameters().size(); ++k) {
        EXPECT_EQ(again->parameters()[k].isLog, made.parameters()[k].isLog);
        EXPECT_EQ(again->parameters()[k].distance,
                  made.parameters()[k].distance);
      }
    }
}

TEST(Scenario, PointsAreReadAgain) {
  llvm::Expected<Scenario> scenario = parseScenario(kEverything);
  ASSERT_TRUE(bool(scenario));
  llvm::Expected<Space> made = makeSpace(*scenario);
  ASSERT_TRUE(bool(made));
  Random random(1);
  for (int k = 0; k < 200; ++k) {
    Point point = *made->draw(random), again;
    EXPECT_EQ(parsePoint(made->spell(point), *made, again), "");
    EXPECT_EQ(point, again);
  }
  Point point;
  EXPECT_EQ(parsePoint("{\"z\": 1}", *made, point), "n: the field is missing");
}
