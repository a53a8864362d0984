//===- EvaluatorTest.cpp - Programs that measure, and those that do not ---===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a program does, its point gets an outcome within the time limit, and
// nothing that it started is left.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

#include "heddle/Tuner/Evaluator.h"
#include "heddle/Tuner/Protocol.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

using namespace heddle::tuner;

namespace {

class Evaluators : public testing::Test {
protected:
  Evaluators() : tiles(space({upTo("a", 9)}, {})) {
    ::signal(SIGPIPE, SIG_IGN);
  }

  Outcome measure(const std::string &command, double seconds = 20,
                  uint64_t memory = 0) {
    auto start = std::chrono::steady_clock::now();
    evaluator.emplace(CommandOptions{command, seconds, memory});
    Outcome outcome = evaluator->measure(tiles, {3});
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), seconds + 5);
    return outcome;
  }
  Space tiles;
  std::optional<CommandEvaluator> evaluator;
};

} // namespace

TEST_F(Evaluators, AnswersAreOutcomes) {
  Outcome outcome = measure("while read x; do echo '{\"value\": 2.5}'; done");
  EXPECT_TRUE(outcome.isValid);
  EXPECT_EQ(outcome.value, 2.5);
  // The same program answers again.
  EXPECT_EQ(evaluator->measure(tiles, {4}).value, 2.5);
  outcome =
      measure("read x; echo '{\"valid\": false, \"reason\": \"registers\"}'");
  EXPECT_FALSE(outcome.isValid);
  EXPECT_EQ(outcome.reason, "registers");
}

TEST_F(Evaluators, ThePointIsTheQuestion) {
  Outcome outcome = measure("read x; test \"$x\" = '{\"point\": {\"a\": 4}}' "
                            "&& echo '{\"value\": 1}'");
  EXPECT_TRUE(outcome.isValid);
}

TEST_F(Evaluators, NoAnswerIsInvalid) {
  EXPECT_EQ(measure("exit 3").reason, "ended");
  EXPECT_EQ(evaluator->lastEnd(), "exit status 3");
  EXPECT_FALSE(evaluator->hasAnswered());
  EXPECT_EQ(measure("kill -9 $$").reason, "ended");
  EXPECT_EQ(evaluator->lastEnd(), "signal 9");
  EXPECT_EQ(measure("/none/such").reason, "ended");
  EXPECT_EQ(measure("sleep 60", 0.2).reason, "timeout");
  EXPECT_EQ(measure("yes", 30).reason, "answer");
  EXPECT_EQ(measure("yes | tr -d '\\n'", 20).reason, "answer");
  EXPECT_EQ(measure("echo '{\"value\": NaN}'").reason, "answer");
  EXPECT_EQ(measure("echo '{}'").reason, "answer");
  EXPECT_EQ(measure("printf '{\"value\": 1}'").reason, "ended");
}

TEST_F(Evaluators, ItStartsAgain) {
  // A program that answers once.
  measure("read x; echo '{\"value\": 1}'");
  int valid = 0;
  for (int k = 0; k < 6; ++k)
    valid += evaluator->measure(tiles, {3}).isValid;
  EXPECT_EQ(valid, 6);
  // One that fails at a point is asked twice, and then the point is invalid.
  evaluator.emplace(
      CommandOptions{"while read x; do case \"$x\" in *5*) exit 4;; esac; "
                     "echo '{\"value\": 1}'; done",
                     20, 0});
  EXPECT_TRUE(evaluator->measure(tiles, {3}).isValid);
  EXPECT_EQ(evaluator->measure(tiles, {4}).reason, "ended");
  EXPECT_EQ(evaluator->lastEnd(), "exit status 4");
  EXPECT_TRUE(evaluator->measure(tiles, {3}).isValid);
}

// A second line would be taken for the answer to the next point.
TEST_F(Evaluators, AnAnswerIsOneLine) {
  EXPECT_EQ(measure("while read x; do printf '{\"value\": 1}\\n"
                    "{\"value\": 2}\\n'; done")
                .reason,
            "answer");
  // It comes too late to spoil the first answer, and before the next question.
  Outcome first = measure("while read x; do echo '{\"value\": 1}'; sleep 0.1; "
                          "echo '{\"value\": 2}'; done");
  EXPECT_EQ(first.value, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  Outcome second = evaluator->measure(tiles, {4});
  EXPECT_TRUE(second.isValid);
  EXPECT_EQ(second.value, 1);
}

TEST_F(Evaluators, MemoryIsLimited) {
  std::string greedy = "python3 -c 'x = bytearray(600 << 20); "
                       "print(\"{\\\"value\\\": 1}\")' 2>/dev/null";
  EXPECT_TRUE(measure(greedy).isValid);
  EXPECT_EQ(measure(greedy, 20, uint64_t(300) << 20).reason, "ended");
}

TEST_F(Evaluators, WhatItStartedEndsToo) {
  std::string file = testing::TempDir() + "heddle-evaluator-pid";
  measure("sleep 300 & echo $! > " + file + "; wait", 3);
  std::ifstream stream(file);
  pid_t started = 0;
  ASSERT_TRUE(stream >> started);
  for (int k = 0; k < 100 && ::kill(started, 0) == 0; ++k)
    ::usleep(20000); // until somebody has taken note of its end
  std::ifstream status("/proc/" + std::to_string(started) + "/stat");
  std::string number, name, state = "gone";
  status >> number >> name >> state;
  EXPECT_TRUE(state == "gone" || state == "Z") << state;
}

TEST(Protocol, Baco) {
  Scenario scenario;
  scenario.hasValidity = true;
  scenario.trueText = "True";
  scenario.falseText = "False";
  scenario.objective = "time";
  Space tiles = space({ordinal("t", {8, 16}), categorical("l", {"x", "y"}),
                       permutation("p", 3)},
                      {});
  Point point = {1, 1, packItems({2, 0, 1})};
  EXPECT_EQ(writeRequest(tiles, point), "Request 1\nt,l,p\n16,y,(2,0,1)\n");
  Outcome outcome;
  auto read = [&](const char *header, const char *row) {
    return readReply(header, row, scenario, tiles, point, outcome);
  };
  EXPECT_EQ(read("t,l,p,time,Valid", "16.0,y,(2, 0, 1),0.25,True"), "");
  EXPECT_TRUE(outcome.isValid);
  EXPECT_EQ(outcome.value, 0.25);
  EXPECT_EQ(read("Valid,time", "False,inf"), "");
  EXPECT_FALSE(outcome.isValid);
  EXPECT_EQ(read("time,Valid", "1"), "a row of 1 columns, and 2 names");
  EXPECT_EQ(read("time", "1"), "no column 'Valid'");
  EXPECT_EQ(read("Valid", "True"), "no column 'time'");
  EXPECT_EQ(read("time,Valid", "1,yes"),
            "'Valid' is yes, neither True nor False");
  EXPECT_EQ(read("time,Valid", "fast,True"),
            "'time' is fast, which is no number");
  EXPECT_EQ(read("t,time,Valid", "8,1,True"),
            "the row is for t = 8, and 16 was asked for");
}
