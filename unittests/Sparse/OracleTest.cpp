//===- OracleTest.cpp - What statements mean ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle on statements whose results are worked out by hand.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Oracle.h"

#include "gtest/gtest.h"

using namespace heddle::sparse;

namespace {

Access access(const char *name, std::vector<int> indices) {
  return {name, Format::dense(int(indices.size())), std::move(indices)};
}

double at(const OracleResult &result, std::vector<int64_t> coordinates) {
  auto found = result.sums.find(result.keyOf(coordinates));
  return found == result.sums.end() ? -99 : found->second.value;
}

TEST(Oracle, AProductOfMatrices) {
  Statement statement;
  statement.indices = {"i", "j", "k"};
  statement.result = access("C", {0, 2});
  statement.terms = {{access("A", {0, 1}), access("B", {1, 2})}};
  std::vector<Entry> a = {{{0, 0}, 2}, {{0, 1}, 3}, {{1, 1}, -1}};
  std::vector<Entry> b = {{{0, 0}, 5}, {{1, 0}, 7}, {{1, 2}, 1}};
  OracleResult result;
  ASSERT_EQ(evaluate(statement, {{a, b}}, {2, 2, 3}, result), "");
  EXPECT_EQ(result.sums.size(), 4u); // (1, 1) and the like have no product
  EXPECT_EQ(at(result, {0, 0}), 31);
  EXPECT_EQ(at(result, {0, 2}), 3);
  EXPECT_EQ(at(result, {1, 0}), -7);
  EXPECT_EQ(at(result, {1, 2}), -1);
  EXPECT_EQ(result.sums.at(result.keyOf({0, 0})).count, 2);

  statement.semiring = Semiring::MinPlus;
  ASSERT_EQ(evaluate(statement, {{a, b}}, {2, 2, 3}, result), "");
  EXPECT_EQ(at(result, {0, 0}), 7); // min(2 + 5, 3 + 7)
  EXPECT_EQ(at(result, {1, 2}), 0);
}

TEST(Oracle, ATermRepeatsAlongIndicesThatItLacks) {
  Statement statement;
  statement.indices = {"i", "k", "j"};
  statement.result = access("C", {0, 1});
  statement.terms = {{access("A", {0, 2})}, {access("b", {1})}};
  OracleResult result;
  ASSERT_EQ(evaluate(statement, {{{{{0, 0}, 1}, {{0, 1}, 2}}}, {{{{1}, 10}}}},
                     {2, 2, 2}, result),
            "");
  EXPECT_EQ(at(result, {0, 0}), 3);
  EXPECT_EQ(at(result, {0, 1}), 13);
  EXPECT_EQ(at(result, {1, 1}), 10);
  EXPECT_EQ(at(result, {1, 0}), -99);
}

TEST(Oracle, TooManyElementsToNumber) {
  Statement statement;
  statement.indices = {"i", "j"};
  statement.result = access("C", {0, 1});
  statement.terms = {{access("a", {0}), access("b", {1})}};
  OracleResult result;
  int64_t large = int64_t(1) << 40;
  EXPECT_EQ(evaluate(statement, {{{}, {}}}, {large, large}, result),
            "the result has more elements than 64 bits number");
}

} // namespace
