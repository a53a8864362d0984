//===- CombineTest.cpp - Reductions, scans and histograms -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of one reduction, scan or histogram, with results worked out by
// hand. They cover each way in which the oracle runs a combiner: on whole
// slices, element by element, with a value from outside, with several operands.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "gtest/gtest.h"

using namespace heddle::interp;

namespace {

using I32 = std::vector<int32_t>;
using F32 = std::vector<float>;

const char *kSum = R"(combine (%p: i32, %q: i32) {
    %s = arith.addi %p, %q : i32
    tile.yield %s : i32
  })";

TEST(Combine, ReduceAlongEachAxis) {
  I32 x = {1, 2, 3, 10, 20, 30}, rows(2), columns(3), all(1);
  Program alongRows(oneTile(
      {"2x3xi32"},
      std::string(
          "%r = tile.reduce %x0 axis 1 : tensor<2x3xi32> -> tensor<2xi32> ") +
          kSum,
      "2xi32"));
  ASSERT_TRUE(alongRows.run({bufferOf(x, {2, 3}), bufferOf(rows, {2})}))
      << alongRows.message;
  EXPECT_EQ(rows, (I32{6, 60}));
  Program alongColumns(oneTile(
      {"2x3xi32"},
      std::string(
          "%r = tile.reduce %x0 axis 0 : tensor<2x3xi32> -> tensor<3xi32> ") +
          kSum,
      "3xi32"));
  ASSERT_TRUE(alongColumns.run({bufferOf(x, {2, 3}), bufferOf(columns, {3})}))
      << alongColumns.message;
  EXPECT_EQ(columns, (I32{11, 22, 33}));
  Program toScalar(oneTile(
      {"6xi32"},
      std::string("%s = tile.reduce %x0 axis 0 : tensor<6xi32> -> i32 ") +
          kSum + "\n%r = tile.splat %s : i32 -> tensor<1xi32>",
      "1xi32"));
  ASSERT_TRUE(toScalar.run({bufferOf(x, {6}), bufferOf(all, {1})}))
      << toScalar.message;
  EXPECT_EQ(all, I32{66});
}

TEST(Combine, ACombinerMayTakeANumberFromOutside) {
  I32 x = {1, 2, 3, 10, 20, 30}, rows(2), columns(3);
  // Two slices and three: each has more elements than the number.
  std::string combiner = R"(combine (%p: i32, %q: i32) {
    %t = arith.muli %q, %two : i32
    %s = arith.addi %p, %t : i32
    tile.yield %s : i32
  })";
  for (auto [axis, result, type] :
       {std::tuple("1", &rows, "2xi32"), std::tuple("0", &columns, "3xi32")}) {
    Program program(
        oneTile({"2x3xi32"},
                "%two = arith.constant 2 : i32\n%r = tile.reduce %x0 axis " +
                    std::string(axis) + " : tensor<2x3xi32> -> tensor<" + type +
                    "> " + combiner,
                type));
    ASSERT_TRUE(program.run(
        {bufferOf(x, {2, 3}), bufferOf(*result, {int64_t(result->size())})}))
        << program.message;
  }
  EXPECT_EQ(rows, (I32{1 + 2 * (2 + 3), 10 + 2 * (20 + 30)}));
  EXPECT_EQ(columns, (I32{1 + 20, 2 + 40, 3 + 60}));
}

const char *kArgMax = R"(
  %i = tile.iota : tensor<4xi32>
  %n = tile.expand_dims %i, 0 : tensor<4xi32> -> tensor<1x4xi32>
  %t = tile.broadcast %n : tensor<1x4xi32> -> tensor<2x4xi32>
  %m, %r = tile.reduce %x0, %t axis 1 : tensor<2x4xf32>, tensor<2x4xi32> -> tensor<2xf32>, tensor<2xi32>
      combine (%a: f32, %ia: i32, %b: f32, %ib: i32) {
    %more = arith.cmpf oge, %a, %b : f32
    )";

TEST(Combine, SeveralOperands) {
  F32 x = {1, 5, 2, 5, -4, -3, -2, -1};
  // Once with selects, which run on all rows at once, once with control flow.
  for (const char *choice : {R"(%v = arith.select %more, %a, %b : f32
    %iv = arith.select %more, %ia, %ib : i32)",
                             R"(%v, %iv = scf.if %more -> (f32, i32) {
      scf.yield %a, %ia : f32, i32
    } else {
      scf.yield %b, %ib : f32, i32
    })"}) {
    I32 r(2);
    Program program(oneTile({"2x4xf32"},
                            std::string(kArgMax) + choice +
                                "\ntile.yield %v, %iv : f32, i32 }",
                            "2xi32"));
    ASSERT_TRUE(program.run({bufferOf(x, {2, 4}), bufferOf(r, {2})}))
        << program.message;
    EXPECT_EQ(r, (I32{1, 3}));
  }
}

TEST(Combine, CombinersMayHoldConstants) {
  I32 x = {1, 2, 3}, r(1);
  Program program(oneTile({"3xi32"}, R"(
    %s = tile.reduce %x0 axis 0 : tensor<3xi32> -> i32 combine (%p: i32, %q: i32) {
      %ten = arith.constant 10 : i32
      %t = arith.muli %p, %ten : i32
      %u = arith.addi %t, %q : i32
      tile.yield %u : i32
    }
    %r = tile.splat %s : i32 -> tensor<1xi32>)",
                          "1xi32"));
  ASSERT_TRUE(program.run({bufferOf(x, {3}), bufferOf(r, {1})}))
      << program.message;
  EXPECT_EQ(r, I32{123}); // in order, so that the run is reproducible
}

TEST(Combine, Scan) {
  I32 x = {1, 2, 3, 10, 20, 30}, r(6);
  for (auto [direction, expected] :
       {std::pair("", I32{1, 3, 6, 10, 30, 60}),
        std::pair(" reverse", I32{6, 5, 3, 60, 50, 30})}) {
    Program program(oneTile({"2x3xi32"},
                            std::string("%r = tile.scan %x0 axis 1") +
                                direction +
                                " : tensor<2x3xi32> -> tensor<2x3xi32> " + kSum,
                            "2x3xi32"));
    ASSERT_TRUE(program.run({bufferOf(x, {2, 3}), bufferOf(r, {2, 3})}))
        << program.message;
    EXPECT_EQ(r, expected);
  }
}

TEST(Combine, Histogram) {
  I32 x = {0, 3, 3, 1, 9, -1}, r(4);
  Program program(oneTile(
      {"6xi32"}, "%r = tile.histogram %x0 : tensor<6xi32> -> tensor<4xi32>",
      "4xi32"));
  ASSERT_TRUE(program.run({bufferOf(x, {6}), bufferOf(r, {4})}))
      << program.message;
  EXPECT_EQ(r, (I32{1, 1, 0, 2}));
  Program masked(oneTile({"6xi32"}, R"(
    %m = arith.constant dense<[true, false, true, true, true, true]> : tensor<6xi1>
    %r = tile.histogram %x0 mask %m : tensor<6xi1> : tensor<6xi32> -> tensor<4xi32>)",
                         "4xi32"));
  ASSERT_TRUE(masked.run({bufferOf(x, {6}), bufferOf(r, {4})}))
      << masked.message;
  EXPECT_EQ(r, (I32{1, 1, 0, 1}));
}

} // namespace
