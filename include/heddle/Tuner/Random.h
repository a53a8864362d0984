//===- Random.h - Random numbers that are the same everywhere ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a seed. Out: numbers that depend on it and on nothing else. The
// distributions of the standard library differ between its implementations,
// and a tuner must propose the same points on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_RANDOM_H
#define HEDDLE_TUNER_RANDOM_H

#include <cstdint>

namespace heddle::tuner {

/// How many points there are. 64 bits do not hold 21 items in any order.
using Count = unsigned __int128;

/// SplitMix64 (Steele, Lea, Flood 2014): one addition and a mixing function.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t mixed = state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  /// One of 0 ... count - 1, each exactly as likely; `count` is at least 1.
  uint64_t below(uint64_t count) {
    uint64_t rest = (UINT64_MAX % count + 1) % count; // of 2^64 draws
    uint64_t drawn = next();
    while (drawn > UINT64_MAX - rest)
      drawn = next();
    return drawn % count;
  }

  Count belowCount(Count count) {
    if (count <= UINT64_MAX)
      return below(uint64_t(count));
    Count all = ~Count(0);
    Count rest = (all % count + 1) % count;
    Count drawn;
    do {
      drawn = Count(next()) << 64;
      drawn |= next();
    } while (drawn > all - rest);
    return drawn % count;
  }

  /// In [0, 1), a multiple of 2^-53.
  double unit() { return double(next() >> 11) * 0x1p-53; }

  /// An independent source, for a part of the work that may draw more or less.
  Random fork() { return Random(next()); }

private:
  uint64_t state;
};

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_RANDOM_H
