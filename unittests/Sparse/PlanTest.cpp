//===- PlanTest.cpp - Legal nests and the best of them --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner on the products that everybody writes, with the orders that are
// known to be best for them, and the rules on nests that break them.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Plan.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <limits>

using namespace heddle::sparse;

namespace {

constexpr Level D = Level::Dense, C = Level::Compressed;

Access access(const char *name, std::vector<int> indices,
              std::vector<Level> levels = {}) {
  Access made{name, Format::dense(int(indices.size())), indices};
  if (!levels.empty())
    made.format.levels = std::move(levels);
  return made;
}

/// C(i, k) = A(i, j) B(j, k), with the formats given.
Statement makeProduct(std::vector<Level> a, std::vector<Level> b,
                      std::vector<Level> c) {
  Statement statement;
  statement.indices = {"i", "j", "k"};
  statement.result = access("C", {0, 2}, std::move(c));
  statement.terms = {
      {access("A", {0, 1}, std::move(a)), access("B", {1, 2}, std::move(b))}};
  return statement;
}

Statistics makeStatistics(std::vector<int64_t> extents) {
  Statistics statistics;
  statistics.extents = std::move(extents);
  int64_t rows = statistics.extents[0];
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  statistics.counts["A"] = {rows, 16 * std::min(rows, kMost / 16)};
  return statistics;
}

/// C(i, j) = A(i, j), and C by columns.
Statement makeTurned() {
  Statement statement;
  statement.indices = {"i", "j", "k"};
  statement.result = access("C", {0, 1}, {D, C});
  statement.result.format.axes = {1, 0};
  statement.terms = {{access("A", {0, 1}, {D, C})}};
  return statement;
}

TEST(Plan, TurnedMatrix) {
  Statement statement = makeTurned();
  std::string error;
  auto found = plan(statement, 0, makeStatistics({10000, 9000, 1}), error);
  // Rows of A are walked, which count-fill would have one after the other.
  ASSERT_EQ(found.size(), 1u) << error;
  const Nest &best = found[0].nest;
  EXPECT_EQ(best.order, (std::vector<int>{0, 1}));
  EXPECT_EQ(best.assemble, Assemble::CountScatter);
  EXPECT_EQ(best.into, Into::Memory);
  EXPECT_EQ(best.parallel, -1);

  // Dense factors take part; of rows that the operand has already, all three
  // ways are there: the same positions, counted rows, elements that follow.
  statement.terms[0].push_back(access("x", {1}));
  EXPECT_EQ(plan(statement, 0, makeStatistics({100, 90, 1}), error).size(), 1u);
  statement.result.format.axes = {0, 1};
  auto all = plan(statement, 0, makeStatistics({100, 90, 1}), error);
  for (Assemble way :
       {Assemble::Same, Assemble::CountFill, Assemble::CountScatter})
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Candidate &one) {
      return one.nest.assemble == way;
    }));
}

TEST(Plan, WhatIsNotTurned) {
  std::string error;
  Statement two = makeTurned();
  two.terms[0].push_back(access("B", {0, 1}, {D, C}));
  EXPECT_TRUE(plan(two, 0, makeStatistics({10, 9, 1}), error).empty());
  Statement sums = makeTurned();
  sums.result.indices = {1, 2};
  sums.terms[0].push_back(access("B", {2}));
  for (const Candidate &candidate :
       plan(sums, 0, makeStatistics({10, 9, 8}), error))
    EXPECT_NE(candidate.nest.assemble, Assemble::CountScatter);
  Statement terms = makeTurned();
  terms.terms.push_back(terms.terms[0]);
  EXPECT_TRUE(plan(terms, 0, makeStatistics({10, 9, 1}), error).empty());
}

TEST(Plan, SumOfAll) {
  Statement statement = makeTurned();
  statement.result = access("s", {});
  std::string error;
  auto found = plan(statement, 0, makeStatistics({100, 90, 1}), error);
  ASSERT_FALSE(found.empty()) << error;
  for (const Candidate &candidate : found)
    EXPECT_EQ(candidate.nest.parallel, -1);
}

