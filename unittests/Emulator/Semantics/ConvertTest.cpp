//===- ConvertTest.cpp - cvt against a model ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between all formats and integers, in all roundings, with every modifier: on
// special values, values beside the limits of the result, and random ones,
// against exact arithmetic (ConvertModel.h).
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "ConvertModel.h"
#include "FloatModel.h"
#include "IntegerModel.h"

#include "gtest/gtest.h"

using namespace heddle::emulator;
using namespace heddle::emulator::model;
using namespace heddle::emulator::test;

static int sourceBits(const std::string &type) {
  int bits = elementBits(type);
  return type.ends_with("x2") ? 2 * bits : std::max(bits, 16);
}

/// Where the result's type bends, as values of the source's.
static void addLimits(std::vector<uint64_t> &values, const std::string &to,
                      const Format &from) {
  std::vector<Value> limits;
  if (isIntegerType(to)) {
    for (int shift : {0, 1, widthOf(to) - 1, widthOf(to)})
      limits.push_back(integer(false, Natural(1) << shift));
    // 0.5, 1.5, 2.5 and so on: ties.
    for (uint64_t odd : {1, 3, 5, 127, 253, 255, 65535}) {
      limits.push_back(integer(false, Natural(odd)));
      limits.back().exponent = -1;
    }
  } else {
    const Format &format = formatNamed(to);
    for (uint64_t bits : specialValues(format)) {
      Value value = valueOf(bits, format);
      if (value.kind != Value::Kind::Number || value.negative)
        continue;
      limits.push_back(value);
      // Half way to the next one, and a little below and above.
      value.magnitude = (value.magnitude << 1) + Natural(1);
      value.exponent -= 1;
      limits.push_back(value);
    }
  }
  for (const Value &limit : limits) {
    uint64_t bits = roundTo(limit, from, Mode::Zero, true);
    for (int step = -1; step <= 1; ++step) {
      uint64_t near = bits + uint64_t(int64_t(step));
      if (near & from.sign())
        continue; // below 0
      values.push_back(near);
      values.push_back(near | from.sign());
    }
  }
}

static std::vector<Operands> rowsFor(const std::string &to,
                                     const std::string &from, int sources) {
  if (isIntegerType(from)) {
    int bits = sourceBits(from);
    auto values = specialIntegers(widthOf(from));
    for (uint64_t value : specialIntegers(bits))
      values.push_back(value); // with bits beyond the type
    for (int shift = 0; shift < widthOf(from); ++shift)
      for (int step = -1; step <= 1; ++step)
        values.push_back((uint64_t(3) << shift) + uint64_t(int64_t(step)));
    for (uint64_t &value : values)
      value &= bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    return combinations(values, 1, bits, 500);
  }
  const Format &format = formatNamed(from);
  auto values = specialValues(format);
  addLimits(values, to, format);
  auto rows = combinations(values, 1, format.width, 500);
  if (sources == 1 && !from.ends_with("x2"))
    return rows;
  // Halves or a second source: another row's.
  for (size_t i = 0; i < rows.size(); ++i) {
    uint64_t other = rows[(i * 7 + 3) % rows.size()][0];
    if (sources == 2)
      rows[i][1] = other & ((uint64_t(1) << format.width) - 1);
    else
      rows[i][0] |= (other & ((uint64_t(1) << format.width) - 1))
                    << format.width;
  }
  return rows;
}

/// PTX names no NaN of the wide formats.
static bool isSame(const std::string &to, uint64_t a, uint64_t b) {
  bool isCanonical = to != "f64" && to != "f32" && to != "tf32";
  return isIntegerType(to) || isCanonical
             ? a == b
             : isSameFloat(a, b, formatNamed(to), false);
}

static void check(const std::string &text) {
  Opcode opcode(text);
  const std::string &to = opcode.type(1), &from = opcode.type();
  bool isPair = to.ends_with("x2") && !from.ends_with("x2");
  auto rows = rowsFor(to, from, isPair ? 2 : 1);
  int bits = sourceBits(from);
  int result = isIntegerType(to) ? std::max(32, widthOf(to)) : sourceBits(to);
  Batch batch{text + (isPair ? " %r, %a, %b;" : " %r, %a;"),
              result,
              {bits, bits, bits}};
  std::vector<uint64_t> results = runBatch(batch, rows);
  int reported = 0;
  for (size_t i = 0; i < results.size() && reported < 3; ++i) {
    uint64_t expected = evaluateConvert(opcode, rows[i], result);
    if (isSame(to, results[i], expected))
      continue;
    ++reported;
    ADD_FAILURE() << text << " of " << describe(rows[i], isPair ? 2 : 1)
                  << " is " << describe({results[i]}, 1) << ", by the model "
                  << describe({expected}, 1);
  }
}

