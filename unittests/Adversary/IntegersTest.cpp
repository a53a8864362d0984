//===- IntegersTest.cpp - Integers of a width, exactly --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of operations at their edges: sums that wrap, divisions by 0 and of
// the least number by -1, shifts by the width, i1 with its sign. The model's
// verdicts rest on this arithmetic, and an error in it could blame the checker
// for a false proof.
//
//===----------------------------------------------------------------------===//

#include "Integers.h"

#include <gtest/gtest.h>

using namespace heddle::adversary;

namespace {
struct Row {
  Arith op;
  int width;
  int64_t a, b;
  std::optional<int64_t> result;
};
constexpr int64_t kLeast = INT64_MIN, kMost = INT64_MAX;

TEST(Integers, SpecialCases) {
  const Row rows[] = {
      {Arith::Add, 8, 127, 1, -128},
      {Arith::Add, 64, kMost, 1, kLeast},
      {Arith::Sub, 1, 0, -1, -1},
      {Arith::Mul, 16, 256, 256, 0},
      {Arith::DivS, 32, -7, 2, -3},
      {Arith::DivS, 8, -128, -1, std::nullopt},
      {Arith::RemS, 64, kLeast, -1, std::nullopt},
      {Arith::DivU, 8, -1, 2, 127},
      {Arith::DivU, 64, -1, 2, kMost},
      {Arith::RemU, 64, -1, 10, 5},
      {Arith::RemS, 32, -7, 2, -1},
      {Arith::DivS, 32, 1, 0, std::nullopt},
      {Arith::CeilDivS, 32, 7, 2, 4},
      {Arith::CeilDivS, 32, -7, 2, -3},
      {Arith::CeilDivU, 8, -1, 2, -128},
      {Arith::FloorDivS, 32, -7, 2, -4},
      {Arith::MinS, 1, -1, 0, -1},
      {Arith::MinU, 1, -1, 0, 0},
      {Arith::MaxU, 8, -1, 1, -1},
      {Arith::Shl, 8, 1, 7, -128},
      {Arith::Shl, 8, 1, 8, std::nullopt},
      {Arith::ShrS, 8, -128, 7, -1},
      {Arith::ShrU, 8, -128, 7, 1},
      {Arith::Slt, 1, -1, 0, -1}, // true is less than false
      {Arith::Ult, 1, -1, 0, 0},
      {Arith::Ult, 64, -1, 0, 0},
      {Arith::ExtS, 1, -1, 0, -1},
      {Arith::ExtU, 1, -1, 0, 1},
      {Arith::ExtU, 32, -1, 0, 4294967295},
      {Arith::Trunc, 8, 255, 0, -1},
      {Arith::Trunc, 1, 2, 0, 0},
  };
  for (const Row &row : rows)
    EXPECT_EQ(compute(row.op, row.width, row.a, row.b), row.result)
        << int(row.op) << " of i" << row.width << ": " << row.a << ", "
        << row.b;
}
} // namespace
