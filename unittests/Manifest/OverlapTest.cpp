//===- OverlapTest.cpp - Written views whose elements share memory --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search for elements that share memory, against a list of all places on
// small random layouts, and on extents that no list can hold. Views that are
// only read may overlap; written ones are refused.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Manifest/Overlap.h"
#include "Sample.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace heddle::manifest;
using namespace heddle::manifest::sample;

namespace {

using List = std::vector<int64_t>;

/// Every element's place, one by one.
bool overlapsByCount(const List &shape, const List &strides) {
  std::set<int64_t> places;
  List index(shape.size(), 0);
  for (;;) {
    int64_t place = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      place += index[i] * strides[i];
    if (!places.insert(place).second)
      return true;
    size_t axis = 0;
    while (axis < shape.size() && ++index[axis] == shape[axis])
      index[axis++] = 0;
    if (axis == shape.size())
      return false;
  }
}

TEST(Overlap, AgreesWithCounting) {
  std::mt19937 random(7);
  int overlapping = 0, tried = 20000;
  for (int i = 0; i < tried; ++i) {
    List shape, strides;
    for (size_t rank = 1 + random() % 5; shape.size() < rank;) {
      shape.push_back(1 + random() % 5);
      strides.push_back(random() % (i % 2 ? 12 : 200));
    }
    bool expected = overlapsByCount(shape, strides);
    overlapping += expected;
    ASSERT_EQ(overlapsItself(shape, strides), expected)
        << testing::PrintToString(shape) << testing::PrintToString(strides);
  }
  EXPECT_GT(overlapping, tried / 10);
  EXPECT_LT(overlapping, tried * 9 / 10);
}

TEST(Overlap, LargeLayouts) {
  int64_t most = (int64_t(1) << 31) - 1;
  EXPECT_FALSE(overlapsItself({most, most}, {most, 1}));
  EXPECT_TRUE(overlapsItself({most, most}, {most - 1, 1}));
  EXPECT_FALSE(overlapsItself({most, most, 4}, {most, 1, INT64_MAX}));
  EXPECT_TRUE(overlapsItself({most, most, most}, {INT64_MAX, INT64_MAX, 1}));
  // Columns that lie between each other.
  EXPECT_FALSE(overlapsItself({1000, 3}, {3, 1}));
  EXPECT_FALSE(overlapsItself({2, 3}, {3, 2}));
  EXPECT_TRUE(overlapsItself({3, 4}, {3, 2}));
  EXPECT_FALSE(overlapsItself({}, {}));
  EXPECT_FALSE(overlapsItself({1, 1}, {0, 0}));
}

std::string errorFor(const std::vector<ArgumentValue> &arguments) {
  LaunchPlan plan;
  std::string error;
  planLaunch(gemm(), arguments, 132, plan, error);
  return error;
}

TEST(Overlap, WrittenViewsAreRefused) {
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 64);
  arguments[2].strides = {0, 1};
  EXPECT_EQ(errorFor(arguments),
            "argument 'c' is written, but elements of it share memory: its "
            "extents are 128x128 and its strides 0x1; pass memory in which "
            "each element has its own place");
  arguments[2].strides = {127, 1};
  EXPECT_NE(errorFor(arguments), "");
  arguments[2].strides = {128, 1};
  EXPECT_EQ(errorFor(arguments), "");
  arguments[2].strides = {136, 1};
  EXPECT_EQ(errorFor(arguments), "");
}

TEST(Overlap, ReadViewsMayRepeat) {
  std::vector<ArgumentValue> arguments = gemmArguments(128, 128, 64);
  arguments[0].strides = {0, 1};
  EXPECT_EQ(errorFor(arguments), "");
  arguments[0].strides = {8, 1};
  EXPECT_EQ(errorFor(arguments), "");
}

TEST(Overlap, AxesOfOneElementDoNotMatter) {
  std::vector<ArgumentValue> arguments = gemmArguments(1, 128, 64);
  arguments[2].strides = {0, 1};
  EXPECT_EQ(errorFor(arguments), "");
}

} // namespace
