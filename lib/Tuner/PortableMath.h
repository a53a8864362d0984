//===- PortableMath.h - Functions with the same bits everywhere --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exponential, logarithm and the normal distribution from additions and
// multiplications alone. Those of C libraries differ in the last bit between
// versions and machines, which is enough for another proposal.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_PORTABLEMATH_H
#define HEDDLE_LIB_TUNER_PORTABLEMATH_H

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

namespace heddle::tuner {

/// Below this, exponentials are 0.
inline constexpr double kLeastExponent = -708;
/// 1 / 13!, 1 / 12! and so on to 1 / 0!.
inline constexpr double kExpSeries[] = {1.0 / 6227020800,
                                        1.0 / 479001600,
                                        1.0 / 39916800,
                                        1.0 / 3628800,
                                        1.0 / 362880,
                                        1.0 / 40320,
                                        1.0 / 5040,
                                        1.0 / 720,
                                        1.0 / 120,
                                        1.0 / 24,
                                        1.0 / 6,
                                        0.5,
                                        1.0,
                                        1.0};

/// Within 2 units of the last place for x in [-708, 708]; 0 below.
inline double portableExp(double x) {
  if (x < kLeastExponent)
    return 0;
  x = std::min(x, -kLeastExponent);
  double steps = std::floor(x * 1.4426950408889634 + 0.5);
  double rest = x - steps * 6.93147180369123816490e-01;
  rest -= steps * 1.90821492927058770002e-10;
  double sum = kExpSeries[0];
  for (size_t k = 1; k < std::size(kExpSeries); ++k)
    sum = sum * rest + kExpSeries[k];
  return sum * llvm::bit_cast<double>(uint64_t(int64_t(steps) + 1023) << 52);
}

/// Of x > 0, normal.
inline double portableLog(double x) {
  uint64_t bits = llvm::bit_cast<uint64_t>(x);
  int64_t exponent = int64_t(bits >> 52) - 1023;
  double fraction =
      llvm::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (fraction > 1.4142135623730951) {
    fraction *= 0.5;
    ++exponent;
  }
  double s = (fraction - 1) / (fraction + 1), square = s * s;
  double sum = 1.0 / 23;
  for (int k = 21; k >= 1; k -= 2)
    sum = sum * square + 1.0 / k;
  return double(exponent) * 0.6931471805599453 + 2 * s * sum;
}

inline double portablePow(double base, double exponent) {
  return portableExp(exponent * portableLog(base));
}

/// How likely a normal variable is below x.
inline double normalBelow(double x) {
  double a = std::fabs(x);
  if (a > 38)
    return x > 0 ? 1 : 0;
  double density = portableExp(-0.5 * a * a) * 0.3989422804014327;
  double tail;
  if (a < 3) { // a + a^3 / 3 + a^5 / 15 + ...
    double term = a, sum = a;
    for (int k = 3; term > sum * 1e-17; k += 2) {
      term *= a * a / k;
      sum += term;
    }
    tail = 0.5 - density * sum;
  } else { // 1 / (a + 1 / (a + 2 / (a + ...)))
    double fraction = a;
    for (int k = 80; k >= 1; --k)
      fraction = a + k / fraction;
    tail = density / fraction;
  }
  return x > 0 ? 1 - tail : tail;
}

/// How much less than `best` a normal value is in the mean, where it is less.
inline double expectedImprovement(double best, double mean, double deviation) {
  if (deviation <= 0)
    return std::max(0.0, best - mean);
  double z = (best - mean) / deviation;
  double density = portableExp(-0.5 * z * z) * 0.3989422804014327;
  return std::max(0.0, (best - mean) * normalBelow(z) + deviation * density);
}

/// 2^x for x in [-0.5, 0.5] to 9e-8, the greatest power first: of the
/// polynomials that are 1 at 0 the one whose greatest relative error is least.
inline constexpr float kPowerSeries[] = {1.326472848e-3f, 9.671513923e-3f,
                                         5.550733581e-2f, 2.402224243e-1f,
                                         6.931470037e-1f, 1.0f};
/// The negative powers of two that are normal in single precision.
inline constexpr float kMostHalvings = 126;
/// Added to a small number, this leaves its nearest integer in the last bits.
inline constexpr float kToInteger = 0x1.8p23f;

/// 2^-x of x >= 0 in single precision; 2^-126 where x is more than that.
inline float powerOfHalf(float x) {
  x = x > kMostHalvings ? kMostHalvings : x;
  float shifted = kToInteger - x;
  float rest = (kToInteger - shifted) - x;
  float sum = kPowerSeries[0];
  for (size_t k = 1; k < std::size(kPowerSeries); ++k)
    sum = sum * rest + kPowerSeries[k];
  // The integer goes to the exponent.
  return llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(sum) +
                               (llvm::bit_cast<uint32_t>(shifted) << 23));
}

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_PORTABLEMATH_H
