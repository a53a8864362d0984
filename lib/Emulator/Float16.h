//===- Float16.h - The narrow floating-point formats -------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact conversions between f16, bf16, tf32, e4m3, e5m2 and the host's formats.
// NaNs come out as the ones the hardware makes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_FLOAT16_H
#define HEDDLE_LIB_EMULATOR_FLOAT16_H

#include <bit>
#include <cstdint>

namespace heddle::emulator {

enum class Rounding : uint8_t {
  NearestEven,
  Zero,
  Down,
  Up,
  NearestAway, ///< .rna, tf32 only
};

struct FloatFormat {
  int exponentBits;
  int mantissaBits;
  bool hasInfinity; ///< e4m3 spends the top exponent on numbers
  uint32_t nan;     ///< the canonical one
};

inline constexpr FloatFormat kHalf{5, 10, true, 0x7FFF};
inline constexpr FloatFormat kBfloat{8, 7, true, 0x7FFF};
inline constexpr FloatFormat kTf32{8, 10, true, 0x3FFFF};
inline constexpr FloatFormat kE4M3{4, 3, false, 0x7F};
inline constexpr FloatFormat kE5M2{5, 2, true, 0x7F};
inline constexpr FloatFormat kSingle{8, 23, true, 0x7FFFFFFF};

/// Rounds `value` once. `saturate` (.satfinite): overflow gives the largest
/// number instead of infinity.
uint32_t encode(double value, const FloatFormat &format,
                Rounding rounding = Rounding::NearestEven,
                bool saturate = false);
double decode(uint32_t bits, const FloatFormat &format);

inline uint16_t halfFromDouble(double value) {
  return uint16_t(encode(value, kHalf));
}
inline uint16_t bfloatFromDouble(double value) {
  return uint16_t(encode(value, kBfloat));
}

inline float floatFromHalf(uint16_t half) {
  // Moving the fields puts the exponent 112 too low, for subnormals as well.
  uint32_t bits = uint32_t(half & 0x7FFF) << 13;
  float scaled = std::bit_cast<float>(bits) * 0x1p112f;
  bits = std::bit_cast<uint32_t>(scaled);
  bits |= scaled >= 65536.0f ? 0x7F800000u : 0u;
  return std::bit_cast<float>(bits | uint32_t(half & 0x8000) << 16);
}

inline float floatFromBfloat(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

inline uint16_t halfFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = bits >> 16 & 0x8000;
  bits &= 0x7FFFFFFF;
  if (bits >= 0x47800000)
    return bits > 0x7F800000 ? 0x7FFF : uint16_t(sign | 0x7C00);
  if (bits < 0x38800000) {
    // Adding 0.5 lines a subnormal's last place up with that of 0.5.
    float aligned = std::bit_cast<float>(bits) + 0.5f;
    return uint16_t(sign | (std::bit_cast<uint32_t>(aligned) - 0x3F000000));
  }
  bits += 0xC8000FFF + (bits >> 13 & 1);
  return uint16_t(sign | bits >> 13);
}

inline uint16_t bfloatFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000)
    return 0x7FFF;
  return uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/// A single with the NaN that the hardware's arithmetic makes.
inline uint32_t bitsOfFloat(float value) {
  return value != value ? 0x7FFFFFFF : std::bit_cast<uint32_t>(value);
}

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_FLOAT16_H
