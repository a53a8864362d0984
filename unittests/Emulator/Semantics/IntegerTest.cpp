//===- IntegerTest.cpp - Integer instructions against a model -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every form of the tables on all combinations of special integers and some
// random ones, against whole numbers without bounds (IntegerModel.h).
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "IntegerModel.h"

#include "gtest/gtest.h"

using namespace heddle::emulator;
using namespace heddle::emulator::model;
using namespace heddle::emulator::test;

namespace {
/// What the text needs besides the opcode.
struct Shape {
  std::string operands = "%a, %b";
  int count = 2;
  int resultBits = 0;                        ///< 0: the type's
  std::array<int, 3> sourceBits = {0, 0, 0}; ///< likewise
};
} // namespace

static int registerBits(const Opcode &opcode) {
  int width = widthOf(opcode.has("b32") ? "b32" : opcode.type());
  return opcode.type().ends_with("x2") ? 32 : width;
}

static void compareRows(const Opcode &opcode, const std::string &text,
                        const Shape &shape, const std::vector<Operands> &rows,
                        uint64_t fourth = 0) {
  Batch batch{text, shape.resultBits, shape.sourceBits};
  std::vector<uint64_t> results = runBatch(batch, rows);
  int reported = 0;
  for (size_t i = 0; i < results.size() && reported < 3; ++i) {
    uint64_t expected = evaluateInteger(opcode, rows[i], fourth);
    if (results[i] == expected)
      continue;
    ++reported;
    ADD_FAILURE() << text << " of " << describe(rows[i], shape.count) << " is "
                  << describe({results[i]}, 1) << ", by the model "
                  << describe({expected}, 1);
  }
}

static Shape filled(Shape shape, const Opcode &opcode) {
  int bits = registerBits(opcode);
  if (!shape.resultBits)
    shape.resultBits = bits;
  for (int &source : shape.sourceBits)
    source = source ? source : bits;
  return shape;
}

static std::vector<Operands> rowsFor(const Shape &shape) {
  if (shape.count < 3)
    return combinations(specialIntegers(shape.sourceBits[0]), shape.count,
                        shape.sourceBits[0], 500);
  std::array<std::vector<uint64_t>, 3> values;
  for (size_t i = 0; i < 3; ++i)
    values[i] = specialIntegers(shape.sourceBits[i]);
  return combinations(values);
}

static void checkTable(std::initializer_list<const char *> patterns,
                       const Shape &shape = {}) {
  for (const std::string &text : expandAll(patterns)) {
    Opcode opcode(text);
    Shape full = filled(shape, opcode);
    compareRows(opcode, text + " %r, " + full.operands + ";", full,
                rowsFor(full));
  }
}

/// All types of arithmetic.
#define TYPES "{u16,s16,u32,s32,u64,s64}"

TEST(EmulatorSemantics, IntegerSumsAndExtrema) {
  checkTable({"{add,sub,min,max}." TYPES, "{add,sub}.sat.s32",
              "add.{u16x2,s16x2}", "{min,max}.{u16x2,s16x2}",
              "{min,max}.relu.{s32,s16x2}"});
  checkTable({"{abs,neg}.{s16,s32,s64}"}, {"%a", 1});
  checkTable({"sad." TYPES}, {"%a, %b, %c", 3});
}

TEST(EmulatorSemantics, IntegerProducts) {
  checkTable({"mul.{lo,hi}." TYPES, "mul24.{lo,hi}.{u32,s32}"});
  checkTable({"mul.wide.{u16,s16}"}, {"%a, %b", 2, 32});
  checkTable({"mul.wide.{u32,s32}"}, {"%a, %b", 2, 64});
  checkTable({"mad.{lo,hi}." TYPES, "mad.hi.sat.s32", "mad24.{lo,hi}.{u32,s32}",
              "mad24.hi.sat.s32"},
             {"%a, %b, %c", 3});
  checkTable({"mad.wide.{u16,s16}"}, {"%a, %b, %c", 3, 32, {16, 16, 32}});
  checkTable({"mad.wide.{u32,s32}"}, {"%a, %b, %c", 3, 64, {32, 32, 64}});
  checkTable({"dp4a.{u32,s32}.{u32,s32}", "dp2a.{lo,hi}.{u32,s32}.{u32,s32}"},
             {"%a, %b, %c", 3});
}

TEST(EmulatorSemantics, IntegerQuotients) { checkTable({"{div,rem}." TYPES}); }

TEST(EmulatorSemantics, Shifts) {
  checkTable({"{shl,shr}.b16", "shr.{u16,s16}"},
             {"%a, %b", 2, 0, {16, 32, 32}});
  checkTable({"{shl,shr}.b32", "shr.{u32,s32}"});
  // A 64-bit shift takes a 32-bit amount.
  for (const char *opcode : {"shl.b64", "shr.b64", "shr.u64", "shr.s64"}) {
    Shape shape{"%a, %b", 2, 64, {64, 32, 32}};
    compareRows(Opcode(opcode), std::string(opcode) + " %r, %a, %b;", shape,
                combinations({specialIntegers(64), specialIntegers(32), {0}}));
  }
  checkTable({"shf.{l,r}.{clamp,wrap}.b32"}, {"%a, %b, %c", 3});
}

