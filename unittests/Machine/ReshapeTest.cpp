//===- ReshapeTest.cpp - The same registers in another shape ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reshape keeps each element in its thread. Row-major numbers before and
// after are compared register by register. A shape in which digits carry must
// be declined.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Movement.h"

#include "gtest/gtest.h"

using namespace heddle::machine;

namespace {

int64_t rowMajor(const Layout &layout, const Coord &coord) {
  int64_t index = 0;
  for (int axis = 0; axis < layout.rank; ++axis)
    index = index * layout.extent(axis) + coord[axis];
  return index;
}

/// Every thread keeps its elements, and the map says in which register.
void expectSameElements(const Layout &from, const std::vector<int64_t> &shape) {
  std::optional<Layout> to = reshape(from, shape);
  ASSERT_TRUE(to);
  ASSERT_EQ(to->rank, int(shape.size()));
  for (int axis = 0; axis < to->rank; ++axis)
    EXPECT_EQ(to->extent(axis), shape[axis]);
  ASSERT_EQ(from.registerCount(), to->registerCount());
  std::optional<std::vector<int>> map = mapReshaped(from, *to);
  ASSERT_TRUE(map);
  for (int warp = 0; warp < from.warpCount(); ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int index = 0; index < to->registerCount(); ++index)
        ASSERT_EQ(rowMajor(from, from.coordinate(lane, warp, (*map)[index])),
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

TEST(Reshape, PowersOfTwoGoAnywhere) {
  Layout tile = makeCoalesced({32, 64}, {1, 0}, 4, 4);
  expectSameElements(tile, {2048});
  expectSameElements(tile, {64, 32});
  expectSameElements(tile, {2, 16, 8, 8});
  expectSameElements(makeCoalesced({4096}, {0}, 8, 8), {16, 2, 128});
}

TEST(Reshape, OddFactorsStayTopmost) {
  Layout tile = makeCoalesced({48, 16}, {1, 0}, 4, 4);
  expectSameElements(tile, {768});
  expectSameElements(tile, {3, 256});
  expectSameElements(tile, {12, 64});
}

TEST(Reshape, DeclinesWhatCarries) {
  // Columns 0 to 23 of a row are no digit of a row of 16.
  EXPECT_FALSE(reshape(makeCoalesced({16, 24}, {1, 0}, 4, 1), {24, 16}));
  EXPECT_FALSE(reshape(makeCoalesced({16, 24}, {1, 0}, 4, 1), {16, 25}));
}

TEST(Reshape, KeepsWhatItIs) {
  Layout layout = makeWgmmaAccumulator(128, 40);
  EXPECT_EQ(reshape(layout, {128, 40}), layout);
}

} // namespace
