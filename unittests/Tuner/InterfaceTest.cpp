//===- InterfaceTest.cpp - The C interface of the tuner -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A caller of tuner.h: the points are those of the library, a record is gone on
// from, and every mistake is a status with a sentence.
//
//===----------------------------------------------------------------------===//

#include "heddle/tuner.h"

#include "heddle/Tuner/Scenario.h"
#include "heddle/Tuner/Search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace heddle::tuner;

namespace {

const char *kSpace = R"({"input_parameters": {
  "a": {"parameter_type": "ordinal", "values": [1, 2, 4, 8], "transform": "log", "parameter_default": 1},
  "b": {"parameter_type": "integer", "values": [3, 9], "parameter_default": 3, "constraints": ["a * b <= 40"]},
  "r": {"parameter_type": "categorical", "values": ["ring", "none"], "parameter_default": "ring"},
  "d": {"parameter_type": "integer", "values": [1, 3], "parameter_default": 1, "active_if": "r == 'ring'"},
  "p": {"parameter_type": "permutation", "values": [3], "parameter_default": [0, 1, 2]}},
  "design_of_experiment": {"number_of_samples": 4}, "optimization_iterations": 16})";

class Interface : public testing::Test {
protected:
  ~Interface() override { heddle_tuner_destroy(tuner); }
  heddle_tuner_status create(const char *scenario, const char *options) {
    heddle_tuner_destroy(tuner);
    return heddle_tuner_create(scenario, options, &tuner);
  }
  std::string message() { return heddle_tuner_message(tuner); }

  /// Measures `most` points by name; the points as texts.
  std::vector<std::string> run(int most) {
    std::vector<std::string> points;
    const char *point;
    while (int(points.size()) < most &&
           heddle_tuner_propose(tuner, &point) == HEDDLE_TUNER_OK) {
      points.push_back(point);
      double a = 0, b = 0, d = 0;
      const char *r = nullptr;
      int p[3] = {};
      EXPECT_EQ(heddle_tuner_number(tuner, "a", &a), HEDDLE_TUNER_OK);
      EXPECT_EQ(heddle_tuner_number(tuner, "b", &b), HEDDLE_TUNER_OK);
      EXPECT_EQ(heddle_tuner_text(tuner, "r", &r), HEDDLE_TUNER_OK);
      EXPECT_EQ(heddle_tuner_number(tuner, "d", &d),
                r == std::string("ring") ? HEDDLE_TUNER_OK : HEDDLE_TUNER_OVER);
      EXPECT_EQ(heddle_tuner_order(tuner, "p", p, 3), HEDDLE_TUNER_OK);
      EXPECT_LE(a * b, 40);
      if (p[0] == 1)
        EXPECT_EQ(heddle_tuner_tell_invalid(tuner, "first"), HEDDLE_TUNER_OK);
      else
        EXPECT_EQ(heddle_tuner_tell(tuner, value(a, b, d, p)), HEDDLE_TUNER_OK);
    }
    return points;
  }
  static double value(double a, double b, double d, const int *p) {
    return 1 + std::fabs(a - 4) + std::fabs(b - 6) + d + 2 * p[2];
  }

  heddle_tuner *tuner = nullptr;
};

} // namespace

