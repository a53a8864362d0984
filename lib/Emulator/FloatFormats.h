//===- FloatFormats.h - Slots as floating-point values -----------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Narrow formats are computed in single precision and rounded once more, which
// is innocuous: 24 bits are more than twice 11 plus two. Fused operations
// compute in double, whose exponents may still lie too far apart for a sum of
// bf16: fusedToOdd keeps what a second rounding needs.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_FLOATFORMATS_H
#define HEDDLE_LIB_EMULATOR_FLOATFORMATS_H

#include "Float16.h"

#include <cmath>

namespace heddle::emulator {

struct SingleFormat {
  using Value = float;
  using Fused = float;
  static constexpr int bits = 32;
  static constexpr float smallestNormal = 0x1p-126f;
  static float load(uint64_t slot) {
    return std::bit_cast<float>(uint32_t(slot));
  }
  static uint64_t store(float value) { return bitsOfFloat(value); }
};

struct DoubleFormat {
  using Value = double;
  using Fused = double;
  static constexpr int bits = 64;
  static constexpr double smallestNormal = 0x1p-1022;
  static double load(uint64_t slot) { return std::bit_cast<double>(slot); }
  static uint64_t store(double value) { return std::bit_cast<uint64_t>(value); }
};

struct HalfFormat {
  using Value = float;
  using Fused = double;
  static constexpr int bits = 16;
  static constexpr float smallestNormal = 0x1p-14f;
  static float load(uint64_t slot) { return floatFromHalf(uint16_t(slot)); }
  static uint64_t store(float value) { return halfFromFloat(value); }
  static uint64_t store(double value) { return halfFromDouble(value); }
};

struct BfloatFormat {
  using Value = float;
  using Fused = double;
  static constexpr int bits = 16;
  static constexpr float smallestNormal = 0x1p-126f;
  static float load(uint64_t slot) { return floatFromBfloat(uint16_t(slot)); }
  static uint64_t store(float value) { return bfloatFromFloat(value); }
  static uint64_t store(double value) { return bfloatFromDouble(value); }
};

/// a * b + c of narrow operands, whose product is exact in double. Where the
/// sum is not, its last bit is set: no rounding to fewer bits takes it for a
/// number that it only lies next to.
inline double fusedToOdd(double a, double b, double c) {
  double product = a * b, sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  // Knuth's two-sum: what the rounding of `sum` lost, exactly.
  double ofC = sum - product;
  double lost = (product - (sum - ofC)) + (c - ofC);
  if (lost == 0)
    return sum;
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if ((lost < 0) != (sum < 0))
    --bits; // the magnitude was rounded up
  return std::bit_cast<double>(bits | 1);
}

/// .ftz: subnormals become zeros of the same sign.
template <class Format, class Value> inline Value flush(Value value) {
  return std::fabs(value) < Value(Format::smallestNormal)
             ? std::copysign(Value(0), value)
             : value;
}

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_FLOATFORMATS_H
