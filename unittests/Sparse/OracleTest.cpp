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

#include <cmath>

using namespace heddle::sparse;
using heddle::ScalarFunction;

namespace {

Access access(const char *name, std::vector<int> indices) {
  return {name, Format::dense(int(indices.size())), std::move(indices)};
}

/// Of elements that stand at the call.
std::string run(const Statement &statement,
                const std::vector<std::vector<std::vector<Entry>>> &operands,
                const std::vector<int64_t> &extents, OracleResult &result) {
  FactorEntries factors;
  for (const auto &term : operands) {
    factors.emplace_back();
    for (const std::vector<Entry> &entries : term)
      factors.back().push_back(&entries);
  }
  return evaluate(statement, factors, extents, result);
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
  ASSERT_EQ(run(statement, {{a, b}}, {2, 2, 3}, result), "");
  EXPECT_EQ(result.sums.size(), 4u); // (1, 1) and the like have no product
  EXPECT_EQ(at(result, {0, 0}), 31);
  EXPECT_EQ(at(result, {0, 2}), 3);
  EXPECT_EQ(at(result, {1, 0}), -7);
  EXPECT_EQ(at(result, {1, 2}), -1);
  EXPECT_EQ(result.sums.find(result.keyOf({0, 0}))->second.count, 2);

  statement.semiring = Semiring::MinPlus;
  ASSERT_EQ(run(statement, {{a, b}}, {2, 2, 3}, result), "");
  EXPECT_EQ(at(result, {0, 0}), 7); // min(2 + 5, 3 + 7)
  EXPECT_EQ(at(result, {1, 2}), 0);
}

TEST(Oracle, ATermRepeatsAlongIndicesThatItLacks) {
  Statement statement;
  statement.indices = {"i", "k", "j"};
  statement.result = access("C", {0, 1});
  statement.terms = {{access("A", {0, 2})}, {access("b", {1})}};
  OracleResult result;
  ASSERT_EQ(run(statement, {{{{{0, 0}, 1}, {{0, 1}, 2}}}, {{{{1}, 10}}}},
                {2, 2, 2}, result),
            "");
  EXPECT_EQ(at(result, {0, 0}), 3);
  EXPECT_EQ(at(result, {0, 1}), 13);
  EXPECT_EQ(at(result, {1, 1}), 10);
  EXPECT_EQ(at(result, {1, 0}), -99);
}

TEST(Oracle, AMaskSaysWhichElementsThereAre) {
  // C(i, j) = 2 A(i, j) - b(i) where M, then exp: at (0, 1), which A lacks and
  // M has, and at (1, 1), but not at (0, 0), which M lacks.
  Statement statement;
  statement.indices = {"i", "j"};
  statement.result = access("C", {0, 1});
  Access mask = access("M", {0, 1});
  mask.isMask = true;
  statement.mask = mask;
  statement.terms = {{access("A", {0, 1}), mask}, {access("b", {0}), mask}};
  statement.coefficients = {2, -1};
  statement.then = {ScalarFunction::Exp};
  std::vector<Entry> a = {{{0, 0}, 5}, {{1, 1}, 3}};
  std::vector<Entry> b = {{{1}, 4}};
  std::vector<Entry> m = {{{0, 1}, 0}, {{1, 1}, 7}};
  OracleResult result;
  ASSERT_EQ(run(statement, {{a, m}, {b, m}}, {2, 2}, result), "");
  EXPECT_EQ(result.sums.size(), 2u);
  EXPECT_EQ(at(result, {0, 1}), 1); // no product, so exp(0)
  EXPECT_EQ(at(result, {1, 1}), std::exp(2 * 3 - 4));
  EXPECT_EQ(statement.emptyValue(), 0);
  EXPECT_FALSE(statement.keepsZero());

  // A mask of rows has whole rows of the result.
  statement.mask->indices = {0};
  statement.mask->format = Format::dense(1);
  statement.terms = {{access("A", {0, 1}), *statement.mask}};
  statement.then.clear();
  std::vector<Entry> rows = {{{0}, 1}};
  ASSERT_EQ(run(statement, {{a, rows}}, {2, 2}, result), "");
  EXPECT_EQ(result.sums.size(), 2u);
  EXPECT_EQ(at(result, {0, 0}), 10);
  EXPECT_EQ(at(result, {0, 1}), 0);
}

TEST(Oracle, FunctionsOfFactorsAndTheGreatestProduct) {
  Statement statement;
  statement.indices = {"i", "j"};
  statement.result = access("y", {0});
  statement.terms = {{access("A", {0, 1}), access("x", {1})}};
  statement.terms[0][1].functions = {ScalarFunction::Neg,
                                     ScalarFunction::Reciprocal};
  statement.semiring = Semiring::MaxTimes;
  std::vector<Entry> a = {{{0, 0}, 6}, {{0, 1}, 1}, {{1, 0}, 2}};
  std::vector<Entry> x = {{{0}, 2}, {{1}, -4}};
  OracleResult result;
  ASSERT_EQ(run(statement, {{a, x}}, {3, 2}, result), "");
  EXPECT_EQ(at(result, {0}), 0.25); // of 6 / -2 and 1 / 4
  EXPECT_EQ(at(result, {1}), -1);
  EXPECT_EQ(at(result, {2}), -99);
  EXPECT_EQ(statement.emptyValue(), -INFINITY);
}

// The zero of min-plus is infinite: where a number is less, the result is
// judged by that number's scale.
TEST(Oracle, InfiniteOperandsLeaveTheScaleOfOthers) {
  Statement statement;
  statement.indices = {"i", "j"};
  statement.result = access("y", {0});
  statement.terms = {{access("A", {0, 1}), access("x", {1})}};
  statement.terms[0][1].functions = {ScalarFunction::Abs, ScalarFunction::Sqrt};
  statement.semiring = Semiring::MinPlus;
  std::vector<Entry> a = {{{0, 0}, -0.5}, {{0, 1}, 1}, {{1, 1}, 2}};
  std::vector<Entry> x = {{{0}, 0.25}, {{1}, INFINITY, INFINITY}};
  OracleResult result;
  ASSERT_EQ(run(statement, {{a, x}}, {2, 2}, result), "");
  EXPECT_EQ(at(result, {0}), 0);
  // 0.5 of A; of x the root, 0.5, and as much again for abs(x), whose scale is
  // twice its value.
  EXPECT_EQ(result.sums.find(result.keyOf({0}))->second.scale, 1.5);
  EXPECT_EQ(at(result, {1}), INFINITY);
}

TEST(Oracle, ATableOfManyNumbers) {
  NumberTable<int> table;
  EXPECT_FALSE(table.has(0));
  // Far apart, and more than a table begins with.
  for (uint64_t i = 0; i < 1000; ++i)
    table[i * 0x100000001] = int(i);
  table[5 * uint64_t(0x100000001)] += 1;
  EXPECT_EQ(table.size(), 1000u);
  EXPECT_TRUE(table.has(0));
  EXPECT_FALSE(table.has(1));
  EXPECT_EQ(table.find(5 * uint64_t(0x100000001))->second, 6);
  // Those that came first stand first.
  EXPECT_EQ(table.begin()->second, 0);
  EXPECT_EQ((table.begin() + 999)->first, 999 * uint64_t(0x100000001));
}

TEST(Oracle, TooManyElementsToNumber) {
  Statement statement;
  statement.indices = {"i", "j"};
  statement.result = access("C", {0, 1});
  statement.terms = {{access("a", {0}), access("b", {1})}};
  OracleResult result;
  int64_t large = int64_t(1) << 40;
  EXPECT_EQ(run(statement, {{{}, {}}}, {large, large}, result),
            "the result has more elements than 64 bits number");
}

} // namespace
