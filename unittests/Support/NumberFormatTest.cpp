//===- NumberFormatTest.cpp - Every pattern of the narrow formats
//----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Narrow floating-point formats against LLVM's APFloat: every value, and the
// points beside and midway to the next one, where rounding decides. The
// interpreter rounds by these functions, and kernels are compared with it, so
// an error here would pass for the right answer.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/NumberFormat.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

using namespace heddle;
using llvm::APFloat;

namespace {

double reference(double value, const llvm::fltSemantics &semantics) {
  APFloat narrow(value);
  bool losesInfo;
  narrow.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  narrow.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return narrow.convertToDouble();
}

template <NumberFormat F>
void checkFormat(const llvm::fltSemantics &semantics) {
  for (uint32_t bits = 0; bits < 1u << F.bits(); ++bits) {
    double value = decode<F>(bits);
    if (std::isnan(value))
      continue;
    ASSERT_EQ(encode<F>(value), bits);
    if (std::isinf(value))
      continue;
    // The value, and the points at and beside the middle to the next one.
    double next = decode<F>(bits + 1);
    for (double probe :
         {value, (value + next) / 2, std::nextafter((value + next) / 2, 0.0),
          std::nextafter((value + next) / 2, 1e300)}) {
      if (std::isnan(probe) || std::isinf(next))
        continue;
      double expected = reference(probe, semantics);
      ASSERT_EQ(std::isnan(roundTo<F>(probe)), std::isnan(expected)) << probe;
      if (!std::isnan(expected))
        ASSERT_EQ(roundTo<F>(probe), expected) << probe;
    }
  }
  for (double probe : {1e-300, 1e300, -1e300, 464.0, 465.0, 65519.0, 65520.0,
                       61440.0, 3.4e38}) {
    double expected = reference(probe, semantics);
    EXPECT_EQ(std::isnan(roundTo<F>(probe)), std::isnan(expected)) << probe;
    if (!std::isnan(expected))
      EXPECT_EQ(roundTo<F>(probe), expected) << probe;
  }
}

TEST(NumberFormat, Float16) { checkFormat<kFloat16>(APFloat::IEEEhalf()); }
TEST(NumberFormat, BFloat16) { checkFormat<kBFloat16>(APFloat::BFloat()); }
TEST(NumberFormat, E4M3) { checkFormat<kFloat8E4M3>(APFloat::Float8E4M3FN()); }
TEST(NumberFormat, E5M2) { checkFormat<kFloat8E5M2>(APFloat::Float8E5M2()); }

TEST(NumberFormat, SaturationKeepsTheLargestFinite) {
  EXPECT_EQ(roundTo<kFloat8E4M3>(1e9, Overflow::Saturate), 448.0);
  EXPECT_EQ(roundTo<kFloat8E5M2>(-INFINITY, Overflow::Saturate), -57344.0);
  EXPECT_TRUE(std::isnan(roundTo<kFloat8E4M3>(NAN, Overflow::Saturate)));
}

} // namespace
