//===- CopyTest.cpp - cp.async --------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async with its waits, right and wrong. Without a wait there must be an
// error, and under some schedule wrong data where races are not checked. An
// emulator that copied at once would pass kernels that fail on a GPU.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include <numeric>

using namespace heddle::emulator;
using namespace heddle::emulator::test;

/// Each thread copies one word in and reads its neighbour's after `wait`.
static std::string copyKernel(const std::string &wait) {
  return "mov.u32 %r1, %tid.x; mov.b32 %r2, smem; shl.b32 %r3, %r1, 2;\n"
         "add.s32 %r4, %r2, %r3; ld.param.b64 %d0, [p0];\n"
         "cvt.u64.u32 %d2, %r3; add.s64 %d3, %d0, %d2;\n"
         "cp.async.ca.shared.global [%r4], [%d3], 4;\n"
         "cp.async.commit_group;\n" +
         wait +
         "xor.b32 %r5, %r3, 4; add.s32 %r5, %r2, %r5;\n"
         "ld.shared.b32 %r6, [%r5];\n"
         "ld.param.b64 %d1, [p1]; add.s64 %d1, %d1, %d2;\n"
         "st.global.b32 [%d1], %r6; cp.async.wait_all;";
}

TEST(EmulatorCopy, WaitBringsTheData) {
  std::vector<uint32_t> in(64), out(64);
  std::iota(in.begin(), in.end(), 100);
  for (const Options &options : allSchedules()) {
    TestKernel kernel(copyKernel("cp.async.wait_group 0; bar.sync 0;\n"), 64);
    kernel.buffer(in, false).buffer(out).shared(256);
    expectOk(kernel.run(options));
    EXPECT_EQ(out[6], 107u);
    EXPECT_EQ(out[63], 162u);
  }
}

TEST(EmulatorCopy, NeedsItsWaitAndABarrier) {
  std::vector<uint32_t> in(64), out(64);
  for (const Options &options : allSchedules())
    for (const char *wait : {"bar.sync 0;\n", "cp.async.wait_group 0;\n"}) {
      TestKernel kernel(copyKernel(wait), 64);
      kernel.buffer(in, false).buffer(out).shared(256);
      // Either the word is not there, or it comes unordered.
      Result result = kernel.run(options);
      EXPECT_FALSE(result.ok);
      bool says =
          result.error.find("cp.async.wait_group is missing") !=
              std::string::npos ||
          result.error.find("nobody has written") != std::string::npos ||
          result.error.find("the cp.async writes") != std::string::npos;
      EXPECT_TRUE(says) << result.error;
    }
}

TEST(EmulatorCopy, WithoutTheWaitTheDataIsNotThere) {
  std::vector<uint32_t> in(64), out(64);
  bool everWrong = false;
  for (Options options : allSchedules()) {
    options.checkRaces = false;
    TestKernel kernel(copyKernel("bar.sync 0;\n"), 64);
    kernel.buffer(in, false).buffer(out).shared(256);
    expectOk(kernel.run(options));
    everWrong |= out[6] != 107;
  }
  EXPECT_TRUE(everWrong);
}

TEST(EmulatorCopy, FillsWithZerosAndArrives) {
  std::vector<uint32_t> in(4, 7), out(4);
  for (const Options &options : allSchedules()) {
    TestKernel kernel(
        "mbarrier.init.shared.b64 [smem+16], 1; mov.b32 %r1, smem;\n"
        "ld.param.b64 %d0, [p0]; mov.b32 %r2, 8;\n"
        "cp.async.cg.shared.global.L2::128B [%r1], [%d0], 16, %r2;\n"
        "cp.async.mbarrier.arrive.noinc.shared.b64 [smem+16];\n"
        "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem+16], 0;\n"
        "@!%p0 bra W;\n"
        "ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [smem];\n"
        "ld.param.b64 %d1, [p1]; st.global.v4.b32 [%d1], {%r3, %r4, %r5, %r6};",
        1);
    kernel.buffer(in, false).buffer(out).shared(32);
    expectOk(kernel.run(options));
    EXPECT_EQ(out, (std::vector<uint32_t>{7, 7, 0, 0}));
  }
}

/// Warp 0 copies a word for each thread; a bulk store of warp 1, which reads
/// through the async proxy, follows the arrivals of the copies.
static std::string handOver(const std::string &fence) {
  return "mov.u32 %r1, %tid.x; mov.b32 %r2, smem; ld.param.b64 %d0, [p0];\n"
         "ld.param.b64 %d1, [p1]; setp.lt.u32 %p1, %r1, 32;\n"
         "setp.eq.u32 %p2, %r1, 0;\n"
         "@%p2 mbarrier.init.shared.b64 [smem+128], 32;\n"
         "bar.sync 0;\n"
         "@!%p1 bra W;\n"
         "shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3;\n"
         "cvt.u64.u32 %d2, %r3; add.s64 %d3, %d0, %d2;\n"
         "cp.async.ca.shared.global [%r4], [%d3], 4;\n"
         "cp.async.mbarrier.arrive.noinc.shared.b64 [smem+128];\n"
         "cp.async.wait_all; ret;\n"
         "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem+128], 0;\n"
         "@!%p0 bra W;\n" +
         fence +
         "setp.ne.u32 %p3, %r1, 32; @%p3 bra END;\n"
         "cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r2], 128;\n"
         "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
         "END: ";
}

TEST(EmulatorCopy, ReaderFencesWhatOthersCopied) {
  std::vector<uint32_t> in(32), out(32);
  std::iota(in.begin(), in.end(), 5);
  for (const Options &options : allSchedules()) {
    TestKernel kernel(handOver("fence.proxy.async;\n"), 64);
    kernel.buffer(in, false).buffer(out).shared(136);
    expectOk(kernel.run(options));
    EXPECT_EQ(out, in);
  }
}

TEST(EmulatorCopy, ReaderWithoutAFenceIsAFault) {
  std::vector<uint32_t> in(32), out(32);
  for (const Options &options : allSchedules()) {
    TestKernel kernel(handOver(""), 64);
    kernel.buffer(in, false).buffer(out).shared(136);
    expectError(kernel.run(options), "without a fence.proxy.async");
  }
}

/// The writer's fence comes before its copies end, and so is none for them.
TEST(EmulatorCopy, WritersFenceBeforeTheEndIsNone) {
  std::string body = handOver("");
  size_t wait = body.find("cp.async.wait_all");
  body.insert(wait, "fence.proxy.async; ");
  std::vector<uint32_t> in(32), out(32);
  for (const Options &options : allSchedules()) {
    TestKernel kernel(body, 64);
    kernel.buffer(in, false).buffer(out).shared(136);
    expectError(kernel.run(options), "without a fence.proxy.async");
  }
}
