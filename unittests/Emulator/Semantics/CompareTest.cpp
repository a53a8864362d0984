//===- CompareTest.cpp - Comparisons and selections against a model -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// setp, set, selp, slct and testp on special values. A comparison is worked out
// from the difference of exact numbers.
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "FloatModel.h"
#include "IntegerModel.h"

#include "gtest/gtest.h"

#include <optional>

using namespace heddle::emulator;
using namespace heddle::emulator::model;
using namespace heddle::emulator::test;

static int bitsOfType(const std::string &type) {
  return isIntegerType(type)    ? widthOf(type)
         : type.ends_with("x2") ? 32
                                : formatNamed(type).width;
}

/// -1, 0, 1, or nothing where one is NaN.
static std::optional<int> order(const std::string &type, bool flushes,
                                uint64_t a, uint64_t b) {
  if (isIntegerType(type)) {
    bool isSigned = isSignedType(type);
    Whole x = Whole::ofBits(a, widthOf(type), isSigned),
          y = Whole::ofBits(b, widthOf(type), isSigned);
    return x < y ? -1 : y < x ? 1 : 0;
  }
  const Format &format = formatNamed(type);
  if (flushes) {
    a = flushed(a, format);
    b = flushed(b, format);
  }
  if (isNan(a, format) || isNan(b, format))
    return std::nullopt;
  return compare(valueOf(a, format), valueOf(b, format));
}

static bool holds(const std::string &comparison, std::optional<int> order) {
  static const std::string ordered[] = {"eq", "ne", "lt", "le", "gt",
                                        "ge", "lo", "ls", "hi", "hs"};
  if (comparison == "num" || comparison == "nan")
    return order.has_value() == (comparison == "num");
  bool isKnown = std::find(std::begin(ordered), std::end(ordered),
                           comparison) != std::end(ordered);
  if (!order)
    return !isKnown; // equ, ltu and so on hold for NaN
  std::string name = isKnown ? comparison : comparison.substr(0, 2);
  return name == "eq"                   ? *order == 0
         : name == "ne"                 ? *order != 0
         : name == "lt" || name == "lo" ? *order < 0
         : name == "le" || name == "ls" ? *order <= 0
         : name == "gt" || name == "hi" ? *order > 0
                                        : *order >= 0;
}

static std::vector<Operands> pairs(const std::string &type) {
  auto values = isIntegerType(type) ? specialIntegers(widthOf(type))
                                    : specialValues(formatNamed(type));
  return combinations(values, 2, std::min(64, bitsOfType(type)), 200);
}

#define INTEGER_ORDERS                                                         \
  "{eq,ne,lt,le,gt,ge}.{u16,u32,u64,s16,s32,s64}", "{eq,ne}.{b16,b32,b64}",    \
      "{lo,ls,hi,hs}.{u16,u32,u64}"
#define FLOAT_ORDERS "{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}"

static void checkSetp(const std::string &text, const std::string &type) {
  Opcode opcode(text);
  int bits = bitsOfType(type);
  auto rows = pairs(type);
  // The 16-bit formats have one result, all others its complement, too.
  bool hasTwo = type != "f16" && type != "bf16";
  auto results = runBatch({text + (hasTwo ? " %p0|%p1" : " %p0") +
                               ", %a, %b;\n" + "selp.b32 %r, 1, 0, %p0;\n" +
                               (hasTwo ? "@%p1 add.u32 %r, %r, 2;" : ""),
                           32,
                           {bits, bits, bits}},
                          rows);
  for (size_t i = 0; i < results.size(); ++i) {
    bool result = holds(opcode.parts[1],
                        order(type, opcode.has("ftz"), rows[i][0], rows[i][1]));
    ASSERT_EQ(results[i], result   ? 1u
                          : hasTwo ? 2u
                                   : 0u)
        << text << " of " << describe(rows[i], 2);
  }
}

TEST(EmulatorSemantics, Comparisons) {
  for (const std::string &tail : expandAll(std::initializer_list<const char *>{
           INTEGER_ORDERS, FLOAT_ORDERS "{,.ftz}.{f16,f32}",
           FLOAT_ORDERS ".{bf16,f64}"})) {
    Opcode opcode("setp." + tail);
    checkSetp(opcode.text, opcode.type());
  }
}

TEST(EmulatorSemantics, ComparisonsCombine) {
  for (const std::string &text : expand("setp.lt.{and,or,xor}{,.ftz}.f32")) {
    Opcode opcode(text);
    auto rows = pairs("f32");
    // The third operand: whether a < 0 as an integer.
    for (bool isNegated : {false, true}) {
      auto results = runBatch({"setp.lt.s32 %p2, %a, 0;\n" + text +
                               " %p0|%p1, %a, %b, " + (isNegated ? "!" : "") +
                               "%p2;\nselp.b32 %r, 1, 0, %p0;\n"
                               "@%p1 add.u32 %r, %r, 2;"},
                              rows);
      for (size_t i = 0; i < results.size(); ++i) {
        bool less = holds(
            "lt", order("f32", opcode.has("ftz"), rows[i][0], rows[i][1]));
        bool other = bool(rows[i][0] >> 31) != isNegated;
        auto combined = [&](bool t) {
          return opcode.has("and")  ? t && other
                 : opcode.has("or") ? t || other
                                    : t != other;
        };
        ASSERT_EQ(results[i], combined(less) + 2u * combined(!less))
            << text << " of " << describe(rows[i], 2);
      }
    }
  }
}

