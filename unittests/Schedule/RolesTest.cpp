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

namespace {

/// A product of a large load, from whose result a row is subtracted that a
/// small load brings and an operation spreads first. Operations 0 to 4.
Problem subtractedRow(int64_t rowBytes) {
  Problem problem;
  problem.machine = sampleMachine();
  problem.machine.sharedBytes = 200000;
  problem.loop = "k";
  problem.units = {{"tma", true}, {"tensor", true}, {"alu", false}};
  problem.operations = {{"q", 0, 100, 800, 16, true, -1, 0},
                        {"row", 0, 20, 700, 16, true, -1, 0},
                        {"dot", 1, 500, 1060, 16, false, -1, 64},
                        {"spread", 2, 1, 1, 1, false, -1, 1},
                        {"minus", 2, 4, 8, 4, false, -1, 64}};
  problem.transfers = {{0, 16384}, {1, rowBytes}};
  // What spreads is in no one's registers, so that the row is there, too.
  problem.dependences = {{0, 2}, {1, 3}, {3, 4}, {2, 4}, {1, 4}};
  return problem;
}

} // namespace

TEST(Riders, ARowRidesWithTheOperandBeforeIt) {
  std::vector<Ring> rings = chooseRings(subtractedRow(256));
  ASSERT_EQ(rings.size(), 1u);
  EXPECT_EQ(rings[0].operations, (std::vector<int>{0, 1}));
}

TEST(Riders, PlacesOfTheTileAreThereWithoutWaiting) {
  Problem problem = subtractedRow(256);
  problem.operations.push_back({"places", 2, 1, 1, 1, false, -1, 1});
  problem.dependences.push_back(
      {5, 3}); // which choose among the row's elements
  EXPECT_EQ(chooseRings(problem).size(), 1u);
  problem.dependences.push_back({5, 5, 1}); // counted on from turn to turn
  EXPECT_EQ(chooseRings(problem).size(), 2u);
}

TEST(Riders, WhatIsLargeDoesNotRide) {
  EXPECT_EQ(chooseRings(subtractedRow(2048)).size(), 1u);
  EXPECT_EQ(chooseRings(subtractedRow(2049)).size(), 2u);
}

TEST(Riders, ARowThatCostsASlotDoesNotRide) {
  // A slot with the row is a multiple of 1024 bytes as well; with three of them
  // the operand arrives while another one is read.
  Problem problem = subtractedRow(256);
  problem.transfers[0].alignment = 1024;
  EXPECT_EQ(slotBytes(problem, {"both", 1, {0, 1}}), 17408);
  problem.machine.sharedBytes = 3 * 17408;
  EXPECT_EQ(chooseRings(problem).size(), 1u);
  problem.machine.sharedBytes = 3 * 17408 - 1;
  EXPECT_EQ(chooseRings(problem).size(), 2u);
}

TEST(Riders, WhatIsReadBeforeTheOperandDoesNotRide) {
  Problem problem = subtractedRow(256);
  problem.operations.push_back({"early", 2, 4, 8, 4, false, -1, 1});
  problem.dependences.push_back({3, 5}); // of the row alone
  EXPECT_EQ(chooseRings(problem).size(), 2u);
}

TEST(Riders, WhatIsLongOfItsOwnDoesNotRide) {
  Problem problem = subtractedRow(256);
  problem.operations[3].latency = 1060; // as long as the product
  EXPECT_EQ(chooseRings(problem).size(), 1u);
  problem.operations[3].latency = 1061;
  EXPECT_EQ(chooseRings(problem).size(), 2u);
}

TEST(Riders, WhatGoesToAnotherIterationDoesNotRide) {
  Problem problem = subtractedRow(256);
  problem.dependences[2] = {3, 4, 1};
  EXPECT_EQ(chooseRings(problem).size(), 2u);
  problem = subtractedRow(256);
  problem.dependences[0] = {0, 2, 1};
  EXPECT_EQ(chooseRings(problem).size(), 2u);
}

TEST(Riders, WhatWaitsForAnotherLoadDoesNotRide) {
  Problem problem = subtractedRow(256);
  problem.operations.push_back({"number", 0, 20, 700, 16, true, -1, 0});
  problem.dependences.push_back({5, 1}); // where the row is
  problem.transfers.push_back({5, 4});
  for (const Ring &ring : chooseRings(problem))
    EXPECT_EQ(ring.operations.size(), 1u);
}

TEST(Riders, OtherProcessesThanTheOperandsKeepItApart) {
  // The product's result may be handed on, so that another process may
  // subtract.
  Problem problem = subtractedRow(256);
  problem.transfers.push_back({2, 16384});
  for (const Ring &ring : chooseRings(problem))
    EXPECT_EQ(ring.operations.size(), 1u);
}
