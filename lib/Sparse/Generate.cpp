//===- Generate.cpp - Random sparse tensors -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Generate.h"

#include "heddle/Support/SplitMix.h"

#include <algorithm>
#include <cmath>

using namespace heddle;
using namespace heddle::sparse;

namespace {
class Source {
public:
  Source(uint64_t seed, bool integers) : random(seed), integers(integers) {}

  /// In (0, 1].
  double uniform() { return double((random.next() >> 11) + 1) * 0x1p-53; }

  double value() {
    if (integers) {
      static constexpr int kValues[] = {-2, -1, 1, 2};
      return kValues[random.next() & 3];
    }
    return std::sqrt(-2 * std::log(uniform())) *
           std::cos(2 * 3.14159265358979323846 * uniform());
  }

  uint64_t below(uint64_t limit) { return random.next() % limit; }

private:
  SplitMix random;
  bool integers;
};
} // namespace

std::vector<Entry> heddle::sparse::generate(const std::vector<int64_t> &extents,
                                            Pattern pattern, double density,
                                            uint64_t seed, bool integers) {
  Source source(seed, integers);
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  std::vector<Entry> entries;
  auto add = [&](int64_t number) {
    Entry entry;
    entry.coordinates.resize(extents.size());
    for (size_t axis = extents.size(); axis-- > 0; number /= extents[axis])
      entry.coordinates[axis] = number % extents[axis];
    entry.value = source.value();
    entries.push_back(std::move(entry));
  };
  // Jumps over what is absent, so that the cost is that of what is there.
  auto addSome = [&](int64_t begin, int64_t end, double chance) {
    if (chance <= 0)
      return;
    for (int64_t at = begin; at < end; ++at) {
      if (chance < 1) {
        double jump = std::log(source.uniform()) / std::log1p(-chance);
        if (jump >= double(end - at))
          return;
        at += int64_t(jump);
      }
      add(at);
    }
  };
  if (count == 0 || pattern == Pattern::Empty)
    return entries;
  switch (pattern) {
  case Pattern::Uniform:
    addSome(0, count, density);
    break;
  case Pattern::Full:
    addSome(0, count, 1);
    break;
  case Pattern::One:
    add(int64_t(source.below(uint64_t(count))));
    break;
  case Pattern::Skewed: {
    int64_t slice = count / extents[0];
    double sum = 0;
    for (int64_t i = 0; i < extents[0]; ++i)
      sum += 1.0 / double(i + 1);
    for (int64_t i = 0; i < extents[0]; ++i)
      addSome(
          i * slice, (i + 1) * slice,
          std::min(1.0, density * double(extents[0]) / (sum * double(i + 1))));
    break;
  }
  case Pattern::Empty:
    break;
  }
  return entries;
}
