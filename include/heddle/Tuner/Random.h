//===- Random.h - Random numbers that are the same everywhere ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a seed. Out: draws that depend on it and on nothing else: a tuner must
// propose the same points on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_RANDOM_H
#define HEDDLE_TUNER_RANDOM_H

#include "heddle/Support/SplitMix.h"

namespace heddle::tuner {

/// How many points there are. 64 bits do not hold 21 items in any order.
using Count = unsigned __int128;

/// 0 ... count - 1, to draw from many times: with what a draw would divide for.
class Choices {
public:
  /// `count` is at least 1.
  explicit Choices(uint64_t count)
      : count(count), factor(UINT64_MAX / count),
        last(UINT64_MAX - (UINT64_MAX % count + 1) % count) {}

private:
  friend class Random;
  uint64_t count;
  uint64_t factor; ///< a quotient is at most 3 above that by this
  uint64_t last;   ///< of the 2^64 draws that can be dealt out evenly
};

class Random : public SplitMix {
public:
  using SplitMix::SplitMix;

  /// One of 0 ... count - 1, each exactly as likely; `count` is at least 1.
  uint64_t below(uint64_t count) {
    uint64_t drawn = next();
    if (drawn > UINT64_MAX - count) { // else all is well, whatever the rest
      uint64_t rest = (UINT64_MAX % count + 1) % count; // of 2^64 draws
      while (drawn > UINT64_MAX - rest)
        drawn = next();
    }
    return drawn % count;
  }

  /// The same draw.
  uint64_t below(const Choices &choices) {
    uint64_t drawn = next();
    while (drawn > choices.last)
      drawn = next();
    uint64_t quotient = uint64_t((Count(drawn) * choices.factor) >> 64);
    uint64_t rest = drawn - quotient * choices.count;
    while (rest >= choices.count)
      rest -= choices.count;
    return rest;
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
};

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_RANDOM_H
