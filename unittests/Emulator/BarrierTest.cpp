//===- BarrierTest.cpp - Named barriers, mbarriers and deadlocks ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small kernels that meet at named barriers and mbarriers, or share registers
// by setmaxnreg, right and wrong. Right uses of barriers must work under every
// schedule. Wrong ones must end in a message that names the barrier, ring or
// warp.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

TEST(EmulatorBarrier, OrdersSharedMemory) {
  // Every thread reads what the thread opposite wrote.
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out(256);
    TestKernel kernel("mov.u32 %r1, %tid.x; mov.b32 %r2, smem;\n"
                      "shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3;\n"
                      "st.shared.b32 [%r4], %r1; bar.sync 0;\n"
                      "sub.s32 %r5, 1020, %r3; add.s32 %r5, %r2, %r5;\n"
                      "ld.shared.b32 %r6, [%r5];\n"
                      "ld.param.b64 %d0, [p0]; cvt.u64.u32 %d1, %r3;\n"
                      "add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r6;",
                      256);
    kernel.buffer(out).shared(1024);
    expectOk(kernel.run(options));
    for (uint32_t i = 0; i < 256; ++i)
      ASSERT_EQ(out[i], 255 - i);
  }
}

TEST(EmulatorBarrier, ArriveDoesNotWait) {
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out(1);
    TestKernel kernel("mov.u32 %r1, %tid.x; setp.ge.u32 %p0, %r1, 32;\n"
                      "@%p0 bra CONSUMER;\n"
                      "mov.b32 %r2, 42; st.shared.b32 [smem], %r2;\n"
                      "bar.arrive 1, 64; ret;\n"
                      "CONSUMER: bar.sync 1, 64; ld.shared.b32 %r3, [smem];\n"
                      "ld.param.b64 %d0, [p0]; st.global.b32 [%d0], %r3;",
                      64);
    kernel.buffer(out).shared(16);
    expectOk(kernel.run(options));
    EXPECT_EQ(out[0], 42u);
  }
}

TEST(EmulatorBarrier, CountsMustAgree) {
  TestKernel kernel("mov.u32 %r1, %tid.x; setp.ge.u32 %p0, %r1, 32;\n"
                    "@%p0 bra B; bar.sync 1, 64; ret;\nB: bar.sync 1, 96;",
                    64);
  expectError(kernel.run(), "threads, others wait there for");
}

TEST(EmulatorBarrier, TellsWhoIsMissing) {
  TestKernel kernel("mov.u32 %r1, %tid.x; setp.ge.u32 %p0, %r1, 32;\n"
                    "@%p0 ret; bar.sync 3, 64;",
                    64);
  kernel.variant.processes = {{"load", 0, 1, 0}, {"math", 1, 1, 0}};
  kernel.variant.namedBarriers = {{3, 64, "hand over"}};
  Result result = kernel.run();
  expectError(result, "deadlock");
  expectError(result, "warp 0 ('load') waits at named barrier 3 (hand over); "
                      "32 of 64 threads are there");
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

static std::string initialise(int count) {
  return "mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0;\n"
         "@%p0 mbarrier.init.shared.b64 [smem], " +
         std::to_string(count) + ";\nbar.sync 0;\n";
}

TEST(EmulatorMbarrier, PhasesAlternate) {
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out(1);
    // Warp 0 produces eight values through one slot, warp 1 adds them up.
    TestKernel kernel(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0;\n"
        "@%p0 mbarrier.init.shared.b64 [smem], 1;\n"
        "@%p0 mbarrier.init.shared.b64 [smem+8], 1;\n"
        "bar.sync 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0;\n"
        "and.b32 %r5, %r1, 31; setp.ne.u32 %p1, %r5, 0; @%p1 ret;\n"
        "setp.ge.u32 %p0, %r1, 32; @%p0 bra CONSUME;\n"
        "PRODUCE: xor.b32 %r6, %r3, 1;\n"
        "W0: mbarrier.try_wait.parity.shared.b64 %p2, [smem+8], %r6;\n"
        "@!%p2 bra W0;\n"
        "st.shared.b32 [smem+16], %r2;\n"
        "mbarrier.arrive.shared.b64 %d0, [smem];\n"
        "xor.b32 %r3, %r3, 1; add.s32 %r2, %r2, 1;\n"
        "setp.lt.u32 %p3, %r2, 8; @%p3 bra PRODUCE; ret;\n"
        "CONSUME:\n"
        "W1: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [smem], "
        "%r3;\n"
        "@!%p2 bra W1;\n"
        "ld.shared.b32 %r7, [smem+16]; add.s32 %r4, %r4, %r7;\n"
        "mbarrier.arrive.release.cta.shared::cta.b64 _, [smem+8];\n"
        "xor.b32 %r3, %r3, 1; add.s32 %r2, %r2, 1;\n"
        "setp.lt.u32 %p3, %r2, 8; @%p3 bra CONSUME;\n"
        "ld.param.b64 %d0, [p0]; st.global.b32 [%d0], %r4;",
        64);
    kernel.buffer(out).shared(32);
    expectOk(kernel.run(options));
    EXPECT_EQ(out[0], 28u);
  }
}

