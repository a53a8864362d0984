//===- MemoryExamplesTest.cpp - The examples with pointers ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Examples that choose rows by number or update memory atomically, on numbers
// some of which are out of range. The references are loops without tiles; the
// oracle itself objects to an access outside of the arguments.
//
//===----------------------------------------------------------------------===//

#include "Example.h"

using namespace heddle::interp;

namespace {

using Settings = std::vector<std::string>;

/// Numbers outside are neither read nor written: the oracle would object.
TEST(GatherRows, SkipsWhatIsNotThere) {
  constexpr int64_t kListed = 37, kSources = 20, kTargets = 50, kColumns = 45;
  Half x = normal<uint16_t>(kSources * kColumns, 1), y(kTargets * kColumns, 7);
  I32 from(kListed), to(kListed);
  for (int64_t i = 0; i < kListed; ++i) {
    from[i] = int32_t(i * 7 % kSources);
    to[i] = int32_t(kTargets - 1 - i);
  }
  from[3] = -1;
  from[4] = kSources;
  from[5] = INT32_MIN;
  to[8] = -1;
  to[9] = kTargets;
  Half expected = y;
  for (int64_t i = 0; i < kListed; ++i)
    for (int64_t j = 0; j < kColumns && to[i] >= 0 && to[i] < kTargets; ++j)
      expected[to[i] * kColumns + j] =
          from[i] >= 0 && from[i] < kSources ? x[from[i] * kColumns + j] : 0;
  ASSERT_TRUE(runExample("gather_rows", Settings{"BM=16", "BN=32"},
                         Arguments()
                             .array("x", x, {kSources, kColumns})
                             .array("from", from, {kListed})
                             .array("to", to, {kListed})
                             .array("y", y, {kTargets, kColumns})
                             .scalar("x_rows", kSources)
                             .scalar("y_rows", kTargets)
                             .scalar("columns", kColumns)));
  EXPECT_EQ(y, expected);
}

TEST(HistogramAtomic, CountsWhatIsInTheBins) {
  constexpr int64_t kBins = 10;
  for (int64_t n : {0, 1, 128, 500}) {
    I32 x(n), counts(kBins, 3), expected = counts;
    for (int64_t i = 0; i < n; ++i) {
      x[i] = int32_t(i * i % 13) - 1; // -1 to 11
      if (x[i] >= 0 && x[i] < kBins)
        ++expected[x[i]];
    }
    ASSERT_TRUE(runExample("histogram_atomic", Settings{"BN=128"},
                           Arguments()
                               .array("x", x, {n})
                               .array("counts", counts, {kBins})
                               .scalar("bins", kBins)));
    EXPECT_EQ(counts, expected) << n;
  }
}

} // namespace
