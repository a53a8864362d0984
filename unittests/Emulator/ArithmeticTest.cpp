//===- ArithmeticTest.cpp - Lane by lane instructions ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few examples of each kind of arithmetic, with results worked out by hand. A
// broken handler fails here by name; Semantics/ compares the same instructions
// with models on many operands.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <cmath>

using namespace heddle::emulator;
using namespace heddle::emulator::test;

TEST(EmulatorArithmetic, Integers) {
  EXPECT_EQ(evaluate32("add.s32 %r0, %r1, %r2;", 7, ~0u), 6u);
  EXPECT_EQ(evaluate32("sub.s32 %r0, %r1, 9;", 7), uint32_t(-2));
  EXPECT_EQ(evaluate32("mul.lo.s32 %r0, %r1, %r2;", 1 << 20, 1 << 15), 0u);
  EXPECT_EQ(evaluate32("mul.hi.u32 %r0, %r1, %r2;", 1u << 31, 6), 3u);
  EXPECT_EQ(evaluate32("mul.hi.s32 %r0, %r1, %r2;", ~0u, 5), ~0u);
  EXPECT_EQ(evaluate("mul.wide.s32 %x0, %r1, %r2;", uint32_t(-3), 4),
            uint64_t(-12));
  EXPECT_EQ(evaluate("mad.wide.u32 %x0, %r1, %r2, %x1;", 3, 4),
            12 + (uint64_t(4) << 32 | 3));
  EXPECT_EQ(evaluate32("mad.lo.s32 %r0, %r1, %r2, %r3;", 3, 4, 5), 17u);
  EXPECT_EQ(evaluate32("div.s32 %r0, %r1, %r2;", uint32_t(-7), 2),
            uint32_t(-3));
  EXPECT_EQ(evaluate32("div.s32 %r0, %r1, -1;", 1u << 31), 1u << 31);
  EXPECT_EQ(evaluate32("rem.s32 %r0, %r1, %r2;", uint32_t(-7), 4),
            uint32_t(-3));
  EXPECT_EQ(evaluate32("min.relu.s32 %r0, %r1, %r2;", uint32_t(-7), 4), 0u);
  EXPECT_EQ(evaluate32("min.relu.s32 %r0, %r1, %r2;", 7, 4), 4u);
  EXPECT_EQ(evaluate32("max.relu.s32 %r0, %r1, %r2;", uint32_t(-7), -4u), 0u);
  EXPECT_EQ(evaluate32("min.s32 %r0, %r1, %r2;", uint32_t(-7), 4),
            uint32_t(-7));
  EXPECT_EQ(evaluate32("max.u32 %r0, %r1, %r2;", uint32_t(-7), 4),
            uint32_t(-7));
  EXPECT_EQ(evaluate32("abs.s32 %r0, %r1;", uint32_t(-7)), 7u);
}

TEST(EmulatorArithmetic, Bits) {
  EXPECT_EQ(evaluate32("shl.b32 %r0, %r1, 40;", 1), 0u);
  EXPECT_EQ(evaluate32("shr.s32 %r0, %r1, 40;", 1u << 31), ~0u);
  EXPECT_EQ(evaluate32("shr.u32 %r0, %r1, %r2;", 0x80, 4), 8u);
  EXPECT_EQ(evaluate32("bfe.u32 %r0, %r1, 4, 8;", 0x12345), 0x34u);
  EXPECT_EQ(evaluate32("bfe.s32 %r0, %r1, 4, 4;", 0x80), uint32_t(-8));
  EXPECT_EQ(evaluate32("bfi.b32 %r0, %r1, %r2, 8, 4;", 0xABC, 0xFFFF), 0xFCFFu);
  EXPECT_EQ(evaluate32("clz.b32 %r0, %r1;", 0x10), 27u);
  EXPECT_EQ(evaluate32("popc.b32 %r0, %r1;", 0xF1), 5u);
  EXPECT_EQ(evaluate32("brev.b32 %r0, %r1;", 1), 1u << 31);
  EXPECT_EQ(evaluate32("bfind.u32 %r0, %r1;", 0x100), 8u);
  EXPECT_EQ(
      evaluate32("prmt.b32 %r0, %r1, %r2, 0x5410;", 0x11223344, 0xAABBCCDD),
      0xCCDD3344u);
  EXPECT_EQ(evaluate32("shf.l.wrap.b32 %r0, %r1, %r2, 8;", 0xAA000000, 0x1),
            0x1AAu);
  EXPECT_EQ(evaluate32("shf.r.wrap.b32 %r0, %r1, %r2, 8;", 0x1200, 0xFF),
            0xFF000012u);
  EXPECT_EQ(evaluate32("lop3.b32 %r0, %r1, %r2, %r3, 0x96;", 1, 3, 4), 6u);
}