TEST(EmulatorMbarrier, NamesRingAndSlotInADeadlock) {
  TestKernel kernel(
      "mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0;\n"
      "@%p0 mbarrier.init.shared.b64 [smem+64], 1;\n"
      "@%p0 mbarrier.init.shared.b64 [smem+72], 1;\n"
      "bar.sync 0;\n"
      "W: mbarrier.try_wait.parity.shared.b64 %p2, [smem+72], 0;\n"
      "@!%p2 bra W;");
  manifest::Ring ring;
  ring.name = "a";
  ring.depth = 2;
  ring.fullBarrier = 64;
  ring.emptyBarrier = 80;
  ring.producers = {"load"};
  kernel.variant.rings = {ring};
  kernel.variant.processes = {{"math", 0, 1, 0}};
  kernel.shared(128);
  for (const Options &options : allSchedules())
    expectError(
        kernel.run(options),
        "warp 0 ('math') waits on the full barrier of slot 1 of ring 'a' "
        "(filled by 'load'), parity 0; it is in phase 0 with 0 of 1 arrivals");
}

TEST(EmulatorMbarrier, PollingForeverIsADeadlockToo) {
  TestKernel kernel(initialise(1) +
                    "W: mbarrier.test_wait.parity.shared.b64 %p2, [smem], 0;\n"
                    "@!%p2 bra W;");
  kernel.shared(16);
  expectError(kernel.run(), "deadlock");
}

TEST(EmulatorMbarrier, TooManyArrivals) {
  TestKernel kernel("mbarrier.init.shared.b64 [smem], 1;\n"
                    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [smem], 16;"
                    "mbarrier.arrive.shared.b64 %d0, [smem];\n"
                    "mbarrier.arrive.shared.b64 %d0, [smem];",
                    1);
  kernel.shared(16);
  expectError(kernel.run(), "which expects 1 and misses only 0");
}

TEST(EmulatorMbarrier, MustBeInitialised) {
  TestKernel kernel("mbarrier.arrive.shared.b64 %d0, [smem];", 1);
  kernel.shared(16);
  expectError(kernel.run(), "was not initialised");
}

TEST(EmulatorMbarrier, MustNotBeOverwritten) {
  TestKernel kernel("mbarrier.init.shared.b64 [smem], 1;\n"
                    "mov.b32 %r0, 0; st.shared.b32 [smem+4], %r0;",
                    1);
  kernel.shared(16);
  expectError(kernel.run(), "over a live mbarrier");
}

//===----------------------------------------------------------------------===//
// setmaxnreg
//===----------------------------------------------------------------------===//

static std::string setRegisters(int less, int more) {
  return "mov.u32 %r1, %tid.x; setp.lt.u32 %p0, %r1, 128; @%p0 bra LESS;\n"
         "setmaxnreg.inc.sync.aligned.u32 " +
         std::to_string(more) +
         "; ret;\nLESS: setmaxnreg.dec.sync.aligned.u32 " +
         std::to_string(less) + ";";
}

TEST(EmulatorRegisters, ThePoolIsShared) {
  // 384 threads start with 168 each: 40 + 2 * 232 and 120 + 2 * 192 fit. An
  // H200 hangs on 128 + 2 * 192 although the SM has 65536 registers.
  expectOk(TestKernel(setRegisters(40, 232), 384).run());
  expectOk(TestKernel(setRegisters(120, 192), 384).run());
  expectError(TestKernel(setRegisters(128, 192), 384).run(),
              "waits in setmaxnreg for 192 registers");
  expectError(TestKernel(setRegisters(40, 240), 384).run(),
              "waits in setmaxnreg for 240 registers");
  expectError(TestKernel(setRegisters(200, 232), 384).run(),
              ".dec cannot take more");
  expectError(TestKernel(setRegisters(44, 232), 384).run(), "multiple of 8");
}
