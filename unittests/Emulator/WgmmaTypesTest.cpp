//===- WgmmaTypesTest.cpp - wgmma on 8 and 32-bit elements ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction of 32 bytes along K. Without swizzle an operand is made of
// core matrices, 8 rows of 16 bytes each: here the two along K lie together,
// then the next eight rows (PTX ISA, "Shared Memory Matrix Layout").
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include <bit>

using namespace heddle::emulator;
using namespace heddle::emulator::test;

namespace {
constexpr int kRows = 64, kColumns = 16;

struct Types {
  const char *name; ///< m64n16kK.D.A.B
  int k;
  bool isIntegerSum;
  uint32_t (*encodeA)(int);
  uint32_t (*encodeB)(int);
  int bits() const { return 256 / k; }
};

uint32_t tf32(int value) { return std::bit_cast<uint32_t>(float(value)); }
uint32_t e4m3(int value) {
  static constexpr uint32_t magnitudes[] = {0x00, 0x38, 0x40, 0x44};
  return magnitudes[std::abs(value)] | uint32_t(value < 0) << 7;
}
uint32_t e5m2(int value) {
  static constexpr uint32_t magnitudes[] = {0x00, 0x3C, 0x40, 0x42};
  return magnitudes[std::abs(value)] | uint32_t(value < 0) << 7;
}
uint32_t s8(int value) { return uint8_t(value * 40); }
uint32_t u8(int value) { return uint8_t(value + 200); }

constexpr Types kTypes[] = {
    {"m64n16k8.f32.tf32.tf32", 8, false, tf32, tf32},
    {"m64n16k32.f32.e4m3.e4m3", 32, false, e4m3, e4m3},
    {"m64n16k32.f32.e5m2.e4m3", 32, false, e5m2, e4m3},
    {"m64n16k32.s32.s8.s8", 32, true, s8, s8},
    {"m64n16k32.s32.s8.u8", 32, true, s8, u8},
};

int valueOfA(int row, int k) { return (row * 5 + k * 3) % 7 - 3; }
int valueOfB(int k, int column) { return (k * 2 + column * 5 + 1) % 7 - 3; }

/// What the encoded elements stand for in the product.
int meaning(uint32_t (*encode)(int), int value) {
  return encode == s8 ? value * 40 : encode == u8 ? value + 200 : value;
}

std::vector<uint32_t> image(const Types &types, int rows, bool isA) {
  std::vector<uint32_t> words(size_t(rows) * 8);
  int each = 16 / (types.bits() / 8); // elements of a core matrix's row
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < types.k; ++k) {
      int byte = row / 8 * 256 + k / each * 128 + row % 8 * 16 +
                 k % each * types.bits() / 8;
      uint32_t element = isA ? types.encodeA(valueOfA(row, k))
                             : types.encodeB(valueOfB(k, row));
      words[size_t(byte / 4)] |= element << (byte % 4 * 8);
    }
  return words;
}

/// Register `i` of A that a thread holds, as the manual has it for 32-bit and
/// for 8-bit elements.
uint32_t fragmentOfA(const Types &types, int thread, int i) {
  int row = thread / 32 * 16 + thread % 32 / 4 + (i & 1) * 8;
  if (types.bits() == 32)
    return types.encodeA(valueOfA(row, thread % 4 + i / 2 * 4));
  uint32_t word = 0;
  for (int e = 0; e < 4; ++e)
    word |= types.encodeA(valueOfA(row, thread % 4 * 4 + i / 2 * 16 + e))
            << (8 * e);
  return word;
}