TEST(EmulatorArithmetic, Floats) {
  EXPECT_EQ(
      evaluate32("fma.rn.f32 %r0, %r1, %r2, 0f3F800000;", bits(3), bits(2)),
      bits(7));
  EXPECT_EQ(evaluate32("max.f32 %r0, %r1, %r2;", bits(NAN), bits(2)), bits(2));
  EXPECT_EQ(evaluate32("max.NaN.f32 %r0, %r1, %r2;", bits(NAN), bits(2)),
            0x7FFFFFFFu);
  EXPECT_EQ(evaluate32("add.ftz.f32 %r0, %r1, %r1;", 1), 0u);
  EXPECT_EQ(evaluate32("add.sat.f32 %r0, %r1, %r1;", bits(3)), bits(1));
  EXPECT_EQ(evaluate32("add.rz.f32 %r0, %r1, %r2;", bits(1), bits(0x1.8p-24f)),
            bits(1));
  EXPECT_EQ(evaluate32("add.rn.f32 %r0, %r1, %r2;", bits(1), bits(0x1.8p-24f)),
            bits(1.0f + 0x1p-23f));
  EXPECT_EQ(evaluate32("ex2.approx.ftz.f32 %r0, %r1;", bits(3)), bits(8));
  EXPECT_EQ(evaluate32("neg.f32 %r0, %r1;", bits(3)), bits(-3));
  EXPECT_EQ(evaluate32("copysign.f32 %r0, %r1, %r2;", bits(-1), bits(3)),
            bits(-3));
  EXPECT_EQ(evaluate32("div.full.f32 %r0, %r1, %r2;", bits(1), bits(4)),
            bits(0.25f));
}

TEST(EmulatorArithmetic, Halves) {
  // 1.5 and 2 in f16; 1.5 and 2 in bf16.
  EXPECT_EQ(evaluate32("add.rn.f16x2 %r0, %r1, %r2;", 0x40003E00, 0x40003E00),
            0x44004200u);
  EXPECT_EQ(
      evaluate32("fma.rn.bf16x2 %r0, %r1, %r2, %r2;", 0x40003FC0, 0x40003FC0),
      0x40C04070u);
  EXPECT_EQ(evaluate32("add.rn.f16 %h1, %h1, %h2; mov.b32 %r0, {%h1, %h1};",
                       0x40003E00),
            0x43004300u);
}

