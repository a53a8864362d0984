//===- OrdersTest.cpp - In which orders streams walk a statement ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts of linear extensions that are known, and orders of the matrix product
// with what each storage allows.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Streams.h"

#include "gtest/gtest.h"

using namespace heddle::sparse;

namespace {

constexpr Level C = Level::Compressed;

Access access(const char *name, std::vector<int> indices,
              std::vector<int> axes) {
  Access made{name, Format::dense(int(indices.size())), std::move(indices)};
  made.format.levels.assign(axes.size(), C);
  made.format.axes = std::move(axes);
  return made;
}

TEST(Orders, CountedExactly) {
  EXPECT_EQ(countOrders(0, {}), 1u);
  EXPECT_EQ(countOrders(4, {}), 24u);
  EXPECT_EQ(countOrders(20, {}), 2432902008176640000u); // 20!
  EXPECT_EQ(countOrders(21, {}), std::nullopt);         // beyond 64 bits
  EXPECT_EQ(countOrders(3, {{0, 1, ""}, {1, 2, ""}}), 1u);
  // Two chains of three: 6 choose 3.
  EXPECT_EQ(countOrders(6, {{0, 1, ""}, {1, 2, ""}, {3, 4, ""}, {4, 5, ""}}),
            20u);
  EXPECT_EQ(countOrders(2, {{0, 1, ""}, {1, 0, ""}}), 0u);
}

/// X(i, j) = B(i, k) C(k, j): 0, 1, 2 are i, j, k.
Statement makeProduct(std::vector<int> b, std::vector<int> c) {
  Statement statement;
  statement.indices = {"i", "j", "k"};
  statement.result = access("X", {0, 1}, {0, 1});
  statement.terms = {
      {access("B", {0, 2}, std::move(b)), access("C", {2, 1}, std::move(c))}};
  return statement;
}

std::vector<std::vector<int>> ordersOf(const Statement &statement) {
  std::string error;
  std::vector<std::vector<int>> orders;
  for (const RankedOrder &order :
       rankOrders(statement, Statistics::guess(statement), error))
    orders.push_back(order.order);
  return orders;
}

TEST(Orders, StorageDecides) {
  using Orders = std::vector<std::vector<int>>;
  EXPECT_EQ(ordersOf(makeProduct({0, 1}, {0, 1})), (Orders{{0, 2, 1}}));
  EXPECT_EQ(ordersOf(makeProduct({1, 0}, {0, 1})), (Orders{{2, 0, 1}}));
  EXPECT_EQ(ordersOf(makeProduct({0, 1}, {1, 0})), (Orders{{0, 1, 2}}));
  Statement statement = makeProduct({1, 0}, {1, 0}); // k, i and j, k
  // One copy is enough, of any of the three; that of X costs most, since nobody
  // knows how few elements it will have.
  std::string error;
  auto orders = rankOrders(statement, Statistics::guess(statement), error);
  ASSERT_EQ(orders.size(), 3u);
  EXPECT_EQ(orders[0].copies.size(), 1u);
  EXPECT_EQ(orders[2].copies, Copies{"X"});
  for (const RankedOrder &order : orders) {
    EXPECT_EQ(whyNotStreamed(statement, order.order, order.copies), "");
    EXPECT_NE(whyNotStreamed(statement, order.order), "");
  }
}

TEST(Orders, LevelsOfACopy) {
  Access made = access("A", {0, 1, 2}, {2, 0, 1}); // levels k, i, j
  EXPECT_EQ(sortLevels(made, {2, 0, 1}), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(sortLevels(made, {0, 1, 2}), (std::vector<int>{1, 2, 0}));
}

TEST(Orders, FromARow) {
  // B is stored k, i, so a row of X needs a copy.
  Statement statement = makeProduct({1, 0}, {0, 1});
  auto found = findRowOrder(statement);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->order[0], 0);
  EXPECT_EQ(found->copies, Copies{"B"});
  EXPECT_TRUE(comesByRows(statement, found->order));
  EXPECT_FALSE(comesByRows(statement, {2, 0, 1}));
  // Stored j, i, streams come by columns.
  statement.result.format.axes = {1, 0};
  EXPECT_FALSE(comesByRows(statement, found->order));
  EXPECT_EQ(findRowOrder(statement)->order[0], 1);
}

TEST(Orders, RowsOfADenseResult) {
  // x(i, j, l) = A(i, k, l) B(k, j): l, the last one, may lie in a workspace,
  // and j may not, since all of its coordinates are wanted.
  Statement statement;
  statement.indices = {"i", "j", "l", "k"};
  statement.result = access("x", {0, 1, 2}, {0, 1, 2});
  statement.terms = {
      {access("A", {0, 3, 2}, {0, 1, 2}), access("B", {3, 1}, {0, 1})}};
  EXPECT_TRUE(comesByRows(statement, {0, 3, 1, 2}));
  EXPECT_TRUE(findRowOrder(statement)->copies.empty());
  statement.result.format = Format::dense(3);
  EXPECT_FALSE(comesByRows(statement, {0, 3, 1, 2}));
  EXPECT_TRUE(comesByRows(statement, {0, 1, 3, 2}));
  EXPECT_EQ(findRowOrder(statement)->copies, Copies{"B"});
}

TEST(Orders, TermsThatCannotMeetTakeCopies) {
  // X(i, j) = B(i, k) C(k, j) + D(i, j), B stored k, i: k outermost would have
  // both i and j in a workspace, which the other term cannot meet.
  Statement statement = makeProduct({1, 0}, {0, 1});
  statement.terms.push_back({access("D", {0, 1}, {0, 1})});
  EXPECT_NE(whyNotStreamed(statement, {2, 0, 1}), "");
  std::string error;
  auto orders = rankOrders(statement, Statistics::guess(statement), error);
  ASSERT_FALSE(orders.empty());
  for (const RankedOrder &order : orders) {
    EXPECT_EQ(order.copies.size(), 1u);
    EXPECT_EQ(whyNotStreamed(statement, order.order, order.copies), "");
  }
}

TEST(Orders, ManyIndicesEndSoon) {
  // 30 indices in any order but for two that want opposite ones.
  Statement statement;
  statement.terms.emplace_back();
  for (int i = 0; i < 30; ++i) {
    statement.indices.push_back("i" + std::to_string(i));
    if (i < 28)
      statement.terms[0].push_back(access("v", {i}, {0}));
  }
  statement.result = access("x", {28}, {0});
  statement.terms[0].push_back(access("A", {28, 29}, {0, 1}));
  std::string error;
  EXPECT_FALSE(
      rankOrders(statement, Statistics::guess(statement), error).empty());
  statement.terms[0].push_back(access("B", {28, 29}, {1, 0}));
  auto orders = rankOrders(statement, Statistics::guess(statement), error);
  ASSERT_FALSE(orders.empty());
  EXPECT_EQ(orders[0].copies.size(), 1u);
}

TEST(Orders, WhatStreamsOfADenseResultHave) {
  // X(i, j) = B(i, k) C(k, j), dense: elements that no product reaches are not
  // there, unless both factors have all of theirs, and then not in a workspace.
  Statement statement = makeProduct({0, 1}, {0, 1});
  statement.result.format = Format::dense(2);
  EXPECT_FALSE(computesAll(statement, {0, 1, 2}));
  for (Access &factor : statement.terms[0])
    factor.format = Format::dense(2);
  EXPECT_TRUE(computesAll(statement, {0, 1, 2}));
  EXPECT_FALSE(computesAll(statement, {0, 2, 1}));
  // A mask says what is there, and stores what the result does if the two have
  // one format.
  statement.mask = access("M", {0, 1}, {0, 1});
  EXPECT_FALSE(computesAll(statement, {0, 1, 2}));
  statement.mask->format.levels.back() = Level::Dense;
  statement.result.format = statement.mask->format;
  EXPECT_TRUE(computesAll(statement, {0, 2, 1}));
  statement.mask->indices = {1, 0};
  EXPECT_FALSE(computesAll(statement, {0, 1, 2}));
}

TEST(Orders, FewestCoordinatesFirst) {
  // x(i) = b(i) c(j) d(j): j inside of i, or outside with a workspace.
  Statement statement;
  statement.indices = {"i", "j"};
  statement.result = access("x", {0}, {0});
  statement.terms = {
      {access("b", {0}, {0}), access("c", {1}, {0}), access("d", {1}, {0})}};
  Statistics statistics;
  statistics.extents = {1000, 1000};
  statistics.counts = {{"b", {500}}, {"c", {10}}, {"d", {10}}};
  std::string error;
  auto orders = rankOrders(statement, statistics, error);
  ASSERT_EQ(orders.size(), 2u);
  // 0.1 coordinates of j are in both; each then meets 500 of i.
  EXPECT_EQ(orders[0].order, (std::vector<int>{1, 0}));
  EXPECT_DOUBLE_EQ(orders[0].coordinates, 0.1 + 50);
  EXPECT_DOUBLE_EQ(orders[1].coordinates, 500 + 50);
}

} // namespace
