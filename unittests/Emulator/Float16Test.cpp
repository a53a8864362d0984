//===- Float16Test.cpp - The narrow floating-point formats ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator has fast conversions of f16 and bf16 beside general ones of all
// narrow formats. The two must agree on every f16 and on a sample of f32 that
// includes ties and the ends of ranges.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Emulator/Float16.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace heddle::emulator;

TEST(EmulatorFloat16, FastAndGeneralDecodersAgree) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double half = decode(bits, kHalf);
    if (std::isnan(half))
      EXPECT_TRUE(std::isnan(floatFromHalf(uint16_t(bits))));
    else
      ASSERT_EQ(double(floatFromHalf(uint16_t(bits))), half) << bits;
  }
}

TEST(EmulatorFloat16, EveryValueSurvives) {
  for (const FloatFormat *format : {&kHalf, &kBfloat, &kE4M3, &kE5M2}) {
    uint32_t count = 1u << (1 + format->exponentBits + format->mantissaBits);
    for (uint32_t bits = 0; bits < count; ++bits) {
      double value = decode(bits, *format);
      if (!std::isnan(value))
        ASSERT_EQ(encode(value, *format), bits);
    }
  }
}

TEST(EmulatorFloat16, FastAndGeneralEncodersAgree) {
  // A stride that is odd visits every exponent and many mantissas.
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 104729) {
    float value = std::bit_cast<float>(uint32_t(bits));
    ASSERT_EQ(halfFromFloat(value), halfFromDouble(value)) << bits;
    ASSERT_EQ(bfloatFromFloat(value), bfloatFromDouble(value)) << bits;
  }
  // Ties, and the borders of the subnormal and the infinite range.
  for (uint32_t half = 0; half < 0x7C00; ++half) {
    double middle = (decode(half, kHalf) +
                     (half == 0x7BFF ? 65536.0 : decode(half + 1, kHalf))) /
                    2;
    for (double value : {middle, std::nextafter(float(middle), 0.0f) * 1.0,
                         std::nextafter(float(middle), 1e9f) * 1.0})
      ASSERT_EQ(halfFromFloat(float(value)), halfFromDouble(value)) << half;
  }
}

TEST(EmulatorFloat16, SaturatesWhereAsked) {
  EXPECT_EQ(encode(1e9, kE4M3), kE4M3.nan);
  EXPECT_EQ(encode(1e9, kE4M3, Rounding::NearestEven, true), 0x7Eu);
  EXPECT_EQ(encode(-1e9, kHalf), 0xFC00u);
  EXPECT_EQ(encode(-1e9, kHalf, Rounding::Zero), 0xFBFFu);
}
