//===- CheckedMathTest.cpp - Sizes that do not wrap ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic that stops at the ends of 64 bits, compared with wider numbers at
// the values where it matters. Sizes of programs and files pass through it, so
// a sum that wraps would turn a check on them into its opposite.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/CheckedMath.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace heddle;

TEST(CheckedMath, SumsAndProductsAreExactOrAtTheEnd) {
  EXPECT_EQ(satAdd(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(satAdd(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(satSub(INT64_MIN, 1), INT64_MIN);
  EXPECT_EQ(satSub(0, INT64_MIN), INT64_MAX);
  EXPECT_EQ(satMul(int64_t(1) << 61, 8), INT64_MAX); // a ring's barriers
  EXPECT_EQ(satMul(int64_t(1) << 32, int64_t(1) << 32), INT64_MAX);
  EXPECT_EQ(satMul(INT64_MIN, -1), INT64_MAX);
  EXPECT_EQ(satMul(INT64_MIN, 2), INT64_MIN);
  EXPECT_EQ(satSigned(UINT64_MAX), INT64_MAX);
  EXPECT_EQ(satSigned(7), 7);
}

TEST(CheckedMath, AgreesWithWiderNumbers) {
  std::mt19937_64 engine(1);
  auto clamp = [](__int128 value) {
    return value > INT64_MAX   ? INT64_MAX
           : value < INT64_MIN ? INT64_MIN
                               : int64_t(value);
  };
  for (int i = 0; i < 100000; ++i) {
    int64_t a = int64_t(engine()) >> engine() % 64;
    int64_t b = int64_t(engine()) >> engine() % 64;
    EXPECT_EQ(satAdd(a, b), clamp(__int128(a) + b));
    EXPECT_EQ(satSub(a, b), clamp(__int128(a) - b));
    EXPECT_EQ(satMul(a, b), clamp(__int128(a) * b));
  }
}

TEST(CheckedMath, AZeroMakesAProductZeroWhereverItStands) {
  int64_t huge = int64_t(1) << 62;
  EXPECT_EQ(satProduct(std::vector<int64_t>{huge, huge, 0}), 0);
  EXPECT_EQ(satProduct(std::vector<int64_t>{0, huge, huge}), 0);
  EXPECT_EQ(satProduct(std::vector<int64_t>{huge, huge}), INT64_MAX);
  EXPECT_EQ(satProduct(std::vector<int64_t>{}), 1);
}

TEST(CheckedMath, RoundsUpWithoutWrapping) {
  EXPECT_EQ(satAlign(0, 8), 0);
  EXPECT_EQ(satAlign(9, 8), 16);
  EXPECT_EQ(satAlign(16, 8), 16);
  EXPECT_GT(satAlign(INT64_MAX, 256), INT64_MAX - 256);
  EXPECT_EQ(spellSize(5), "5");
  EXPECT_EQ(spellSize(INT64_MAX), "more than 9223372036854775806");
}
