//===- PointerTest.cpp - Gathers, scatters and atomics --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gathers, scatters and atomic updates at tiles of addresses. The mask leaves
// out one element, so an access that ignores it changes the result. Kinds of
// update are compared on numbers of both signs, which tells min from umin.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "gtest/gtest.h"

using namespace heddle::interp;

namespace {

using I32 = std::vector<int32_t>;

/// A kernel on two pointers; %p and %q are tiles of the first 4 addresses of
/// each.
std::string onPointers(llvm::StringRef body) {
  return (R"(
tile.kernel @pointers(%a: !tile.ptr<i32>, %b: !tile.ptr<i32>) {
  %i = tile.iota : tensor<4xi32>
  %sa = tile.splat %a : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %sb = tile.splat %b : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %p = tile.ptr_add %sa, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %q = tile.ptr_add %sb, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %m = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
  )" + body +
          "\n}")
      .str();
}

bool runOnPointers(llvm::StringRef body, I32 &a, I32 &b,
                   std::string *message = nullptr) {
  Program program(onPointers(body));
  bool ran = program.run(
      {bufferOf(a, {int64_t(a.size())}), bufferOf(b, {int64_t(b.size())})});
  if (message)
    *message = program.message;
  else
    EXPECT_TRUE(ran) << program.message;
  return ran;
}

TEST(Pointer, GatherAndScatter) {
  I32 a = {1, 2, 3, 4}, b = {-1, -2, -3, -4};
  runOnPointers(R"(
    %o = arith.constant dense<9> : tensor<4xi32>
    %v = tile.gather %p mask %m : tensor<4xi1> other %o : tensor<4xi32> : tensor<4x!tile.ptr<i32>> -> tensor<4xi32>
    tile.scatter %v, %q : tensor<4xi32>, tensor<4x!tile.ptr<i32>>)",
                a, b);
  EXPECT_EQ(b, (I32{1, 9, 3, 4}));
  runOnPointers(R"(
    %v = tile.gather %p mask %m : tensor<4xi1> : tensor<4x!tile.ptr<i32>> -> tensor<4xi32>
    tile.scatter %v, %q : tensor<4xi32>, tensor<4x!tile.ptr<i32>>)",
                a, b);
  EXPECT_EQ(b, (I32{1, 0, 3, 4}));
  b = {-1, -2, -3, -4};
  runOnPointers(R"(
    %v = tile.gather %p : tensor<4x!tile.ptr<i32>> -> tensor<4xi32>
    tile.scatter %v, %q mask %m : tensor<4xi1> : tensor<4xi32>, tensor<4x!tile.ptr<i32>>)",
                a, b);
  EXPECT_EQ(b, (I32{1, -2, 3, 4}));
}

TEST(Pointer, ScalarsAndConversions) {
  I32 a = {1, 2, 3, 4}, b = {-1, -2, -3, -4};
  runOnPointers(R"(
    %c2 = arith.constant 2 : i64
    %c4 = arith.constant 4 : i64
    %a2 = tile.ptr_add %a, %c2 : !tile.ptr<i32>, i64
    %v = tile.gather %a2 : !tile.ptr<i32> -> i32
    %n = tile.ptr_to_int %b : !tile.ptr<i32> -> i64
    %n4 = arith.addi %n, %c4 : i64
    %b1 = tile.int_to_ptr %n4 : i64 -> !tile.ptr<i32>
    tile.scatter %v, %b1 : i32, !tile.ptr<i32>
    %f = tile.ptr_cast %b : !tile.ptr<i32> -> !tile.ptr<f32>
    %one = arith.constant 1.0 : f32
    tile.scatter %one, %f : f32, !tile.ptr<f32>)",
                a, b);
  EXPECT_EQ(b, (I32{0x3f800000, 3, -3, -4}));
}

TEST(Pointer, OutsideEveryArgument) {
  I32 a = {1, 2, 3}, b(4);
  std::string message;
  EXPECT_FALSE(runOnPointers(R"(
    %v = tile.gather %p : tensor<4x!tile.ptr<i32>> -> tensor<4xi32>)",
                             a, b, &message));
  EXPECT_NE(message.find("'tile.gather' touches 4 bytes outside every argument "
                         "of the kernel, at element 3"),
            std::string::npos)
      << message;
}

