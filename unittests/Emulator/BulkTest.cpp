//===- BulkTest.cpp - TMA and linear bulk copies --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies with and without tensor maps: places of swizzled elements, zeros
// outside, byte counts, stores and their fences. Expected places follow from
// the address bits of a swizzle, not from code of the emulator.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include <cmath>
#include <numeric>

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

static manifest::TensorMap matrix(std::vector<uint16_t> &data, int64_t columns,
                                  int64_t rows, int boxColumns, int boxRows,
                                  int swizzleBytes) {
  manifest::TensorMap map;
  map.element = manifest::ElementType::F16;
  map.address = reinterpret_cast<uint64_t>(data.data());
  map.dims = {columns, rows};
  map.stridesBytes = {2, columns * 2};
  map.box = {boxColumns, boxRows};
  map.swizzleBytes = swizzleBytes;
  return map;
}

static std::vector<uint16_t> counting(size_t size) {
  std::vector<uint16_t> data(size);
  std::iota(data.begin(), data.end(), uint16_t(1));
  return data;
}

/// Loads the tile at (p2, p3) and copies the raw shared bytes to p1.
static std::string loadAndDump(int bytes) {
  std::string n = std::to_string(bytes);
  return "mbarrier.init.shared.b64 [smem+16384], 1; mov.b64 %d0, p0;\n"
         "cvta.param.u64 %d0, %d0; mov.b32 %r1, smem;\n"
         "ld.param.b32 %r2, [p2]; ld.param.b32 %r3, [p3];\n"
         "mbarrier.arrive.expect_tx.shared.b64 %d1, [smem+16384], " +
         n +
         ";\n"
         "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
         "complete_tx::bytes [%r1], [%d0, {%r2, %r3}], [smem+16384];\n"
         "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem+16384], 0;\n"
         "@!%p0 bra W;\n"
         "ld.param.b64 %d2, [p1]; mov.b32 %r4, 0;\n"
         "L: add.s32 %r5, %r1, %r4; ld.shared.b32 %r6, [%r5];\n"
         "cvt.u64.u32 %d3, %r4; add.s64 %d3, %d2, %d3;\n"
         "st.global.b32 [%d3], %r6; add.s32 %r4, %r4, 4;\n"
         "setp.lt.u32 %p1, %r4, " +
         n + "; @%p1 bra L;";
}

TEST(EmulatorTma, SwizzlesByTheSharedAddress) {
  for (int swizzle : {0, 32, 64, 128}) {
    int boxColumns = swizzle ? swizzle / 2 : 64;
    auto data = counting(64 * 32);
    for (const Options &options : allSchedules()) {
      std::vector<uint16_t> out(size_t(boxColumns) * 16);
      TestKernel kernel(loadAndDump(boxColumns * 32), 1);
      kernel.tensor(matrix(data, 64, 32, boxColumns, 16, swizzle), 64 * 32 * 2)
          .buffer(out)
          .scalar(0)
          .scalar(8)
          .shared(16400);
      expectOk(kernel.run(options));
      for (int row = 0; row < 16; ++row)
        for (int column = 0; column < boxColumns; ++column) {
          uint32_t offset = uint32_t(row * boxColumns + column) * 2;
          // 128: bits 4-6 ^= 7-9; 64: 4-5 ^= 7-8; 32: 4 ^= 7.
          uint32_t mask = swizzle == 128  ? 7
                          : swizzle == 64 ? 3
                          : swizzle == 32 ? 1
                                          : 0;
          offset ^= (offset >> 7 & mask) << 4;
          ASSERT_EQ(out[offset / 2], data[(row + 8) * 64 + column])
              << swizzle << " " << row << " " << column;
        }
    }
  }
}

