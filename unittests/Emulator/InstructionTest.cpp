//===- InstructionTest.cpp - Instructions as the PTX manual defines them --===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values are worked out by hand from the definitions in the PTX ISA.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <cmath>

using namespace heddle::emulator;
using namespace heddle::emulator::test;

namespace {
/// %r0 = instruction(%r1, %r2, %r3).
struct Row {
  const char *instruction;
  uint32_t a, b, c, expected;
};

void check(std::initializer_list<Row> rows) {
  for (const Row &row : rows)
    EXPECT_EQ(evaluate32(row.instruction, row.a, row.b, row.c), row.expected)
        << row.instruction << " of " << row.a << ", " << row.b << ", " << row.c;
}

constexpr uint32_t minus(uint32_t value) { return 0 - value; }
} // namespace

TEST(EmulatorInstruction, CarriesIntoTheNextWord) {
  // 2^64 - 1 + 1 and 0 - 1 in words of 32 bits.
  check({{"add.cc.u32 %r4, %r1, 1; addc.u32 %r0, %r2, 0;", ~0u, ~0u, 0, 0},
         {"add.cc.u32 %r4, %r1, 1; addc.cc.u32 %r5, %r2, 0;\n"
          "addc.u32 %r0, 0, 0;",
          ~0u, ~0u, 0, 1},
         {"add.cc.s32 %r4, %r1, 1; addc.s32 %r0, %r2, 5;", 7, 8, 0, 13},
         {"sub.cc.u32 %r4, %r1, 1; subc.u32 %r0, %r2, 0;", 0, 9, 0, 8},
         {"sub.cc.u32 %r4, %r1, 1; subc.cc.u32 %r5, %r2, 0;\n"
          "subc.u32 %r0, 10, 0;",
          0, 0, 0, 9},
         {"sub.cc.u32 %r4, %r1, 1; subc.u32 %r0, %r2, 3;", 1, 9, 0, 6},
         // 0xFFFFFFFF * 2 + 3 = 2 * 2^32 + 1
         {"mad.lo.cc.u32 %r0, %r1, %r2, %r3;", ~0u, 2, 3, 1},
         {"mad.lo.cc.u32 %r4, %r1, %r2, %r3; madc.hi.u32 %r0, %r1, %r2, 0;",
          ~0u, 2, 3, 2},
         {"mad.hi.cc.u32 %r4, %r1, %r2, %r3; addc.u32 %r0, 0, 0;", ~0u, ~0u, 2,
          1},
         {"mad.hi.cc.s32 %r0, %r1, %r2, %r3;", minus(1), 5, 7, 6}});
  // The full product of two 64-bit numbers, 2^64 - 1 squared.
  EXPECT_EQ(evaluate("mad.lo.cc.u64 %x2, %x1, %x1, 0;\n"
                     "madc.hi.u64 %x0, %x1, %x1, 0;",
                     ~0u, ~0u),
            ~uint64_t(0) - 1);
}

TEST(EmulatorInstruction, IntegersOfOddWidths) {
  check({{"mul24.lo.u32 %r0, %r1, %r2;", 0xFF800000, 4, 0, 0x02000000},
         {"mul24.lo.s32 %r0, %r1, %r2;", 0x00FFFFFF, 7, 0, minus(7)},
         {"mul24.hi.u32 %r0, %r1, %r2;", 0x00FFFFFF, 0x00FFFFFF, 0, 0xFFFFFE00},
         {"mul24.hi.s32 %r0, %r1, %r2;", 0x00800000, 0x00000002, 0, minus(256)},
         {"mad24.lo.s32 %r0, %r1, %r2, %r3;", 0x00FFFFFF, 7, 10, 3},
         {"mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", 0x007FFFFF, 0x007FFFFF,
          0x7FFFFFFF, 0x7FFFFFFF},
         {"dp4a.u32.u32 %r0, %r1, %r2, %r3;", 0x04030201, 0x281E140A, 5, 305},
         {"dp4a.s32.s32 %r0, %r1, %r2, %r3;", 0xFF02FE01, 0x01010101, 1, 1},
         {"dp4a.s32.u32 %r0, %r1, %r2, %r3;", 0xFF000000, 0xFF000000, 0,
          minus(255)},
         {"dp2a.lo.s32.s32 %r0, %r1, %r2, %r3;", 0xFFFF0003, 0x09080705, 1, 9},
         {"dp2a.hi.u32.u32 %r0, %r1, %r2, %r3;", 0x00020003, 0x09080705, 1, 43},
         {"sad.s32 %r0, %r1, %r2, %r3;", minus(3), 4, 10, 17},
         {"sad.u32 %r0, %r1, %r2, %r3;", 9, 4, 10, 15},
         {"mad.hi.s32 %r0, %r1, %r2, %r3;", 1u << 30, 8, 3, 5},
         {"neg.s32 %r0, %r1;", 1u << 31, 0, 0, 1u << 31},
         {"abs.s32 %r0, %r1;", 1u << 31, 0, 0, 1u << 31},
         {"add.sat.s32 %r0, %r1, %r2;", 0x7FFFFFFF, 5, 0, 0x7FFFFFFF},
         {"sub.sat.s32 %r0, %r1, %r2;", 1u << 31, 5, 0, 1u << 31},
         {"add.u16x2 %r0, %r1, %r2;", 0x0001FFFF, 0x00010001, 0, 0x00020000},
         {"min.s16x2 %r0, %r1, %r2;", 0x0001FFFF, 0x00020001, 0, 0x0001FFFF},
         {"max.u16x2 %r0, %r1, %r2;", 0x0001FFFF, 0x00020001, 0, 0x0002FFFF},
         {"rem.u32 %r0, %r1, %r2;", 0xFFFFFFFF, 10, 0, 5},
         {"mul.wide.u16 %r0, %h1, %h3;", 0xFFFF, 0xFFFF, 0, 0xFFFE0001},
         {"mul.wide.s16 %r0, %h1, %h3;", 0xFFFF, 0x0002, 0, minus(2)},
         {"mad.wide.s16 %r0, %h1, %h3, %r3;", 0xFFFF, 2, 9, 7}});
}

