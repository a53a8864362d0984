//===- IntegerTest.cpp - Integers and conversions -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on integers, and conversions, against arithmetic of the test's own
// at the ends of ranges. Overflow, shifts by the width and floats out of range
// have results on the rung and none in C++, so the oracle must not leave them
// to C++.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "heddle/Support/NumberFormat.h"

#include "gtest/gtest.h"
#include <climits>
#include <cmath>

using namespace heddle;
using namespace heddle::interp;

namespace {

using I32 = std::vector<int32_t>;

I32 runIntegers(llvm::StringRef body, I32 x, I32 y) {
  std::string type = std::to_string(x.size()) + "xi32";
  I32 result(x.size(), 12345);
  Program program(oneTile({type, type}, body, type));
  EXPECT_TRUE(program.run(
      {bufferLike(type, x), bufferLike(type, y), bufferLike(type, result)}))
      << program.message;
  return result;
}

TEST(Integer, BinaryOps) {
  I32 x = {7, -7, INT_MIN, INT_MAX, -1}, y = {2, 2, -1, 3, 31};
  using U = uint32_t;
  auto floorDiv = [](int64_t a, int64_t b) {
    return int32_t(std::floor(double(a) / double(b)));
  };
  auto ceilDiv = [](int64_t a, int64_t b) {
    return int32_t(std::ceil(double(a) / double(b)));
  };
  struct {
    const char *op;
    std::function<int32_t(int32_t, int32_t)> f;
  } cases[] = {
      {"addi", [](int32_t a, int32_t b) { return int32_t(U(a) + U(b)); }},
      {"subi", [](int32_t a, int32_t b) { return int32_t(U(a) - U(b)); }},
      {"muli", [](int32_t a, int32_t b) { return int32_t(U(a) * U(b)); }},
      {"divsi", [](int32_t a, int32_t b) { return int32_t(int64_t(a) / b); }},
      {"divui", [](int32_t a, int32_t b) { return int32_t(U(a) / U(b)); }},
      {"remsi", [](int32_t a, int32_t b) { return int32_t(int64_t(a) % b); }},
      {"remui", [](int32_t a, int32_t b) { return int32_t(U(a) % U(b)); }},
      {"floordivsi",
       [&](int32_t a, int32_t b) {
         return b == -1 ? int32_t(0 - U(a)) : floorDiv(a, b);
       }},
      {"ceildivsi",
       [&](int32_t a, int32_t b) {
         return b == -1 ? int32_t(0 - U(a)) : ceilDiv(a, b);
       }},
      {"ceildivui",
       [](int32_t a, int32_t b) {
         return int32_t(U(a) / U(b) + (U(a) % U(b) != 0));
       }},
      {"andi", [](int32_t a, int32_t b) { return a & b; }},
      {"ori", [](int32_t a, int32_t b) { return a | b; }},
      {"xori", [](int32_t a, int32_t b) { return a ^ b; }},
      {"maxsi", [](int32_t a, int32_t b) { return std::max(a, b); }},
      {"minsi", [](int32_t a, int32_t b) { return std::min(a, b); }},
      {"maxui",
       [](int32_t a, int32_t b) { return int32_t(std::max(U(a), U(b))); }},
      {"minui",
       [](int32_t a, int32_t b) { return int32_t(std::min(U(a), U(b))); }},
      {"shli",
       [](int32_t a, int32_t b) { return U(b) > 31 ? 0 : int32_t(U(a) << b); }},
      {"shrui",
       [](int32_t a, int32_t b) { return U(b) > 31 ? 0 : int32_t(U(a) >> b); }},
      {"shrsi",
       [](int32_t a, int32_t b) { return U(b) > 31 ? a >> 31 : a >> b; }}};
  for (auto &c : cases) {
    I32 r = runIntegers(
        std::string("%r = arith.") + c.op + " %x0, %x1 : tensor<5xi32>", x, y);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(r[i], c.f(x[i], y[i])) << c.op << " " << x[i] << " " << y[i];
  }
}

TEST(Integer, HighHalves) {
  I32 x = {INT_MAX, -1}, y = {INT_MAX, -1};
  I32 r = runIntegers("%l, %r = arith.mulsi_extended %x0, %x1 : tensor<2xi32>",
                      x, y);
  EXPECT_EQ(r, (I32{int32_t((int64_t(INT_MAX) * INT_MAX) >> 32), 0}));
  r = runIntegers("%l, %r = arith.mului_extended %x0, %x1 : tensor<2xi32>", x,
                  y);
  EXPECT_EQ(r, (I32{int32_t((int64_t(INT_MAX) * INT_MAX) >> 32), -2}));
  r = runIntegers(
      "%s, %o = arith.addui_extended %x0, %x1 : tensor<2xi32>, tensor<2xi1>\n"
      "%r = arith.extui %o : tensor<2xi1> to tensor<2xi32>",
      x, y);
  EXPECT_EQ(r, (I32{0, 1}));
}

TEST(Integer, BitCounts) {
  I32 x = {1, -1, 0, 40, INT_MIN}, unused(5);
  EXPECT_EQ(runIntegers("%r = math.ctlz %x0 : tensor<5xi32>", x, unused),
            (I32{31, 0, 32, 26, 0}));
  EXPECT_EQ(runIntegers("%r = math.cttz %x0 : tensor<5xi32>", x, unused),
            (I32{0, 0, 32, 3, 31}));
  EXPECT_EQ(runIntegers("%r = math.ctpop %x0 : tensor<5xi32>", x, unused),
            (I32{1, 32, 0, 2, 1}));
  EXPECT_EQ(runIntegers("%r = tile.bit_reverse %x0 : tensor<5xi32>", x, unused),
            (I32{INT_MIN, -1, 0, 0x14000000, 1}));
  EXPECT_EQ(
      runIntegers("%n = arith.trunci %x0 : tensor<2xi32> to tensor<2xi8>\n"
                  "%m = tile.bit_reverse %n : tensor<2xi8>\n"
                  "%r = arith.extui %m : tensor<2xi8> to tensor<2xi32>",
                  {1, 0x1a}, {0, 0}),
      (I32{0x80, 0x58}));
  EXPECT_EQ(runIntegers("%r = math.absi %x0 : tensor<5xi32>", x, unused),
            (I32{1, 1, 0, 40, INT_MIN}));
  EXPECT_EQ(runIntegers("%r = math.ipowi %x0, %x1 : tensor<4xi32>",
                        {3, -2, 1, 5}, {4, 3, -9, -1}),
            (I32{81, -8, 1, 0}));
}

TEST(Integer, ComparisonsAndSelect) {
  I32 x = {-1, 1, 2}, y = {1, 1, 1};
  auto choose = [&](const char *predicate) {
    return runIntegers(
        std::string("%c = arith.cmpi ") + predicate +
            ", %x0, %x1 : tensor<3xi32>\n" +
            "%r = arith.select %c, %x0, %x1 : tensor<3xi1>, tensor<3xi32>",
        x, y);
  };
  EXPECT_EQ(choose("slt"), (I32{-1, 1, 1}));
  EXPECT_EQ(choose("sgt"), (I32{1, 1, 2}));
  EXPECT_EQ(choose("ugt"), (I32{-1, 1, 2}));
  EXPECT_EQ(choose("ult"), (I32{1, 1, 1}));
  EXPECT_EQ(choose("ne"), (I32{-1, 1, 2}));
  EXPECT_EQ(runIntegers("%c = arith.constant true\n%r = arith.select %c, %x0, "
                        "%x1 : tensor<3xi32>",
                        x, y),
            x);
}

TEST(Integer, Widths) {
  EXPECT_EQ(
      runIntegers("%n = arith.trunci %x0 : tensor<2xi32> to tensor<2xi8>\n"
                  "%r = arith.extsi %n : tensor<2xi8> to tensor<2xi32>",
                  {255, 300}, {0, 0}),
      (I32{-1, 44}));
  EXPECT_EQ(
      runIntegers("%n = arith.trunci %x0 : tensor<2xi32> to tensor<2xi8>\n"
                  "%r = arith.extui %n : tensor<2xi8> to tensor<2xi32>",
                  {255, 300}, {0, 0}),
      (I32{255, 44}));
  EXPECT_EQ(
      runIntegers("%n = arith.trunci %x0 : tensor<2xi32> to tensor<2xi1>\n"
                  "%r = arith.extsi %n : tensor<2xi1> to tensor<2xi32>",
                  {3, 2}, {0, 0}),
      (I32{-1, 0}));
  EXPECT_EQ(runIntegers(
                "%n = arith.index_cast %x0 : tensor<2xi32> to tensor<2xindex>\n"
                "%r = arith.index_cast %n : tensor<2xindex> to tensor<2xi32>",
                {-5, 6}, {0, 0}),
            (I32{-5, 6}));
}

TEST(Cast, FloatsToIntegersSaturate) {
  std::vector<float> x = {1.9f, -1.9f, 1e20f, NAN};
  I32 r(4);
  Program isSigned(oneTile(
      {"4xf32"}, "%r = arith.fptosi %x0 : tensor<4xf32> to tensor<4xi32>",
      "4xi32"));
  ASSERT_TRUE(isSigned.run({bufferOf(x, {4}), bufferOf(r, {4})}))
      << isSigned.message;
  EXPECT_EQ(r, (I32{1, -1, INT_MAX, 0}));
  Program isUnsigned(oneTile(
      {"4xf32"}, "%r = arith.fptoui %x0 : tensor<4xf32> to tensor<4xi32>",
      "4xi32"));
  ASSERT_TRUE(isUnsigned.run({bufferOf(x, {4}), bufferOf(r, {4})}))
      << isUnsigned.message;
  EXPECT_EQ(r, (I32{1, 0, -1, 0}));
}

TEST(Cast, IntegersToFloatsRoundOnce) {
  // 2^53 + 2^29 + 1 lies just above the middle between two f32.
  std::vector<int64_t> x = {(int64_t(1) << 53) + (int64_t(1) << 29) + 1, -3,
                            INT64_MAX};
  std::vector<float> r(3);
  Program program(oneTile(
      {"3xi64"}, "%r = arith.sitofp %x0 : tensor<3xi64> to tensor<3xf32>",
      "3xf32"));
  ASSERT_TRUE(program.run({bufferOf(x, {3}), bufferOf(r, {3})}))
      << program.message;
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(r[i], float(x[i]));
}

TEST(Cast, BetweenFloats) {
  std::vector<float> x = {1.0f + 0x1p-11f, 1.0f + 0x1p-11f + 0x1p-20f, 1e6f,
                          -1e6f};
  std::vector<uint16_t> r(4);
  auto decoded = [&](size_t i) { return decode<kFloat16>(r[i]); };
  Program cast(oneTile({"4xf32"},
                       "%r = tile.cast %x0 : tensor<4xf32> -> tensor<4xf16>",
                       "4xf16"));
  ASSERT_TRUE(cast.run({bufferOf(x, {4}), bufferOf(r, {4})})) << cast.message;
  EXPECT_EQ(decoded(0), 1.0);
  EXPECT_EQ(decoded(1), 1.0 + 0x1p-10);
  EXPECT_EQ(decoded(2), INFINITY);
  Program truncated(oneTile(
      {"4xf32"},
      "%r = arith.truncf %x0 toward_zero : tensor<4xf32> to tensor<4xf16>",
      "4xf16"));
  ASSERT_TRUE(truncated.run({bufferOf(x, {4}), bufferOf(r, {4})}))
      << truncated.message;
  EXPECT_EQ(decoded(0), 1.0);
  EXPECT_EQ(decoded(1), 1.0);
  EXPECT_EQ(decoded(2), 65504.0);
  EXPECT_EQ(decoded(3), -65504.0);
}

TEST(Cast, ToEightBitsSaturates) {
  std::vector<float> x = {1.0f, 1000.0f, -INFINITY, 17.0f};
  std::vector<uint8_t> r(4);
  Program program(oneTile(
      {"4xf32"}, "%r = tile.cast %x0 : tensor<4xf32> -> tensor<4xf8E4M3FN>",
      "4xf8E4M3FN"));
  ASSERT_TRUE(program.run({bufferOf(x, {4}), bufferOf(r, {4})}))
      << program.message;
  std::vector<double> expected = {1, 448, -448, 16};
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(decode<kFloat8E4M3>(r[i]), expected[i]);
}

TEST(Cast, Bits) {
  std::vector<float> x = {1.0f, -2.0f};
  I32 r(2);
  Program program(oneTile(
      {"2xf32"}, "%r = arith.bitcast %x0 : tensor<2xf32> to tensor<2xi32>",
      "2xi32"));
  ASSERT_TRUE(program.run({bufferOf(x, {2}), bufferOf(r, {2})}))
      << program.message;
  EXPECT_EQ(r, (I32{0x3f800000, int32_t(0xc0000000)}));
}

} // namespace
