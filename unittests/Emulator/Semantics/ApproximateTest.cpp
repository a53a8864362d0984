//===- ApproximateTest.cpp - .approx at its special cases -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An approximation has exact results where the PTX ISA lists them: for zeros,
// infinities, NaN and what is flushed. Between those it is near the exact
// number.
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "FloatModel.h"

#include "gtest/gtest.h"

using namespace heddle::emulator;
using namespace heddle::emulator::model;
using namespace heddle::emulator::test;

static Value exactly(const Opcode &opcode, const Value &a, const Value &b) {
  Value one = integer(false, Natural(1));
  const std::string &name = opcode.name();
  return name == "div"    ? quotient(a, b)
         : name == "sqrt" ? squareRoot(a)
         : name == "rcp"  ? quotient(one, a)
                          : quotient(one, squareRoot(a)); // rsqrt
}

static uint64_t expected(const Opcode &opcode, const Format &format, uint64_t a,
                         uint64_t b) {
  if (opcode.has("ftz")) {
    a = flushed(a, format);
    b = flushed(b, format);
  }
  Value x = valueOf(a, format), y = valueOf(b, format);
  if (opcode.name() == "div" && opcode.has("approx")) {
    // The reciprocal of a divisor between 2^126 and 2^128 counts as 0.
    Value limit = integer(false, Natural(1) << 126), magnitude = y;
    magnitude.negative = false;
    if (y.kind == Value::Kind::Number && compare(limit, magnitude) < 0)
      return roundTo(product(x, integer(y.negative, Natural())), format,
                     Mode::Nearest);
  }
  uint64_t bits = roundTo(exactly(opcode, x, y), format, Mode::Nearest);
  return opcode.has("ftz") ? flushed(bits, format) : bits;
}

static bool isNear(const Format &format, uint64_t bits, uint64_t exact,
                   uint64_t tolerance) {
  Value value = valueOf(exact, format);
  bool isSpecial = value.kind != Value::Kind::Number || value.isZero();
  if (isSpecial || valueOf(bits, format).kind != Value::Kind::Number)
    return isSameFloat(bits, exact, format, format.width == 32);
  return std::max(bits, exact) - std::min(bits, exact) <= tolerance;
}

TEST(EmulatorSemantics, Approximations) {
  for (const std::string &text : expandAll(std::initializer_list<const char *>{
           "{rcp,sqrt,rsqrt}.approx{,.ftz}.f32", "div.{approx,full}{,.ftz}.f32",
           "rsqrt.approx.f64"})) {
    Opcode opcode(text);
    const Format &format = formatNamed(opcode.type());
    int sources = opcode.name() == "div" ? 2 : 1;
    auto rows = combinations(specialValues(format), sources, format.width, 200);
    auto results =
        runBatch({text + (sources == 2 ? " %r, %a, %b;" : " %r, %a;"),
                  format.width,
                  {format.width, format.width, format.width}},
                 rows);
    for (size_t i = 0; i < results.size(); ++i) {
      uint64_t exact = expected(opcode, format, rows[i][0], rows[i][1]);
      ASSERT_TRUE(isNear(format, results[i], exact, 4))
          << text << " of " << describe(rows[i], sources) << " is "
          << describe({results[i]}, 1) << ", exactly " << describe({exact}, 1);
    }
  }
}

TEST(EmulatorSemantics, ApproximationsOfUpperHalves) {
  for (const std::string &text : expand("{rcp,rsqrt}.approx.ftz.f64")) {
    Opcode opcode(text);
    const Format &format = formatNamed("f64");
    auto rows = combinations(specialValues(format), 1, 64, 500);
    auto results = runBatch({text + " %r, %a;", 64, {64, 64, 64}}, rows);
    for (size_t i = 0; i < results.size(); ++i) {
      // The lower 32 bits are neither read nor written. A NaN whose payload
      // lies there is an infinity.
      uint64_t upper = rows[i][0] >> 32 << 32;
      uint64_t exact = expected(opcode, format, upper, 0);
      ASSERT_EQ(uint32_t(results[i]), 0u) << text << describe(rows[i], 1);
      ASSERT_TRUE(isNear(format, results[i], exact, uint64_t(1) << 32))
          << text << " of " << describe(rows[i], 1) << " is "
          << describe({results[i]}, 1) << ", exactly " << describe({exact}, 1);
    }
  }
}

