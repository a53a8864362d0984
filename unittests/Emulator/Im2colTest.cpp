//===- Im2colTest.cpp - Copies in im2col mode -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs of pixels of random images against a model that divides the pixel's
// number: steps, corners inside and outside of the image, offsets, pixels
// behind the last image. What the documents forbid must be an error with a
// sentence.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include "heddle/Emulator/TensorMap.h"
#include "heddle/Manifest/LaunchPlan.h"
#include "heddle/Support/SplitMix.h"

#include "gtest/gtest.h"
#include <numeric>

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

namespace {

/// Images of H x W pixels of C channels, and a run of them.
struct PixelRun {
  int images = 2, height = 5, width = 6, channels = 8;
  int step = 1, lowerH = 0, lowerW = 0, countH = 5, countW = 6;
  int pixels = 16, boxChannels = 8;
  int shift = 0; ///< of the first pixel, along a row
  int start = 0, channel = 0, offsetH = 0, offsetW = 0;

  manifest::TensorMap map(std::vector<uint16_t> &data) const {
    manifest::TensorMap map;
    map.element = manifest::ElementType::F16;
    map.address = reinterpret_cast<uint64_t>(data.data());
    map.dims = {channels, width, height, images};
    map.stridesBytes = {2, 2 * channels, 2 * channels * width,
                        2 * channels * width * height};
    map.box = {boxChannels};
    map.steps = {1, step, step, 1};
    map.pixels = pixels;
    map.lower = {lowerW, lowerH};
    map.upper = {lowerW + (countW - 1) * step - (width - 1),
                 lowerH + (countH - 1) * step - (height - 1)};
    return map;
  }

  std::vector<uint16_t> image() const {
    std::vector<uint16_t> data(size_t(images) * height * width * channels);
    std::iota(data.begin(), data.end(), uint16_t(1));
    return data;
  }

  /// The run's elements, and what ended it.
  Result execute(std::vector<uint16_t> &data, std::vector<uint16_t> &out,
                 const std::string &mode = ".im2col") const {
    out.assign(size_t(pixels) * boxChannels, 0xABCD);
    std::string bytes = std::to_string(out.size() * 2);
    bool isRun = mode == ".im2col";
    TestKernel kernel(
        "mbarrier.init.shared.b64 [smem+32768], 1; mov.b64 %d0, p0;\n"
        "cvta.param.u64 %d0, %d0; mov.b32 %r1, smem;\n"
        "ld.param.b32 %r2, [p2]; ld.param.b32 %r3, [p3];\n"
        "ld.param.b32 %r4, [p4]; ld.param.b32 %r5, [p5];\n"
        "ld.param.b32 %r6, [p6]; ld.param.b32 %r7, [p7];\n"
        "cvt.u16.u32 %h1, %r6; cvt.u16.u32 %h2, %r7;\n"
        "mbarrier.arrive.expect_tx.shared.b64 %d1, [smem+32768], " +
            bytes + ";\ncp.async.bulk.tensor.4d.shared::cluster.global" + mode +
            ".mbarrier::complete_tx::bytes [%r1], "
            "[%d0, {%r2, %r3, %r4, %r5}], [smem+32768]" +
            (isRun ? ", {%h1, %h2}" : "") +
            ";\n"
            "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem+32768], 0;\n"
            "@!%p0 bra W;\nld.param.b64 %d2, [p1]; mov.b32 %r8, 0;\n"
            "L: add.s32 %r9, %r1, %r8; ld.shared.b32 %r10, [%r9];\n"
            "cvt.u64.u32 %d3, %r8; add.s64 %d3, %d2, %d3;\n"
            "st.global.b32 [%d3], %r10; add.s32 %r8, %r8, 4;\n"
            "setp.lt.u32 %p1, %r8, " +
            bytes + "; @%p1 bra L;",
        1);
    int q = start % countW, p = start / countW % countH,
        n = start / countW / countH;
    kernel.tensor(map(data), data.size() * 2).buffer(out);
    kernel.scalar(uint32_t(channel))
        .scalar(uint32_t(lowerW + q * step + shift));
    kernel.scalar(uint32_t(lowerH + p * step)).scalar(uint32_t(n));
    kernel.scalar(uint32_t(offsetW)).scalar(uint32_t(offsetH));
    return kernel.shared(32768 + 16).run();
  }