TEST_F(Interface, TextsOfOtherEncodingsAndPathsWithZeros) {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("heddle-bytes-" + std::to_string(::getpid())))
                         .string();
  std::string options = R"({"record": ")" + path + R"("})";
  ASSERT_EQ(create(kSpace, options.c_str()), HEDDLE_TUNER_OK);
  const char *point;
  for (const char *reason : {"\xff\xfe", "caf\xe9", "a\nb\"\\", ""}) {
    ASSERT_EQ(heddle_tuner_propose(tuner, &point), HEDDLE_TUNER_OK);
    EXPECT_EQ(heddle_tuner_tell_invalid(tuner, reason), HEDDLE_TUNER_OK);
  }
  EXPECT_EQ(create(kSpace, options.c_str()), HEDDLE_TUNER_OK) << message();
  EXPECT_EQ(heddle_tuner_told(tuner), 4);
  std::filesystem::remove(path);
  // A path ends at a zero, and would be another file.
  EXPECT_EQ(create(kSpace, R"({"record": "heddle\u0000x"})"),
            HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(message(), "record: expected a path without zeros, found "
                       "\"heddle\\u0000x\" [usage]");
  EXPECT_FALSE(std::filesystem::exists("heddle"));
}

TEST_F(Interface, ProposesWhatTheLibraryDoes) {
  ASSERT_EQ(create(kSpace, R"({"budget": 15, "seed": 3})"), HEDDLE_TUNER_OK);
  std::vector<std::string> points = run(100);
  EXPECT_EQ(points.size(), 15u);
  EXPECT_EQ(heddle_tuner_told(tuner), 15);
  const char *best;
  double least;
  ASSERT_EQ(heddle_tuner_best(tuner, &best, &least), HEDDLE_TUNER_OK);

  Scenario scenario = llvm::cantFail(parseScenario(kSpace));
  SearchOptions options;
  options.seed = 3;
  options.budget = 15;
  options.firstSamples = 4;
  Search search(llvm::cantFail(makeSpace(scenario)), options);
  Space space = llvm::cantFail(makeSpace(scenario));
  for (const std::string &text : points) {
    std::optional<Point> point = search.propose();
    ASSERT_TRUE(point);
    EXPECT_EQ(space.spell(*point), text);
    int p[3];
    for (int k = 0; k < 3; ++k)
      p[k] = itemAt((*point)[4], k);
    double d = (*point)[3] == kInactive ? 0 : double((*point)[3] + 1);
    double a = std::ldexp(1, int((*point)[0])), b = double((*point)[1] + 3);
    search.tell(*point, p[0] == 1 ? Outcome{false, 0, "first"}
                                  : Outcome{true, value(a, b, d, p), ""});
  }
  const Told &told = search.told()[size_t(search.best())];
  EXPECT_EQ(space.spell(told.point), best);
  EXPECT_EQ(told.outcome.value, least);
}

TEST_F(Interface, ARecordIsGoneOnFrom) {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("heddle-interface-" + std::to_string(::getpid())))
                         .string();
  std::filesystem::remove(path);
  std::string options = R"({"budget": 12, "record": ")" + path + "\"}";
  ASSERT_EQ(create(kSpace, R"({"budget": 12})"), HEDDLE_TUNER_OK);
  std::vector<std::string> whole = run(100);
  ASSERT_EQ(create(kSpace, options.c_str()), HEDDLE_TUNER_OK);
  std::vector<std::string> parts = run(5);
  // The file belongs to one tuner at a time.
  heddle_tuner *second;
  EXPECT_EQ(heddle_tuner_create(kSpace, options.c_str(), &second),
            HEDDLE_TUNER_BAD_INPUT);
  EXPECT_NE(std::string(heddle_tuner_message(second)).find("[tuner-record]"),
            std::string::npos)
      << heddle_tuner_message(second);
  const char *point;
  EXPECT_EQ(heddle_tuner_propose(second, &point), HEDDLE_TUNER_BAD_INPUT);
  heddle_tuner_destroy(second);
  ASSERT_EQ(create(kSpace, R"({})"), HEDDLE_TUNER_OK); // closes it
  ASSERT_EQ(create(kSpace, options.c_str()), HEDDLE_TUNER_OK);
  EXPECT_EQ(heddle_tuner_told(tuner), 5);
  std::vector<std::string> rest = run(100);
  parts.insert(parts.end(), rest.begin(), rest.end());
  EXPECT_EQ(parts, whole);
  std::filesystem::remove(path);
}

TEST_F(Interface, MistakesAreSentences) {
  EXPECT_EQ(heddle_tuner_create(kSpace, nullptr, nullptr),
            HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(create(nullptr, nullptr), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(message(), "heddle_tuner_create has no scenario [usage]");
  EXPECT_EQ(create("{", nullptr), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_NE(message().find("[tuner-scenario]"), std::string::npos);
  EXPECT_EQ(create(kSpace, R"({"budgets": 3})"), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_NE(message().find("budgets"), std::string::npos) << message();
  EXPECT_EQ(create(kSpace, R"({"method": "magic"})"), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_NE(message().find("model, uniform, embedding, bandit or annealing"),
            std::string::npos)
      << message();
  EXPECT_EQ(create(kSpace, R"({"budget": 2})"), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(message(), "the budget is 2, and the first 4 points are samples "
                       "[tuner-budget]");
  EXPECT_EQ(heddle_tuner_told(tuner), 0);

  ASSERT_EQ(create(kSpace, nullptr), HEDDLE_TUNER_OK);
  EXPECT_EQ(message(), "");
  double number;
  const char *text;
  int items[3];
  EXPECT_EQ(heddle_tuner_tell(tuner, 1), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(message(), "no point was proposed that could be told [usage]");
  EXPECT_EQ(heddle_tuner_number(tuner, "a", &number), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(heddle_tuner_best(tuner, &text, &number), HEDDLE_TUNER_OVER);
  ASSERT_EQ(heddle_tuner_propose(tuner, &text), HEDDLE_TUNER_OK);
  EXPECT_EQ(heddle_tuner_number(tuner, "x", &number), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(message(), "there is no parameter 'x' [usage]");
  EXPECT_EQ(heddle_tuner_number(tuner, "r", &number), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(message(), "parameter 'r' has no numbers [usage]");
  EXPECT_EQ(heddle_tuner_order(tuner, "p", items, 4), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(message(),
            "parameter 'p' orders 3 items, and 4 places were given [usage]");
  EXPECT_EQ(heddle_tuner_number(tuner, "a", nullptr), HEDDLE_TUNER_BAD_INPUT);
  EXPECT_EQ(heddle_tuner_number(tuner, nullptr, &number),
            HEDDLE_TUNER_BAD_INPUT);
  // A value without a logarithm makes the point invalid.
  EXPECT_EQ(heddle_tuner_tell(tuner, std::nan("")), HEDDLE_TUNER_OK);
  EXPECT_EQ(heddle_tuner_best(tuner, &text, &number), HEDDLE_TUNER_OVER);
  EXPECT_EQ(heddle_tuner_told(nullptr), 0);
  EXPECT_EQ(heddle_tuner_propose(nullptr, &text), HEDDLE_TUNER_BAD_INPUT);
}