TEST(EmulatorSemantics, Bits) {
  checkTable({"{and,or,xor}.{b16,b32,b64}"});
  checkTable({"{not,cnot}.{b16,b32,b64}", "brev.{b32,b64}"}, {"%a", 1});
  checkTable({"{popc,clz}.{b32,b64}", "bfind{,.shiftamt}.{u32,s32,u64,s64}"},
             {"%a", 1, 32});
  checkTable({"bmsk.{clamp,wrap}.b32", "szext.{clamp,wrap}.{u32,s32}"});
  for (uint64_t table : {0x00, 0x1A, 0x96, 0xE8, 0xF0, 0xFF, 0x80, 0x01}) {
    Opcode opcode("lop3.b32");
    Shape shape = filled({"%a, %b, %c", 3}, opcode);
    compareRows(opcode,
                "lop3.b32 %r, %a, %b, %c, " + std::to_string(table) + ";",
                shape, rowsFor(shape), table);
  }
}

TEST(EmulatorSemantics, BitFields) {
  std::vector<uint64_t> places = {0,  1,  4,  15, 28,  31,  32,
                                  33, 60, 63, 64, 127, 200, 255};
  for (const char *text : {"bfe.u32", "bfe.s32", "bfe.u64", "bfe.s64"}) {
    Opcode opcode(text);
    int width = widthOf(opcode.type());
    auto beyond = places; // only the low byte counts
    beyond.push_back(0x104);
    compareRows(opcode, std::string(text) + " %r, %a, %b, %c;",
                {"", 3, width, {width, 32, 32}},
                combinations({specialIntegers(width), beyond, beyond}));
  }
  for (const char *text : {"bfi.b32", "bfi.b64"})
    for (uint64_t length : places) {
      Opcode opcode(text);
      int width = widthOf(opcode.type());
      compareRows(opcode,
                  std::string(text) + " %r, %a, %b, %c, " +
                      std::to_string(length) + ";",
                  {"", 3, width, {width, width, 32}},
                  combinations({specialIntegers(width),
                                {0, 0x5A5A5A5A, ~uint64_t(0) >> (64 - width)},
                                places}),
                  length);
    }
  std::vector<uint64_t> bases, offsets;
  for (int i = 0; i < 40; ++i) {
    if (i < 32)
      bases.push_back(uint64_t(i));
    offsets.push_back(uint32_t(i - 20));
  }
  compareRows(Opcode("fns.b32"), "fns.b32 %r, %a, %b, %c;",
              {"", 3, 32, {32, 32, 32}},
              combinations({specialIntegers(32), bases, offsets}));
}

TEST(EmulatorSemantics, Permutes) {
  checkTable({"prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}"}, {"%a, %b, %c", 3});
}

TEST(EmulatorSemantics, Carries) {
  // The flag is what the next instruction adds to nothing.
  auto check = [](const char *width, const char *text, auto carryOf) {
    int bits = widthOf(width);
    auto values = specialIntegers(bits);
    auto rows = combinations({values, values, values});
    std::string whole = text;
    for (size_t at; (at = whole.find("TYPE")) != std::string::npos;)
      whole.replace(at, 4, width);
    Batch batch{whole, bits, {bits, bits, bits}};
    std::vector<uint64_t> results = runBatch(batch, rows);
    for (size_t i = 0; i < results.size(); ++i) {
      Whole expected = carryOf(Whole::ofBits(rows[i][0], bits, false),
                               Whole::ofBits(rows[i][1], bits, false),
                               Whole::ofBits(rows[i][2], bits, false));
      ASSERT_EQ(results[i], expected.bits(bits))
          << whole << " of " << describe(rows[i], 3);
    }
  };
  for (const char *width : {"u32", "u64"}) {
    int bits = widthOf(width);
    // floor(value / 2^bits), of a value that may be below 0.
    auto over = [bits](const Whole &value) {
      if (value.negative)
        return Whole::of(-1);
      return Whole{false, value.magnitude >> bits};
    };
    check(width, "add.cc.TYPE %r, %a, %b; addc.TYPE %r, %c, 0;",
          [&](Whole a, Whole b, Whole c) { return c + over(a + b); });
    check(width, "sub.cc.TYPE %r, %a, %b; subc.TYPE %r, %c, 0;",
          [&](Whole a, Whole b, Whole c) { return c + over(a - b); });
    check(width, "mad.lo.cc.TYPE %r, %a, %b, %c; madc.hi.TYPE %r, %a, %b, 0;",
          [&](Whole a, Whole b, Whole c) { return over(a * b + c); });
    check(width, "mad.hi.cc.TYPE %r, %a, %b, %c; addc.TYPE %r, 0, 0;",
          [&](Whole a, Whole b, Whole c) { return over(over(a * b) + c); });
  }
}
