//===- SplitMix.h - Random numbers that a seed names ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a seed. Out: numbers that depend on it and on nothing else. A seed must
// give the same run on every machine, which <random> does not promise: its
// distributions differ between standard libraries.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_SPLITMIX_H
#define HEDDLE_SUPPORT_SPLITMIX_H

#include <cstdint>

namespace heddle {

/// SplitMix64 (Steele, Lea, Flood 2014): one addition and a mixing function.
class SplitMix {
public:
  static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;

  explicit SplitMix(uint64_t seed = 0) : state(seed) {}

  uint64_t next() {
    uint64_t mixed = state += kStep;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

private:
  uint64_t state;
};

} // namespace heddle

#endif // HEDDLE_SUPPORT_SPLITMIX_H