TEST(EmulatorSemantics, PackedComparisons) {
  for (const std::string &text : expandAll(std::initializer_list<const char *>{
           "setp." FLOAT_ORDERS "{,.ftz}.f16x2",
           "setp." FLOAT_ORDERS ".bf16x2"})) {
    Opcode opcode(text);
    auto rows = pairs(opcode.type());
    for (size_t i = 0; i < rows.size(); ++i)
      for (size_t source : {0, 1})
        rows[i][source] = (rows[i][source] & 0xFFFF) |
                          (rows[(i * 5 + 1) % rows.size()][source] & 0xFFFF)
                              << 16;
    auto results = runBatch({text + " %p0|%p1, %a, %b;\n"
                                    "selp.b32 %r, 1, 0, %p0;\n"
                                    "@%p1 add.u32 %r, %r, 2;"},
                            rows);
    for (size_t i = 0; i < results.size(); ++i) {
      auto half = [&](int shift) {
        return holds(opcode.parts[1], order(opcode.type(), opcode.has("ftz"),
                                            rows[i][0] >> shift & 0xFFFF,
                                            rows[i][1] >> shift & 0xFFFF));
      };
      ASSERT_EQ(results[i], half(0) + 2u * half(16))
          << text << " of " << describe(rows[i], 2);
    }
  }
}

TEST(EmulatorSemantics, SetsRegisters) {
  for (const std::string &text : expandAll(std::initializer_list<const char *>{
           "set.{eq,ne,lt,le,gt,ge}.{u32,s32,f32}.{u16,s16,u32,s32,u64,s64}",
           "set." FLOAT_ORDERS "{,.ftz}.{u32,f32}.f32",
           "set." FLOAT_ORDERS ".{s32,f32}.f64"})) {
    Opcode opcode(text);
    int bits = bitsOfType(opcode.type());
    auto rows = pairs(opcode.type());
    auto results =
        runBatch({text + " %r, %a, %b;", 32, {bits, bits, bits}}, rows);
    uint64_t yes = opcode.type(1) == "f32" ? 0x3F800000 : 0xFFFFFFFF;
    for (size_t i = 0; i < results.size(); ++i) {
      bool result =
          holds(opcode.parts[1], order(opcode.type(), opcode.has("ftz"),
                                       rows[i][0], rows[i][1]));
      ASSERT_EQ(results[i], result ? yes : 0)
          << text << " of " << describe(rows[i], 2);
    }
  }
}

TEST(EmulatorSemantics, SelectsBySign) {
  for (const std::string &text : expandAll(std::initializer_list<const char *>{
           "slct.{b16,b32,b64,u16,s32,s64,f32,f64}.s32",
           "slct{,.ftz}.{b16,b32,b64,u16,s32,s64,f32,f64}.f32"})) {
    Opcode opcode(text);
    int bits = bitsOfType(opcode.type(1));
    std::vector<uint64_t> thirds = opcode.type() == "s32"
                                       ? specialIntegers(32)
                                       : specialValues(formatNamed("f32"));
    auto rows = combinations(
        {std::vector<uint64_t>{0x1234}, std::vector<uint64_t>{0x5678}, thirds});
    auto results =
        runBatch({text + " %r, %a, %b, %c;", bits, {bits, bits, 32}}, rows);
    for (size_t i = 0; i < results.size(); ++i) {
      // -0 is not below 0; NaN selects b.
      auto sign = order(opcode.type(), opcode.has("ftz"), rows[i][2], 0);
      ASSERT_EQ(results[i], rows[i][sign && *sign >= 0 ? 0 : 1])
          << text << " of " << describe(rows[i], 3);
    }
  }
  for (const std::string &text : expand("selp.{b16,b32,b64,u32,s64,f32,f64}")) {
    int bits = bitsOfType(Opcode(text).type());
    auto rows = combinations({std::vector<uint64_t>{0x1234},
                              std::vector<uint64_t>{0x5678},
                              std::vector<uint64_t>{0, 1, 2}});
    auto results =
        runBatch({"setp.ne.u32 %p0, %c, 0;\n" + text + " %r, %a, %b, %p0;",
                  bits,
                  {bits, bits, 32}},
                 rows);
    for (size_t i = 0; i < results.size(); ++i)
      ASSERT_EQ(results[i], rows[i][rows[i][2] ? 0 : 1]) << text;
  }
}

TEST(EmulatorSemantics, TestsProperties) {
  for (const std::string &text : expand("testp.{finite,infinite,number,"
                                        "notanumber,normal,subnormal}."
                                        "{f32,f64}")) {
    Opcode opcode(text);
    const Format &format = formatNamed(opcode.type());
    auto rows = combinations(specialValues(format), 1, format.width, 200);
    auto results = runBatch({text + " %p0, %a; selp.b32 %r, 1, 0, %p0;",
                             32,
                             {format.width, format.width, format.width}},
                            rows);
    for (size_t i = 0; i < results.size(); ++i) {
      Value value = valueOf(rows[i][0], format);
      bool small = isSubnormal(rows[i][0], format);
      bool isNumber = value.kind == Value::Kind::Number;
      const std::string &property = opcode.parts[1];
      bool expected = property == "finite"       ? isNumber
                      : property == "infinite"   ? value.isInfinite()
                      : property == "number"     ? !value.isNan()
                      : property == "notanumber" ? value.isNan()
                      : property == "normal"
                          ? isNumber && !small && !value.isZero()
                          : small;
      ASSERT_EQ(results[i], expected) << text << " of " << describe(rows[i], 1);
    }
  }
}
