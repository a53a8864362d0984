//===- Lanes.h - The same operations on several numbers ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four doubles or eight floats that go through the same operations. No lane
// sees another, and each operation rounds as that of one number does, so what a
// lane computes has the bits of a loop over numbers. It has them however wide
// the processor's vectors are: where they are narrower, the compiler makes two
// operations of one.
//
// Why not plain loops? Whether and how compilers make vectors of them differs;
// one that shuffled lanes took nearly twice as long.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_LANES_H
#define HEDDLE_LIB_TUNER_LANES_H

#include "PortableMath.h"

#include <cstddef>
#include <cstring>

// For functions that loop over lanes: one version for each width of vectors,
// chosen when the program starts.
#if defined(__x86_64__) && defined(__linux__) &&                               \
    !__has_feature(address_sanitizer)
#define HEDDLE_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define HEDDLE_WIDE_VECTORS
#endif
// What they call must become part of them, for the width to hold there too.
#define HEDDLE_IN_PLACE inline __attribute__((always_inline))

namespace heddle::tuner {

template <typename Number> struct Lanes {
  typedef Number Vector __attribute__((vector_size(32)));
  static constexpr size_t kCount = sizeof(Vector) / sizeof(Number);

  Vector lanes;

  HEDDLE_IN_PLACE static Lanes all(Number value) {
    return {value - Vector{}}; // a vector of it
  }
  HEDDLE_IN_PLACE static Lanes load(const Number *from) {
    Lanes made;
    std::memcpy(&made.lanes, from, sizeof(Vector));
    return made;
  }
  HEDDLE_IN_PLACE void store(Number *to) const {
    std::memcpy(to, &lanes, sizeof(Vector));
  }

  friend HEDDLE_IN_PLACE Lanes operator+(const Lanes &a, const Lanes &b) {
    return {a.lanes + b.lanes};
  }
  friend HEDDLE_IN_PLACE Lanes operator-(const Lanes &a, const Lanes &b) {
    return {a.lanes - b.lanes};
  }
  friend HEDDLE_IN_PLACE Lanes operator*(const Lanes &a, const Lanes &b) {
    return {a.lanes * b.lanes};
  }
  friend HEDDLE_IN_PLACE Lanes operator/(const Lanes &a, const Lanes &b) {
    return {a.lanes / b.lanes};
  }
  HEDDLE_IN_PLACE Lanes operator-() const { return {-lanes}; }
  HEDDLE_IN_PLACE Lanes &operator+=(const Lanes &other) {
    lanes += other.lanes;
    return *this;
  }
  HEDDLE_IN_PLACE Lanes &operator-=(const Lanes &other) {
    lanes -= other.lanes;
    return *this;
  }

  HEDDLE_IN_PLACE Lanes root() const {
    Lanes made;
    for (size_t k = 0; k < kCount; ++k)
      made.lanes[k] = std::sqrt(lanes[k]);
    return made;
  }
  /// a > b ? a : b
  friend HEDDLE_IN_PLACE Lanes greater(const Lanes &a, const Lanes &b) {
    return {a.lanes > b.lanes ? a.lanes : b.lanes};
  }
};

using Doubles = Lanes<double>;
using Floats = Lanes<float>;

/// The smallest number, at least `count`, that fills whole vectors of either
/// kind.
constexpr size_t wholeLanes(size_t count) {
  return (count + Floats::kCount - 1) / Floats::kCount * Floats::kCount;
}

/// In each lane of several vectors what portableExp gives, for x <= 0. One step
/// of all vectors after the other: each step waits for the one before, and what
/// a processor does meanwhile must be near.
template <size_t kVectors>
HEDDLE_IN_PLACE void expOfNegative(Doubles (&x)[kVectors]) {
  typedef Doubles::Vector Vector;
  typedef int64_t Bits __attribute__((vector_size(32)));
  constexpr double kToInteger = 0x1.8p52; // as that of floats
  Vector steps[kVectors], rest[kVectors], sum[kVectors];
  for (size_t k = 0; k < kVectors; ++k) {
    Vector wanted = x[k].lanes * 1.4426950408889634 + 0.5;
    steps[k] = (wanted + kToInteger) - kToInteger;
    steps[k] = steps[k] > wanted ? steps[k] - 1.0 : steps[k]; // not above it
  }
  for (size_t k = 0; k < kVectors; ++k) {
    rest[k] = x[k].lanes - steps[k] * 6.93147180369123816490e-01;
    rest[k] -= steps[k] * 1.90821492927058770002e-10;
    sum[k] = kExpSeries[0] + Vector{};
  }
  for (size_t term = 1; term < std::size(kExpSeries); ++term)
    for (size_t k = 0; k < kVectors; ++k)
      sum[k] = sum[k] * rest[k] + kExpSeries[term];
  for (size_t k = 0; k < kVectors; ++k) {
    Vector shifted = steps[k] + (kToInteger + 1023), scale;
    Bits power;
    std::memcpy(&power, &shifted, sizeof(power));
    power <<= 52;
    std::memcpy(&scale, &power, sizeof(scale));
    x[k].lanes = x[k].lanes < kLeastExponent ? Vector{} : sum[k] * scale;
  }
}

/// In each lane of several vectors what powerOfHalf gives.
template <size_t kVectors>
HEDDLE_IN_PLACE void powerOfHalf(Floats (&x)[kVectors]) {
  typedef Floats::Vector Vector;
  typedef uint32_t Bits __attribute__((vector_size(32)));
  Vector shifted[kVectors], rest[kVectors], sum[kVectors];
  for (size_t k = 0; k < kVectors; ++k) {
    Vector most = kMostHalvings + Vector{};
    Vector bounded = x[k].lanes > most ? most : x[k].lanes;
    shifted[k] = kToInteger - bounded;
    rest[k] = (kToInteger - shifted[k]) - bounded;
    sum[k] = kPowerSeries[0] + Vector{};
  }
  for (size_t term = 1; term < std::size(kPowerSeries); ++term)
    for (size_t k = 0; k < kVectors; ++k)
      sum[k] = sum[k] * rest[k] + kPowerSeries[term];
  for (size_t k = 0; k < kVectors; ++k) {
    Bits power, bits;
    std::memcpy(&power, &shifted[k], sizeof(power));
    std::memcpy(&bits, &sum[k], sizeof(bits));
    bits += power << 23;
    std::memcpy(&x[k].lanes, &bits, sizeof(bits));
  }
}

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_LANES_H