  uint16_t expected(const std::vector<uint16_t> &data, int pixel,
                    int inBox) const {
    int number = start + pixel, c = channel + inBox;
    int w = lowerW + number % countW * step + offsetW;
    int h = lowerH + number / countW % countH * step + offsetH;
    int n = number / countW / countH;
    bool isInside = w >= 0 && w < width && h >= 0 && h < height && n < images &&
                    c < channels;
    return isInside
               ? data[((size_t(n) * height + h) * width + w) * channels + c]
               : 0;
  }
};

} // namespace

TEST(EmulatorIm2col, RandomRunsAreWhatDivisionSays) {
  SplitMix random(1);
  auto below = [&](int end) { return int(random.next() % uint64_t(end)); };
  for (int i = 0; i < 400; ++i) {
    PixelRun run;
    run.images = 1 + below(3);
    run.height = 1 + below(9);
    run.width = 1 + below(9);
    run.channels = 8 * (1 + below(3));
    run.step = 1 + below(3);
    run.lowerH = -below(4);
    run.lowerW = -below(4);
    run.countH = 1 + below(7);
    run.countW = 1 + below(7);
    run.pixels = 8 * (1 + below(6));
    run.boxChannels = 8 * (1 + below(2));
    run.channel = 8 * below(2);
    run.start = below(run.countW * run.countH * run.images);
    run.offsetH = below(5);
    run.offsetW = below(5);
    std::vector<uint16_t> data = run.image(), out;
    Result result = run.execute(data, out);
    ASSERT_TRUE(result.ok) << i << ": " << result.error;
    for (int pixel = 0; pixel < run.pixels; ++pixel)
      for (int c = 0; c < run.boxChannels; ++c)
        ASSERT_EQ(out[size_t(pixel) * run.boxChannels + c],
                  run.expected(data, pixel, c))
            << i << ": pixel " << pixel << ", channel " << c;
  }
}

TEST(EmulatorIm2col, CornersFitTheirBits) {
  PixelRun run;
  run.lowerW = -129;
  std::vector<uint16_t> data = run.image(), out;
  expectError(run.execute(data, out),
              "a corner of -129 along axis 1; -128 to 127 are possible");
}

TEST(EmulatorIm2col, OffsetsFitTheirBits) {
  PixelRun run;
  run.offsetH = 256;
  std::vector<uint16_t> data = run.image(), out;
  expectError(run.execute(data, out),
              "an im2col offset of 256 along axis 2; 0 to 255 are possible");
}

TEST(EmulatorIm2col, RunsBeginAtAPixel) {
  // One element further, the walk would never meet the map's pixels.
  PixelRun run;
  run.step = 2;
  run.countH = run.countW = 3;
  run.shift = 1;
  std::vector<uint16_t> data = run.image(), out;
  expectError(run.execute(data, out),
              "the first pixel is at 1 along axis 1; the map's pixels there "
              "are every 2 from 0 to 4");
}

TEST(EmulatorIm2col, ModesOfMapAndCopyAgree) {
  PixelRun run;
  std::vector<uint16_t> data = run.image(), out;
  expectError(run.execute(data, out, ".tile"),
              "a tiled copy through a map in im2col mode");
}

TEST(EmulatorIm2col, MapsSurviveTheirBytes) {
  PixelRun run;
  run.lowerH = -3;
  run.countW = 4;
  std::vector<uint16_t> data = run.image();
  TensorMap map = fromManifest(run.map(data)), read;
  uint8_t bytes[kTensorMapBytes];
  writeTensorMap(map, bytes);
  std::string error;
  ASSERT_TRUE(readTensorMap(bytes, read, error)) << error;
  EXPECT_EQ(read.pixels, map.pixels);
  EXPECT_EQ(read.lower, map.lower);
  EXPECT_EQ(read.upper, map.upper);
}
