//===- JsonTest.cpp - Problems and solutions as JSON and back -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems and solutions as text. Every field has a value of its own in the
// round trip, so that two of them exchanged, or one left out, cannot pass;
// broken texts are answered with the place and the reason.
//
//===----------------------------------------------------------------------===//

#include "SampleMachine.h"
#include "SampleProblem.h"

#include "heddle/Schedule/Json.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

/// Every field differs from its default and from its neighbours.
Problem unusualProblem() {
  Problem problem = sampleProblem();
  problem.operations[0] = {"a\"b", 1, 2, 3, 4, true, 1, 5, true, true, 6};
  problem.dependences[0] = {3, 1, 2, true, true, 7};
  problem.transfers[0] = {1, 77};
  problem.machine = {-1, 2, 3, 4, 5, 6, 7, 8, 9};
  return problem;
}

Solution unusualSolution() {
  Solution solution = sampleSolution();
  solution.execution = {5, 6, 7, 8};
  solution.latency = {9, 10, 11, 12};
  solution.rings[0] = {"r", 3, {2, 1}};
  solution.processes[1] = {"p", 8, 16};
  return solution;
}

std::string replaced(std::string text, const std::string &what,
                     const std::string &by) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

std::string complaint(const std::string &what, const std::string &by) {
  Problem problem;
  problem.machine = sampleMachine();
  return fromJson(replaced(toJson(sampleProblem()), what, by), problem);
}

std::string complaintOfSolution(const std::string &what,
                                const std::string &by) {
  Solution solution;
  return fromJson(replaced(toJson(sampleSolution()), what, by), solution);
}

} // namespace

TEST(ScheduleJson, GivesBackEveryFieldOfAProblem) {
  Problem problem;
  problem.machine = sampleMachine();
  ASSERT_EQ(fromJson(toJson(unusualProblem()), problem), "");
  EXPECT_EQ(toJson(problem), toJson(unusualProblem()));
  EXPECT_EQ(problem.operations[0].name, "a\"b");
  EXPECT_EQ(problem.operations[0].columns, 6);
  EXPECT_TRUE(problem.operations[0].inPlace);
  EXPECT_EQ(problem.operations[1].sub, -1);
  EXPECT_EQ(problem.dependences[0].delay, 7);
  EXPECT_EQ(problem.machine.sharedBytes, -1);
  EXPECT_EQ(problem.machine.columnBytes, 8);
  EXPECT_EQ(problem.machine.ringDepth, 9);
  EXPECT_EQ(problem.transfers[0].bytes, 77);
  EXPECT_TRUE(problem.units[1].asynchronous);
}

TEST(ScheduleJson, GivesBackEveryFieldOfASolution) {
  Solution solution;
  ASSERT_EQ(fromJson(toJson(unusualSolution()), solution), "");
  EXPECT_EQ(toJson(solution), toJson(unusualSolution()));
  EXPECT_EQ(solution.execution, (std::vector<int64_t>{5, 6, 7, 8}));
  EXPECT_EQ(solution.latency, (std::vector<int64_t>{9, 10, 11, 12}));
  EXPECT_EQ(solution.rings[0].operations, (std::vector<int>{2, 1}));
  EXPECT_EQ(solution.processes[1].warps, 8);
}

TEST(ScheduleJson, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("\"latency\": 900", "\"latency\": -1"),
            "operations[1].latency: expected an integer from 0 to "
            "68719476736, found -1");
  EXPECT_EQ(complaint("\"latency\": 900", "\"latency\": \"900\""),
            "operations[1].latency: expected an integer from 0 to "
            "68719476736, found \"900\"");
  EXPECT_EQ(complaint("\"latency\": 900", "\"latency\": 1e30"),
            "operations[1].latency: expected an integer from 0 to "
            "68719476736, found 1e+30");
  EXPECT_EQ(complaint("\"latency\": 900,", ""),
            "operations[1].latency: the field is missing");
  EXPECT_EQ(complaint("\"latency\": 900,", "\"latency\": 900, \"late\": 1,"),
            "operations[1].late: unknown field; the fields here are name, "
            "unit, reservation, latency, issue, variableLatency, sub, "
            "registers, persists, inPlace, columns, leader");
  EXPECT_EQ(complaint("\"version\": 1", "\"version\": 2"),
            "version: expected an integer from 1 to 1, found 2");
  EXPECT_EQ(complaint("\"accumulates\": true", "\"accumulates\": 1"),
            "dependences[4].accumulates: expected true or false, found 1");
  EXPECT_EQ(complaint("{", "["),
            "the scheduling problem: not JSON: [2:11, "
            "byte=13]: Expected , or ] after array element");
  EXPECT_EQ(complaintOfSolution("\"ii\": 1000", "\"ii\": 0"),
            "ii: expected an integer from 1 to 68719476736, found 0");
  EXPECT_EQ(complaintOfSolution("\"depth\": 4", "\"depth\": 0"),
            "rings[0].depth: expected an integer from 1 to 65536, found 0");
  EXPECT_EQ(complaintOfSolution("\"warps\": 4", "\"warps\": 0"),
            "processes[0].warps: expected an integer from 1 to 65536, "
            "found 0");
}

TEST(ScheduleJson, RefusesAVersionItDoesNotKnowInOneSentence) {
  Problem problem;
  problem.machine = sampleMachine();
  EXPECT_EQ(fromJson("[]", problem),
            "the scheduling problem: expected an object, found a list of 0");
  EXPECT_EQ(fromJson("{}", problem), "version: the field is missing");
}