static void checkTable(std::initializer_list<const char *> patterns) {
  for (const std::string &text : expandAll(patterns))
    check(text);
}

#define INTEGERS "{u8,s8,u16,s16,u32,s32,u64,s64}"

TEST(EmulatorSemantics, ConvertsIntegers) {
  // .sat only where the result's type cannot hold all of the source's.
  checkTable({"cvt." INTEGERS "." INTEGERS,
              "cvt.sat.{u8.s8,u8.u16,u8.s16,u16.s8,u16.s16,u32.s8,u32.s16}",
              "cvt.sat.{u64.s8,u64.s16,u64.s32,u64.s64,s64.u64}",
              "cvt.sat.{s8.u8,s16.u16,s32.u32}",
              "cvt.sat.{u8,s8,u16,s16}.{u32,s32,u64,s64}",
              "cvt.sat.{s8}.{u16,s16}", "cvt.sat.u32.{s32,u64,s64}",
              "cvt.sat.s32.{u64,s64}"});
}

TEST(EmulatorSemantics, ConvertsFloatsToIntegers) {
  checkTable({"cvt.{rni,rzi,rmi,rpi}{,.sat}." INTEGERS ".{f16,f32,f64}",
              "cvt.{rni,rzi,rmi,rpi}.{u32,s32,u64,s64}.bf16",
              "cvt.{rni,rzi,rmi,rpi}.ftz{,.sat}." INTEGERS ".f32"});
}

TEST(EmulatorSemantics, ConvertsIntegersToFloats) {
  checkTable({"cvt.{rn,rz,rm,rp}{,.sat}.{f16,f32,f64}." INTEGERS,
              "cvt.{rn,rz,rm,rp}.bf16.{u16,s16,u32,s32,u64,s64}"});
}

TEST(EmulatorSemantics, ConvertsFloats) {
  checkTable({"cvt{,.sat}{,.ftz}.f32.f16", "cvt{,.sat}.f64.f16",
              "cvt{,.sat}{,.ftz}.f64.f32", "cvt.{f32,f64}.bf16",
              "cvt.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32.f64",
              "cvt.{rn,rz,rm,rp}{,.ftz}{,.sat}.f16.f32",
              "cvt.{rn,rz}{,.relu}{,.satfinite}.{f16,bf16}.f32",
              "cvt.{rn,rz,rm,rp}{,.sat}.f16.f64",
              "cvt.{rn,rz,rm,rp}.bf16.{f16,f64}",
              "cvt.{rn,rz,rm,rp}.f16.bf16"});
}

TEST(EmulatorSemantics, RoundsToIntegers) {
  checkTable({"cvt.{rni,rzi,rmi,rpi}{,.ftz}{,.sat}.f32.f32",
              "cvt.{rni,rzi,rmi,rpi}{,.sat}.{f16.f16,f64.f64}",
              "cvt.{rni,rzi,rmi,rpi}.bf16.bf16"});
}

TEST(EmulatorSemantics, ConvertsPairs) {
  checkTable({"cvt.{rn,rz}{,.relu}{,.satfinite}.{f16x2,bf16x2}.f32",
              "cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.{f32,f16x2}",
              "cvt.rn{,.relu}.f16x2.{e4m3x2,e5m2x2}"});
}

TEST(EmulatorSemantics, ConvertsToTf32) {
  checkTable({"cvt.rna{,.satfinite}.tf32.f32", "cvt.{rn,rz}{,.relu}.tf32.f32"});
}

TEST(EmulatorSemantics, PacksIntegers) {
  for (const char *type : {"u16", "s16", "u8", "s8"}) {
    int width = widthOf(type);
    auto values = specialIntegers(32);
    values.insert(values.end(), {127, 128, 255, 256, 32768, 65535, 65536});
    std::string text = std::string("cvt.pack.sat.") + type + ".s32";
    text += width == 8 ? ".b32 %r, %a, %b, %c;" : " %r, %a, %b;";
    auto rows = combinations({values, values, {0x89ABCDEF}});
    auto results = runBatch({text}, rows);
    for (size_t i = 0; i < results.size(); ++i) {
      auto half = [&](uint64_t bits) {
        return clamped(Whole::ofBits(bits, 32, true), width, type[0] == 's')
            .bits(width);
      };
      uint64_t expected = half(rows[i][0]) << width | half(rows[i][1]);
      if (width == 8)
        expected |= rows[i][2] << 16;
      ASSERT_EQ(results[i], expected & 0xFFFFFFFF)
          << text << " of " << describe(rows[i], 3);
    }
  }
}
