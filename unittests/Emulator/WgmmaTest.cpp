//===- WgmmaTest.cpp - wgmma against a float64 reference ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are laid out here by formulas of the test's own, element by element.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Emulator/Float16.h"
#include "TestKernel.h"

#include <cmath>
#include <functional>

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

namespace {
/// One operand in shared memory: `rows` along M or N, `k` deep, 16-bit.
struct Operand {
  int rows = 64;
  int k = 16;
  int swizzle = 128; ///< bytes; 0 for none
  bool isMajorInRows = false;

  int rowElements() const { return swizzle / 2; }

  /// Byte offset of element (r, c) from the 1024-byte aligned start.
  uint32_t offset(int r, int c) const {
    if (!swizzle) {
      // 8x8 blocks of 128 bytes. K-major: blocks next to each other along K;
      // MN-major: along MN.
      int major = isMajorInRows ? r : c, minor = isMajorInRows ? c : r;
      int majorBlocks = (isMajorInRows ? rows : k) / 8;
      return uint32_t((minor / 8 * majorBlocks + major / 8) * 128 +
                      minor % 8 * 16 + major % 8 * 2);
    }
    // Rows of `swizzle` bytes; an operand longer than that has several blocks.
    int major = isMajorInRows ? r : c, minor = isMajorInRows ? c : r;
    int minorExtent = isMajorInRows ? k : rows;
    int block = major / rowElements();
    uint32_t linear = uint32_t(block * minorExtent * swizzle + minor * swizzle +
                               major % rowElements() * 2);
    uint32_t mask = uint32_t(swizzle / 16 - 1);
    return linear ^ ((linear >> 7 & mask) << 4);
  }

  uint64_t bytes() const { return uint64_t(rows) * k * 2; }

  /// The descriptor without its address.
  uint64_t descriptor() const {
    uint64_t leading = 1, stride = 0, layout = 0;
    if (!swizzle) {
      int majorBlocks = (isMajorInRows ? rows : k) / 8;
      uint64_t alongMajor = 128, alongMinor = uint64_t(majorBlocks) * 128;
      // "Leading" is the offset along K, "stride" along MN.
      leading = (isMajorInRows ? alongMinor : alongMajor) >> 4;
      stride = (isMajorInRows ? alongMajor : alongMinor) >> 4;
    } else {
      layout = swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
      stride = uint64_t(8 * swizzle) >> 4;
      if (isMajorInRows)
        leading = uint64_t(k * swizzle) >> 4;
    }
    return layout << 62 | stride << 32 | leading << 16;
  }

  /// Bytes from one wgmma's 16 columns to the next one's.
  uint64_t stepBytes(int step) const {
    if (!swizzle)
      return offset(0, 16 * step);
    return isMajorInRows ? uint64_t(step) * 16 * swizzle : uint64_t(step) * 32;
  }
};

/// A product of two operands, with knobs for what the tests vary.
struct Product {
  Operand a{64, 64, 128, false};
  Operand b{64, 64, 128, false};
  std::string type = "f16";
  std::string result = "f32";
  bool aInRegisters = false;
  int scaleA = 1, scaleB = 1;
  bool keepsOldSums = false;
  std::string afterIssue; ///< instructions
  std::string wait = "wgmma.wait_group.sync.aligned 0;\n";

  int registers() const { return b.rows / (result == "f16" ? 4 : 2); }
  double elementA(int r, int c) const {
    return ((r * 7 + c * 3) % 16 - 7) / 8.0;
  }
  double elementB(int r, int c) const {
    return ((r * 5 + c * 11) % 16 - 8) / 4.0;
  }
  uint16_t encodeElement(double value) const {
    return type == "bf16" ? bfloatFromDouble(value) : halfFromDouble(value);
  }

  std::vector<uint16_t> image(const Operand &operand,
                              const std::function<double(int, int)> &element) {
    std::vector<uint16_t> data(operand.bytes() / 2);
    for (int r = 0; r < operand.rows; ++r)
      for (int c = 0; c < operand.k; ++c)
        data[operand.offset(r, c) / 2] = encodeElement(element(r, c));
    return data;
  }

  std::string accumulators() const {
    std::string list;
    for (int i = 0; i < registers(); ++i)
      list += (i ? ", %f" : "%f") + std::to_string(i);
    return "{" + list + "}";
  }

