//===- ScalarsTest.cpp - Functions and semirings of numbers ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function by numbers worked out elsewhere, and the bound of its error by
// arguments that are wrong by a little.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Scalars.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace heddle;

namespace {

struct Known {
  const char *name;
  double x, value;
};

TEST(Scalars, FunctionsHaveKnownValues) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (auto [name, x, value] : std::vector<Known>{
           {"neg", 2, -2},
           {"abs", -3, 3},
           {"square", -3, 9},
           {"relu", -1, 0},
           {"relu", 1.5, 1.5},
           {"exp", 1, 2.718281828459045},
           {"exp", -infinity, 0},
           {"log", 2, 0.6931471805599453},
           {"sqrt", 9, 3},
           {"rsqrt", 4, 0.5},
           {"reciprocal", -4, -0.25},
           {"reciprocal", 0, infinity},
           {"tanh", 0.5, 0.46211715726000975},
           {"erf", 0.5, 0.5204998778130465},
           {"sigmoid", 0, 0.5},
           {"sigmoid", 2, 0.8807970779778823},
           {"gelu", 1, 0.8413447460685429},
           {"gelu", -1, -0.15865525393145707},
           {"silu", 2, 1.7615941559557646},
       }) {
    auto function = findFunction(name);
    ASSERT_TRUE(function) << name;
    EXPECT_EQ(nameOfFunction(*function), name);
    double found = applyFunction(*function, x);
    if (std::isinf(value))
      EXPECT_EQ(found, value) << name;
    else
      EXPECT_NEAR(found, value, 1e-15 * std::max(1.0, std::fabs(value)))
          << name << " of " << x;
  }
  EXPECT_FALSE(findFunction("softplus"));
  EXPECT_TRUE(std::isnan(applyFunction(ScalarFunction::Relu, NAN)));
  EXPECT_EQ(applyFunctions({ScalarFunction::Neg, ScalarFunction::Relu}, -2), 2);
}

TEST(Scalars, TheScaleBoundsWhatAWrongArgumentDoes) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> draw(-4, 4);
  constexpr double kUnit = 1e-7;
  for (int number = 0; number < 14; ++number) {
    auto function = ScalarFunction(number);
    for (int turn = 0; turn < 2000; ++turn) {
      double x = draw(generator), scale = std::fabs(draw(generator)) + 0.1;
      if (function == ScalarFunction::Log || function == ScalarFunction::Sqrt ||
          function == ScalarFunction::Rsqrt)
        x = std::fabs(x);
      if (std::fabs(x) < 1e-3)
        continue;
      double wrong = applyFunction(function, x + kUnit * scale);
      EXPECT_LE(std::fabs(wrong - applyFunction(function, x)),
                1.01 * kUnit * scaleOf(function, x, scale))
          << nameOfFunction(function) << " of " << x;
    }
  }
}

TEST(Scalars, InfinityHasNoErrorToCarry) {
  for (int number = 0; number < 14; ++number) {
    auto function = ScalarFunction(number);
    for (double x : {double(INFINITY), -double(INFINITY)}) {
      double made = applyFunction(function, x);
      double scale = scaleOf(function, x, INFINITY);
      if (std::isfinite(made))
        EXPECT_TRUE(std::isfinite(scale))
            << nameOfFunction(function) << " of " << x;
      else if (!std::isnan(made))
        EXPECT_EQ(scale, INFINITY) << nameOfFunction(function) << " of " << x;
    }
  }
}

TEST(Scalars, SemiringsHaveZeros) {
  for (const char *name : {"plus-times", "min-plus", "max-plus", "max-times"}) {
    auto semiring = findSemiring(name);
    ASSERT_TRUE(semiring);
    EXPECT_EQ(nameOfSemiring(*semiring), name);
  }
  EXPECT_FALSE(findSemiring("plus-min"));
  EXPECT_EQ(zeroOf(Semiring::PlusTimes), 0);
  EXPECT_EQ(zeroOf(Semiring::MinPlus), INFINITY);
  EXPECT_EQ(zeroOf(Semiring::MaxTimes), -INFINITY);
}

} // namespace
