//===- CompareTest.cpp - What counts as wrong -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs of numbers that just pass and just fail: one rounding, a sum that
// cancels, NaN and infinity on either side. Each execution is judged by this
// comparison, so a tolerance that is too wide hides errors of the compiler, and
// one that is too narrow rejects correct kernels.
//
//===----------------------------------------------------------------------===//

#include "heddle/Run/Compare.h"
#include "SampleArguments.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace heddle::tool;
using heddle::manifest::ElementType;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Compares one element of `type`.
Difference compareOne(ElementType type, double result, double reference,
                      double scale, Tolerance tolerance = {}) {
  auto make = [&](double value) {
    ArgumentData data(makeView("c", type), {1, 1});
    data.setElement(0, value);
    return data;
  };
  return compare(make(result), make(reference), make(scale), tolerance);
}

TEST(Compare, EqualIsRight) {
  EXPECT_EQ(compareOne(ElementType::F16, 3, 3, 9).wrong, 0);
  EXPECT_EQ(compareOne(ElementType::I32, -7, -7, 7).wrong, 0);
}

TEST(Compare, WholeNumbersOfOneDoubleDiffer) {
  auto make = [](int64_t value) {
    ArgumentData data(makeView("c", ElementType::I64), {1, 1});
    data.setNumber(0, wholeNumber(value));
    return data;
  };
  ArgumentData least = make(INT64_MIN), most = make(INT64_MAX);
  Difference one = compare(make(INT64_MAX - 1), most, most, Tolerance());
  EXPECT_EQ(one.wrong, 1);
  EXPECT_EQ(one.maxAbsolute, 1);
  EXPECT_EQ(compare(least, most, most, Tolerance()).wrong, 1);
  EXPECT_EQ(compare(most, most, most, Tolerance()).wrong, 0);
  least.makeAbsolute();
  EXPECT_EQ(least.wholeElement(0), INT64_MAX);
}

TEST(Compare, OneRoundingOfTheOutputIsRight) {
  double next = 1 + 0x1p-10;
  Difference difference = compareOne(ElementType::F16, next, 1, 1);
  EXPECT_EQ(difference.wrong, 0);
  EXPECT_EQ(difference.maxAbsolute, 0x1p-10);
  EXPECT_EQ(difference.maxEpsilons, 1);
  EXPECT_EQ(compareOne(ElementType::F16, 1 + 0x1p-9, 1, 1).wrong, 1);
}

TEST(Compare, ExactAllowsNothing) {
  Tolerance exact = Tolerance::exact();
  EXPECT_EQ(compareOne(ElementType::F16, 1 + 0x1p-10, 1, 1, exact).wrong, 1);
  EXPECT_EQ(compareOne(ElementType::F32, 2, 2, 2, exact).wrong, 0);
}

TEST(Compare, CancellationIsJudgedByTheScale) {
  // 1000 products of size 1 that cancel: an error of 1e-3 is rounding...
  EXPECT_EQ(compareOne(ElementType::F32, 1e-3, 0, 1000).wrong, 0);
  // ...but a product that is missing is not.
  EXPECT_EQ(compareOne(ElementType::F32, 1, 0, 1000).wrong, 1);
}

TEST(Compare, AResultNearZeroHasTheErrorOfTheLargest) {
  // x - y of two numbers near 100, where |x| - |y| is no scale.
  auto make = [&](double first, double second) {
    ArgumentData data(makeView("c", ElementType::F32), {1, 2});
    data.setElement(0, first);
    data.setElement(1, second);
    return data;
  };
  ArgumentData reference = make(100, 0), scale = make(0, 0);
  EXPECT_EQ(compare(make(100, 2e-5), reference, scale, {}).wrong, 0);
  EXPECT_EQ(compare(make(100, 3e-5), reference, scale, {}).wrong, 1);
  EXPECT_EQ(
      compare(make(100, 2e-5), reference, scale, Tolerance::exact()).wrong, 1);
  // An infinity is no size.
  reference = make(kInfinity, 0);
  EXPECT_EQ(compare(make(kInfinity, 2e-5), reference, scale, {}).wrong, 1);
}

