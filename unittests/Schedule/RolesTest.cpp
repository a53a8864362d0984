//===- RolesTest.cpp - Which loads share a ring ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads that are read together share a ring; who reads is followed through what
// makes operands, each operation once.
//
//===----------------------------------------------------------------------===//

#include "SampleProblem.h"

#include "Roles.h"

#include <gtest/gtest.h>

using namespace heddle::schedule;

namespace {

/// Two products that add to one sum, of an operand that two operations make of
/// two loads, two more of what these give, and so on: as many ways lead from a
/// load to the sum as two to the power of `levels`.
Problem doubledProblem(int levels) {
  Problem problem;
  problem.machine = sampleMachine();
  problem.machine.sharedBytes = 200000;
  problem.loop = "k";
  problem.units = {{"tma", true}, {"tensor", true}, {"alu", false}};
  problem.operations = {{"a", 0, 100, 800, 16, true, -1, 0},
                        {"b", 0, 200, 900, 16, true, -1, 0}};
  problem.transfers = {{0, 16384}, {1, 32768}};
  auto add = [&](Operation operation, std::vector<int> read) {
    int op = int(problem.operations.size());
    problem.operations.push_back(std::move(operation));
    for (int from : read)
      problem.dependences.push_back({from, op, 0, false});
    return op;
  };
  int last = 0;
  for (int level = 0; level < levels; ++level) {
    std::string name = std::to_string(level);
    int other = level == 0 ? 1 : last;
    int left = add({"left" + name, 2, 4, 8, 4, false, -1, 1}, {last});
    int right = add({"right" + name, 2, 4, 8, 4, false, -1, 1}, {other});
    last = add({"both" + name, 2, 4, 8, 4, false, -1, 1}, {left, right});
  }
  int first = add({"dot", 1, 500, 1060, 16, false, -1, 64, true}, {last});
  int second = add({"dot_2", 1, 500, 1060, 16, false, -1, 64, true}, {last});
  problem.dependences.push_back({first, second, 0, true});
  problem.dependences.push_back({second, first, 1, true});
  return problem;
}

} // namespace

TEST(Rings, LoadsForOneSumShareOne) {
  std::vector<Ring> rings = chooseRings(doubledProblem(1));
  ASSERT_EQ(rings.size(), 1u);
  EXPECT_EQ(rings[0].name, "loads");
  EXPECT_EQ(rings[0].operations, (std::vector<int>{0, 1}));
}

TEST(Rings, WhatMakesAnOperandIsFollowedOnce) {
  EXPECT_EQ(chooseRings(doubledProblem(60)).size(), 1u);
}

TEST(Rings, AnOperandThatGoesElsewhereTooIsReadByItself) {
  Problem problem = doubledProblem(3);
  int last = int(problem.operations.size()) - 3;
  problem.operations.push_back({"sum", 2, 4, 8, 4, false, -1, 1});
  problem.dependences.push_back(
      {last, int(problem.operations.size()) - 1, 0, false});
  EXPECT_EQ(chooseRings(problem).size(), 2u);
}

TEST(Rings, ACircleOfDependencesEnds) {
  Problem problem = doubledProblem(1); // a, b, left0, right0, both0, dot, dot_2
  problem.dependences.push_back({4, 2});
  problem.dependences.push_back({4, 4});
  EXPECT_EQ(chooseRings(problem).size(), 1u);
}

TEST(Roles, WhoIsOfNoSubTileFollowsItsReaders) {
  Problem problem;
  problem.machine = sampleMachine();
  problem.loop = "k";
  problem.units = {{"tma", true}, {"tensor", true}, {"alu", false}};
  problem.subTiles = 2;
  problem.operations = {{"a", 0, 100, 800, 16, true, -1, 0},
                        {"use.0", 2, 4, 8, 4, false, 0, 1},
                        {"use.1", 2, 4, 8, 4, false, 1, 1},
                        {"rows", 2, 4, 8, 4, false, -1, 1},
                        {"number", 2, 4, 8, 4, false, -1, 1}};
  problem.transfers = {{0, 16384}};
  // Rows of the turn before, which the second sub-tile alone reads.
  problem.dependences = {{0, 1, 0, false}, {0, 2, 0, false}, {3, 2, 1, false}};
  EXPECT_EQ(rolesFor(problem, 2).process, (std::vector<int>{0, 1, 2, 2, 1}));
  EXPECT_EQ(rolesFor(problem, 1).process, (std::vector<int>{0, 1, 1, 1, 1}));
}