  std::string issue(int step) const {
    std::string n = std::to_string(b.rows);
    auto address = [&](const Operand &operand, const char *base) {
      return "add.s32 %r10, " + std::string(base) + ", " +
             std::to_string(operand.stepBytes(step)) +
             "; shr.u32 %r10, %r10, 4; cvt.u64.u32 %d10, %r10;\n";
    };
    std::string text;
    if (!aInRegisters)
      text += address(a, "%r2") + "or.b64 %x0, %d10, " +
              std::to_string(int64_t(a.descriptor())) + ";\n";
    text += address(b, "%r3") + "or.b64 %x1, %d10, " +
            std::to_string(int64_t(b.descriptor())) + ";\n";
    text += "wgmma.mma_async.sync.aligned.m64n" + n + "k16." + result + "." +
            type + "." + type + " " + accumulators() + ", ";
    std::string first = std::to_string(20 + 4 * step);
    if (aInRegisters) {
      text += "{%r" + first;
      for (int i = 1; i < 4; ++i)
        text += ", %r" + std::to_string(20 + 4 * step + i);
      text += "}";
    } else {
      text += "%x0";
    }
    text += ", %x1, " + std::string(step || keepsOldSums ? "%p7" : "%p6");
    text += ", " + std::to_string(scaleA) + ", " + std::to_string(scaleB);
    if (!aInRegisters)
      text += a.isMajorInRows ? ", 1" : ", 0";
    return text + (b.isMajorInRows ? ", 1;\n" : ", 0;\n");
  }

  /// A's fragment straight from its image, which is then K-major unswizzled:
  /// element (r, c) of step s at its offset.
  std::string loadRegistersOfA() const {
    std::string text = "shr.u32 %r11, %r1, 5; and.b32 %r11, %r11, 3;\n"
                       "shl.b32 %r11, %r11, 4; and.b32 %r12, %r1, 31;\n"
                       "shr.u32 %r13, %r12, 2; add.s32 %r11, %r11, %r13;\n"
                       "and.b32 %r12, %r12, 3; shl.b32 %r12, %r12, 2;\n"
                       // row * 2k + 4 * (lane % 4)
                       "mad.lo.s32 %r12, %r11, " +
                       std::to_string(a.k * 2) +
                       ", %r12; add.s32 %r12, %r12, %r2;\n";
    for (int step = 0; step < a.k / 16; ++step)
      for (int i = 0; i < 4; ++i)
        text += "ld.shared.b32 %r" + std::to_string(20 + 4 * step + i) +
                ", [%r12+" +
                std::to_string(step * 32 + (i & 1 ? 8 * a.k * 2 : 0) +
                               (i & 2 ? 16 : 0)) +
                "];\n";
    return text;
  }

  std::string body() const {
    std::string bytesA = std::to_string(a.bytes());
    std::string bytesB = std::to_string(b.bytes());
    std::string text =
        "mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0; @!%p0 bra READY;\n"
        "mbarrier.init.shared.b64 [smem+65536], 1;\n"
        "ld.param.b64 %d0, [p0]; ld.param.b64 %d1, [p1];\n"
        "mbarrier.arrive.expect_tx.shared.b64 %d2, [smem+65536], " +
        std::to_string(a.bytes() + b.bytes()) +
        ";\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[smem], [%d0], " +
        bytesA +
        ", [smem+65536];\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[smem+32768], [%d1], " +
        bytesB +
        ", [smem+65536];\nREADY: bar.sync 0;\n"
        "W: mbarrier.try_wait.parity.shared.b64 %p1, [smem+65536], 0;\n"
        "@!%p1 bra W;\n"
        "mov.b32 %r2, smem; add.s32 %r3, %r2, 32768;\n"
        "setp.ne.s32 %p6, %r2, %r2; setp.eq.s32 %p7, %r2, %r2;\n";
    if (aInRegisters)
      text += loadRegistersOfA();
    for (int i = 0; i < registers(); ++i)
      text += "mov.b32 %f" + std::to_string(i) +
              (result == "f16" ? ", 0x3C003C00;\n" : ", 0f3F800000;\n");
    text += "wgmma.fence.sync.aligned;\n";
    for (int step = 0; step < a.k / 16; ++step)
      text += issue(step);
    text += "wgmma.commit_group.sync.aligned;\n" + afterIssue + wait;
    text += "ld.param.b64 %d0, [p2]; mul.wide.u32 %d1, %r1, " +
            std::to_string(registers() * 4) + "; add.s64 %d0, %d0, %d1;\n";
    for (int i = 0; i < registers(); ++i)
      text += "st.global.b32 [%d0+" + std::to_string(i * 4) + "], %f" +
              std::to_string(i) + ";\n";
    return text;
  }