TEST(EmulatorInstruction, BitFields) {
  check({{"bmsk.clamp.b32 %r0, %r1, %r2;", 4, 8, 0, 0xFF0},
         {"bmsk.clamp.b32 %r0, %r1, %r2;", 32, 8, 0, 0},
         {"bmsk.clamp.b32 %r0, %r1, %r2;", 4, 40, 0, 0xFFFFFFF0},
         {"bmsk.wrap.b32 %r0, %r1, %r2;", 36, 40, 0, 0xFF0},
         {"bmsk.wrap.b32 %r0, %r1, %r2;", 28, 8, 0, 0xF0000000},
         {"szext.clamp.s32 %r0, %r1, %r2;", 0xF8, 4, 0, minus(8)},
         {"szext.clamp.u32 %r0, %r1, %r2;", 0xF8, 4, 0, 8},
         {"szext.clamp.s32 %r0, %r1, %r2;", 0xF8, 35, 0, 0xF8},
         {"szext.wrap.s32 %r0, %r1, %r2;", 0xF5, 35, 0, minus(3)},
         {"szext.wrap.s32 %r0, %r1, %r2;", 0xF5, 32, 0, 0},
         {"fns.b32 %r0, %r1, %r2, 0;", 0x10, 4, 0, 4},
         {"fns.b32 %r0, %r1, %r2, 0;", 0x10, 5, 0, ~0u},
         {"fns.b32 %r0, %r1, %r2, 2;", 0x1C2, 2, 0, 7},
         {"fns.b32 %r0, %r1, %r2, -2;", 0x1C2, 7, 0, 6},
         {"fns.b32 %r0, %r1, %r2, 9;", 0x1C2, 0, 0, ~0u},
         {"bfe.s32 %r0, %r1, 28, 8;", 0x80000000, 0, 0, minus(8)},
         {"bfe.s32 %r0, %r1, 4, 0;", 0x80000000, 0, 0, 0},
         {"bfe.u32 %r0, %r1, 40, 8;", 0xFFFFFFFF, 0, 0, 0},
         {"bfi.b32 %r0, %r1, %r2, 28, 8;", 0xAB, 0x0, 0, 0xB0000000},
         {"bfi.b32 %r0, %r1, %r2, 8, 0;", 0xAB, 0x1234, 0, 0x1234},
         {"bfind.s32 %r0, %r1;", minus(9), 0, 0, 3},
         {"bfind.s32 %r0, %r1;", ~0u, 0, 0, ~0u},
         {"bfind.shiftamt.u32 %r0, %r1;", 0x100, 0, 0, 23},
         {"cnot.b32 %r0, %r1;", 0, 0, 0, 1},
         {"cnot.b32 %r0, %r1;", 7, 0, 0, 0},
         {"not.b32 %r0, %r1;", 0xF0F0F0F0, 0, 0, 0x0F0F0F0F},
         {"shf.l.clamp.b32 %r0, %r1, %r2, 40;", 0xAA, 0xBB, 0, 0xAA},
         {"shf.r.clamp.b32 %r0, %r1, %r2, 40;", 0xAA, 0xBB, 0, 0xBB},
         {"shf.l.wrap.b32 %r0, %r1, %r2, 40;", 0xAA000000, 0xBB, 0, 0xBBAA},
         {"lop3.b32 %r0, %r1, %r2, %r3, 0xE8;", 0xF0, 0xCC, 0xAA, 0xE8},
         {"lop3.b32 %r0, %r1, %r2, %r3, 0x1A;", 0xF0, 0xCC, 0xAA, 0x1A}});
}

