//===- Levels.h - Sets of a search's decisions --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search notes on which of its decisions each link and each refutation
// rests. A decision is named by its depth, and few searches are deeper than 64:
// so a set has room for all depths, but copies and joins what it uses of that.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_LEVELS_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_LEVELS_H

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::schedule {

class Levels {
public:
  /// No search is deeper.
  static constexpr size_t kMost = 1024;

  Levels() = default;
  Levels(const Levels &other) { *this = other; }
  Levels &operator=(const Levels &other) {
    used = other.used;
    std::copy_n(other.words, used, words);
    return *this;
  }

  bool test(size_t level) const {
    return level / kBits < used && (words[level / kBits] >> level % kBits & 1);
  }
  Levels &set(size_t level) {
    reach(level / kBits + 1);
    words[level / kBits] |= uint64_t(1) << level % kBits;
    return *this;
  }
  void reset(size_t level) {
    if (level / kBits < used)
      words[level / kBits] &= ~(uint64_t(1) << level % kBits);
  }
  size_t count() const {
    size_t sum = 0;
    for (size_t i = 0; i < used; ++i)
      sum += size_t(std::popcount(words[i]));
    return sum;
  }
  Levels &operator|=(const Levels &other) {
    reach(other.used);
    for (size_t i = 0; i < other.used; ++i)
      words[i] |= other.words[i];
    return *this;
  }
  friend Levels operator|(Levels a, const Levels &b) { return a |= b; }
  friend bool operator==(const Levels &a, const Levels &b) {
    for (size_t i = 0; i < std::max(a.used, b.used); ++i)
      if ((i < a.used ? a.words[i] : 0) != (i < b.used ? b.words[i] : 0))
        return false;
    return true;
  }

private:
  static constexpr size_t kBits = 64;

  void reach(size_t count) {
    for (; used < count; ++used)
      words[used] = 0;
  }

  size_t used = 0;
  uint64_t words[kMost / kBits]; ///< the first `used` have a value
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_LEVELS_H
