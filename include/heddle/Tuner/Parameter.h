//===- Parameter.h - What a tuner may choose ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parameter is a name with its values; a point has one value of each. A value
// is held as one 64-bit word, so that points are compared, hashed and copied
// without knowing what the words mean:
//
//   real         the bits of the double
//   integer      how far it is above the least
//   ordinal      the index among the numbers, in ascending order
//   categorical  the index among the texts
//   permutation  the item at position k in bits 4 k to 4 k + 3
//   any          -1 where the parameter is inactive
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_PARAMETER_H
#define HEDDLE_TUNER_PARAMETER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::tuner {

using Word = int64_t;
using Point = std::vector<Word>;

inline constexpr Word kInactive = -1;
/// A permutation's items each have four bits of a word.
inline constexpr int kMostItems = 16;

enum class Kind { Real, Integer, Ordinal, Categorical, Permutation };

/// How far two orders of the same items are apart.
enum class Distance {
  Spearman, ///< squared differences of the items' positions, summed
  Kendall,  ///< pairs of items that come in another order
  Hamming,  ///< positions with another item
  Ulam,     ///< items outside a longest common subsequence
  Naive,    ///< 1 if they differ at all
};

struct Parameter {
  std::string name;
  Kind kind = Kind::Ordinal;
  double low = 0, high = 0;       ///< real: both ends are values
  int64_t first = 0, last = 0;    ///< integer: both ends are values
  std::vector<double> numbers;    ///< ordinal, ascending
  std::vector<std::string> texts; ///< categorical
  int items = 0;                  ///< permutation of 0 ... items - 1
  bool isLog = false;             ///< real, integer, ordinal: ratios matter
  Distance distance = Distance::Spearman;
  std::string activeIf;       ///< a condition; "" if always
  std::optional<Word> preset; ///< the value before tuning

  bool isConditional() const { return !activeIf.empty(); }
  /// How many words there are beside kInactive: 0 for a real, and for a
  /// permutation, whose words are no indices.
  uint64_t words() const;
};

Word packItems(const std::vector<int> &items);
inline int itemAt(Word permutation, int position) {
  return int((permutation >> (4 * position)) & 15);
}
inline Word withItem(Word permutation, int position, int item) {
  Word mask = Word(15) << (4 * position);
  return (permutation & ~mask) | (Word(item) << (4 * position));
}
/// Where `item` is among the first `placed` positions, or -1.
int positionOf(Word permutation, int item, int placed);

Word packReal(double value);
double realOf(Word word);

/// The value as JSON: 4, 0.5, "static", [0, 2, 1], null where inactive.
std::string spell(const Parameter &parameter, Word word);

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_PARAMETER_H
