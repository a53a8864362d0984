//===- ViewTest.cpp - Loads and stores of views ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores inside, across and outside of a view, in both storage orders
// and with gaps between rows. Views that the program makes must be held to the
// arguments' memory, even where a stride overflows 64 bits.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "gtest/gtest.h"

using namespace heddle::interp;

namespace {

using F32 = std::vector<float>;

F32 numbers(int64_t count) {
  F32 data;
  for (int64_t i = 0; i < count; ++i)
    data.push_back(float(i + 1));
  return data;
}

/// Copies a 4x4 tile at (%i, %j) of %a to the origin of %c.
std::string copyText(llvm::StringRef aOrder, llvm::StringRef cOrder) {
  return ("!a = !tile.view<?x?xf32, #tile.order<" + aOrder +
          ">>\n!c = !tile.view<?x?xf32, #tile.order<" + cOrder + R"(>>
tile.kernel @copy(%a: !a, %c: !c, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%i, %j] : !a -> tensor<4x4xf32>
  tile.store %t, %c[%c0, %c0] : tensor<4x4xf32>, !c
})")
      .str();
}

TEST(View, ReadsOutsideGiveZeroInBothOrders) {
  constexpr int64_t rows = 5, columns = 3;
  for (bool rowMajor : {true, false})
    for (int64_t i : {-3, -1, 0, 2, 4, 5, 100})
      for (int64_t j : {-4, -1, 0, 1, 7}) {
        F32 a = numbers(rows * columns), c(16, -1);
        Program program(copyText(rowMajor ? "1, 0" : "0, 1", "1, 0"));
        ASSERT_TRUE(program.run(
            {bufferOf(a, {rows, columns}), bufferOf(c, {4, 4}), i, j}))
            << program.message;
        for (int64_t y = 0; y < 4; ++y)
          for (int64_t x = 0; x < 4; ++x) {
            int64_t row = i + y, column = j + x;
            bool inside =
                row >= 0 && row < rows && column >= 0 && column < columns;
            float expected = !inside ? 0
                                     : a[rowMajor ? row * columns + column
                                                  : column * rows + row];
            ASSERT_EQ(c[y * 4 + x], expected)
                << i << " " << j << " " << y << " " << x;
          }
      }
}

TEST(View, WritesOutsideAreDropped) {
  F32 a = numbers(16), c(3 * 2, -1);
  Program program(copyText("1, 0", "0, 1"));
  ASSERT_TRUE(program.run(
      {bufferOf(a, {4, 4}), bufferOf(c, {3, 2}), int64_t(0), int64_t(0)}))
      << program.message;
  EXPECT_EQ(c, (F32{1, 5, 9, 2, 6, 10}));
}

TEST(View, StridesLeaveGaps) {
  F32 a = numbers(4 * 10), c(4 * 6, -1);
  Program program(copyText("1, 0", "1, 0"));
  ASSERT_TRUE(
      program.run({bufferOf(a, {4, 4}, {10, 1}), bufferOf(c, {4, 4}, {6, 1}),
                   int64_t(0), int64_t(1)}))
      << program.message;
  for (int64_t y = 0; y < 4; ++y)
    for (int64_t x = 0; x < 6; ++x)
      EXPECT_EQ(c[y * 6 + x], x >= 4 ? -1 : x == 3 ? 0 : a[y * 10 + x + 1]);
}

TEST(View, RowsByNumber) {
  F32 a = numbers(4 * 5), c(3 * 4, -1);
  Program program(R"(
tile.kernel @rows(%a: !tile.view<?x?xf32>, %c: !tile.view<?x?xf32>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %n = arith.constant dense<[3, 0, 7]> : tensor<3xi32>
  %m = arith.constant dense<[1, -1, 0]> : tensor<3xi32>
  %t = tile.view_gather %a[%n, %c2] : !tile.view<?x?xf32>, tensor<3xi32> -> tensor<3x4xf32>
  tile.view_scatter %t, %c[%m, %c0] : tensor<3x4xf32>, !tile.view<?x?xf32>, tensor<3xi32>
})");
  ASSERT_TRUE(program.run({bufferOf(a, {4, 5}), bufferOf(c, {3, 4})}))
      << program.message;
  EXPECT_EQ(c, (F32{0, 0, 0, 0, 18, 19, 20, 0, -1, -1, -1, -1}));
}

TEST(View, MadeOfAPointer) {
  F32 a = numbers(12), c(16, -1);
  const char *text = R"(
tile.kernel @made(%p: !tile.ptr<f32>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.make_view %p, [%m, %n], [%s, %c1] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %e = tile.dim %v, 1 : !tile.view<?x?xf32>
  %z = arith.subi %e, %n : index
  %t = tile.load %v[%c0, %z] : !tile.view<?x?xf32> -> tensor<4x4xf32>
  tile.store %t, %c[%c0, %c0] : tensor<4x4xf32>, !tile.view<?x?xf32>
})";
  Program program(text);
  Buffer pointer = bufferOf(a, {12}), result = bufferOf(c, {4, 4});
  ASSERT_TRUE(
      program.run({pointer, result, int64_t(2), int64_t(3), int64_t(5)}))
      << program.message;
  EXPECT_EQ(c, (F32{1, 2, 3, 0, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  Program beyond(text);
  EXPECT_FALSE(
      beyond.run({pointer, result, int64_t(4), int64_t(4), int64_t(4)}));
  EXPECT_NE(
      beyond.message.find(
          "touches 4 elements inside its view but outside every argument"),
      std::string::npos)
      << beyond.message;
  // Four times this stride is no bytes at all in 64 bits.
  Program wrapping(text);
  EXPECT_FALSE(wrapping.run(
      {pointer, result, int64_t(2), int64_t(3), int64_t(1) << 62}));
  EXPECT_NE(
      wrapping.message.find(
          "touches 3 elements inside its view but outside every argument"),
      std::string::npos)
      << wrapping.message;
}

TEST(View, ReduceUpdatesInPlace) {
  F32 c = {1, 2, 3, 4};
  Program program(R"(
tile.kernel @reduce(%c: !tile.view<?xf32>) {
  %c1 = arith.constant 1 : index
  %t = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  tile.view_reduce fadd, %t, %c[%c1] : tensor<4xf32>, !tile.view<?xf32>
})");
  ASSERT_TRUE(program.run({bufferOf(c, {4})})) << program.message;
  EXPECT_EQ(c, (F32{1, 12, 23, 34}));
}

} // namespace