TEST(EmulatorTma, OutsideReadsZero) {
  auto data = counting(40 * 12);
  std::vector<uint16_t> out(32 * 16);
  TestKernel kernel(loadAndDump(32 * 16 * 2), 1);
  kernel.tensor(matrix(data, 40, 12, 32, 16, 0), 40 * 12 * 2)
      .buffer(out)
      .scalar(uint32_t(-8))
      .scalar(uint32_t(-2))
      .shared(16400);
  expectOk(kernel.run());
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 32; ++column) {
      int x = column - 8, y = row - 2;
      bool isInside = x >= 0 && y >= 0 && y < 12;
      ASSERT_EQ(out[row * 32 + column], isInside ? data[y * 40 + x] : 0);
    }
}

TEST(EmulatorTma, TilesMustBeAligned) {
  auto data = counting(64 * 8);
  TestKernel kernel(
      "mbarrier.init.shared.b64 [smem], 1; mov.b64 %d0, p0;\n"
      "cvta.param.u64 %d0, %d0; mov.b32 %r2, 0;\n"
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
      "complete_tx::bytes [smem+64], [%d0, {%r2, %r2}], [smem];",
      1);
  kernel.tensor(matrix(data, 64, 8, 64, 8, 128), 1024).shared(8192);
  expectError(kernel.run(), "not aligned to 128 bytes");
}

TEST(EmulatorTma, TrapsWhereTheHardwareDoes) {
  auto data = counting(64 * 16);
  std::vector<uint16_t> out(64 * 16);
  TestKernel kernel(loadAndDump(64 * 16 * 2), 1);
  kernel.tensor(matrix(data, 64, 16, 64, 16, 128), data.size() * 2)
      .buffer(out)
      .scalar(4)
      .scalar(0)
      .shared(16400);
  expectError(kernel.run(), "starts at 8 bytes along the fastest axis");
}

// Seen on an H200, along each axis of a store, even where the tile reaches into
// the tensor.
TEST(EmulatorTma, TrapsOnStoresThatBeginBeforeTheTensor) {
  for (auto [x, y, axis] : {std::tuple(-8, 0, 0), {0, -1, 1}, {0, -16, 1}}) {
    auto data = counting(64 * 16);
    TestKernel kernel("mov.b64 %d0, p0;\n"
                      "cvta.param.u64 %d0, %d0; mov.b32 %r0, " +
                          std::to_string(x) + "; mov.b32 %r1, " +
                          std::to_string(y) +
                          ";\n"
                          "cp.async.bulk.tensor.2d.global.shared::cta.tile."
                          "bulk_group [%d0, {%r0, %r1}], [smem];",
                      1);
    kernel.tensor(matrix(data, 64, 16, 64, 16, 128), data.size() * 2)
        .shared(16384);
    expectError(kernel.run(), "along axis " + std::to_string(axis) +
                                  ", counted from the fastest");
  }
}

TEST(EmulatorTma, ChecksTheMap) {
  auto data = counting(64 * 8);
  TestKernel kernel("mov.b32 %r0, 0;", 1);
  kernel.tensor(matrix(data, 64, 8, 64, 8, 64), 1024);
  expectError(kernel.run(), "does not fit the swizzle of 64");
}

TEST(EmulatorTma, ExpectingTooFewBytesIsADeadlockOrWorse) {
  auto data = counting(64 * 8);
  TestKernel kernel(
      "mbarrier.init.shared.b64 [smem+4096], 1; mov.b64 %d0, p0;\n"
      "cvta.param.u64 %d0, %d0; mov.b32 %r2, 0;\n"
      "mbarrier.arrive.expect_tx.shared.b64 %d1, [smem+4096], 2048;\n"
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
      "complete_tx::bytes [smem], [%d0, {%r2, %r2}], [smem+4096];\n"
      "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem+4096], 0;\n"
      "@!%p0 bra W;",
      1);
  kernel.tensor(matrix(data, 64, 8, 64, 8, 128), 1024).shared(8192);
  expectError(kernel.run(), "1 of 1 arrivals and 1024 bytes missing");
}

