//===- ReshapeTest.cpp - The same registers in another shape ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Layout.h"

#include "gtest/gtest.h"

using namespace heddle::machine;

namespace {

int64_t rowMajor(const Layout &layout, const Coord &coord) {
  int64_t index = 0;
  for (int axis = 0; axis < layout.rank; ++axis)
    index = index * layout.extent(axis) + coord[axis];
  return index;
}

/// Every register holds the element it held before.
void expectSameElements(const Layout &from, const std::vector<int64_t> &shape) {
  std::optional<Layout> to = reshape(from, shape);
  ASSERT_TRUE(to);
  ASSERT_EQ(to->rank, int(shape.size()));
  for (int axis = 0; axis < to->rank; ++axis)
    EXPECT_EQ(to->extent(axis), shape[axis]);
  ASSERT_EQ(from.registerCount(), to->registerCount());
  for (int warp = 0; warp < from.warpCount(); ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int index = 0; index < from.registerCount(); ++index)
        ASSERT_EQ(rowMajor(from, from.coordinate(lane, warp, index)),
                  rowMajor(*to, to->coordinate(lane, warp, index)));
}

TEST(Reshape, AxesOfExtentOneComeAndGo) {
  Layout layout = makeWgmmaAccumulator(64, 24);
  expectSameElements(layout, {1, 64, 24});
  expectSameElements(layout, {64, 1, 24});
  expectSameElements(layout, {64, 24, 1});
  expectSameElements(expandAxis(layout, 0), {64, 24});
  expectSameElements(makeCoalesced({1}, {0}, 4, 1), {1, 1});
  expectSameElements(makeCoalesced({1, 1}, {1, 0}, 4, 1), {1});
}

TEST(Reshape, KeepsWhatItIs) {
  Layout layout = makeWgmmaAccumulator(128, 40);
  EXPECT_EQ(reshape(layout, {128, 40}), layout);
}

} // namespace
