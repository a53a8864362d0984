//===- NumberTable.h - Values by number -------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle looks an element up for every product. Entries stand one after the
// other in the order in which their numbers came, so that whoever goes through
// them finds the same order everywhere, and an open table says where.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_NUMBERTABLE_H
#define HEDDLE_SPARSE_NUMBERTABLE_H

#include <cstdint>
#include <stddef.h>
#include <utility>
#include <vector>

namespace heddle::sparse {

template <typename Value> class NumberTable {
public:
  using Entry = std::pair<uint64_t, Value>;
  using iterator = typename std::vector<Entry>::iterator;
  using const_iterator = typename std::vector<Entry>::const_iterator;

  iterator begin() { return entries.begin(); }
  iterator end() { return entries.end(); }
  const_iterator begin() const { return entries.begin(); }
  const_iterator end() const { return entries.end(); }
  size_t size() const { return entries.size(); }

  /// The value of a number, a new one if it has none.
  Value &operator[](uint64_t number) {
    if (entries.size() * 2 >= places.size())
      grow();
    size_t &place = places[placeOf(number)];
    if (place == 0) {
      entries.push_back({number, Value()});
      place = entries.size();
    }
    return entries[place - 1].second;
  }
  const_iterator find(uint64_t number) const {
    size_t place = places.empty() ? 0 : places[placeOf(number)];
    return place ? entries.begin() + int64_t(place - 1) : entries.end();
  }
  bool has(uint64_t number) const { return find(number) != entries.end(); }

private:
  /// Where the number stands, or would.
  size_t placeOf(uint64_t number) const {
    // Multiplied by the golden ratio, numbers in a row lie far apart.
    size_t at = size_t((number * 0x9E3779B97F4A7C15) >> shift);
    while (places[at] && entries[places[at] - 1].first != number)
      at = at + 1 == places.size() ? 0 : at + 1;
    return at;
  }

  void grow() {
    shift = places.empty() ? 60 : shift - 1;
    places.assign(size_t(1) << (64 - shift), 0);
    for (size_t i = 0; i < entries.size(); ++i)
      places[placeOf(entries[i].first)] = i + 1;
  }

  std::vector<Entry> entries;
  std::vector<size_t> places; ///< 1 + the number of an entry; 0: none
  int shift = 64;
};

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_NUMBERTABLE_H
