//===- FloatTest.cpp - Floating-point arithmetic and mathematics ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation on floating point against the host's arithmetic, rounded once
// to the element type. NaN, signed zeros, subnormals and f16 have cases of
// their own: kernels are judged by the oracle's results.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "heddle/Support/NumberFormat.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace heddle;
using namespace heddle::interp;

namespace {

std::vector<float> runFloats(llvm::StringRef body, std::vector<float> x,
                             std::vector<float> y = {},
                             std::vector<float> z = {}) {
  std::string type = std::to_string(x.size()) + "xf32";
  y.resize(x.size());
  z.resize(x.size());
  std::vector<float> result(x.size(), 12345);
  Program program(oneTile({type, type, type}, body, type));
  EXPECT_TRUE(program.run({bufferLike(type, x), bufferLike(type, y),
                           bufferLike(type, z), bufferLike(type, result)}))
      << program.message;
  return result;
}

std::string unary(llvm::StringRef op) {
  return ("%r = " + op + " %x0 : tensor<5xf32>").str();
}
std::string binary(llvm::StringRef op) {
  return ("%r = " + op + " %x0, %x1 : tensor<5xf32>").str();
}

TEST(Float, BinaryOpsRoundOnce) {
  std::vector<float> x = {1.1f, -2.5f, 1e30f, 3.0f, 16777216.0f},
                     y = {0.7f, 3.3f, 1e-30f, 0.1f, 1.0f};
  struct {
    const char *op;
    float (*f)(float, float);
  } cases[] = {
      {"arith.addf", [](float a, float b) { return a + b; }},
      {"arith.subf", [](float a, float b) { return a - b; }},
      {"arith.mulf", [](float a, float b) { return a * b; }},
      {"arith.divf", [](float a, float b) { return a / b; }},
      {"arith.remf", [](float a, float b) { return std::fmod(a, b); }},
      {"math.powf",
       [](float a, float b) { return float(std::pow(double(a), double(b))); }},
      {"math.atan2",
       [](float a, float b) {
         return float(std::atan2(double(a), double(b)));
       }},
      {"math.copysign", [](float a, float b) { return std::copysign(a, b); }}};
  for (auto &c : cases) {
    std::vector<float> result = runFloats(binary(c.op), x, y);
    for (size_t i = 0; i < x.size(); ++i) {
      float expected = c.f(x[i], y[i]);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(result[i]))
            << c.op << " " << x[i] << " " << y[i];
      else
        EXPECT_EQ(result[i], expected) << c.op << " " << x[i] << " " << y[i];
    }
  }
}

TEST(Float, UnaryOpsRoundOnce) {
  std::vector<float> x = {0.25f, 0.5f, 0.75f, 0.125f, 0.99f};
  struct {
    const char *op;
    double (*f)(double);
  } cases[] = {{"arith.negf", [](double v) { return -v; }},
               {"math.absf", std::fabs},
               {"math.exp", std::exp},
               {"math.exp2", std::exp2},
               {"math.expm1", std::expm1},
               {"math.log", std::log},
               {"math.log2", std::log2},
               {"math.log10", std::log10},
               {"math.log1p", std::log1p},
               {"math.sqrt", std::sqrt},
               {"math.cbrt", std::cbrt},
               {"math.rsqrt", [](double v) { return 1 / std::sqrt(v); }},
               {"math.erf", std::erf},
               {"math.erfc", std::erfc},
               {"math.sin", std::sin},
               {"math.cos", std::cos},
               {"math.tan", std::tan},
               {"math.sinh", std::sinh},
               {"math.cosh", std::cosh},
               {"math.tanh", std::tanh},
               {"math.asin", std::asin},
               {"math.acos", std::acos},
               {"math.atan", std::atan},
               {"math.asinh", std::asinh},
               {"math.atanh", std::atanh},
               {"math.ceil", std::ceil},
               {"math.floor", std::floor},
               {"math.round", std::round},
               {"math.trunc", std::trunc},
               {"math.roundeven", std::nearbyint}};
  for (auto &c : cases) {
    std::vector<float> result = runFloats(unary(c.op), x);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(result[i], float(c.f(double(x[i])))) << c.op << " " << x[i];
  }
}

TEST(Float, MinimumAndMaximum) {
  float nan = NAN;
  std::vector<float> x = {1, nan, -0.0f, 2, nan}, y = {2, 1, 0.0f, nan, nan};
  std::vector<float> r = runFloats(binary("arith.maximumf"), x, y);
  EXPECT_EQ(r[0], 2);
  EXPECT_TRUE(std::isnan(r[1]) && std::isnan(r[3]) && std::isnan(r[4]));
  EXPECT_FALSE(std::signbit(r[2]));
  r = runFloats(binary("arith.minimumf"), x, y);
  EXPECT_EQ(r[0], 1);
  EXPECT_TRUE(std::isnan(r[1]));
  EXPECT_TRUE(std::signbit(r[2]));
  r = runFloats(binary("arith.maxnumf"), x, y);
  EXPECT_EQ(r[1], 1);
  EXPECT_EQ(r[3], 2);
  EXPECT_TRUE(std::isnan(r[4]));
  r = runFloats(binary("arith.minnumf"), x, y);
  EXPECT_EQ(r[0], 1);
  EXPECT_EQ(r[1], 1);
}

