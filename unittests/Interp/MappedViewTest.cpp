//===- MappedViewTest.cpp - Views of views against their definition --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random chains of windows and merges over an array. The model (ViewChain.h)
// writes every view out, so it shares nothing with the oracle, which goes from
// coordinates to memory.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "ViewChain.h"

#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::interp;
using namespace heddle::viewchain;

namespace {

TEST(MappedView, RandomChainsAreTheirDefinition) {
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Chain chain(seed);
    for (int64_t steps = 1 + chain.below(5); steps-- > 0;)
      chain.grow();
    Extents tile, corner;
    for (int64_t extent : chain.whole.shape) {
      tile.push_back(1 + chain.below(4));
      corner.push_back(chain.below(extent + 4) - 2);
    }
    F32 base = chain.base.elements, result(countOf(tile), -1);
    base.push_back(0); // no array is empty
    std::string text = chain.program(tile, corner);
    Program program(text);
    ASSERT_TRUE(
        program.run({bufferOf(base, chain.base.shape), bufferOf(result, tile)}))
        << "seed " << seed << "\n"
        << program.message << text;
    int64_t index = 0;
    forAll(tile, [&](Extents at) {
      for (size_t axis = 0; axis < at.size(); ++axis)
        at[axis] += corner[axis];
      EXPECT_EQ(result[index], chain.whole.at(at))
          << "seed " << seed << ", element " << index << "\n"
          << text;
      ++index;
    });
    if (HasFailure())
      return;
  }
}

TEST(MappedView, StoresThroughMergedAxes) {
  // Two rows with a gap between them are one row of six.
  F32 array(10, -1), ones = {1, 2, 3, 4, 5, 6, 7};
  Program program(R"(
tile.kernel @store(%a: !tile.view<7xf32>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %row = tile.merge %c axes 0 to 1 : !tile.view<?x?xf32> -> !tile.view<?xf32>
  %t = tile.load %a[%c0] : !tile.view<7xf32> -> tensor<7xf32>
  tile.store %t, %row[%c0] : tensor<7xf32>, !tile.view<?xf32>
})");
  ASSERT_TRUE(
      program.run({bufferOf(ones, {7}), bufferOf(array, {2, 3}, {5, 1})}))
      << program.message;
  EXPECT_EQ(array, (F32{1, 2, 3, -1, -1, 4, 5, 6, -1, -1}));
}

TEST(MappedView, ExtentsMustBeWhatTheTypeSays) {
  F32 array(4);
  Program program(R"(
tile.kernel @window(%a: !tile.view<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %w = tile.window %a axis 0 extent %n, window 1 extent %n, low %c0
    : !tile.view<?xf32> -> !tile.view<?x3xf32, #tile.order<0, 1>>
})");
  EXPECT_FALSE(program.run({bufferOf(array, {4}), int64_t(2)}));
  EXPECT_NE(program.message.find("extent along axis 1 is 2"), std::string::npos)
      << program.message;
}

} // namespace
