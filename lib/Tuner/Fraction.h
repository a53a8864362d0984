//===- Fraction.h - Numbers of constraints -----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constraint such as `x * (1 / y) >= 1` must hold for x = y = 49, where
// doubles give 0.99999...: numbers are exact fractions as long as 64 bits hold
// both parts. What leaves that, or was no integer to begin with, is a double
// from then on. Division by zero, and a logarithm of what is not positive, give
// a number that is not one, and of that no comparison is true.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_FRACTION_H
#define HEDDLE_LIB_TUNER_FRACTION_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

namespace heddle::tuner {

struct Fraction {
  int64_t top = 0;
  int64_t bottom = 1; ///< above 0; 0 if `top` has the bits of a double

  static Fraction whole(int64_t value) { return {value, 1}; }
  static Fraction inexact(double value) {
    Fraction made{0, 0};
    std::memcpy(&made.top, &value, sizeof value);
    return made;
  }
  /// Exact for integers that a double holds with all their neighbours.
  static Fraction from(double value) {
    return value == std::floor(value) && std::fabs(value) <= 0x1p53
               ? whole(int64_t(value))
               : inexact(value);
  }
  static Fraction undefined() {
    return inexact(std::numeric_limits<double>::quiet_NaN());
  }

  bool isExact() const { return bottom != 0; }
  bool isUndefined() const { return !isExact() && std::isnan(toDouble()); }
  double toDouble() const {
    if (bottom == 1)
      return double(top);
    if (bottom != 0)
      return double(top) / double(bottom);
    double value;
    std::memcpy(&value, &top, sizeof value);
    return value;
  }
  bool operator==(const Fraction &) const = default;
};

/// `top / bottom` in lowest terms; a double if a part does not fit.
inline Fraction reduce(__int128 top, __int128 bottom, double otherwise) {
  __int128 a = top < 0 ? -top : top, b = bottom;
  while (b != 0) {
    __int128 rest = a % b;
    a = b;
    b = rest;
  }
  top /= a;
  bottom /= a;
  if (top > INT64_MAX || top < -INT64_MAX || bottom > INT64_MAX)
    return Fraction::inexact(otherwise);
  return {int64_t(top), int64_t(bottom)};
}

inline Fraction operator+(const Fraction &a, const Fraction &b) {
  int64_t sum;
  if (a.bottom == 1 && b.bottom == 1 &&
      !__builtin_add_overflow(a.top, b.top, &sum))
    return Fraction::whole(sum);
  double value = a.toDouble() + b.toDouble();
  if (!a.isExact() || !b.isExact())
    return Fraction::inexact(value);
  return reduce(__int128(a.top) * b.bottom + __int128(b.top) * a.bottom,
                __int128(a.bottom) * b.bottom, value);
}

inline Fraction operator*(const Fraction &a, const Fraction &b) {
  int64_t product;
  if (a.bottom == 1 && b.bottom == 1 &&
      !__builtin_mul_overflow(a.top, b.top, &product))
    return Fraction::whole(product);
  double value = a.toDouble() * b.toDouble();
  if (!a.isExact() || !b.isExact())
    return Fraction::inexact(value);
  return reduce(__int128(a.top) * b.top, __int128(a.bottom) * b.bottom, value);
}

inline Fraction operator-(const Fraction &a) {
  if (a.isExact() && a.top != INT64_MIN)
    return {-a.top, a.bottom};
  return Fraction::inexact(-a.toDouble());
}

inline Fraction operator/(const Fraction &a, const Fraction &b) {
  if (b.toDouble() == 0)
    return Fraction::undefined();
  double value = a.toDouble() / b.toDouble();
  if (!a.isExact() || !b.isExact())
    return Fraction::inexact(value);
  __int128 top = __int128(a.top) * b.bottom;
  __int128 bottom = __int128(a.bottom) * b.top;
  return bottom < 0 ? reduce(-top, -bottom, value) : reduce(top, bottom, value);
}

/// The remainder has the sign of the dividend, as in C.
inline Fraction operator%(const Fraction &a, const Fraction &b) {
  if (b.toDouble() == 0)
    return Fraction::undefined();
  if (a.bottom == 1 && b.bottom == 1)
    return Fraction::whole(b.top == -1 ? 0 : a.top % b.top);
  return Fraction::inexact(std::fmod(a.toDouble(), b.toDouble()));
}

/// Less than 0, 0 or greater; neither is undefined.
inline int compare(const Fraction &a, const Fraction &b) {
  if (a.bottom == 1 && b.bottom == 1)
    return a.top < b.top ? -1 : a.top > b.top;
  if (a.isExact() && b.isExact()) {
    __int128 left = __int128(a.top) * b.bottom;
    __int128 right = __int128(b.top) * a.bottom;
    return left < right ? -1 : left > right;
  }
  double left = a.toDouble(), right = b.toDouble();
  return left < right ? -1 : left > right;
}

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_FRACTION_H