  double expected(int row, int column) const {
    double sum = 0;
    for (int c = 0; c < a.k; ++c)
      sum += elementA(row, c) * elementB(column, c);
    return sum * scaleA * scaleB + (keepsOldSums ? 1.0 : 0.0);
  }

  Result run(std::vector<uint32_t> &out, const Options &options) {
    auto imageA = image(a, [&](int r, int c) { return elementA(r, c); });
    auto imageB = image(b, [&](int r, int c) { return elementB(r, c); });
    out.assign(size_t(128) * registers(), 0);
    TestKernel kernel(body(), 128);
    kernel.buffer(imageA, false).buffer(imageB, false).buffer(out);
    kernel.shared(65552);
    return kernel.run(options);
  }

  /// Runs under all schedules and compares every element.
  void check() {
    for (const Options &options : allSchedules()) {
      std::vector<uint32_t> out;
      Result done = run(out, options);
      ASSERT_TRUE(done.ok) << done.error;
      compare(out);
    }
  }

  void compare(const std::vector<uint32_t> &out) const {
    for (int thread = 0; thread < 128; ++thread)
      for (int i = 0; i < b.rows / 2; ++i) {
        int row = thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2) * 8;
        int column = i / 4 * 8 + thread % 4 * 2 + i % 2;
        double value;
        if (result == "f16") {
          uint32_t pair = out[size_t(thread) * registers() + i / 2];
          value = floatFromHalf(uint16_t(pair >> (16 * (i % 2))));
        } else {
          value = std::bit_cast<float>(out[size_t(thread) * registers() + i]);
        }
        ASSERT_NEAR(value, expected(row, column),
                    result == "f16" ? std::fabs(value) * 2e-3 + 1e-2 : 1e-3)
            << row << " " << column;
      }
  }
};
} // namespace

TEST(EmulatorWgmma, KMajorWithEverySwizzle) {
  for (int swizzle : {0, 32, 64, 128}) {
    Product product;
    int k = swizzle ? swizzle / 2 : 64;
    product.a = {64, k, swizzle, false};
    product.b = {72, k, swizzle, false};
    SCOPED_TRACE(swizzle);
    product.check();
  }
}

TEST(EmulatorWgmma, MnMajorWithEverySwizzle) {
  for (int swizzle : {0, 32, 64, 128}) {
    Product product;
    product.a = {64, 64, swizzle, true};
    product.b = {128, 64, swizzle, true};
    SCOPED_TRACE(swizzle);
    product.check();
  }
}

TEST(EmulatorWgmma, MixedMajors) {
  Product product;
  product.a = {64, 64, 128, true};
  product.b = {256, 64, 128, false};
  product.check();
  product.a = {64, 64, 128, false};
  product.b = {64, 64, 128, true};
  product.type = "bf16";
  product.check();
}

TEST(EmulatorWgmma, AFromRegisters) {
  Product product;
  product.aInRegisters = true;
  // One row after the other, which the fragment loads can address.
  product.a = {64, 32, 64, false};
  struct Plain {};
  for (const Options &options : allSchedules()) {
    std::vector<uint16_t> imageA(64 * 32);
    for (int r = 0; r < 64; ++r)
      for (int c = 0; c < 32; ++c)
        imageA[r * 32 + c] = product.encodeElement(product.elementA(r, c));
    product.b = {64, 32, 64, false};
    auto imageB = product.image(
        product.b, [&](int r, int c) { return product.elementB(r, c); });
    std::vector<uint32_t> out(size_t(128) * product.registers());
    TestKernel kernel(product.body(), 128);
    kernel.buffer(imageA, false).buffer(imageB, false).buffer(out);
    kernel.shared(65552);
    expectOk(kernel.run(options));
    product.compare(out);
  }
}

