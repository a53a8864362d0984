//===- ShapeTest.cpp - Ops that make and move elements --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that make and move elements, on tiles of consecutive numbers. An
// element's number is its place in the operand, so a result lists where each
// element came from.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "gtest/gtest.h"

using namespace heddle::interp;

namespace {

using I32 = std::vector<int32_t>;

/// `body` on two tiles of consecutive numbers, the second from 100 on.
I32 runOnNumbers(const std::string &xType, const std::string &yType,
                 llvm::StringRef body, const std::string &resultType) {
  auto numbers = [](llvm::StringRef type, int32_t first) {
    int64_t count = 1;
    for (int64_t extent : extentsOf(type))
      count *= extent;
    I32 data;
    for (int64_t i = 0; i < count; ++i)
      data.push_back(first + int32_t(i));
    return data;
  };
  I32 x = numbers(xType, 0), y = numbers(yType, 100),
      r = numbers(resultType, -1000);
  Program program(oneTile({xType, yType}, body, resultType));
  EXPECT_TRUE(program.run(
      {bufferLike(xType, x), bufferLike(yType, y), bufferLike(resultType, r)}))
      << program.message;
  return r;
}

TEST(Shape, Iota) {
  EXPECT_EQ(
      runOnNumbers("1xi32", "1xi32", "%r = tile.iota : tensor<4xi32>", "4xi32"),
      (I32{0, 1, 2, 3}));
}

TEST(Shape, SplatAndUnsplat) {
  EXPECT_EQ(runOnNumbers("1xi32", "1xi32", R"(
    %s = tile.unsplat %x1 : tensor<1xi32> -> i32
    %r = tile.splat %s : i32 -> tensor<2x2xi32>)",
                         "2x2xi32"),
            (I32{100, 100, 100, 100}));
}

TEST(Shape, ExpandAndBroadcast) {
  EXPECT_EQ(runOnNumbers("3xi32", "1xi32", R"(
    %e = tile.expand_dims %x0, 1 : tensor<3xi32> -> tensor<3x1xi32>
    %r = tile.broadcast %e : tensor<3x1xi32> -> tensor<3x2xi32>)",
                         "3x2xi32"),
            (I32{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(runOnNumbers("3xi32", "1xi32", R"(
    %e = tile.expand_dims %x0, 0 : tensor<3xi32> -> tensor<1x3xi32>
    %r = tile.broadcast %e : tensor<1x3xi32> -> tensor<2x3xi32>)",
                         "2x3xi32"),
            (I32{0, 1, 2, 0, 1, 2}));
}

TEST(Shape, Trans) {
  EXPECT_EQ(
      runOnNumbers(
          "2x3xi32", "1xi32",
          "%r = tile.trans %x0, [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>",
          "3x2xi32"),
      (I32{0, 3, 1, 4, 2, 5}));
  // result[i, j, k] = x[j, k, i]
  I32 r = runOnNumbers(
      "2x3x4xi32", "1xi32",
      "%r = tile.trans %x0, [2, 0, 1] : tensor<2x3x4xi32> -> tensor<4x2x3xi32>",
      "4x2x3xi32");
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(r[(i * 2 + j) * 3 + k], (j * 3 + k) * 4 + i);
}

TEST(Shape, ReshapeKeepsTheOrder) {
  EXPECT_EQ(
      runOnNumbers("2x3xi32", "1xi32",
                   "%r = tile.reshape %x0 : tensor<2x3xi32> -> tensor<6xi32>",
                   "6xi32"),
      (I32{0, 1, 2, 3, 4, 5}));
}

TEST(Shape, Cat) {
  EXPECT_EQ(runOnNumbers("2x2xi32", "1x2xi32",
                         "%r = tile.cat %x0, %x1, 0 : tensor<2x2xi32>, "
                         "tensor<1x2xi32> -> tensor<3x2xi32>",
                         "3x2xi32"),
            (I32{0, 1, 2, 3, 100, 101}));
  EXPECT_EQ(runOnNumbers("2x2xi32", "2x1xi32",
                         "%r = tile.cat %x0, %x1, 1 : tensor<2x2xi32>, "
                         "tensor<2x1xi32> -> tensor<2x3xi32>",
                         "2x3xi32"),
            (I32{0, 1, 100, 2, 3, 101}));
}

TEST(Shape, JoinAndSplit) {
  EXPECT_EQ(
      runOnNumbers("2xi32", "2xi32",
                   "%r = tile.join %x0, %x1 : tensor<2xi32> -> tensor<2x2xi32>",
                   "2x2xi32"),
      (I32{0, 100, 1, 101}));
  EXPECT_EQ(
      runOnNumbers("3x2xi32", "1xi32",
                   "%l, %r = tile.split %x0 : tensor<3x2xi32> -> tensor<3xi32>",
                   "3xi32"),
      (I32{1, 3, 5}));
}

TEST(Shape, Take) {
  EXPECT_EQ(runOnNumbers("3x2xi32", "1xi32", R"(
    %i = arith.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
    %r = tile.take %x0[%i], 0 : tensor<3x2xi32>, tensor<2x2xi32> -> tensor<2x2xi32>)",
                         "2x2xi32"),
            (I32{4, 1, 2, 3}));
  EXPECT_EQ(runOnNumbers("2x3xi32", "1xi32", R"(
    %i = arith.constant dense<[[2, 2], [0, 1]]> : tensor<2x2xi32>
    %r = tile.take %x0[%i], 1 : tensor<2x3xi32>, tensor<2x2xi32> -> tensor<2x2xi32>)",
                         "2x2xi32"),
            (I32{2, 2, 3, 4}));
}

TEST(Shape, Unfold) {
  EXPECT_EQ(runOnNumbers("8xi32", "1xi32", R"(
    %one = arith.constant 1 : index
    %r = tile.unfold %x0 from %one {size = 3, step = 2} : tensor<8xi32> -> tensor<3x4xi32>)",
                         "3x4xi32"),
            (I32{1, 2, 3, 0, 3, 4, 5, 0, 5, 6, 7, 0}));
}

// A place that is no constant: of those the verifier knows.
TEST(Shape, UnfoldOutside) {
  I32 x(8), r(12);
  Program program(oneTile({"8xi32"}, R"(
    %one = arith.constant 1 : index
    %two = arith.addi %one, %one : index
    %r = tile.unfold %x0 from %two {size = 3, step = 2} : tensor<8xi32> -> tensor<3x4xi32>)",
                          "3x4xi32"));
  EXPECT_FALSE(program.run({bufferOf(x, {8}), bufferOf(r, {3, 4})}));
  EXPECT_NE(program.message.find("windows go from 2 to 9, outside of [0, 8), "
                                 "the extent of the span"),
            std::string::npos)
      << program.message;
}

TEST(Shape, TakeOutside) {
  I32 x(2), r(1);
  Program program(oneTile({"2xi32"}, R"(
    %i = arith.constant dense<2> : tensor<1xi32>
    %r = tile.take %x0[%i], 0 : tensor<2xi32>, tensor<1xi32> -> tensor<1xi32>)",
                          "1xi32"));
  EXPECT_FALSE(program.run({bufferOf(x, {2}), bufferOf(r, {1})}));
  EXPECT_NE(program.message.find(
                "the index 2 is outside [0, 2), the extent of axis 0"),
            std::string::npos)
      << program.message;
}

} // namespace
