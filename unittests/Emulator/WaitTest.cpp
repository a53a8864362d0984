//===- WaitTest.cpp - Waits that give up ----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// try_wait may return false although the phase is about to end, and test_wait
// does so until it has. Code that does not ask again is wrong, and the
// adversarial order says so whatever the seed; where the phase must be over,
// both say true.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

static std::vector<Options> adversarial(size_t seeds) {
  std::vector<Options> list(seeds);
  for (size_t seed = 0; seed < seeds; ++seed) {
    list[seed].schedule = Schedule::Adversarial;
    list[seed].seed = seed;
  }
  return list;
}

/// Warp 0 loads `turns` times 128 bytes, into one slot, and warp 1 reads them;
/// `wait(barrier, label)` is how warp 1 waits, `fence` stands behind its read.
template <class Wait>
static TestKernel
loads(int turns, Wait waitForFull,
      const std::string &fence = "fence.proxy.async.shared::cta;\n") {
  return TestKernel(
      "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; mov.b32 %r7, 0;\n"
      "@!%p1 mbarrier.init.shared.b64 [smem+1024], 1;\n"
      "@!%p1 mbarrier.init.shared.b64 [smem+1032], 32;\n"
      "ld.param.b64 %d0, [p0]; ld.param.b64 %d1, [p1]; mov.b32 %r2, 128;\n"
      "bar.sync 0; setp.ge.u32 %p2, %r1, 32; mov.b32 %r5, 0;\n"
      "@%p2 bra READ; @%p1 ret; mov.b32 %r6, 1;\n"
      "FILL: E: mbarrier.try_wait.parity.shared.b64 %p0, [smem+1032], %r6;\n"
      "@!%p0 bra E; xor.b32 %r6, %r6, 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [smem+1024], 128;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[smem], [%d0], %r2, [smem+1024];\n"
      "add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, " +
          std::to_string(turns) +
          "; @%p3 bra FILL; ret;\n"
          "READ: mov.b32 %r6, 0;\n"
          "AGAIN: " +
          waitForFull() +
          "ld.shared.b32 %r3, [smem]; add.u32 %r7, %r7, %r3;\n" + fence +
          "mbarrier.arrive.shared.b64 _, [smem+1032];\n"
          "xor.b32 %r6, %r6, 1; add.u32 %r5, %r5, 1;\n"
          "setp.lt.u32 %p3, %r5, " +
          std::to_string(turns) +
          "; @%p3 bra AGAIN;\n"
          "sub.u32 %r1, %r1, 32; mul.wide.u32 %d2, %r1, 4;\n"
          "add.u64 %d1, %d1, %d2; st.global.b32 [%d1], %r7;",
      64);
}

static std::string ask(const std::string &instruction) {
  return "mbarrier." + instruction +
         ".parity.shared.b64 %p0, [smem+1024], %r6;\n";
}

TEST(EmulatorWait, WaitsThatLoopAreRight) {
  for (const char *instruction : {"try_wait", "test_wait"})
    for (const Options &options : allSchedules()) {
      std::vector<uint32_t> in(32, 7), out(32);
      TestKernel kernel =
          loads(5, [&] { return "F: " + ask(instruction) + "@!%p0 bra F;\n"; });
      kernel.buffer(in, false).buffer(out).shared(2048);
      expectOk(kernel.run(options));
      EXPECT_EQ(out, std::vector<uint32_t>(32, 35));
    }
}

TEST(EmulatorWait, ReadsAreFencedBeforeTheNextLoad) {
  for (Options options : allSchedules())
    for (bool checksReads : {true, false}) {
      options.checkReadFences = checksReads;
      std::vector<uint32_t> in(32, 7), out(32);
      TestKernel kernel = loads(
          5, [&] { return "F: " + ask("try_wait") + "@!%p0 bra F;\n"; }, "");
      kernel.buffer(in, false).buffer(out).shared(2048);
      Result result = kernel.run(options);
      EXPECT_EQ(result.ok, !checksReads);
      if (checksReads)
        EXPECT_NE(result.error.find("read without a fence.proxy.async"),
                  std::string::npos)
            << result.error;
    }
}

TEST(EmulatorWait, AWaitWithoutALoopIsAlwaysFound) {
  for (const char *instruction : {"try_wait", "test_wait"})
    for (bool checksRaces : {true, false})
      for (Options options : adversarial(64)) {
        options.checkRaces = checksRaces;
        std::vector<uint32_t> in(32, 7), out(32);
        TestKernel kernel = loads(1, [&] { return ask(instruction); });
        kernel.buffer(in, false).buffer(out).shared(2048);
        Result result = kernel.run(options);
        // Without clocks the reader has what was there before, or the CTA ends
        // while the load runs.
        EXPECT_FALSE(result.ok && out == std::vector<uint32_t>(32, 7))
            << instruction << ", seed " << options.seed;
        if (checksRaces)
          EXPECT_FALSE(result.ok) << instruction << ", seed " << options.seed;
      }
}