TEST(EmulatorWgmma, ScalesAndOldSums) {
  Product product;
  product.scaleA = -1;
  product.keepsOldSums = true;
  product.check();
  product.scaleB = -1;
  product.check();
}

TEST(EmulatorWgmma, HalfAccumulators) {
  Product product;
  product.result = "f16";
  product.check();
}

//===----------------------------------------------------------------------===//
// What must not be done
//===----------------------------------------------------------------------===//

static Result runWith(const std::string &afterIssue, const std::string &wait,
                      bool aInRegisters = false) {
  Product product;
  product.afterIssue = afterIssue;
  product.wait = wait;
  product.aInRegisters = aInRegisters;
  std::vector<uint32_t> out;
  return product.run(out, {});
}

static const char *kWait = "wgmma.wait_group.sync.aligned 0;\n";

TEST(EmulatorWgmma, AccumulatorsInFlightArePoison) {
  expectError(runWith("", ""), "reads %f0, an accumulator of the wgmma at PTX "
                               "line");
  expectError(runWith("", "wgmma.wait_group.sync.aligned 1;\n"),
              "which no wgmma.wait_group has retired yet");
  expectError(runWith("mov.b32 %f5, 0f00000000;\n", kWait),
              "writes %f5, an accumulator of");
  expectError(runWith("mov.b32 %r20, 0;\n", kWait, true),
              "writes %r20, an A operand of");
  // Reading an A register is allowed.
  expectOk(runWith("mov.b32 %r19, %r20;\n", kWait, true));
}

TEST(EmulatorWgmma, RegistersNeedAFence) {
  auto runBody = [](const std::string &body) {
    std::vector<uint16_t> image(64 * 64);
    std::vector<uint32_t> out(128 * 32);
    TestKernel kernel(body, 128);
    kernel.buffer(image, false).buffer(image, false).buffer(out).shared(65552);
    return kernel.run();
  };
  const std::string fence = "wgmma.fence.sync.aligned;\n";
  for (bool aInRegisters : {false, true}) {
    Product product;
    product.a = product.b = {64, 32, 64, false};
    product.aInRegisters = aInRegisters;
    std::string body = product.body();
    expectOk(runBody(body));
    size_t at = body.find(fence);
    std::string without = body;
    without.erase(at, fence.size());
    expectError(runBody(without), "no wgmma.fence stands before the first");
    std::string early = without;
    early.insert(early.find("mov.b32 %f0"), fence);
    expectError(runBody(early), "uses %f0, which was accessed at PTX line");
    // Between two of one accumulator none is needed, unless it is read.
    std::string read = body;
    read.insert(at + fence.size(), "mov.b32 %f299, %f1;\n");
    expectError(runBody(read), "uses %f1, which was accessed at PTX line");
  }
}

TEST(EmulatorWgmma, SlotsMustNotBeRefilledTooEarly) {
  Product product;
  product.afterIssue = "st.shared.b32 [smem], %r1;\n";
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out;
    Result result = product.run(out, options);
    expectError(result, "race: ");
    expectError(result, "at shared address 0x400");
    expectError(result, "and nothing orders the two");
  }
}

TEST(EmulatorWgmma, DescriptorsAreChecked) {
  Product product;
  std::string body = product.body();
  auto runBody = [&](std::string text) {
    std::vector<uint16_t> image(64 * 64);
    std::vector<uint32_t> out(128 * 32);
    TestKernel kernel(std::move(text), 128);
    kernel.buffer(image, false).buffer(image, false).buffer(out).shared(65552);
    return kernel.run();
  };
  std::string moved = body;
  moved.replace(moved.find("add.s32 %r10, %r2, 0"), 20,
                "add.s32 %r10, %r2, 128");
  expectError(runBody(moved), "inside a swizzle pattern of 1024 bytes");
  std::string outside = body;
  outside.replace(outside.find("add.s32 %r10, %r2, 0"), 20,
                  "add.s32 %r10, %r2, 131072");
  expectError(runBody(outside), "the CTA's shared memory ends at");
  std::string different = body;
  different.replace(different.find("add.s32 %r10, %r2, 0"), 20,
                    "shl.b32 %r10, %r1, 10; add.s32 %r10, %r2, %r10");
  expectError(runBody(different), "differs between lanes");
}