TEST(EmulatorInstruction, PermutesBytes) {
  const uint32_t a = 0x33221180, b = 0x77665544;
  check({{"prmt.b32 %r0, %r1, %r2, 0x7241;", a, b, 0, 0x77224411},
         {"prmt.b32 %r0, %r1, %r2, 0x98F0;", a, b, 0, 0x00FF0080},
         {"prmt.b32.f4e %r0, %r1, %r2, 1;", a, b, 0, 0x44332211},
         {"prmt.b32.f4e %r0, %r1, %r2, 3;", a, b, 0, 0x66554433},
         {"prmt.b32.b4e %r0, %r1, %r2, 1;", a, b, 0, 0x66778011},
         {"prmt.b32.rc8 %r0, %r1, %r2, 2;", a, b, 0, 0x22222222},
         {"prmt.b32.ecl %r0, %r1, %r2, 2;", a, b, 0, 0x33222222},
         {"prmt.b32.ecr %r0, %r1, %r2, 2;", a, b, 0, 0x22221180},
         {"prmt.b32.rc16 %r0, %r1, %r2, 1;", a, b, 0, 0x33223322}});
}

TEST(EmulatorInstruction, Minima) {
  const uint32_t nan = 0x7FFFFFFF;
  check({{"min.xorsign.abs.f32 %r0, %r1, %r2;", bits(-3), bits(2), 0, bits(-2)},
         {"max.xorsign.abs.f32 %r0, %r1, %r2;", bits(-3), bits(-2), 0, bits(3)},
         {"min.xorsign.abs.f32 %r0, %r1, %r2;", bits(3), bits(-5), 0, bits(-3)},
         {"min.f32 %r0, %r1, %r2;", bits(0.0f), bits(-0.0f), 0, bits(-0.0f)},
         {"max.f32 %r0, %r1, %r2;", bits(-0.0f), bits(0.0f), 0, bits(0.0f)},
         {"min.NaN.f32 %r0, %r1, %r2;", bits(3), nan, 0, nan},
         {"min.ftz.f32 %r0, %r1, %r2;", 1, 2, 0, 0},
         // f16x2: 1 and NaN against 2 and 3.
         {"min.f16x2 %r0, %r1, %r2;", 0x3C007E00, 0x40004200, 0, 0x3C004200},
         {"max.NaN.bf16x2 %r0, %r1, %r2;", 0x3F807FC0, 0x40004040, 0,
          0x40007FFF}});
}

TEST(EmulatorInstruction, FloatArithmetic) {
  check(
      {{"fma.rz.f32 %r0, %r1, %r2, %r3;", bits(1), bits(1), bits(-0x1p-30f),
        bits(0x1.fffffep-1f)},
       {"fma.rp.f32 %r0, %r1, %r2, %r3;", bits(1), bits(1), bits(0x1p-30f),
        bits(0x1.000002p0f)},
       {"fma.rn.sat.f32 %r0, %r1, %r2, %r3;", bits(-4), bits(1), bits(1), 0},
       {"fma.rn.relu.f16x2 %r0, %r1, %r2, %r3;", 0x3C00BC00, 0x3C003C00,
        0x00000000, 0x3C000000},
       {"mul.rn.bf16x2 %r0, %r1, %r2;", 0x40403FC0, 0x40004000, 0, 0x40C04040},
       {"sub.rn.f16x2 %r0, %r1, %r2;", 0x3C004000, 0x40003C00, 0, 0xBC003C00},
       {"rcp.rn.f32 %r0, %r1;", bits(4), 0, 0, bits(0.25f)},
       {"rcp.approx.ftz.f32 %r0, %r1;", 1, 0, 0, bits(INFINITY)},
       {"sqrt.rn.f32 %r0, %r1;", bits(2.25f), 0, 0, bits(1.5f)},
       {"rsqrt.approx.f32 %r0, %r1;", bits(0.25f), 0, 0, bits(2)},
       {"lg2.approx.f32 %r0, %r1;", bits(8), 0, 0, bits(3)},
       {"ex2.approx.f32 %r0, %r1;", bits(-149), 0, 0, 1},
       {"ex2.approx.ftz.f32 %r0, %r1;", bits(-149), 0, 0, 0},
       {"tanh.approx.f32 %r0, %r1;", bits(0), 0, 0, 0},
       {"div.rn.f32 %r0, %r1, %r2;", bits(1), bits(3), 0, bits(1.0f / 3)},
       {"div.rz.f32 %r0, %r1, %r2;", bits(2), bits(3), 0, 0x3F2AAAAA},
       {"sin.approx.f32 %r0, %r1;", 0, 0, 0, 0},
       {"cos.approx.f32 %r0, %r1;", 0, 0, 0, bits(1)},
       {"ex2.approx.f16x2 %r0, %r1;", 0x40003C00, 0, 0, 0x44004000},
       {"abs.bf16x2 %r0, %r1;", 0xBF80BF80, 0, 0, 0x3F803F80},
       {"neg.f16x2 %r0, %r1;", 0x3C00BC00, 0, 0, 0xBC003C00}});
  EXPECT_EQ(predicate("testp.subnormal.f32 %p0, %r1;", 1), 1u);
  EXPECT_EQ(predicate("testp.finite.f32 %p0, %r1;", bits(INFINITY)), 0u);
  EXPECT_EQ(predicate("testp.notanumber.f32 %p0, %r1;", 0x7FC00000), 1u);
}