TEST(Compare, IntegersMustBeEqual) {
  EXPECT_EQ(compareOne(ElementType::I8, 4, 5, 100).wrong, 1);
}

TEST(Compare, NanIsRightOnlyWhereExpected) {
  EXPECT_EQ(compareOne(ElementType::F16, kNan, kNan, 1).wrong, 0);
  EXPECT_EQ(compareOne(ElementType::F16, kNan, 1, 1).wrong, 1);
  EXPECT_EQ(compareOne(ElementType::F16, 1, kNan, 1).wrong, 1);
  EXPECT_EQ(compareOne(ElementType::F32, kInfinity, 1, 1).wrong, 1);
}

/// A tolerance of infinity is none: each number is within it.
TEST(Compare, AnInfinityIsRightOnlyWhereExpected) {
  for (ElementType type : {ElementType::F16, ElementType::BF16,
                           ElementType::F32, ElementType::F64})
    for (Tolerance tolerance : {Tolerance(), Tolerance::exact()})
      for (double scale : {1.0, kInfinity, kNan}) {
        auto wrong = [&](double result, double reference) {
          return compareOne(type, result, reference, scale, tolerance).wrong;
        };
        EXPECT_EQ(wrong(kInfinity, kInfinity), 0);
        EXPECT_EQ(wrong(5, kInfinity), 1);
        EXPECT_EQ(wrong(kNan, kInfinity), 1);
        EXPECT_EQ(wrong(kInfinity, kNan), 1);
        EXPECT_EQ(wrong(-kInfinity, kInfinity), 1);
        EXPECT_EQ(wrong(kInfinity, -kInfinity), 1);
        EXPECT_EQ(wrong(kInfinity, 5), 1);
      }
}

/// The largest number and infinity are neighbours: a rounding apart.
TEST(Compare, InfinityIsNearTheLargestNumber) {
  constexpr double kLargest = 65504;
  for (double sign : {1.0, -1.0}) {
    auto wrong = [&](double result, double reference, Tolerance tolerance) {
      return compareOne(ElementType::F16, sign * result, sign * reference, 1,
                        tolerance)
          .wrong;
    };
    EXPECT_EQ(wrong(kLargest, kInfinity, {}), 0);
    EXPECT_EQ(wrong(kInfinity, kLargest, {}), 0);
    EXPECT_EQ(wrong(kLargest, kInfinity, Tolerance::exact()), 1);
    EXPECT_EQ(wrong(kInfinity, kLargest, Tolerance::exact()), 1);
    EXPECT_EQ(wrong(60000, kInfinity, {}), 1);
    EXPECT_EQ(wrong(kInfinity, 60000, {}), 1);
  }
  constexpr double kMost = std::numeric_limits<double>::max();
  Tolerance exact = Tolerance::exact();
  EXPECT_EQ(compareOne(ElementType::F64, kMost, kInfinity, 1, exact).wrong, 1);
}

TEST(Compare, AnInfiniteScaleDoesNotHideEverything) {
  EXPECT_EQ(compareOne(ElementType::F16, 60000, 1, kInfinity).wrong, 1);
  EXPECT_EQ(compareOne(ElementType::F16, 2, 1, kInfinity).wrong, 0);
}

TEST(Compare, AScaleOfNanHidesNothing) {
  EXPECT_EQ(compareOne(ElementType::F16, 5, 1, kNan).wrong, 1);
  EXPECT_EQ(compareOne(ElementType::F16, 5, 1, kNan, Tolerance::exact()).wrong,
            1);
}

TEST(Compare, FirstWrongElementIsNamedByItsCoordinates) {
  ArgumentData reference(makeView("c", ElementType::F32, {0, 1}), {2, 3});
  ArgumentData result = reference.clone();
  result.setElement(3, 1); // column-major: row 1, column 1
  Difference difference =
      compare(result, reference, reference, Tolerance::exact());
  EXPECT_EQ(difference.wrong, 1);
  EXPECT_EQ(describePosition(reference, difference.firstWrong), "[1, 1]");
}

} // namespace