TEST(Float, FusedMultiplyAddRoundsOnce) {
  std::vector<float> x, y, z;
  for (int i = 0; i < 500; ++i) {
    x.push_back(1.0f + float(i * 37 % 101) * 0x1p-23f);
    y.push_back(1.0f + float(i * 53 % 97) * 0x1p-12f);
    z.push_back(std::ldexp(1.0f + float(i % 7) * 0x1p-23f, -(i % 60)) *
                (i % 2 ? 1.0f : -1.0f));
  }
  std::vector<float> r =
      runFloats("%r = math.fma %x0, %x1, %x2 : tensor<500xf32>", x, y, z);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(r[i], std::fmaf(x[i], y[i], z[i]))
        << x[i] << " " << y[i] << " " << z[i];
}

TEST(Float, NarrowTypesRoundAfterEveryOp) {
  // 2048 + 1 is 2048 in f16, so that adding 1 twice is not adding 2.
  std::vector<uint16_t> x = {uint16_t(encode<kFloat16>(2048)),
                             uint16_t(encode<kFloat16>(1))},
                        r(2);
  Program program(oneTile({"2xf16"}, R"(
    %one = arith.constant dense<1.0> : tensor<2xf16>
    %a = arith.addf %x0, %one : tensor<2xf16>
    %r = arith.addf %a, %one : tensor<2xf16>)",
                          "2xf16"));
  ASSERT_TRUE(program.run({bufferOf(x, {2}), bufferOf(r, {2})}))
      << program.message;
  EXPECT_EQ(decode<kFloat16>(r[0]), 2048);
  EXPECT_EQ(decode<kFloat16>(r[1]), 3);
}

TEST(Float, Comparisons) {
  std::vector<float> x = {1, 2, 3, NAN}, y = {2, 2, 2, 2};
  struct {
    const char *predicate;
    std::vector<int8_t> expected;
  } cases[] = {
      {"oeq", {0, 1, 0, 0}},  {"ogt", {0, 0, 1, 0}}, {"oge", {0, 1, 1, 0}},
      {"olt", {1, 0, 0, 0}},  {"ole", {1, 1, 0, 0}}, {"one", {1, 0, 1, 0}},
      {"ord", {1, 1, 1, 0}},  {"ueq", {0, 1, 0, 1}}, {"ugt", {0, 0, 1, 1}},
      {"uge", {0, 1, 1, 1}},  {"ult", {1, 0, 0, 1}}, {"ule", {1, 1, 0, 1}},
      {"une", {1, 0, 1, 1}},  {"uno", {0, 0, 0, 1}}, {"true", {1, 1, 1, 1}},
      {"false", {0, 0, 0, 0}}};
  for (auto &c : cases) {
    std::vector<int8_t> r(4, 77);
    Program program(oneTile({"4xf32", "4xf32"},
                            std::string("%r = arith.cmpf ") + c.predicate +
                                ", %x0, %x1 : tensor<4xf32>",
                            "4xi1"));
    ASSERT_TRUE(
        program.run({bufferOf(x, {4}), bufferOf(y, {4}), bufferOf(r, {4})}))
        << program.message;
    EXPECT_EQ(r, c.expected) << c.predicate;
  }
}

TEST(Float, Classification) {
  std::vector<float> x = {1, INFINITY, NAN, 1e-40f};
  struct {
    const char *op;
    std::vector<int8_t> expected;
  } cases[] = {{"math.isnan", {0, 0, 1, 0}},
               {"math.isinf", {0, 1, 0, 0}},
               {"math.isfinite", {1, 0, 0, 1}},
               {"math.isnormal", {1, 0, 0, 0}}};
  for (auto &c : cases) {
    std::vector<int8_t> r(4, 77);
    Program program(
        oneTile({"4xf32"}, std::string("%r = ") + c.op + " %x0 : tensor<4xf32>",
                "4xi1"));
    ASSERT_TRUE(program.run({bufferOf(x, {4}), bufferOf(r, {4})}))
        << program.message;
    EXPECT_EQ(r, c.expected) << c.op;
  }
}

TEST(Float, ClampAndSincosAndFpowi) {
  std::vector<float> r =
      runFloats("%r = math.clampf %x0 to [%x1, %x2] : tensor<3xf32>",
                {-5, 0.5f, 5}, {0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(r, (std::vector<float>{0, 0.5f, 1}));
  r = runFloats("%s, %r = math.sincos %x0 : tensor<2xf32>", {0, 1});
  EXPECT_EQ(r, (std::vector<float>{1, float(std::cos(1.0))}));
  r = runFloats("%n = arith.constant dense<-3> : tensor<2xi32>\n"
                "%r = math.fpowi %x0, %n : tensor<2xf32>, tensor<2xi32>",
                {2, 10});
  EXPECT_EQ(r, (std::vector<float>{0.125f, 0.001f}));
}

} // namespace