TEST(EmulatorInstruction, ConvertsIntegers) {
  check(
      {{"cvt.u32.u8 %r0, %r1;", 0x1FF, 0, 0, 0xFF},
       {"cvt.s32.s16 %r0, %r1;", 0x18000, 0, 0, minus(0x8000)},
       {"cvt.sat.s8.s32 %r0, %r1;", 300, 0, 0, 127},
       {"cvt.sat.u8.s32 %r0, %r1;", minus(3), 0, 0, 0},
       {"cvt.s8.s32 %r0, %r1;", 0x80, 0, 0, minus(128)},
       {"cvt.pack.sat.s16.s32 %r0, %r1, %r2;", 70000, minus(70000), 0,
        0x7FFF8000},
       {"cvt.pack.sat.u16.s32 %r0, %r1, %r2;", 70000, minus(1), 0, 0xFFFF0000},
       {"cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;", 300, minus(5),
        0xABCD1234, 0x1234FF00},
       {"cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, %r3;", 5, minus(300), 7,
        0x00070580},
       {"cvt.rmi.s32.f32 %r0, %r1;", bits(-2.5f), 0, 0, minus(3)},
       {"cvt.rpi.s32.f32 %r0, %r1;", bits(2.25f), 0, 0, 3},
       {"cvt.rni.s32.f32 %r0, %r1;", bits(3.5f), 0, 0, 4},
       {"cvt.rzi.u32.f32 %r0, %r1;", bits(5e9f), 0, 0, ~0u},
       {"cvt.rzi.s32.f32 %r0, %r1;", 0x7FC00000, 0, 0, 0},
       {"cvt.rz.f32.u32 %r0, %r1;", 0x1FFFFFF, 0, 0, bits(0x1.fffffep24f)},
       {"cvt.rp.f32.u32 %r0, %r1;", 0x1FFFFFF, 0, 0, bits(0x1p25f)}});
  EXPECT_EQ(evaluate("cvt.rzi.s64.f32 %x0, %r1;", bits(-1e10f)),
            uint64_t(-10000000000));
  EXPECT_EQ(evaluate("cvt.rn.f64.u64 %x0, %x1;", ~0u, ~0u),
            std::bit_cast<uint64_t>(0x1p64));
}

