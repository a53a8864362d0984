//===- Float16.cpp - The narrow floating-point formats --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Float16.h"

#include <algorithm>
#include <cmath>

using namespace heddle::emulator;

/// Largest finite magnitude, as an integer with the format's fields.
static uint32_t largestFinite(const FloatFormat &format) {
  uint32_t infinity = ((1u << format.exponentBits) - 1) << format.mantissaBits;
  return format.hasInfinity ? infinity - 1
                            : infinity | ((1u << format.mantissaBits) - 2);
}

/// Rounds a non-negative number of units in the last place to an integer.
static uint64_t roundUnits(double units, Rounding rounding, bool isNegative) {
  double floor = std::floor(units);
  double rest = units - floor;
  uint64_t whole = uint64_t(floor);
  switch (rounding) {
  case Rounding::NearestEven:
    return whole + (rest > 0.5 || (rest == 0.5 && (whole & 1)));
  case Rounding::NearestAway:
    return whole + (rest >= 0.5);
  case Rounding::Zero:
    return whole;
  case Rounding::Down:
    return whole + (isNegative && rest > 0);
  case Rounding::Up:
    return whole + (!isNegative && rest > 0);
  }
  return whole;
}

uint32_t heddle::emulator::encode(double value, const FloatFormat &format,
                                  Rounding rounding, bool saturate) {
  int width = 1 + format.exponentBits + format.mantissaBits;
  uint32_t sign = std::signbit(value) ? 1u << (width - 1) : 0;
  if (std::isnan(value))
    return format.nan;
  uint32_t largest = largestFinite(format);
  bool roundsIn = rounding == Rounding::Zero ||
                  (rounding == Rounding::Down && !sign) ||
                  (rounding == Rounding::Up && sign);
  uint32_t overflow = saturate              ? largest
                      : !format.hasInfinity ? format.nan
                      : roundsIn            ? largest
                                            : largest + 1;
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign | (format.hasInfinity && !saturate ? largest + 1 : overflow);
  if (magnitude == 0)
    return sign;

  int bias = (1 << (format.exponentBits - 1)) - 1;
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  double units = std::ldexp(magnitude, format.mantissaBits - exponent);
  uint64_t mantissa = roundUnits(units, rounding, sign != 0);
  // A subnormal has no hidden bit: adding fields carries into the exponent by
  // itself, both from subnormal to normal and to the next power of two.
  uint64_t fields =
      (uint64_t(exponent + bias - 1) << format.mantissaBits) + mantissa;
  return sign | (fields > largest ? overflow : uint32_t(fields));
}

double heddle::emulator::decode(uint32_t bits, const FloatFormat &format) {
  int width = 1 + format.exponentBits + format.mantissaBits;
  double sign = bits >> (width - 1) & 1 ? -1.0 : 1.0;
  uint32_t mantissaMask = (1u << format.mantissaBits) - 1;
  uint32_t exponentMask = (1u << format.exponentBits) - 1;
  uint32_t mantissa = bits & mantissaMask;
  uint32_t exponent = bits >> format.mantissaBits & exponentMask;
  int bias = int(exponentMask >> 1);
  if (exponent == exponentMask) {
    if (format.hasInfinity)
      return mantissa ? std::nan("") : sign * HUGE_VAL;
    if (mantissa == mantissaMask)
      return std::nan("");
  }
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - format.mantissaBits);
  return sign * std::ldexp(mantissa | (mantissaMask + 1),
                           int(exponent) - bias - format.mantissaBits);
}
