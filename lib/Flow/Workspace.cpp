//===- Workspace.cpp - Sums by coordinates --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"

#include <algorithm>
#include <numeric>

using namespace heddle;
using namespace heddle::flow;

size_t &Workspace::placeOf(int64_t key) {
  // Beyond that, an array may be much larger than what is in it.
  constexpr int64_t kSmall = int64_t(1) << 16;
  if (key < 0 || key >= kSmall)
    return ofOne[key];
  if (size_t(key) >= ofSmall.size())
    ofSmall.resize(std::max(size_t(key) + 1, 2 * ofSmall.size()));
  return ofSmall[size_t(key)];
}

Token &Workspace::at(llvm::ArrayRef<int64_t> key) {
  size_t &place = keys == 1 ? placeOf(key[0]) : ofSeveral[key.vec()];
  if (place == 0) {
    sums.emplace_back();
    coordinates.insert(coordinates.end(), key.begin(), key.end());
    place = sums.size();
  }
  return sums[place - 1];
}

void Workspace::empty(llvm::ArrayRef<Stream *> sorted, Stream &out,
                      int64_t stop) {
  std::vector<size_t> order(sums.size());
  std::iota(order.begin(), order.end(), size_t(0));
  if (keys == 1)
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return coordinates[a] < coordinates[b];
    });
  else
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::lexicographical_compare(
          coordinatesOf(a), coordinatesOf(a) + keys, coordinatesOf(b),
          coordinatesOf(b) + keys);
    });
  const int64_t *before = nullptr;
  for (size_t sum : order) {
    const int64_t *key = coordinatesOf(sum);
    size_t changed = 0;
    while (before && key[changed] == before[changed])
      ++changed;
    for (size_t depth = 0; depth < keys; ++depth) {
      if (before && depth > changed)
        sorted[depth]->push_back(Token::stop(int64_t(depth - changed) - 1));
      if (depth >= changed)
        sorted[depth]->push_back(Token::at(key[depth]));
    }
    if (before && changed + 1 < keys)
      out.push_back(Token::stop(int64_t(keys - 1 - changed) - 1));
    out.push_back(sums[sum]);
    before = key;
  }
  for (size_t depth = 0; depth < keys; ++depth)
    sorted[depth]->push_back(Token::stop(stop - int64_t(keys - 1 - depth)));
  out.push_back(Token::stop(stop));
  for (size_t sum = 0; keys == 1 && sum < sums.size(); ++sum)
    if (auto key = size_t(coordinates[sum]); key < ofSmall.size())
      ofSmall[key] = 0;
  sums.clear();
  coordinates.clear();
  ofOne.clear();
  ofSeveral.clear();
}
