//===- TensorMapTest.cpp - Tensor maps that a kernel makes ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that build a tensor map field by field with tensormap.replace and
// load a tile through it, as Triton's descriptors do. A missing field, a
// missing fence and a value out of range must each give an error that says so.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include "heddle/Emulator/TensorMap.h"

#include <numeric>

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

namespace {
/// One `tensormap.replace` of the map at shared address `%r1`.
std::string replace(const std::string &field, const std::string &value,
                    int bits = 32) {
  return "@%p7 tensormap.replace.tile." + field + ".shared::cta.b1024.b" +
         std::to_string(bits) + " [%r1], " + value + ";\n";
}

const std::string kRelease =
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu."
    "sync.aligned [%x1], [%r1], 128;\n";
const std::string kAcquire =
    "fence.proxy.tensormap::generic.acquire.gpu [%x1], 128;\n";

/// A map of 16 x 8 elements of 2 bytes at p0, boxes of 8 x 4.
std::string describe() {
  return replace("global_address", "%x0", 64) + replace("rank", "1") +
         replace("box_dim", "0, 8") + replace("box_dim", "1, 4") +
         replace("global_dim", "0, 16") + replace("global_dim", "1, 8") +
         replace("global_stride", "0, 32", 64) +
         replace("element_stride", "0, 1") + replace("element_stride", "1, 1") +
         replace("elemtype", "6") + replace("interleave_layout", "0") +
         replace("swizzle_mode", "0") + replace("fill_mode", "0");
}

std::string without(std::string text, const std::string &field) {
  size_t at = text.find("@%p7 tensormap.replace.tile." + field);
  return text.erase(at, text.find('\n', at) + 1 - at);
}

/// Builds a map in shared memory, copies it to p1, loads the tile at (p3, p4)
/// through it and stores its words to p2.
class DeviceMap {
public:
  DeviceMap() : data(16 * 8), scratch(64), out(32) {
    std::iota(data.begin(), data.end(), uint16_t(1));
  }

  Result run(const std::string &map, const std::string &fences, int x = 8,
             int y = 2, const std::string &mapRegister = "%x1") {
    uint64_t base = reinterpret_cast<uint64_t>(scratch.data());
    int skip = int((base + 63) / 64 * 64 - base);
    TestKernel kernel(
        "mov.u32 %r0, %tid.x; setp.eq.u32 %p7, %r0, 0; mov.b32 %r1, smem;\n"
        "ld.param.b64 %x0, [p0]; ld.param.b64 %x1, [p1];\n"
        "add.s64 %x1, %x1, " +
        std::to_string(skip) +
        ";\nshl.b32 %r2, %r0, 2; add.s32 %r3, %r1, %r2; mov.b32 %r4, 0;\n"
        "st.shared.b32 [%r3], %r4; bar.warp.sync -1;\n" +
        map + fences +
        "@%p7 mbarrier.init.shared.b64 [smem+512], 1;\n"
        "@%p7 mbarrier.arrive.expect_tx.shared.b64 %x2, [smem+512], 64;\n"
        "ld.param.b32 %r5, [p3]; ld.param.b32 %r6, [p4];\n"
        "@%p7 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
        "complete_tx::bytes [smem+256], [" +
        mapRegister +
        ", {%r5, %r6}], [smem+512];\nbar.warp.sync -1;\n"
        "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem+512], 0;\n"
        "@!%p0 bra W;\n"
        "setp.lt.u32 %p1, %r0, 16; ld.param.b64 %x4, [p2];\n"
        "cvt.u64.u32 %x5, %r2; add.s64 %x4, %x4, %x5;\n"
        "@%p1 ld.shared.b32 %r7, [%r3+256]; @%p1 st.global.b32 [%x4], %r7;");
    kernel.buffer(data).buffer(scratch).buffer(out);
    kernel.scalar(uint32_t(x)).scalar(uint32_t(y)).shared(1024);
    return kernel.run();
  }

  std::vector<uint16_t> data;
  std::vector<uint32_t> scratch;
  std::vector<uint16_t> out;
};
} // namespace

TEST(EmulatorTensorMap, IsBuiltFieldByField) {
  DeviceMap map;
  expectOk(map.run(describe(), kRelease + kAcquire));
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x)
      EXPECT_EQ(map.out[y * 8 + x], map.data[(y + 2) * 16 + x + 8]);
}

