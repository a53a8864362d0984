//===- DotTest.cpp - Products of several element types --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products in several element types against sums of the test's own. The extents
// are no multiples of the oracle's register blocks, which covers the
// remainders. Values are such that a second rounding, or a wrong cut to tf32,
// would show.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "heddle/Support/NumberFormat.h"

#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::interp;

namespace {

constexpr int64_t kM = 6, kN = 11, kK = 5; // no multiple of the oracle's blocks

std::string dotText(const std::string &in, const std::string &out) {
  return oneTile({"6x5x" + in, "5x11x" + in, "6x11x" + out},
                 "%r = tile.dot %x0, %x1, %x2 : tensor<6x5x" + in +
                     ">, tensor<5x11x" + in + "> -> tensor<6x11x" + out + ">",
                 "6x11x" + out);
}

/// The low 13 bits of what is read as tf32 do not count, and nothing is
/// rounded.
TEST(Dot, Tf32) {
  std::string text = dotText("f32", "f32");
  text.replace(text.find(" : tensor<6x5xf32>, "), 3, " {tf32} : ");
  std::vector<float> a(kM * kK, 1 + 0x1.ffep-11f), b(kK * kN, -2 - 0x1p-9f),
      c(kM * kN, 1 + 0x1p-20f), r(kM * kN);
  Program program(text);
  ASSERT_TRUE(program.run({bufferOf(a, {kM, kK}), bufferOf(b, {kK, kN}),
                           bufferOf(c, {kM, kN}), bufferOf(r, {kM, kN})}))
      << program.message;
  // 1 + 2^-11 + ... keeps nothing below 2^-10; -2 - 2^-9 is a tf32.
  for (float value : r)
    EXPECT_EQ(value, 1 + 0x1p-20f + 5 * (-2 - 0x1p-9f));
}

TEST(Dot, Floats) {
  std::vector<float> a, b, c, r(kM * kN);
  for (int i = 0; i < kM * kK; ++i)
    a.push_back(0.1f * float(i % 7) - 0.3f);
  for (int i = 0; i < kK * kN; ++i)
    b.push_back(0.7f - 0.2f * float(i % 5));
  for (int i = 0; i < kM * kN; ++i)
    c.push_back(float(i));
  Program program(dotText("f32", "f32"));
  ASSERT_TRUE(program.run({bufferOf(a, {kM, kK}), bufferOf(b, {kK, kN}),
                           bufferOf(c, {kM, kN}), bufferOf(r, {kM, kN})}))
      << program.message;
  for (int64_t i = 0; i < kM; ++i)
    for (int64_t j = 0; j < kN; ++j) {
      double sum = c[i * kN + j];
      for (int64_t k = 0; k < kK; ++k)
        sum += double(a[i * kK + k]) * double(b[k * kN + j]);
      EXPECT_EQ(r[i * kN + j], float(sum));
    }
}

TEST(Dot, NarrowAccumulatorRoundsOnce) {
  std::vector<uint16_t> a(kM * kK, uint16_t(encode<kFloat16>(1))),
      b(kK * kN, a[0]), c(kM * kN, uint16_t(encode<kFloat16>(2048))),
      r(kM * kN);
  Program program(dotText("f16", "f16"));
  ASSERT_TRUE(program.run({bufferOf(a, {kM, kK}), bufferOf(b, {kK, kN}),
                           bufferOf(c, {kM, kN}), bufferOf(r, {kM, kN})}))
      << program.message;
  EXPECT_EQ(decode<kFloat16>(r[0]), 2052.0); // 2048 + 5, between 2052 and 2054
}

TEST(Dot, Integers) {
  std::vector<int8_t> a(kM * kK, -128), b(kK * kN, 127);
  std::vector<int32_t> c(kM * kN, 1), r(kM * kN);
  Program program(dotText("i8", "i32"));
  ASSERT_TRUE(program.run({bufferOf(a, {kM, kK}), bufferOf(b, {kK, kN}),
                           bufferOf(c, {kM, kN}), bufferOf(r, {kM, kN})}))
      << program.message;
  for (int32_t value : r)
    EXPECT_EQ(value, 1 - 128 * 127 * 5);
}

} // namespace
