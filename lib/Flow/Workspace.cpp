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

Token &Workspace::at(const std::vector<int64_t> &key) {
  size_t &number = keys == 1
                       ? ofOne.try_emplace(key[0], sums.size()).first->second
                       : ofSeveral.try_emplace(key, sums.size()).first->second;
  if (number == sums.size()) {
    sums.emplace_back();
    coordinates.insert(coordinates.end(), key.begin(), key.end());
  }
  return sums[number];
}

void Workspace::empty(llvm::ArrayRef<Stream *> sorted, Stream &out,
                      int64_t stop) {
  std::vector<size_t> order(sums.size());
  std::iota(order.begin(), order.end(), size_t(0));
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
  sums.clear();
  coordinates.clear();
  ofOne.clear();
  ofSeveral.clear();
}