TEST(EmulatorArithmetic, Conversions) {
  EXPECT_EQ(evaluate32("cvt.rn.f16x2.f32 %r0, %r1, %r2;", bits(2), bits(1.5f)),
            0x40003E00u);
  EXPECT_EQ(evaluate32("cvt.rn.bf16x2.f32 %r0, %r1, %r2;", bits(2), bits(1.5f)),
            0x40003FC0u);
  EXPECT_EQ(evaluate32("cvt.f32.f16 %r0, %h1;", 0x0001), bits(0x1p-24f));
  EXPECT_EQ(evaluate32("cvt.rzi.s32.f32 %r0, %r1;", bits(-2.7f)), uint32_t(-2));
  EXPECT_EQ(evaluate32("cvt.rni.s32.f32 %r0, %r1;", bits(2.5f)), 2u);
  EXPECT_EQ(evaluate32("cvt.rpi.f32.f32 %r0, %r1;", bits(2.2f)), bits(3));
  EXPECT_EQ(evaluate32("cvt.rzi.u32.f32 %r0, %r1;", bits(-2.7f)), 0u);
  EXPECT_EQ(evaluate32("cvt.rzi.s32.f32 %r0, %r1;", bits(1e20f)), 0x7FFFFFFFu);
  EXPECT_EQ(evaluate32("cvt.rn.f32.s32 %r0, %r1;", uint32_t(-5)), bits(-5));
  EXPECT_EQ(evaluate("cvt.s64.s32 %x0, %r1;", uint32_t(-5)), uint64_t(-5));
  EXPECT_EQ(evaluate("cvt.u64.u32 %x0, %r1;", ~0u), 0xFFFFFFFFu);
  EXPECT_EQ(evaluate32("cvt.s32.s8 %r0, %r1;", 0x1F0), uint32_t(-16));
  EXPECT_EQ(evaluate32("cvt.rn.satfinite.e4m3x2.f32 %h1, %r1, %r2; "
                       "mov.b32 %r0, {%h1, %h5};",
                       bits(1), bits(1e9f)) &
                0xFFFF,
            0x387Eu);
  EXPECT_EQ(evaluate32("cvt.rna.tf32.f32 %r0, %r1;", 0x3F801000), 0x3F802000u);
}

TEST(EmulatorArithmetic, Doubles) {
  EXPECT_EQ(
      evaluate("cvt.f64.f32 %x0, %r1; add.rn.f64 %x0, %x0, %x0;", bits(0.1f)),
      std::bit_cast<uint64_t>(2.0 * double(0.1f)));
  EXPECT_EQ(evaluate32("cvt.f64.f32 %x0, %r1; sqrt.rn.f64 %x0, %x0; "
                       "cvt.rn.f32.f64 %r0, %x0;",
                       bits(9)),
            bits(3));
}

TEST(EmulatorArithmetic, Comparisons) {
  EXPECT_EQ(predicate("setp.lt.s32 %p0, %r1, %r2;", uint32_t(-1), 0), 1u);
  EXPECT_EQ(predicate("setp.lt.u32 %p0, %r1, %r2;", uint32_t(-1), 0), 0u);
  EXPECT_EQ(predicate("setp.ne.f32 %p0, %r1, %r1;", bits(NAN)), 0u);
  EXPECT_EQ(predicate("setp.neu.f32 %p0, %r1, %r1;", bits(NAN)), 1u);
  EXPECT_EQ(predicate("setp.nan.f32 %p0, %r1, %r2;", bits(NAN), bits(1)), 1u);
  EXPECT_EQ(predicate("setp.eq.s32 %p1, %r1, 5; "
                      "setp.gt.and.s32 %p0, %r2, 3, !%p1;",
                      4, 9),
            1u);
  EXPECT_EQ(predicate("setp.eq.s32 %p1|%p0, %r1, 5;", 4), 1u);
  EXPECT_EQ(evaluate32("set.gt.u32.s32 %r0, %r1, 3;", 4), ~0u);
  EXPECT_EQ(evaluate32("slct.s32.s32 %r0, %r1, %r2, %r3;", 1, 2, ~0u), 2u);
}

TEST(EmulatorArithmetic, PacksAndUnpacks) {
  EXPECT_EQ(evaluate32("mov.b32 {_, %h1}, %r1; mov.b32 %r0, {%h1, %h3};",
                       0x12345678, 0x9ABC),
            0x9ABC1234u);
  EXPECT_EQ(evaluate("mov.b64 {%r4, %r5}, %x1; mov.b64 %x0, {%r5, %r4};", 1, 2),
            uint64_t(1) << 32 | 2);
}
