//===- RowWorkTest.cpp - What lies below each outermost coordinate --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights beside sums by hand: a product, one whose rows another one walks,
// and one whose rows are carried out below.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/RowWork.h"

#include "gtest/gtest.h"

using namespace heddle::sparse;

namespace {

const Format kRows{{Level::Dense, Level::Compressed}, {0, 1}};

Tensor make(int64_t rows, int64_t columns,
            std::vector<std::vector<int64_t>> places) {
  std::vector<Entry> entries;
  for (auto &place : places)
    entries.push_back({place, 1});
  Tensor tensor;
  std::string error;
  EXPECT_TRUE(Tensor::build(kRows, Element::F32, {rows, columns},
                            std::move(entries), tensor, error))
      << error;
  return tensor;
}

Access access(const char *name, std::vector<int> indices) {
  return {name, kRows, std::move(indices)};
}

/// R(0, 2) += A(0, 1) * B(1, 2), rows first.
Statement product(const char *result, const char *a, const char *b) {
  Statement made;
  made.indices = {"i", "k", "j"};
  made.result = access(result, {0, 2});
  made.terms = {{access(a, {0, 1}), access(b, {1, 2})}};
  return made;
}

class RowWork : public testing::Test {
protected:
  // A: 0 -> 0, 1, 2; 1 -> 2. X: 0 -> 0, 1; 1 -> 0, 1; 2 -> none.
  Tensor a = make(3, 3, {{0, 0}, {0, 1}, {0, 2}, {1, 2}});
  Tensor x = make(3, 2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  // T = A X: 0 -> 0, 1. V has a row of 2 and one of 1.
  Tensor t = make(3, 2, {{0, 0}, {0, 1}});
  Tensor v = make(2, 2, {{0, 0}, {0, 1}, {1, 1}});
  Tensor h = make(3, 2, {{0, 0}, {0, 1}});
  Tensor u = make(3, 2, {{0, 0}, {0, 1}});
  std::map<std::string, const Tensor *> tensors = {
      {"A", &a}, {"X", &x}, {"T", &t}, {"V", &v}, {"H", &h}, {"U", &u}};
  RankedOrder rows{{0, 1, 2}, {}};
};

TEST_F(RowWork, CountsIterationsOfAProduct) {
  // A row, its three elements, and the four below two of them.
  EXPECT_EQ(weighRows({product("T", "A", "X")}, {rows}, tensors),
            (std::vector<double>{8, 2, 1}));
}

TEST_F(RowWork, AddsOnceWhoWalksTheSameRows) {
  // T(i) has two elements, and three below: 6 more where there are any.
  EXPECT_EQ(weighRows({product("T", "A", "X"), product("H", "T", "V")},
                      {rows, rows}, tensors),
            (std::vector<double>{8 + 6, 2 + 1, 1 + 1}));
}

TEST_F(RowWork, RepeatsRowsThatAreCarriedOutBelow) {
  // Below each neighbour: itself, the elements of H, and T and H of it.
  EXPECT_EQ(weighRows({product("T", "A", "X"), product("H", "T", "V"),
                       product("U", "A", "H")},
                      {rows, rows, rows}, tensors),
            (std::vector<double>{1 + (1 + 2 + 14) + (1 + 3) + (1 + 2),
                                 1 + (1 + 2), 1}));
}

TEST_F(RowWork, TakesTheMeanOfACopy) {
  RankedOrder copied{{0, 1, 2}, {"X"}};
  // Four elements of X over three rows.
  std::vector<double> weights =
      weighRows({product("T", "A", "X")}, {copied}, tensors);
  ASSERT_EQ(weights.size(), 3u);
  EXPECT_NEAR(weights[0], 1 + 3 * (1 + 4.0 / 3), 1e-9);
  EXPECT_NEAR(weights[2], 1, 1e-9);
}

TEST_F(RowWork, HasNothingBelowAScalar) {
  Statement scalar;
  scalar.result = access("R", {});
  EXPECT_EQ(weighRows({scalar}, {RankedOrder{}}, tensors),
            (std::vector<double>{1}));
}

} // namespace