namespace {
struct Row {
  const char *opcode;
  uint64_t a, expected;
};
} // namespace

// f32: 1 is 0x3F800000, infinity 0x7F800000; f16: 0x3C00, 0x7C00; bf16: 0x3F80,
// 0x7F80.
static const Row rows[] = {
    {"ex2.approx{,.ftz}.f32", 0xFF800000, 0},
    {"ex2.approx{,.ftz}.f32", 0x7F800000, 0x7F800000},
    {"ex2.approx{,.ftz}.f32", 0x80000000, 0x3F800000},
    {"ex2.approx{,.ftz}.f32", 0x807FFFFF, 0x3F800000},
    {"ex2.approx{,.ftz}.f32", 0xFFC00000, 0x7FFFFFFF},
    {"ex2.approx{,.ftz}.f32", 0x43000000, 0x7F800000}, // 128
    {"ex2.approx.f32", 0xC3140000, 0x00000002},        // -148
    {"ex2.approx.ftz.f32", 0xC3140000, 0},
    {"ex2.approx.{f16}", 0x7C00, 0x7C00},
    {"ex2.approx.{f16}", 0xFC00, 0},
    {"ex2.approx.{f16}", 0x8001, 0x3C00},
    {"ex2.approx.f16x2", 0xFC007E00, 0x00007FFF},
    {"ex2.approx.ftz.{bf16}", 0xFF80, 0},
    {"ex2.approx.ftz.bf16x2", 0x7F804000, 0x7F804080},
    {"lg2.approx{,.ftz}.f32", 0, 0xFF800000},
    {"lg2.approx{,.ftz}.f32", 0x80000000, 0xFF800000},
    {"lg2.approx{,.ftz}.f32", 0xBF800000, 0x7FFFFFFF},
    {"lg2.approx{,.ftz}.f32", 0xFF800000, 0x7FFFFFFF},
    {"lg2.approx{,.ftz}.f32", 0x7F800000, 0x7F800000},
    {"lg2.approx{,.ftz}.f32", 0x3F800000, 0},
    {"lg2.approx.f32", 0x00000001, 0xC3150000}, // -149
    {"lg2.approx.ftz.f32", 0x00000001, 0xFF800000},
    {"lg2.approx.ftz.f32", 0x80000001, 0xFF800000},
    {"sin.approx{,.ftz}.f32", 0x80000000, 0x80000000},
    {"sin.approx{,.ftz}.f32", 0x7F800000, 0x7FFFFFFF},
    {"sin.approx.ftz.f32", 0x80000001, 0x80000000},
    {"cos.approx{,.ftz}.f32", 0x80000000, 0x3F800000},
    {"cos.approx{,.ftz}.f32", 0xFF800000, 0x7FFFFFFF},
    {"tanh.approx.f32", 0x7F800000, 0x3F800000},
    {"tanh.approx.f32", 0xFF800000, 0xBF800000},
    {"tanh.approx.f32", 0x80000000, 0x80000000},
    {"tanh.approx.f32", 0xFFC00000, 0x7FFFFFFF},
    {"tanh.approx.f16", 0xFC00, 0xBC00},
    {"tanh.approx.f16x2", 0x80007C00, 0x80003C00},
    {"tanh.approx.bf16", 0xFF80, 0xBF80},
    {"tanh.approx.bf16x2", 0x7FC0FF80, 0x7FFFBF80},
};

TEST(EmulatorSemantics, Transcendentals) {
  for (const Row &row : rows)
    for (const std::string &text : expand(row.opcode)) {
      const std::string type = Opcode(text).type();
      int bits = type.ends_with("x2") ? 32 : formatNamed(type).width;
      auto results = runBatch({text + " %r, %a;", bits, {bits, bits, bits}},
                              {{row.a, 0, 0}});
      ASSERT_FALSE(results.empty());
      EXPECT_EQ(results[0], row.expected)
          << text << " of " << describe({row.a}, 1);
    }
}