TEST(EmulatorWait, SoIsOneThatAsksTwice) {
  // Twice is one more than the least; some seeds refuse three times.
  int found = 0;
  for (const Options &options : adversarial(64)) {
    std::vector<uint32_t> in(32, 7), out(32);
    TestKernel kernel = loads(1, [&] {
      return ask("test_wait") + "@%p0 bra GO;\n" + ask("test_wait") +
             "@%p0 bra GO;\nGO: ";
    });
    kernel.buffer(in, false).buffer(out).shared(2048);
    found += !kernel.run(options).ok;
  }
  EXPECT_GT(found, 32);
}

TEST(EmulatorWait, DataThatAreLongThereChangeNothing) {
  // The reader dawdles until the load has landed in every order: only the
  // refusal tells.
  for (const Options &options : adversarial(32)) {
    std::vector<uint32_t> in(32, 7), out(32);
    TestKernel kernel = loads(1, [&] {
      return "mov.b32 %r9, 0;\nD: nanosleep.u32 100; add.u32 %r9, %r9, 1;\n"
             "setp.lt.u32 %p4, %r9, 3000; @%p4 bra D;\n" +
             ask("try_wait");
    });
    kernel.buffer(in, false).buffer(out).shared(2048);
    EXPECT_FALSE(kernel.run(options).ok) << "seed " << options.seed;
  }
}

TEST(EmulatorWait, WhatIsKnownToBeOverIsOver) {
  // Behind its own arrival, behind a barrier, and before the first phase; each
  // without a loop.
  const char *bodies[] = {
      "mbarrier.init.shared.b64 [smem], 1;\n"
      "mbarrier.arrive.shared.b64 %d2, [smem];\n"
      "mbarrier.test_wait.shared.b64 %p0, [smem], %d2;\n",
      "mbarrier.init.shared.b64 [smem], 1;\n"
      "mbarrier.test_wait.parity.shared.b64 %p0, [smem], 1;\n",
      "mbarrier.init.shared.b64 [smem], 1;\n"
      "mbarrier.try_wait.parity.shared.b64 %p0, [smem], 1;\n"};
  for (const char *body : bodies)
    for (const Options &options : allSchedules()) {
      std::vector<uint32_t> out(1);
      TestKernel kernel(std::string(body) +
                            "selp.b32 %r0, 1, 0, %p0; ld.param.b64 %d0, [p0];\n"
                            "st.global.b32 [%d0], %r0;",
                        1);
      kernel.buffer(out).shared(16);
      expectOk(kernel.run(options));
      EXPECT_EQ(out[0], 1u) << body;
    }
  // One warp arrives, bar.sync, the other asks.
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out(64);
    TestKernel kernel("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0;\n"
                      "@%p1 mbarrier.init.shared.b64 [smem], 1;\n"
                      "@%p1 mbarrier.arrive.shared.b64 _, [smem]; bar.sync 0;\n"
                      "mbarrier.try_wait.parity.shared.b64 %p0, [smem], 0;\n"
                      "selp.b32 %r0, 1, 0, %p0; ld.param.b64 %d0, [p0];\n"
                      "mul.wide.u32 %d1, %r1, 4; add.u64 %d0, %d0, %d1;\n"
                      "st.global.b32 [%d0], %r0;",
                      64);
    kernel.buffer(out).shared(16);
    expectOk(kernel.run(options));
    EXPECT_EQ(out, std::vector<uint32_t>(64, 1));
  }
}

TEST(EmulatorWait, ASeedIsAnOrder) {
  // The same seed gives the same number of instructions.
  for (const Options &options : adversarial(8)) {
    std::vector<uint32_t> in(32, 7), out(32);
    TestKernel kernel =
        loads(5, [&] { return "F: " + ask("try_wait") + "@!%p0 bra F;\n"; });
    kernel.buffer(in, false).buffer(out).shared(2048);
    auto instructions = kernel.run(options).statistics.warpInstructions;
    EXPECT_EQ(instructions, kernel.run(options).statistics.warpInstructions);
  }
}

TEST(EmulatorWait, SomeOrderElectsAnotherLane) {
  // PTX does not say which; it is the same for the same mask.
  bool everOther = false;
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out(2);
    TestKernel kernel("elect.sync %r1|%p0, -1; elect.sync %r2|%p1, -1;\n"
                      "ld.param.b64 %d0, [p0];\n"
                      "@%p0 st.global.b32 [%d0], %r1;\n"
                      "@%p1 st.global.b32 [%d0+4], %r2;");
    kernel.buffer(out);
    expectOk(kernel.run(options));
    EXPECT_EQ(out[0], out[1]);
    EXPECT_LT(out[0], 32u);
    everOther |= out[0] != 0;
    if (options.schedule == Schedule::Fair)
      EXPECT_EQ(out[0], 0u);
  }
  EXPECT_TRUE(everOther);
}
