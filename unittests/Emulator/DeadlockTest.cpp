//===- DeadlockTest.cpp - Who waits for whom, and who may -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that hang, and the report about them: a cycle of processes, or a
// process that has exited. Most use two processes and one ring, whose names the
// report takes from the manifest.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

/// Warp 0 is 'load', warp 1 'math'; ring 'a' of one slot has its full barrier
/// at [smem+64] and its empty one at [smem+72], one arrival each. Lane 0 of
/// each warp runs its text.
static TestKernel ring(const std::string &load, const std::string &math) {
  TestKernel kernel("mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0;\n"
                    "@%p0 mbarrier.init.shared.b64 [smem+64], 1;\n"
                    "@%p0 mbarrier.init.shared.b64 [smem+72], 1;\n"
                    "bar.sync 0; and.b32 %r2, %r1, 31;\n"
                    "setp.ne.u32 %p1, %r2, 0; @%p1 ret;\n"
                    "setp.ge.u32 %p2, %r1, 32; @%p2 bra MATH;\n" +
                        load + "ret;\nMATH:\n" + math,
                    64);
  manifest::Ring ring;
  ring.name = "a";
  ring.slotBytes = 64;
  ring.fullBarrier = 64;
  ring.emptyBarrier = 72;
  ring.producers = {"load"};
  ring.consumers = {"math"};
  kernel.variant.rings = {ring};
  kernel.variant.processes = {{"load", 0, 1, 0}, {"math", 1, 1, 0}};
  kernel.shared(128);
  return kernel;
}

static std::string wait(const std::string &at, const std::string &parity,
                        const std::string &label) {
  return label + ": mbarrier.try_wait.parity.shared.b64 %p3, [smem+" + at +
         "], " + parity + ";\n@!%p3 bra " + label + ";\n";
}
static std::string arrive(const std::string &at) {
  return "mbarrier.arrive.shared.b64 _, [smem+" + at + "];\n";
}

TEST(EmulatorDeadlock, PrintsTheCycle) {
  // Two turns; the release of the first is missing.
  std::string load = arrive("64") + wait("72", "0", "L0") + arrive("64");
  auto math = [](const std::string &release) {
    return wait("64", "0", "M0") + release + wait("64", "1", "M1");
  };
  for (const Options &options : allSchedules()) {
    expectOk(ring(load, math(arrive("72"))).run(options));
    expectError(ring(load, math("")).run(options),
                "\n  cycle: 'load' waits for 'math' (the empty barrier of slot "
                "0 of ring 'a', turn 0), which waits for 'load' (the full "
                "barrier of slot 0 of ring 'a', turn 1)");
  }
}

TEST(EmulatorDeadlock, SaysWhoHasExited) {
  for (const Options &options : allSchedules())
    expectError(ring("", wait("64", "0", "M0")).run(options),
                "\n  'math' waits for 'load', which has exited (the full "
                "barrier of slot 0 of ring 'a', turn 0)");
}

TEST(EmulatorDeadlock, KnowsNamedBarriersByWhoCameEarlier) {
  TestKernel kernel("mov.u32 %r1, %tid.x; setp.ge.u32 %p0, %r1, 64;\n"
                    "@%p0 ret; bar.sync 1, 64;\n"
                    "setp.ge.u32 %p0, %r1, 32; @%p0 ret; bar.sync 1, 64;",
                    96);
  for (const Options &options : allSchedules()) {
    Result result = kernel.run(options);
    expectError(result, "\n  warp 0 waits for warp 1, which has exited (named "
                        "barrier 1)");
    EXPECT_EQ(result.error.find("warp 2"), std::string::npos) << result.error;
  }
}

TEST(EmulatorDeadlock, NamedBarriersTakeAWarpOnce) {
  TestKernel kernel("bar.arrive 1, 96; bar.arrive 1, 96;");
  expectError(kernel.run(), "comes to barrier 1 a second time");
}

TEST(EmulatorDeadlock, RingsBelongToTheirProcesses) {
  expectError(ring(arrive("64"), arrive("64")).run(),
              "warp 1 ('math'), thread 32: arrives on the full barrier of slot "
              "0 of ring 'a' (filled by 'load'), which is not for this "
              "process");
  expectError(ring(wait("64", "0", "L0"), "").run(),
              "waits on the full barrier of slot 0 of ring 'a' (filled by "
              "'load'), which is not for this process");
}