TEST(EmulatorInstruction, ConvertsNarrowFloats) {
  check({{"cvt.rz.f16x2.f32 %r0, %r1, %r2;", bits(65519), bits(2049), 0,
          0x7BFF6800},
         {"cvt.rn.relu.f16x2.f32 %r0, %r1, %r2;", bits(-1), bits(1), 0,
          0x00003C00},
         {"cvt.rz.bf16x2.f32 %r0, %r1, %r2;", bits(0x1.ffp0f), bits(1), 0,
          0x3FFF3F80},
         {"cvt.rn.f16x2.e4m3x2 %r0, %h1;", 0x387E, 0, 0, 0x3C005F00},
         {"cvt.rn.f16x2.e5m2x2 %r0, %h1;", 0x3C7B, 0, 0, 0x3C007B00},
         {"cvt.rn.f16.f32 %h2, %r1; cvt.u32.u16 %r0, %h2;", bits(0x1p-25f), 0,
          0, 0},
         {"cvt.rn.f16.f32 %h2, %r1; cvt.u32.u16 %r0, %h2;", bits(0x1.8p-25f), 0,
          0, 1},
         {"cvt.f32.bf16 %r0, %h1;", 0xC0A0, 0, 0, bits(-5)},
         {"cvt.rna.tf32.f32 %r0, %r1;", 0x3F800FFF, 0, 0, 0x3F800000},
         {"cvt.rn.satfinite.e4m3x2.f32 %h2, %r1, %r2; cvt.u32.u16 %r0, %h2;",
          bits(-500), bits(0x1p-9f), 0, 0xFE01},
         {"cvt.rn.satfinite.e5m2x2.f32 %h2, %r1, %r2; cvt.u32.u16 %r0, %h2;",
          bits(1e9f), bits(1.125f), 0, 0x7B3C},
         {"cvt.rn.satfinite.e4m3x2.f16x2 %h2, %r1; cvt.u32.u16 %r0, %h2;",
          0x3C004000, 0, 0, 0x3840},
         {"cvt.rn.satfinite.relu.e4m3x2.f32 %h2, %r1, %r2;\n"
          "cvt.u32.u16 %r0, %h2;",
          bits(-1), bits(2), 0, 0x0040}});
}

TEST(EmulatorInstruction, ComparesAndSelects) {
  EXPECT_EQ(predicate("setp.ltu.f32 %p0, %r1, %r2;", 0x7FC00000, bits(1)), 1u);
  EXPECT_EQ(predicate("setp.num.f32 %p0, %r1, %r2;", 0x7FC00000, bits(1)), 0u);
  EXPECT_EQ(predicate("setp.ls.u32 %p0, %r1, %r2;", 5, 5), 1u);
  EXPECT_EQ(predicate("setp.eq.ftz.f32 %p0, %r1, %r2;", 1, 0), 1u);
  EXPECT_EQ(predicate("setp.lt.u64 %p0, %x1, 8589934592;", 7, 1), 1u);
  EXPECT_EQ(predicate("setp.gt.f16 %p0, %h1, %h3;", 0x4000, 0x3C00), 1u);
  check(
      {{"set.eq.f32.s32 %r0, %r1, %r2;", 3, 3, 0, bits(1)},
       {"setp.eq.s32 %p1, %r3, 9; set.lt.and.u32.s32 %r0, %r1, %r2, %p1;", 1, 2,
        0, 0},
       {"setp.eq.s32 %p1, %r3, 9; set.lt.and.u32.s32 %r0, %r1, %r2, %p1;", 1, 2,
        9, ~0u},
       {"slct.s32.f32 %r0, %r1, %r2, %r3;", 1, 2, bits(-0.0f), 1},
       {"slct.s32.f32 %r0, %r1, %r2, %r3;", 1, 2, bits(-1), 2},
       {"setp.gt.s32 %p1, %r3, 0; selp.b32 %r0, %r1, %r2, %p1;", 1, 2, 3, 1}});
}

TEST(EmulatorInstruction, ReadsNoDeeperThanItMust) {
  std::string error;
  for (char bracket : {'[', '{'}) {
    TestKernel kernel("mov.b32 " + std::string(100000, bracket) + ";");
    EXPECT_FALSE(Program::parse(kernel.text(), error));
    EXPECT_EQ(error, "ptx:11: brackets inside of brackets");
  }
  for (const char *variable :
       {".local .align 3 .b8 x[4];", ".shared .b8 x[9223372036854775807];",
        ".local .b8 x[65536][65536][65536];"}) {
    TestKernel kernel(variable);
    EXPECT_FALSE(Program::parse(kernel.text(), error)) << variable;
  }
  EXPECT_FALSE(Program::parse(".visible .entry k() }", error));
  TestKernel kernel(".local .b8 x[1000000];");
  expectError(kernel.run(), "1000000 bytes of local memory");
}

TEST(EmulatorInstruction, TellsWhatItDoesNotKnow) {
  // A modifier too many, a missing mode, a type that the family has not.
  for (const char *instruction :
       {"add.cc.f32 %r0, %r1, %r2;", "bmsk.b32 %r0, %r1, %r2;",
        "mul24.sat.s32 %r0, %r1, %r2;", "dp4a.u32.u64 %r0, %r1, %r2, %r3;",
        "min.xorsign.f32 %r0, %r1, %r2;", "cvt.pack.s8.s32.b32 %r0, %r1, %r2;",
        "lop3.or.b32 %r0, %r1, %r2, %r3, 3;"}) {
    std::string error;
    TestKernel kernel(instruction);
    EXPECT_FALSE(Program::parse(kernel.text(), error)) << instruction;
    EXPECT_TRUE(error.starts_with("ptx:11: ")) << error;
  }
}