TEST(Pointer, AtomicUpdates) {
  struct {
    const char *kind;
    I32 expected;
  } cases[] = {{"add", {8, 2, -2, -4}},
               {"min", {3, 2, -5, -7}},
               {"max", {5, 2, 3, 3}},
               {"umin", {3, 2, 3, 3}},
               {"umax", {5, 2, -5, -7}},
               {"and", {5 & 3, 2, -5 & 3, -7 & 3}},
               {"or", {5 | 3, 2, -5 | 3, -7 | 3}},
               {"xor", {5 ^ 3, 2, -5 ^ 3, -7 ^ 3}},
               {"exchange", {3, 2, 3, 3}}};
  for (auto &c : cases) {
    I32 a = {5, 2, -5, -7}, b = {1, 1, 1, 1};
    runOnPointers(std::string(R"(
      %three = arith.constant dense<3> : tensor<4xi32>
      %old = tile.atomic_rmw )") +
                      c.kind +
                      R"(, relaxed, gpu, %p, %three mask %m : tensor<4xi1>
        : tensor<4x!tile.ptr<i32>>, tensor<4xi32> -> tensor<4xi32>
      tile.scatter %old, %q : tensor<4xi32>, tensor<4x!tile.ptr<i32>>)",
                  a, b);
    EXPECT_EQ(a, c.expected) << c.kind;
    EXPECT_EQ(b, (I32{5, 0, -5, -7})) << c.kind;
  }
}

TEST(Pointer, AtomicFloatUpdatesToOneAddressAddUp) {
  I32 a = {0x3f800000, 0, 0, 0}, b(4);
  runOnPointers(R"(
    %f = tile.ptr_cast %sa : tensor<4x!tile.ptr<i32>> -> tensor<4x!tile.ptr<f32>>
    %v = arith.constant dense<[0.5, 0.25, 0.125, 2.0]> : tensor<4xf32>
    %old = tile.atomic_rmw fadd, acq_rel, cta, %f, %v : tensor<4x!tile.ptr<f32>>, tensor<4xf32> -> tensor<4xf32>)",
                a, b);
  EXPECT_EQ(std::bit_cast<float>(a[0]), 3.875f);
}

TEST(Pointer, CompareAndSwap) {
  I32 a = {1, 2, 1, 4}, b(4);
  runOnPointers(R"(
    %one = arith.constant dense<1> : tensor<4xi32>
    %new = arith.constant dense<7> : tensor<4xi32>
    %old = tile.atomic_cas relaxed, gpu, %p, %one, %new : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
    tile.scatter %old, %q : tensor<4xi32>, tensor<4x!tile.ptr<i32>>)",
                a, b);
  EXPECT_EQ(a, (I32{7, 2, 7, 4}));
  EXPECT_EQ(b, (I32{1, 2, 1, 4}));
}

/// Scratch memory is zero for each instance, which must leave it so.
std::string onScratch(llvm::StringRef end) {
  return (R"(
tile.kernel @scratch(%a: !tile.ptr<i32>) {
  %c3 = arith.constant 3 : index
  %s = tile.scratch %c3 : !tile.ptr<i32>
  %zero = arith.constant 0 : i32
  tile.parallel (%i) to (%c3) {
    %n = arith.index_cast %i : index to i32
    %p = tile.ptr_add %a, %n : !tile.ptr<i32>, i32
    %q = tile.ptr_add %s, %n : !tile.ptr<i32>, i32
    %before = tile.gather %q : !tile.ptr<i32> -> i32
    %v = tile.gather %p : !tile.ptr<i32> -> i32
    tile.scatter %v, %q : i32, !tile.ptr<i32>
    %again = tile.gather %q : !tile.ptr<i32> -> i32
    %sum = arith.addi %again, %before : i32
    %twice = arith.addi %sum, %v : i32
    tile.scatter %twice, %p : i32, !tile.ptr<i32>
    )" + end +
          "\n}\n}")
      .str();
}

TEST(Pointer, Scratch) {
  I32 a = {1, 2, 3};
  Program program(onScratch("tile.scatter %zero, %q : i32, !tile.ptr<i32>"));
  EXPECT_TRUE(program.run({bufferOf(a, {3})})) << program.message;
  EXPECT_EQ(a, (I32{2, 4, 6}));
}

TEST(Pointer, ScratchLeftBehind) {
  I32 a = {0, 2, 3};
  Program program(onScratch(""));
  EXPECT_FALSE(program.run({bufferOf(a, {3})}));
  EXPECT_NE(program.message.find("instance 1 leaves its scratch memory other "
                                 "than zero [scratch-left]"),
            std::string::npos)
      << program.message;
}

} // namespace
