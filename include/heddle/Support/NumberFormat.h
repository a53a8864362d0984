//===- NumberFormat.h - Exact narrow floating-point formats
//----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encoding rounds once, to nearest even, from double, which holds every value
// of these formats exactly. Header only and free of LLVM: the runtime and the
// oracle share it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_NUMBERFORMAT_H
#define HEDDLE_SUPPORT_NUMBERFORMAT_H

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace heddle {

struct NumberFormat {
  int exponentBits;
  int fractionBits;
  /// The largest exponent field means infinity and NaN; otherwise (e4m3fn)
  /// there is no infinity and only the all-ones pattern is NaN.
  bool hasInfinity;

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr int bits() const { return 1 + exponentBits + fractionBits; }
  constexpr uint32_t signBit() const { return 1u << (bits() - 1); }
  constexpr uint32_t infinity() const {
    return ((1u << exponentBits) - 1) << fractionBits;
  }
  constexpr uint32_t quietNan() const {
    return hasInfinity ? infinity() | 1u << (fractionBits - 1) : signBit() - 1;
  }
  constexpr uint32_t largestFinite() const {
    return hasInfinity ? infinity() - 1 : signBit() - 2;
  }
};

inline constexpr NumberFormat kFloat16{5, 10, true};
inline constexpr NumberFormat kBFloat16{8, 7, true};
inline constexpr NumberFormat kFloat8E4M3{4, 3, false};
inline constexpr NumberFormat kFloat8E5M2{5, 2, true};

/// What becomes of finite values beyond the largest one (and of infinity):
/// infinity (NaN in a format without), or the largest finite value, which is
/// all that the hardware's conversions to 8 bits offer.
enum class Overflow { Infinity, Saturate };

template <NumberFormat F> double decode(uint32_t bits) {
  double sign = bits & F.signBit() ? -1.0 : 1.0;
  uint32_t magnitude = bits & (F.signBit() - 1);
  if (F.hasInfinity ? magnitude > F.infinity() : magnitude == F.quietNan())
    return std::numeric_limits<double>::quiet_NaN();
  if (F.hasInfinity && magnitude == F.infinity())
    return sign * std::numeric_limits<double>::infinity();
  uint64_t exponent = magnitude >> F.fractionBits;
  uint64_t fraction = magnitude & ((1u << F.fractionBits) - 1);
  if (exponent == 0)
    return sign * std::ldexp(double(fraction), 1 - F.bias() - F.fractionBits);
  uint64_t wide =
      (exponent + 1023 - F.bias()) << 52 | fraction << (52 - F.fractionBits);
  return sign * std::bit_cast<double>(wide);
}

template <NumberFormat F>
uint32_t encode(double value, Overflow overflow = Overflow::Infinity) {
  uint64_t wide = std::bit_cast<uint64_t>(value);
  uint32_t sign = wide >> 63 ? F.signBit() : 0;
  if (value != value)
    return sign | F.quietNan();
  uint32_t beyond = overflow == Overflow::Saturate ? F.largestFinite()
                    : F.hasInfinity                ? F.infinity()
                                                   : F.quietNan();
  double magnitude = std::fabs(value);
  if (magnitude == std::numeric_limits<double>::infinity())
    return sign | beyond;
  int exponent = int(wide >> 52 & 0x7ff) - 1023;
  // Below the smallest normal exponent the step between values stays the same.
  int step = std::max(exponent, 1 - F.bias()) - F.fractionBits;
  if (exponent < 1 - F.bias() - F.fractionBits - 1)
    return sign; // below half of the smallest subnormal
  // magnitude / 2^step is exact; nearbyint rounds to even in the default mode.
  double units = std::nearbyint(std::ldexp(magnitude, -step));
  double largest = decode<F>(F.largestFinite());
  if (std::ldexp(units, step) > largest)
    return sign | beyond;
  uint32_t count = uint32_t(units);
  if (count == 0)
    return sign;
  if (exponent < 1 - F.bias())
    return sign |
           count; // a carry into the exponent field is the right encoding
  uint32_t field = uint32_t(exponent + F.bias()) << F.fractionBits;
  return sign | (field + (count - (1u << F.fractionBits)));
}

/// `value` rounded to the format and back.
template <NumberFormat F>
double roundTo(double value, Overflow overflow = Overflow::Infinity) {
  return decode<F>(encode<F>(value, overflow));
}

} // namespace heddle

#endif // HEDDLE_SUPPORT_NUMBERFORMAT_H