TEST(Plan, SparseTimesDense) {
  Statement statement = makeProduct({D, C}, {}, {});
  std::string error;
  auto found = plan(statement, 0, makeStatistics({10000, 10000, 64}), error);
  ASSERT_FALSE(found.empty()) << error;
  const Nest &best = found[0].nest;
  EXPECT_EQ(best.order, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(best.loops, (std::vector<std::string>{"dense", "walk A", "dense"}));
  EXPECT_EQ(best.parallel, 0);
  EXPECT_EQ(best.vector, 2);
  EXPECT_GE(best.width, 32); // some vectors of the row at once
  EXPECT_EQ(best.into, Into::Registers);
  EXPECT_EQ(describeCost(found[0]), "k*nnz(A)");
  for (const Candidate &candidate : found)
    EXPECT_EQ(whyIllegal(statement, candidate.nest), "");
  for (size_t i = 1; i < found.size(); ++i)
    EXPECT_NE(found[i].rejected, "");
}

TEST(Plan, ExtentsBeyond32Bits) {
  Statement statement = makeProduct({D, C}, {}, {});
  std::string error;
  for (int64_t extent : {int64_t(1) << 32, int64_t(1) << 48, INT64_MAX}) {
    Statistics statistics = makeStatistics({extent, extent, extent});
    statistics.counts["A"] = {extent, extent};
    auto found = plan(statement, 0, statistics, error);
    ASSERT_FALSE(found.empty()) << error;
    EXPECT_EQ(found[0].nest.width, 64);
  }
}

TEST(Plan, GathersThatTakeTheirTime) {
  // y(i) = A(i, j) x(j), 16 elements a row: lanes, unless each gather costs
  // what several elements do one after the other.
  Statement statement;
  statement.indices = {"i", "j"};
  statement.result = access("y", {0});
  statement.terms = {{access("A", {0, 1}, {D, C}), access("x", {1})}};
  Statistics statistics = makeStatistics({10000, 10000});
  for (double start : {0.0, 40.0}) {
    heddle::machine::Processor processor = heddle::machine::defaultProcessor();
    processor.gatherStart = start;
    statistics.machine =
        std::make_shared<heddle::machine::Processor>(processor);
    std::string error;
    auto found = plan(statement, 0, statistics, error);
    ASSERT_FALSE(found.empty()) << error;
    EXPECT_EQ(found[0].nest.vector, start == 0 ? 1 : -1);
  }
}

TEST(Plan, SparseTimesSparseIsCounted) {
  std::string error;
  Statement statement = makeProduct({D, C}, {D, C}, {D, C});
  auto found = plan(statement, 0, makeStatistics({1000, 1000, 1000}), error);
  ASSERT_FALSE(found.empty()) << error;
  EXPECT_EQ(found[0].nest.into, Into::Bitmap);
  EXPECT_EQ(found[0].nest.assemble, Assemble::CountFill);
}

TEST(Plan, AColumnOrderTurnsTheLoops) {
  Statement statement = makeProduct({D, C}, {}, {});
  statement.terms[0][0].format.axes = {1, 0}; // CSC
  std::string error;
  auto found = plan(statement, 0, makeStatistics({1000, 1000, 64}), error);
  ASSERT_FALSE(found.empty()) << error;
  for (const Candidate &candidate : found) {
    std::vector<int> order = candidate.nest.order;
    EXPECT_LT(std::find(order.begin(), order.end(), 1),
              std::find(order.begin(), order.end(), 0));
  }
}

TEST(Plan, ProductsWhereAnOperandHasElements) {
  Statement statement;
  statement.indices = {"i", "j", "k"};
  statement.result = access("C", {0, 1}, {D, C});
  statement.terms = {
      {access("A", {0, 1}, {D, C}), access("B", {0, 2}), access("D", {1, 2})}};
  std::string error;
  auto found = plan(statement, 0, makeStatistics({1000, 1000, 32}), error);
  ASSERT_FALSE(found.empty()) << error;
  EXPECT_EQ(found[0].nest.assemble, Assemble::Same);
  EXPECT_EQ(found[0].nest.pattern, "A");
  EXPECT_EQ(found[0].nest.vector, 2);
}

TEST(Plan, NothingWalksRowsAndColumns) {
  Statement statement;
  statement.indices = {"i", "j"};
  statement.result = access("C", {0, 1});
  statement.terms = {
      {access("A", {0, 1}, {C, C}), access("B", {0, 1}, {C, C})}};
  statement.terms[0][1].format.axes = {1, 0};
  std::string error;
  EXPECT_TRUE(plan(statement, 0, makeStatistics({9, 9}), error).empty());
  EXPECT_NE(error, "");
}

TEST(Plan, PlannableAsThePlanSays) {
  // All products of two matrices, stored in all ways: some walk rows and
  // columns of one index, and some results are neither counted nor those of an
  // operand.
  std::vector<std::vector<Level>> stored = {{}, {D, C}, {C, C}, {C, D}};
  std::vector<int> rows = {0, 1}, columns = {1, 0};
  int planned = 0, refused = 0;
  for (const auto &a : stored)
    for (const auto &b : stored)
      for (const auto &c : stored)
        for (int turned = 0; turned < 8; ++turned) {
          Statement statement = makeProduct(a, b, c);
          statement.terms[0][0].format.axes = turned & 1 ? columns : rows;
          statement.terms[0][1].format.axes = turned & 2 ? columns : rows;
          statement.result.format.axes = turned & 4 ? columns : rows;
          Statistics statistics = Statistics::guess(statement);
          std::string error;
          bool hasPlan = !plan(statement, 0, statistics, error).empty();
          EXPECT_EQ(isPlannable(statement, 0, statistics), hasPlan) << error;
          ++(hasPlan ? planned : refused);
        }
  EXPECT_GT(planned, 50);
  EXPECT_GT(refused, 50);
}

TEST(Plan, Rules) {
  Statement statement = makeProduct({D, C}, {}, {});
  Nest nest;
  nest.order = {0, 1, 2};
  nest.loops = {"dense", "walk A", "dense"};
  nest.into = Into::Memory;
  EXPECT_EQ(whyIllegal(statement, nest), "");
  Nest broken = nest;
  broken.into = Into::Registers;
  EXPECT_NE(whyIllegal(statement, broken), "");
  broken = nest;
  broken.parallel = 1;
  EXPECT_NE(whyIllegal(statement, broken), "");
  broken = nest;
  broken.term = 1;
  EXPECT_EQ(whyIllegal(statement, broken), "there is no term 1");
  broken = nest;
  broken.order = {0, 2, 1};
  EXPECT_NE(whyIllegal(statement, broken), ""); // its loops are of another
}

/// A statement by text: "ij,jk->ik", with levels for each operand and the
/// result.
Statement makeEinsum(const std::string &inputs, const std::string &output,
                     std::vector<std::vector<Level>> levels) {
  Statement statement;
  auto indicesOf = [&](const std::string &text) {
    std::vector<int> found;
    for (char c : text) {
      std::string name(1, c);
      auto at =
          std::find(statement.indices.begin(), statement.indices.end(), name);
      found.push_back(int(at - statement.indices.begin()));
      if (at == statement.indices.end())
        statement.indices.push_back(name);
    }
    return found;
  };
  statement.terms.emplace_back();
  size_t begin = 0, number = 0;
  while (begin <= inputs.size()) {
    size_t end = std::min(inputs.find(',', begin), inputs.size());
    std::string name(1, char('A' + number));
    statement.terms[0].push_back(
        access(name.c_str(), indicesOf(inputs.substr(begin, end - begin)),
               levels[number++]));
    begin = end + 1;
  }
  statement.result = access("R", indicesOf(output), levels[number]);
  return statement;
}

std::string greedyOf(const Statement &statement) {
  Statistics statistics;
  statistics.extents.assign(statement.indices.size(), 1024);
  std::string order;
  for (int index : greedyOrder(statement, 0, statistics))
    order += statement.indices[size_t(index)];
  return order;
}

/// The orders that are known of that search.
TEST(Greedy, KnownOrders) {
  constexpr Level O = Level::List, S = Level::Singleton;
  EXPECT_EQ(greedyOf(makeEinsum("ij,j", "i", {{D, C}, {D}, {D}})), "ij");
  EXPECT_EQ(greedyOf(makeEinsum("ij,jk", "ik", {{D, C}, {D, D}, {D, D}})),
            "ijk");
  EXPECT_EQ(greedyOf(makeEinsum("ij,jk", "ik", {{D, C}, {D, C}, {D, C}})),
            "ijk");
  EXPECT_EQ(
      greedyOf(makeEinsum("ij,ik,jk", "ij", {{O, S}, {D, D}, {D, D}, {O, S}})),
      "ijk");
  EXPECT_EQ(greedyOf(makeEinsum("ijk,k", "ij", {{C, C, C}, {D}, {D, D}})),
            "ijk");
  EXPECT_EQ(greedyOf(makeEinsum("ikl,kj,lj", "ij",
                                {{C, C, C}, {D, D}, {D, D}, {D, D}})),
            "iklj");
}

/// Where operands disagree, the larger one is walked as it is stored.
TEST(Greedy, StoresThatDisagree) {
  Statement statement = makeEinsum("ij,ij", "ij", {{D, C}, {D, C}, {D, D}});
  statement.terms[0][1].format.axes = {1, 0};
  std::string order = greedyOf(statement);
  EXPECT_TRUE(order == "ij" || order == "ji") << order;
  std::string error;
  Statistics statistics = Statistics::guess(makeProduct({D, C}, {}, {}));
  statement = makeProduct({D, C}, {}, {});
  auto found = plan(statement, 0, statistics, error);
  ASSERT_FALSE(found.empty());
  size_t chosen = chooseGreedily(statement, 0, statistics, found);
  EXPECT_EQ(found[chosen].nest.order, greedyOrder(statement, 0, statistics));
  // The best of those in its order.
  for (size_t i = 0; i < chosen; ++i)
    EXPECT_NE(found[i].nest.order, found[chosen].nest.order);
}

} // namespace
