//===- GridTest.cpp - Many CTAs, on one thread or several -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grids of many CTAs, on one thread of the host and on several. CTAs that
// cannot tell the difference run in parallel, with the results and errors of a
// sequential run. Those with atomics keep their order.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle::emulator;
using namespace heddle::emulator::test;

static Options onThreads(int threads) {
  Options options;
  options.threads = threads;
  return options;
}

TEST(EmulatorGrid, RunsEveryCtaOnce) {
  for (int threads : {1, 3, 16}) {
    std::vector<uint32_t> out(64);
    TestKernel kernel("ld.param.b64 %d0, [p0]; mov.u32 %r0, %ctaid.x;\n"
                      "mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1;\n"
                      "ld.global.b32 %r1, [%d0]; add.s32 %r1, %r1, %r0;\n"
                      "add.s32 %r1, %r1, 1; st.global.b32 [%d0], %r1;",
                      1);
    kernel.buffer(out).grid(64);
    Options options = onThreads(threads);
    int64_t calls = 0, last = 0;
    options.progress = [&](int64_t ended, int64_t total) {
      ++calls;
      last = ended;
      EXPECT_EQ(total, 64);
    };
    Result result = kernel.run(options);
    expectOk(result);
    EXPECT_EQ(result.statistics.ctas, 64);
    EXPECT_EQ(result.statistics.warpInstructions, 64 * 9);
    EXPECT_EQ(calls, 64);
    EXPECT_EQ(last, 64);
    for (uint32_t i = 0; i < 64; ++i)
      EXPECT_EQ(out[i], i + 1);
  }
}

TEST(EmulatorGrid, KeepsTheOrderWhereCtasCanTell) {
  // Tickets by an atomic: CTA i draws i, however many threads there might be.
  std::vector<uint32_t> out(65);
  TestKernel kernel("ld.param.b64 %d0, [p0]; mov.u32 %r0, %ctaid.x;\n"
                    "atom.global.add.u32 %r1, [%d0], 1;\n"
                    "mul.wide.u32 %d1, %r0, 4; add.s64 %d0, %d0, %d1;\n"
                    "st.global.b32 [%d0+4], %r1;",
                    1);
  kernel.buffer(out).grid(64);
  expectOk(kernel.run(onThreads(16)));
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i + 1], i);
}

TEST(EmulatorGrid, RunsCtasBesideOneAnotherWhereTheyCanTell) {
  // Each CTA raises its flag and waits for its neighbour's, of which one has a
  // higher number. Then it draws a ticket.
  bool isAnyOther = false;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    std::vector<uint32_t> out(17), flags(16);
    TestKernel kernel("ld.param.b64 %d0, [p0]; ld.param.b64 %d2, [p1];\n"
                      "mov.u32 %r0, %ctaid.x; mul.wide.u32 %d1, %r0, 4;\n"
                      "add.s64 %d3, %d2, %d1; mov.b32 %r2, 1;\n"
                      "st.release.gpu.global.b32 [%d3], %r2;\n"
                      "xor.b32 %r3, %r0, 1; mul.wide.u32 %d4, %r3, 4;\n"
                      "add.s64 %d4, %d2, %d4;\n"
                      "wait: ld.acquire.gpu.global.b32 %r4, [%d4];\n"
                      "setp.ne.b32 %p0, %r4, 0; @%p0 bra raised;\n"
                      "nanosleep.u32 32; bra wait;\n"
                      "raised: atom.global.add.u32 %r1, [%d0], 1;\n"
                      "add.s64 %d0, %d0, %d1; st.global.b32 [%d0+4], %r1;",
                      1);
    kernel.buffer(out).buffer(flags).grid(16);
    Options options;
    options.schedule = Schedule::Random;
    options.seed = seed;
    expectOk(kernel.run(options));
    std::vector<bool> isDrawn(16);
    for (uint32_t i = 0; i < 16; ++i) {
      ASSERT_LT(out[i + 1], 16u);
      EXPECT_FALSE(isDrawn[out[i + 1]]);
      isDrawn[out[i + 1]] = true;
      isAnyOther |= out[i + 1] != i;
    }
  }
  EXPECT_TRUE(isAnyOther);
}

TEST(EmulatorGrid, SaysWhichCtaOfSeveralFails) {
  TestKernel kernel("ld.param.b64 %d0, [p0]; mov.u32 %r0, %ctaid.x;\n"
                    "atom.global.add.u32 %r1, [%d0], 1;\n"
                    "setp.eq.u32 %p0, %r0, 7; @%p0 trap;",
                    1);
  std::vector<uint32_t> out(1);
  kernel.buffer(out).grid(16);
  Options options;
  options.schedule = Schedule::Random;
  expectError(kernel.run(options), "CTA (7,0,0)");
}

TEST(EmulatorGrid, ReportsTheFirstCtaThatFails) {
  for (int threads : {1, 16})
    for (int round = 0; round < 10; ++round) {
      TestKernel kernel("mov.u32 %r0, %ctaid.x; setp.ge.u32 %p0, %r0, 20;\n"
                        "@%p0 trap;",
                        1);
      kernel.grid(64);
      expectError(kernel.run(onThreads(threads)), "CTA (20,0,0)");
    }
}

TEST(EmulatorGrid, KnowsThreeAxes) {
  std::string error;
  auto program = Program::parse(
      ".version 8.6\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %d<3>;\n"
      "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z;\n"
      "mad.lo.s32 %r3, %r2, 10, %r1; mad.lo.s32 %r3, %r3, 10, %r0;\n"
      "mov.u32 %r4, %ctaid.z; mad.lo.s32 %r3, %r4, 1000, %r3;\n"
      "mov.u32 %r5, %ntid.y; mov.u32 %r6, %ntid.x;\n"
      "mad.lo.s32 %r7, %r2, %r5, %r1; mad.lo.s32 %r7, %r7, %r6, %r0;\n"
      "mad.lo.s32 %r7, %r4, 24, %r7;\n"
      "ld.param.b64 %d0, [p]; mul.wide.u32 %d1, %r7, 4;\n"
      "add.s64 %d0, %d0, %d1; st.global.b32 [%d0], %r3; ret;\n}\n",
      error);
  ASSERT_TRUE(program) << error;
  ASSERT_EQ(program->entries().size(), 1u);
  EXPECT_EQ(program->entries()[0].name, "k");
  EXPECT_EQ(program->entries()[0].parameterBytes, std::vector<int64_t>{8});
  std::vector<uint32_t> out(48);
  RawLaunch launch;
  launch.entry = "k";
  launch.grid = {1, 1, 2};
  launch.block = {4, 3, 2};
  uint64_t address = reinterpret_cast<uint64_t>(out.data());
  launch.params.emplace_back(8);
  std::memcpy(launch.params[0].data(), &address, 8);
  std::vector<MemoryRange> memory = {{address, 192, true, "out"}};
  expectOk(run(*program, launch, memory));
  for (uint32_t i = 0; i < 48; ++i)
    EXPECT_EQ(out[i],
              i / 24 * 1000 + i % 24 / 12 * 100 + i % 12 / 4 * 10 + i % 4);
  // What does not fit is refused before anything runs.
  launch.params.emplace_back(4);
  Result result = run(*program, launch, memory);
  EXPECT_TRUE(result.refused);
  expectError(result, "has 1 parameters, the launch 2");
  launch.params = {std::vector<uint8_t>(4)};
  expectError(run(*program, launch, memory), "8 bytes in the PTX and 4");
}
