//===- Random.h - A small deterministic generator ----------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SplitMix64, for schedules that a seed names. A seed must give the same run on
// every machine, which <random> does not promise: its distributions differ
// between standard libraries.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_RANDOM_H
#define HEDDLE_LIB_EMULATOR_RANDOM_H

#include <cstdint>

namespace heddle::emulator {

class Random {
public:
  explicit Random(uint64_t seed = 0) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  uint32_t below(uint32_t bound) { return uint32_t(next() % bound); }

private:
  uint64_t state;
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_RANDOM_H