TEST(EmulatorBulk, ExpectingTooFewBytesIsFoundAtTheDelivery) {
  // Two copies of 128 bytes; the phase announces `expected`.
  auto run = [](const std::string &expected) {
    auto in = counting(128);
    TestKernel kernel(
        "mbarrier.init.shared.b64 [smem+512], 1;\n"
        "ld.param.b64 %d0, [p0]; mov.b32 %r1, 128;\n"
        "mbarrier.arrive.expect_tx.shared.b64 %d2, [smem+512], " +
            expected +
            ";\n"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[smem], [%d0], %r1, [smem+512];\n"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[smem+128], [%d0+128], %r1, [smem+512];\n"
            "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem+512], 0;\n"
            "@!%p0 bra W;",
        1);
    kernel.buffer(in, false).shared(1024);
    return kernel.run();
  };
  expectOk(run("256"));
  expectError(run("128"), "but was issued in an earlier one, which completed "
                          "without it: too few bytes were expected");
  expectError(run("64"), "64 more bytes delivered than expected on the "
                         "mbarrier at shared address 0x600, phase 0");
  expectError(run("384"), "1 of 1 arrivals and 128 bytes missing");
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// One thread fills 1 KiB of shared memory and stores it at (p1, 0).
static std::string store(const std::string &fence, const std::string &wait) {
  return "mov.b64 %d0, p0; cvta.param.u64 %d0, %d0; mov.b32 %r1, smem;\n"
         "mov.b32 %r4, 0; ld.param.b32 %r2, [p1]; mov.b32 %r3, 0;\n"
         "L: add.s32 %r5, %r1, %r4; mov.b32 %r6, 0x00070007;\n"
         "st.shared.b32 [%r5], %r6; add.s32 %r4, %r4, 4;\n"
         "setp.lt.u32 %p1, %r4, 1024; @%p1 bra L;\n" +
         fence +
         "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
         "[%d0, {%r2, %r3}], [%r1];\n"
         "cp.async.bulk.commit_group;\n" +
         wait;
}

static const char *kFence = "fence.proxy.async.shared::cta;\n";

TEST(EmulatorTma, StoresAndDropsWhatIsOutside) {
  for (const Options &options : allSchedules()) {
    std::vector<uint16_t> data(72 * 8, 1);
    TestKernel kernel(store(kFence, "cp.async.bulk.wait_group.read 0;"), 1);
    kernel.tensor(matrix(data, 72, 8, 64, 8, 128), data.size() * 2)
        .scalar(32)
        .shared(1024);
    expectOk(kernel.run(options));
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 72; ++column)
        ASSERT_EQ(data[row * 72 + column], column < 32 ? 1 : 7);
  }
}

TEST(EmulatorTma, StoresClipNoFinerThan16Bytes) {
  std::vector<uint16_t> data(72 * 8, 1);
  TestKernel kernel(store(kFence, "cp.async.bulk.wait_group.read 0;"), 1);
  manifest::TensorMap map = matrix(data, 72, 8, 64, 8, 128);
  map.dims[0] = 70; // two elements of padding behind each row
  kernel.tensor(map, data.size() * 2).scalar(32).shared(1024);
  expectError(kernel.run(), "which spans 140 bytes");
}

TEST(EmulatorTma, StoresNeedAFenceAWaitAndTheirSource) {
  std::vector<uint16_t> data(64 * 8, 1);
  auto run = [&](const std::string &body, Schedule schedule) {
    TestKernel kernel(body, 1);
    kernel.tensor(matrix(data, 64, 8, 64, 8, 128), data.size() * 2)
        .scalar(0)
        .shared(1024);
    Options options;
    options.schedule = schedule;
    return kernel.run(options);
  };
  std::string wait = "cp.async.bulk.wait_group.read 0;";
  expectError(run(store("", wait), Schedule::Fair),
              "wrote without a fence.proxy.async behind it");
  for (Schedule schedule : {Schedule::Fair, Schedule::Adversarial})
    expectError(run(store(kFence, ""), schedule),
                "wait_group.read is missing before the exit");
  expectError(run(store(kFence, "st.shared.b32 [%r1+512], %r6;\n" + wait),
                  Schedule::Adversarial),
              "and nothing orders the two");
  // The schedule need not let them meet.
  expectError(run(store(kFence, "st.shared.b32 [%r1+512], %r6;\n" + wait),
                  Schedule::Fair),
              "and nothing orders the two");
}

