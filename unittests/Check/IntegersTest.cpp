//===- IntegersTest.cpp - The checker's arithmetic ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every pair of numbers of few bits, against arithmetic in wide integers; and
// ranges against all that they must hold.
//
//===----------------------------------------------------------------------===//

#include "heddle/Check/Integers.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace heddle::check;

static const Arith kBinary[] = {
    Arith::Add,      Arith::Sub,          Arith::Mul,   Arith::Div,
    Arith::DivU,     Arith::Rem,          Arith::RemU,  Arith::CeilDiv,
    Arith::CeilDivU, Arith::FloorDiv,     Arith::Min,   Arith::MinU,
    Arith::Max,      Arith::MaxU,         Arith::Shl,   Arith::ShrS,
    Arith::ShrU,     Arith::Xor,          Arith::And,   Arith::Or,
    Arith::Equal,    Arith::NotEqual,     Arith::Less,  Arith::LessEqual,
    Arith::Greater,  Arith::GreaterEqual, Arith::LessU, Arith::LessEqualU,
    Arith::GreaterU, Arith::GreaterEqualU};

/// Numbers of `bits` with a sign.
static std::vector<int64_t> all(int bits) {
  std::vector<int64_t> numbers;
  for (int64_t i = -(1 << (bits - 1)); i < 1 << (bits - 1); ++i)
    numbers.push_back(i);
  return numbers;
}

TEST(Integers, KnownValues) {
  int64_t least = INT64_MIN;
  auto two = [](Arith arith, int bits, int64_t a, int64_t b) {
    return evaluate(arith, bits, bits, {a, b});
  };
  EXPECT_EQ(two(Arith::Add, 64, INT64_MAX, 1), least);
  EXPECT_EQ(two(Arith::Mul, 32, 65536, 65536), 0);
  EXPECT_EQ(two(Arith::Add, 8, 127, 1), -128);
  EXPECT_EQ(two(Arith::Div, 64, least, -1), std::nullopt);
  EXPECT_EQ(two(Arith::Rem, 64, least, -1), std::nullopt);
  EXPECT_EQ(two(Arith::Div, 8, -128, -1), std::nullopt);
  EXPECT_EQ(two(Arith::CeilDiv, 64, least, 3), least / 3);
  EXPECT_EQ(two(Arith::CeilDiv, 64, 7, -2), -3);
  EXPECT_EQ(two(Arith::FloorDiv, 64, 7, -2), -4);
  EXPECT_EQ(two(Arith::FloorDiv, 64, -7, 2), -4);
  EXPECT_EQ(two(Arith::DivU, 64, -1, 2), INT64_MAX);
  EXPECT_EQ(two(Arith::RemU, 8, -1, 16), 15);
  EXPECT_EQ(two(Arith::MinU, 8, -1, 3), 3);
  EXPECT_EQ(two(Arith::ShrU, 8, -128, 7), 1);
  EXPECT_EQ(two(Arith::ShrS, 8, -128, 7), -1);
  EXPECT_EQ(two(Arith::Shl, 8, 1, 8), std::nullopt);
  EXPECT_EQ(evaluate(Arith::Less, 1, 1, {-1, 0}), -1);
  EXPECT_EQ(evaluate(Arith::LessU, 1, 1, {-1, 0}), 0);
  EXPECT_EQ(evaluate(Arith::Widen, 1, 32, {-1}), 1);
  EXPECT_EQ(evaluate(Arith::Widen, 32, 64, {-1}), 4294967295);
  EXPECT_EQ(evaluate(Arith::Truncate, 64, 8, {300}), 44);
  EXPECT_EQ(evaluate(Arith::Truncate, 64, 8, {200}), -56);
  EXPECT_EQ(evaluate(Arith::Truncate, 64, 1, {1}), -1);
}

/// What a narrow operation gives is what a wide one does, cut: of those that
/// wrap, that is how they are defined.
TEST(Integers, NarrowOnesWrap) {
  for (int bits : {1, 2, 3, 5})
    for (int64_t a : all(bits))
      for (int64_t b : all(bits)) {
        auto check = [&](Arith arith, int64_t wide) {
          EXPECT_EQ(evaluate(arith, bits, bits, {a, b}),
                    wrapTo(bits, uint64_t(wide)))
              << nameOf(arith) << " of " << a << " and " << b << " in " << bits;
        };
        int64_t mask = (int64_t(1) << bits) - 1, ua = a & mask, ub = b & mask;
        check(Arith::Add, a + b);
        check(Arith::Sub, a - b);
        check(Arith::Mul, a * b);
        if (ub != 0) {
          check(Arith::DivU, ua / ub);
          check(Arith::RemU, ua % ub);
          check(Arith::CeilDivU, (ua + ub - 1) / ub);
        }
        EXPECT_EQ(evaluate(Arith::LessU, bits, 32, {a, b}), ua < ub);
        EXPECT_EQ(evaluate(Arith::Less, bits, 32, {a, b}), a < b);
      }
}

TEST(Integers, RangesHoldAllResults) {
  for (int bits : {1, 3, 4})
    for (Arith arith : kBinary) {
      int to = arith >= Arith::Equal ? 1 : bits;
      std::vector<int64_t> numbers = all(bits);
      for (size_t i = 0; i < numbers.size(); ++i)
        for (size_t j = i; j < numbers.size(); ++j)
          for (size_t k = 0; k < numbers.size(); ++k)
            for (size_t l = k; l < numbers.size(); ++l) {
              Range range =
                  rangeOf(arith, bits, to,
                          {{numbers[i], numbers[j]}, {numbers[k], numbers[l]}});
              for (size_t a = i; a <= j; ++a)
                for (size_t b = k; b <= l; ++b)
                  if (auto number =
                          evaluate(arith, bits, to, {numbers[a], numbers[b]}))
                    ASSERT_TRUE(range.low <= *number && *number <= range.high)
                        << nameOf(arith) << " of " << numbers[a] << " and "
                        << numbers[b] << " in " << bits << " bits";
            }
    }
}

TEST(Integers, RangesAtTheEndsOf64Bits) {
  const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -2,       -1, 0, 1, 2,
                          63,        INT64_MAX - 1, INT64_MAX};
  for (Arith arith : kBinary)
    for (int64_t a : ends)
      for (int64_t b : ends)
        for (int64_t c : ends)
          for (int64_t d : ends) {
            Range left{std::min(a, b), std::max(a, b)};
            Range right{std::min(c, d), std::max(c, d)};
            Range range = rangeOf(arith, 64, 64, {left, right});
            for (int64_t x : {a, b})
              for (int64_t y : {c, d})
                if (auto number = evaluate(arith, 64, 64, {x, y}))
                  ASSERT_TRUE(range.low <= *number && *number <= range.high)
                      << nameOf(arith) << " of " << x << " and " << y;
          }
}
