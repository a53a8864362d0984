//===- DistanceRows.h - Distances of words that come again -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points share the words of a parameter, so the distances of a word from all
// observations are computed once, and found by the word from then on.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_DISTANCEROWS_H
#define HEDDLE_LIB_TUNER_DISTANCEROWS_H

#include "heddle/Tuner/Parameter.h"

#include "llvm/ADT/DenseMap.h"

namespace heddle::tuner {

/// What is no word: infinities and what is no number are no values of reals.
struct WordKeys : llvm::DenseMapInfo<Word> {
  static Word getEmptyKey() { return 0x7fffffffffffffff; }
  static Word getTombstoneKey() { return 0x7ffffffffffffffe; }
  static unsigned getHashValue(Word word) { // orders differ in few bits
    return unsigned((uint64_t(word) * 0x9e3779b97f4a7c15) >> 32);
  }
};

/// Of one parameter: for each word that occurs, its weighted squared distances
/// from all observations. Words are few, or rows are made as they come.
template <typename Number> class DistanceRows {
public:
  explicit DistanceRows(size_t width) : width(width) {}

  template <typename Fill> const Number *of(Word word, Fill fill) {
    if (uint64_t(word) < places.size())
      if (size_t place = places[size_t(word)])
        return direct.data() + (place - 1) * width;
    return word >= 0 && word < kDirect ? addDirect(word, fill)
                                       : ofOther(word, fill);
  }

private:
  static constexpr Word kDirect = 4096;
  static constexpr size_t kMostOthers = 4096;

  template <typename Fill>
  LLVM_ATTRIBUTE_NOINLINE const Number *addDirect(Word word, Fill fill) {
    if (size_t(word) >= places.size())
      places.resize(size_t(word) + 1, 0);
    places[size_t(word)] = add(direct, fill);
    return direct.data() + (places[size_t(word)] - 1) * width;
  }

  template <typename Fill> const Number *ofOther(Word word, Fill fill) {
    if (otherPlaces.size() == kMostOthers) { // of reals, none comes again
      otherPlaces.clear();
      others.clear();
    }
    size_t &place = otherPlaces[word];
    if (place == 0)
      place = add(others, fill);
    return others.data() + (place - 1) * width;
  }

  /// One more row; its number, from 1 on.
  template <typename Fill> size_t add(std::vector<Number> &rows, Fill fill) {
    rows.resize(rows.size() + width);
    fill(rows.data() + rows.size() - width);
    return rows.size() / width;
  }

  size_t width;
  std::vector<Number> direct, others;
  std::vector<size_t> places;
  llvm::DenseMap<Word, size_t, WordKeys> otherPlaces;
};

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_DISTANCEROWS_H
