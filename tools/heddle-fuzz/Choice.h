//===- Choice.h - Random choices from a seed --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same seed gives the same choices on every machine, which the standard
// library's distributions do not promise.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_CHOICE_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_CHOICE_H

#include "heddle/Support/SplitMix.h"

#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace heddle::fuzz {

class Choice {
public:
  explicit Choice(uint64_t seed) : random(seed * SplitMix::kStep + 1) {}

  uint64_t bits() { return random.next(); }
  int64_t below(int64_t end) {
    assert(end > 0 && "a choice among nothing");
    return int64_t(bits() % uint64_t(end));
  }
  /// Both ends included.
  int64_t between(int64_t first, int64_t last) {
    return first + below(last - first + 1);
  }
  bool percent(int64_t chance) { return below(100) < chance; }

  template <typename T> const T &of(const std::vector<T> &options) {
    return options[size_t(below(int64_t(options.size())))];
  }
  template <typename T> T of(std::initializer_list<T> options) {
    return options.begin()[below(int64_t(options.size()))];
  }
  /// An index, each with the probability its weight has in the sum.
  size_t weighted(const std::vector<int> &weights) {
    int64_t sum = 0;
    for (int weight : weights)
      sum += weight;
    int64_t point = below(sum);
    size_t index = 0;
    while (point >= weights[index])
      point -= weights[index++];
    return index;
  }

private:
  SplitMix random;
};

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_CHOICE_H
