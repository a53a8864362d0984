//===- TensorTest.cpp - Storage of tensors --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements go into every format and come back the same; arrays that break a
// rule are named with the place where they do.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Generate.h"

#include "gtest/gtest.h"

#include <map>

using namespace heddle::sparse;

namespace {

using Elements = std::map<std::vector<int64_t>, double>;

Format makeFormat(std::vector<Level> levels, std::vector<int> axes,
                  int bits = 32) {
  Format format;
  format.levels = std::move(levels);
  format.axes = std::move(axes);
  format.positionBits = format.coordinateBits = bits;
  return format;
}

Elements elementsOf(const std::vector<Entry> &entries, bool keepZeros) {
  Elements elements;
  for (const Entry &entry : entries)
    if (keepZeros || entry.value != 0)
      elements[entry.coordinates] = entry.value;
  return elements;
}

constexpr Level D = Level::Dense, C = Level::Compressed, L = Level::List,
                S = Level::Singleton;

TEST(Tensor, EveryFormatKeepsElements) {
  std::vector<Format> formats = {
      makeFormat({D, D, D}, {0, 1, 2}),     makeFormat({D, C, C}, {0, 1, 2}),
      makeFormat({C, C, C}, {2, 0, 1}, 64), makeFormat({C, D, C}, {0, 1, 2}),
      makeFormat({C, C, D}, {1, 2, 0}),     makeFormat({L, S, S}, {0, 1, 2})};
  for (Pattern pattern : {Pattern::Uniform, Pattern::Empty, Pattern::Full,
                          Pattern::One, Pattern::Skewed})
    for (const Format &format : formats)
      for (const std::vector<int64_t> &extents :
           {std::vector<int64_t>{3, 4, 5}, {1, 7, 2}, {4, 0, 3}}) {
        std::vector<Entry> entries = generate(extents, pattern, 0.3, 7, true);
        Tensor tensor;
        std::string error;
        ASSERT_TRUE(Tensor::build(format, Element::F64, extents, entries,
                                  tensor, error))
            << error;
        EXPECT_EQ(tensor.findFault(), "");
        EXPECT_EQ(elementsOf(tensor.entries(), false),
                  elementsOf(entries, true));
      }
}

TEST(Tensor, CompressedRows) {
  Tensor tensor;
  std::string error;
  ASSERT_TRUE(Tensor::build(makeFormat({D, C}, {0, 1}), Element::F32, {3, 4},
                            {{{2, 1}, 5}, {{0, 3}, 4}, {{0, 0}, 3}}, tensor,
                            error));
  std::vector<int64_t> positions, coordinates;
  for (int64_t i = 0; i < tensor.positions[1].size(); ++i)
    positions.push_back(tensor.positions[1].get(i));
  for (int64_t i = 0; i < tensor.coordinates[1].size(); ++i)
    coordinates.push_back(tensor.coordinates[1].get(i));
  EXPECT_EQ(positions, (std::vector<int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(coordinates, (std::vector<int64_t>{0, 3, 1}));
  EXPECT_EQ(tensor.value(2), 5);
  EXPECT_EQ(tensor.countOfLevel(0), 3);
  EXPECT_EQ(tensor.countOfLevel(1), 3);
}

TEST(Tensor, Faults) {
  auto faultOf = [](auto breakIt) {
    Tensor tensor;
    std::string error;
    EXPECT_TRUE(Tensor::build(makeFormat({D, C}, {0, 1}), Element::F32, {2, 4},
                              {{{0, 1}, 1}, {{0, 2}, 2}, {{1, 0}, 3}}, tensor,
                              error));
    breakIt(tensor);
    return tensor.findFault();
  };
  EXPECT_EQ(faultOf([](Tensor &t) { t.positions[1].set(1, 5); }),
            "level 1 has position 3 after 5 at 2; positions never fall");
  EXPECT_EQ(faultOf([](Tensor &t) { t.positions[1].set(0, 1); }),
            "level 1 begins at position 1, not 0");
  EXPECT_EQ(faultOf([](Tensor &t) { t.coordinates[1].set(2, 4); }),
            "level 1 has coordinate 4 at 2; its axis has 4");
  EXPECT_EQ(faultOf([](Tensor &t) { t.coordinates[1].set(1, 1); }),
            "level 1 has coordinate 1 after 1 at 1; coordinates of a row rise. "
            "Sort them and add up duplicates");
  EXPECT_EQ(faultOf([](Tensor &t) { t.values.resize(8); }),
            "there are 2 values; there must be 3");
}

TEST(Tensor, TwoElementsInOnePlace) {
  Tensor tensor;
  std::string error;
  EXPECT_FALSE(Tensor::build(makeFormat({D, C}, {0, 1}), Element::F32, {2, 4},
                             {{{0, 1}, 1}, {{0, 1}, 2}}, tensor, error));
  EXPECT_EQ(error, "two elements have the same coordinates");
}

} // namespace