std::string kernelBody(const Types &types, bool aInRegisters) {
  std::string sums = "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}";
  // Leading (along K) 128 bytes, stride (eight rows) 256 bytes.
  std::string fields = std::to_string(uint64_t(16) << 32 | uint64_t(8) << 16);
  std::string text =
      "mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0; @!%p0 bra READY;\n"
      "mbarrier.init.shared.b64 [smem+4096], 1;\n"
      "ld.param.b64 %d0, [p0]; ld.param.b64 %d1, [p1];\n"
      "mbarrier.arrive.expect_tx.shared.b64 %d2, [smem+4096], 2560;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[smem], [%d0], 2048, [smem+4096];\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[smem+2048], [%d1], 512, [smem+4096];\n"
      "READY: bar.sync 0;\n"
      "W: mbarrier.try_wait.parity.shared.b64 %p1, [smem+4096], 0;\n"
      "@!%p1 bra W;\n"
      "mov.b32 %r2, smem; shr.u32 %r2, %r2, 4; cvt.u64.u32 %x0, %r2;\n"
      "add.s64 %x1, %x0, 128;\n"
      "or.b64 %x0, %x0, " +
      fields + "; or.b64 %x1, %x1, " + fields +
      ";\nld.param.b64 %d3, [p3]; mul.wide.u32 %d4, %r1, 16;\n"
      "add.s64 %d3, %d3, %d4;\n"
      "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%d3];\n"
      "setp.ne.s32 %p6, %r1, %r1; wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned." +
      types.name + " " + sums + ", " +
      (aInRegisters ? "{%r4, %r5, %r6, %r7}" : "%x0") + ", %x1, %p6" +
      (types.isIntegerSum ? "" : ", 1, 1") +
      ";\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
      "ld.param.b64 %d0, [p2]; mul.wide.u32 %d1, %r1, 32;\n"
      "add.s64 %d0, %d0, %d1;\n";
  for (int i = 0; i < 8; ++i)
    text += "st.global.b32 [%d0+" + std::to_string(i * 4) + "], %f" +
            std::to_string(i) + ";\n";
  return text;
}

void checkSums(const Types &types, const std::vector<uint32_t> &out) {
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < 8; ++i) {
      int row = thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2) * 8;
      int column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      int expected = 0;
      for (int k = 0; k < types.k; ++k)
        expected += meaning(types.encodeA, valueOfA(row, k)) *
                    meaning(types.encodeB, valueOfB(k, column));
      uint32_t word = out[size_t(thread * 8 + i)];
      double value = types.isIntegerSum ? double(int32_t(word))
                                        : double(std::bit_cast<float>(word));
      ASSERT_EQ(value, expected) << types.name << " " << row << " " << column;
    }
}
} // namespace

TEST(EmulatorWgmma, MultipliesEveryType) {
  for (const Types &types : kTypes)
    for (bool aInRegisters : {false, true}) {
      std::vector<uint32_t> a = image(types, kRows, true);
      std::vector<uint32_t> b = image(types, kColumns, false);
      std::vector<uint32_t> out(128 * 8), fragments(128 * 4);
      for (int thread = 0; thread < 128; ++thread)
        for (int i = 0; i < 4; ++i)
          fragments[size_t(thread * 4 + i)] = fragmentOfA(types, thread, i);
      TestKernel kernel(kernelBody(types, aInRegisters), 128);
      kernel.buffer(a).buffer(b).buffer(out).buffer(fragments).shared(4104);
      Result result = kernel.run();
      ASSERT_TRUE(result.ok) << types.name << ": " << result.error;
      checkSums(types, out);
    }
}

TEST(EmulatorWgmma, IgnoresTheLowBitsOfTf32) {
  // 1 + 2^-11 is 1 to the unit, which has 10 bits of fraction.
  const Types &types = kTypes[0];
  std::vector<uint32_t> a(kRows * 8, 0x3F801000), b(kColumns * 8, tf32(1));
  std::vector<uint32_t> out(128 * 8), fragments(128 * 4);
  TestKernel kernel(kernelBody(types, false), 128);
  kernel.buffer(a).buffer(b).buffer(out).buffer(fragments).shared(4104);
  expectOk(kernel.run());
  EXPECT_EQ(out[17], tf32(8));
}