TEST(EmulatorTensorMap, FieldsMeanWhatTheManualSays) {
  // Every second row of a box of eight, from row 2 on; row 8 lies below the
  // tensor and is NaN, as is what the extent of 12 cuts off.
  DeviceMap map;
  std::string text =
      without(without(describe(), "element_stride"), "element_stride");
  text = without(without(text, "fill_mode"), "global_dim") +
         replace("element_stride", "0, 1") + replace("element_stride", "1, 2") +
         replace("fill_mode", "1") + replace("global_dim", "0, 12") +
         replace("box_dim", "1, 8");
  expectOk(map.run(text, kRelease + kAcquire, 8, 2));
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x) {
      int row = 2 + 2 * y, column = 8 + x;
      uint16_t expected = row < 8 && column < 12 ? map.data[row * 16 + column]
                                                 : uint16_t(0x7FFF);
      EXPECT_EQ(map.out[y * 8 + x], expected) << y << " " << x;
    }
}

TEST(EmulatorTensorMap, NeedsItsFences) {
  DeviceMap map;
  expectError(map.run(describe(), kRelease),
              "fence.proxy.tensormap::generic.acquire is missing");
  // In place: the copy, a change, and no release of it.
  std::string change = "@%p7 tensormap.replace.tile.fill_mode.global.b1024.b32 "
                       "[%x1], 1;\n";
  expectError(map.run(describe(), kRelease + kAcquire + change + kAcquire),
              "fence.proxy.tensormap::generic.release is missing");
  expectOk(
      map.run(describe(), kRelease + kAcquire + change +
                              "fence.proxy.tensormap::generic.release.gpu;\n" +
                              kAcquire));
}

TEST(EmulatorTensorMap, NeedsAllFields) {
  DeviceMap map;
  expectError(map.run(without(describe(), "swizzle_mode"), kRelease + kAcquire),
              "holds a tensor map without swizzle_mode");
  expectError(
      map.run(without(describe(), "global_stride"), kRelease + kAcquire),
      "without global_stride 0");
  expectError(map.run("", kRelease + kAcquire), "holds no tensor map");
}

TEST(EmulatorTensorMap, RefusesValuesOutOfRange) {
  DeviceMap map;
  expectError(map.run(describe() + replace("rank", "5"), kRelease + kAcquire),
              "rank 5 is out of range; the largest is 4");
  expectError(map.run(describe() + replace("global_stride", "0, 8", 64),
                      kRelease + kAcquire),
              "axis 1 has a stride of 8 bytes");
  expectError(map.run(describe() + replace("interleave_layout", "1"),
                      kRelease + kAcquire),
              "interleaved layouts are not supported");
  expectError(map.run(replace("box_dim", "5, 8"), ""), "no box_dim 5");
}

TEST(EmulatorTensorMap, LiesInParametersOrGlobalMemory) {
  DeviceMap map;
  expectError(map.run(describe() + "cvt.u64.u32 %x6, %r1;\n"
                                   "cvta.shared.u64 %x6, %x6;\n",
                      kRelease + kAcquire, 8, 2, "%x6"),
              "is no place for a tensor map");
  // Its data is no map.
  expectError(map.run(describe() + "and.b64 %x6, %x0, -64;\n"
                                   "add.s64 %x6, %x6, 64;\n",
                      kRelease + kAcquire, 8, 2, "%x6"),
              "holds no tensor map");
}

TEST(EmulatorTensorMap, SurvivesItsBytes) {
  TensorMap map;
  map.format = TensorMap::Format::F32;
  map.rank = 3;
  map.address = 0x7000;
  map.dims = {100, int64_t(1) << 32, 7};
  map.strideBytes = {4, 400, 4000};
  map.box = {16, 256, 1};
  map.steps = {1, 2, 1};
  map.swizzleBytes = 64;
  map.fillsNan = true;
  uint8_t bytes[kTensorMapBytes];
  writeTensorMap(map, bytes);
  TensorMap read;
  std::string error;
  ASSERT_TRUE(readTensorMap(bytes, read, error)) << error;
  EXPECT_EQ(read.dims, map.dims);
  EXPECT_EQ(read.strideBytes, map.strideBytes);
  EXPECT_EQ(read.box, map.box);
  EXPECT_EQ(read.format, map.format);
  EXPECT_EQ(read.swizzleBytes, 64);
  EXPECT_EQ(read.address, 0x7000u);
  EXPECT_EQ(read.tileExtent(1), 128);
  EXPECT_TRUE(read.fillsNan);
  EXPECT_TRUE(checkTensorMap(read, error)) << error;
}
