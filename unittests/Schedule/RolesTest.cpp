//===- RolesTest.cpp - Which loads share a ring ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes operands between a load and the products that read it may be any
// graph, of a file, too.
//
//===----------------------------------------------------------------------===//

#include "Roles.h"
#include "SampleProblem.h"

#include "gtest/gtest.h"

using namespace heddle::schedule;

/// Two loads, which are converted in front of two products that add to one sum:
/// operations 0 = a, 1 = b, 2 and 3 the products, 4 b's conversion, then
/// `conversions` more, which have no dependences yet.
static Problem twoProducts(int conversions) {
  Problem problem = sampleProblem();
  problem.units.push_back({"alu", false});
  problem.operations.resize(2);
  problem.operations.push_back({"dot", 1, 500, 1060, 16, false, -1, 128, true});
  problem.operations.push_back(
      {"more", 1, 500, 1060, 16, false, -1, 128, true});
  for (int i = 0; i <= conversions; ++i)
    problem.operations.push_back(
        {"convert." + std::to_string(i), 2, 10, 10, 10, false, -1, 8});
  problem.dependences = {{1, 4}, {4, 3}, {2, 3, 0, true}, {3, 2, 1, true}};
  problem.subTiles = 1;
  return problem;
}

TEST(Roles, ProductsOfOneSumShareARing) {
  Problem problem = twoProducts(1);
  problem.dependences.insert(problem.dependences.end(), {{0, 5}, {5, 2}});
  std::vector<Ring> rings = chooseRings(problem);
  ASSERT_EQ(rings.size(), 1u);
  EXPECT_EQ(rings[0].operations, (std::vector<int>{0, 1}));
  // A second use of what is made is none of the sum's.
  problem.operations.push_back({"use", 2, 10, 10, 10, false, -1, 8});
  problem.dependences.push_back({5, 6});
  EXPECT_EQ(chooseRings(problem).size(), 2u);
}

TEST(Roles, ConversionsInManyWays) {
  // Each of 60 conversions reads the two before it: more ways than can be gone.
  constexpr int kLength = 60;
  Problem problem = twoProducts(kLength);
  problem.dependences.push_back({0, 5});
  for (int i = 1; i < kLength; ++i) {
    problem.dependences.push_back({5 + i - 1, 5 + i});
    if (i > 1)
      problem.dependences.push_back({5 + i - 2, 5 + i});
  }
  problem.dependences.push_back({5 + kLength - 1, 2});
  std::vector<Ring> rings = chooseRings(problem);
  ASSERT_EQ(rings.size(), 1u);
  EXPECT_EQ(rings[0].operations, (std::vector<int>{0, 1}));
}

TEST(Roles, ConversionsInACircle) {
  Problem problem = twoProducts(2);
  problem.dependences.insert(problem.dependences.end(),
                             {{0, 5}, {5, 6}, {6, 5}, {6, 6}, {6, 2}});
  EXPECT_EQ(chooseRings(problem).size(), 1u);
}