TEST(EmulatorTma, Reduces) {
  std::vector<uint16_t> data(64 * 8, 0x3C00); // 1.0
  std::string body = store(kFence, "cp.async.bulk.wait_group 0;");
  body.replace(body.find("cp.async.bulk.tensor"), 20,
               "cp.reduce.async.bulk.tensor");
  body.replace(body.find("shared::cta.tile"), 16, "shared::cta.add.tile");
  body.replace(body.find("0x00070007"), 10, "0x3C003C00");
  TestKernel kernel(body, 1);
  kernel.tensor(matrix(data, 64, 8, 64, 8, 128), data.size() * 2)
      .scalar(0)
      .shared(1024);
  expectOk(kernel.run());
  EXPECT_EQ(data[77], 0x4000); // 2.0
}

/// Of a box of f32 that ends outside, columns 16 to 47 of 40, what is inside is
/// added to, and -0 to -0 keeps its sign.
TEST(EmulatorTma, ReducesSinglesInside) {
  for (const Options &options : allSchedules()) {
    std::vector<float> data(40 * 8, 1.0f);
    data[16] = -0.0f;
    data[17] = 0.0f;
    std::string body = store(kFence, "cp.async.bulk.wait_group 0;");
    body.replace(body.find("cp.async.bulk.tensor"), 20,
                 "cp.reduce.async.bulk.tensor");
    body.replace(body.find("shared::cta.tile"), 16, "shared::cta.add.tile");
    std::string minus = body;
    minus.replace(body.find("0x00070007"), 10, "0x80000000"); // -0.0
    body.replace(body.find("0x00070007"), 10, "0x3F800000");  // 1.0
    manifest::TensorMap map;
    map.element = manifest::ElementType::F32;
    map.address = reinterpret_cast<uint64_t>(data.data());
    map.dims = {40, 8};
    map.stridesBytes = {4, 160};
    map.box = {32, 8};
    map.swizzleBytes = 128;
    auto run = [&](const std::string &text) {
      TestKernel kernel(text, 1);
      kernel.tensor(map, data.size() * 4).scalar(16).shared(1024);
      expectOk(kernel.run(options));
    };
    run(minus);
    EXPECT_TRUE(std::signbit(data[16]));
    EXPECT_FALSE(std::signbit(data[17]));
    run(body);
    EXPECT_EQ(data[16], 1.0f);
    EXPECT_EQ(data[15], 1.0f);
    EXPECT_EQ(data[39], 2.0f);
    EXPECT_EQ(data[40 * 7 + 20], 2.0f);
    EXPECT_EQ(data[40 * 7 + 3], 1.0f);
  }
}

TEST(EmulatorBulk, CopiesLinearly) {
  for (const Options &options : allSchedules()) {
    auto in = counting(64);
    std::vector<uint16_t> out(64);
    TestKernel kernel(
        "mbarrier.init.shared.b64 [smem+128], 1;\n"
        "ld.param.b64 %d0, [p0]; ld.param.b64 %d1, [p1]; mov.b32 %r1, 128;\n"
        "mbarrier.arrive.expect_tx.shared.b64 %d2, [smem+128], %r1;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[smem], [%d0], %r1, [smem+128];\n"
        "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem+128], 0;\n"
        "@!%p0 bra W;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%d1], [smem], %r1;\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
        1);
    kernel.buffer(in, false).buffer(out).shared(256);
    expectOk(kernel.run(options));
    EXPECT_EQ(in, out);
  }
}
