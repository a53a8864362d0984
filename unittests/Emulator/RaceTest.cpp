//===- RaceTest.cpp - Accesses that nothing orders ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule of docs/trust.md with a kernel that keeps it and one that does not.
// Both verdicts must be the same under every schedule and seed.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

/// Warp 0 runs `first`, warp 1 `second`, behind the initialisation of 64 words
/// and of an mbarrier for one arrival at [smem+512]. %r1 is the thread, %r2 its
/// word of shared memory, %r3 that of its neighbour in the same warp, %r4 that
/// of the thread with its lane in warp 0, %p0 is set in lane 0. Registers from
/// %r10 are free.
static TestKernel twoWarps(const std::string &first,
                           const std::string &second) {
  TestKernel kernel(
      "mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0;\n"
      "@%p0 mbarrier.init.shared.b64 [smem+512], 1;\n"
      "mov.b32 %r5, smem; shl.b32 %r2, %r1, 2; xor.b32 %r3, %r2, 4;\n"
      "and.b32 %r6, %r1, 31; shl.b32 %r4, %r6, 2; add.s32 %r2, %r2, %r5;\n"
      "add.s32 %r3, %r3, %r5; add.s32 %r4, %r4, %r5;\n"
      "mov.b32 %r7, 0; st.shared.b32 [%r2], %r7; bar.sync 0;\n"
      "setp.eq.u32 %p0, %r6, 0; setp.ge.u32 %p1, %r1, 32;\n"
      "@%p1 bra SECOND;\n" +
          first + "\nbra.uni END;\nSECOND:\n" + second + "\nEND:",
      64);
  kernel.shared(1024);
  kernel.variant.processes = {{"first", 0, 1, 0}, {"second", 1, 1, 0}};
  return kernel;
}

static void expectClean(const TestKernel &kernel) {
  for (const Options &options : allSchedules())
    expectOk(kernel.run(options));
}

static void expectRace(const TestKernel &kernel, const std::string &part) {
  for (const Options &options : allSchedules()) {
    Result result = kernel.run(options);
    expectError(result, "race: ");
    expectError(result, part);
  }
}

static const char *kStoreOwn = "st.shared.b32 [%r2], %r1;\n";
static const char *kArrive = "bar.warp.sync -1;\n"
                             "@%p0 mbarrier.arrive.shared.b64 _, [smem+512];\n";
static const char *kAwait =
    "W: mbarrier.try_wait.parity.shared.b64 %p2, [smem+512], 0;\n"
    "@!%p2 bra W;\n";
static const char *kLoadFirst = "ld.shared.b32 %r10, [%r4];\n";

TEST(EmulatorRace, ReadOfAnothersWrite) {
  expectClean(twoWarps(std::string(kStoreOwn) + "bar.sync 1, 64;",
                       std::string("bar.sync 1, 64;\n") + kLoadFirst));
  TestKernel kernel = twoWarps("st.shared.b32 [%r2], %r1; bar.sync 1, 64;\n" +
                                   std::string(kStoreOwn),
                               std::string("bar.sync 1, 64;\n") + kLoadFirst);
  expectRace(kernel, "nothing orders the two; an arrival and a wait, or a "
                     "barrier, is missing between them");
  // Both sides are named, with process and line.
  Result result = kernel.run();
  expectError(result, "('first')");
  expectError(result, "('second')");
  expectError(result, "\n  and PTX line ");
}

TEST(EmulatorRace, TwoWrites) {
  std::string again = "bar.sync 1, 64;\nst.shared.b32 [%r4], %r1;";
  expectClean(twoWarps(std::string(kStoreOwn) + "bar.sync 1, 64;", again));
  expectRace(twoWarps("bar.sync 1, 64;\n" + std::string(kStoreOwn), again),
             "writes");
}

TEST(EmulatorRace, WriteOverAReader) {
  // A reader before the barrier, a writer behind it; then nothing between.
  std::string write = "bar.sync 1, 64;\nst.shared.b32 [%r4], %r1;";
  expectClean(twoWarps(std::string(kStoreOwn) + "bar.warp.sync -1;\n" +
                           "ld.shared.b32 %r10, [%r3]; bar.sync 1, 64;",
                       write));
  expectRace(twoWarps(std::string(kStoreOwn) +
                          "bar.sync 1, 64; ld.shared.b32 %r10, [%r3];",
                      write),
             "an arrival and a wait, or a barrier, is missing");
}

TEST(EmulatorRace, LanesOfOneWarp) {
  // Running in step is no promise; only bar.warp.sync orders lanes.
  std::string load = "ld.shared.b32 %r10, [%r3];";
  expectClean(
      twoWarps(kStoreOwn + std::string("bar.warp.sync -1;\n") + load, ""));
  expectRace(twoWarps(kStoreOwn + load, ""), "of warp 0 ('first') writes");
  expectRace(twoWarps(kStoreOwn + ("shfl.sync.idx.b32 %r11|%p3, %r1, 0, 31, -1;"
                                   "\n" +
                                   load),
                      ""),
             "of warp 0 ('first') writes");
}

TEST(EmulatorRace, BytesOfOneGranuleAreApart) {
  // Four lanes write a byte each of every word, and read it back.
  std::string own = "add.s32 %r10, %r5, %r1; st.shared.b8 [%r10], %r1;\n"
                    "ld.shared.b8 %r11, [%r10];";
  expectClean(twoWarps(own, own));
  expectRace(
      twoWarps(own, "ld.shared.b8 %r11, [%r5+7]; bar.warp.sync -1;" + own), "");
}

TEST(EmulatorRace, TheSameValueTwiceIsFine) {
  // Layouts with repeated elements store them more than once.
  TestKernel same("mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;\n"
                  "shl.b32 %r3, %r2, 2; mov.b32 %r4, smem;\n"
                  "add.s32 %r3, %r3, %r4; st.shared.b32 [%r3], %r2;",
                  64);
  same.shared(128);
  expectClean(same);
  TestKernel different("mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;\n"
                       "shl.b32 %r3, %r2, 2; mov.b32 %r4, smem;\n"
                       "add.s32 %r3, %r3, %r4; st.shared.b32 [%r3], %r1;",
                       64);
  different.shared(128);
  expectRace(different, "writes 4 bytes");
  // So do warps that hold the same matrix.
  auto matrix = [](const char *value) {
    TestKernel kernel("mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;\n"
                      "shl.b32 %r3, %r2, 4; mov.b32 %r4, smem;\n"
                      "add.s32 %r3, %r3, %r4;\n"
                      "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {" +
                          std::string(value) + "};",
                      64);
    kernel.shared(512);
    return kernel;
  };
  expectClean(matrix("%r2"));
  expectRace(matrix("%r1"), "writes 16 bytes");
}

TEST(EmulatorRace, MbarriersOrder) {
  expectClean(twoWarps(std::string(kStoreOwn) + kArrive,
                       std::string(kAwait) + kLoadFirst));
  // The elected lane releases the others' writes only behind bar.warp.sync.
  expectRace(twoWarps(std::string(kStoreOwn) +
                          "@%p0 mbarrier.arrive.shared.b64 _, [smem+512];",
                      std::string(kAwait) + kLoadFirst),
             "");
  expectRace(twoWarps(std::string(kArrive) + kStoreOwn,
                      std::string(kAwait) + kLoadFirst),
             "");
}

TEST(EmulatorRace, RelaxedArrivalsAndWaitsOrderNothing) {
  std::string relaxedArrive =
      "bar.warp.sync -1;\n@%p0 mbarrier.arrive.relaxed.cta.shared::cta.b64 _, "
      "[smem+512];\n";
  std::string relaxedWait =
      "W: mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %p2, [smem+512],"
      " 0;\n@!%p2 bra W;\n";
  expectRace(
      twoWarps(kStoreOwn + relaxedArrive, std::string(kAwait) + kLoadFirst),
      "");
  expectRace(
      twoWarps(std::string(kStoreOwn) + kArrive, relaxedWait + kLoadFirst), "");
}

TEST(EmulatorRace, ArrivingAtABarrierDoesNotAcquire) {
  expectClean(twoWarps(std::string(kStoreOwn) + "bar.arrive 1, 64;",
                       std::string("bar.sync 1, 64;\n") + kLoadFirst));
  expectRace(twoWarps("bar.arrive 1, 64; ld.shared.b32 %r10, [%r2+128];",
                      std::string(kStoreOwn) + "bar.sync 1, 64;"),
             "");
}

//===----------------------------------------------------------------------===//
// Strong accesses and fences
//===----------------------------------------------------------------------===//

TEST(EmulatorRace, FlagsNeedReleaseAndAcquire) {
  std::string spin = "L: ld.acquire.cta.shared.b32 %r10, [smem+252];\n"
                     "setp.ne.u32 %p2, %r10, 7; @%p2 bra L;\n";
  std::string give = "mov.b32 %r10, 7;\n@%p0 st.release.cta.shared.b32 "
                     "[smem+252], %r10;\n";
  std::string relaxedGive = "mov.b32 %r10, 7;\n@%p0 st.relaxed.cta.shared.b32 "
                            "[smem+252], %r10;\n";
  std::string relaxedSpin = "L: ld.relaxed.cta.shared.b32 %r10, [smem+252];\n"
                            "setp.ne.u32 %p2, %r10, 7; @%p2 bra L;\n";
  // Warp 0 raises a flag behind its write, warp 1 spins on it before it reads.
  auto kernel = [](const std::string &raise, const std::string &spin) {
    return twoWarps("@%p0 st.shared.b32 [smem], %r1;\n" + raise,
                    spin + "ld.shared.b32 %r11, [smem];");
  };
  expectClean(kernel(give, spin));
  expectRace(kernel(relaxedGive, relaxedSpin), "reads 4 bytes");
  expectRace(kernel(relaxedGive, spin), "reads 4 bytes");
  expectRace(kernel(give, relaxedSpin), "reads 4 bytes");
  expectClean(kernel("fence.acq_rel.cta;\n" + relaxedGive,
                     relaxedSpin + "fence.acq_rel.cta;\n"));
  expectRace(kernel("fence.acq_rel.cta;\n" + relaxedGive, relaxedSpin),
             "reads 4 bytes");
  // An ordinary flag is a race itself.
  expectRace(kernel("mov.b32 %r10, 7;\n@%p0 st.shared.b32 [smem+252], "
                    "%r10;\n",
                    spin),
             "");
}

TEST(EmulatorRace, AtomicsDoNotRaceWithEachOther) {
  std::string add = "@%p0 atom.shared.add.u32 %r10, [smem], 1;\n";
  expectClean(twoWarps(add, add));
  expectRace(twoWarps(add, "@%p0 ld.shared.b32 %r10, [smem];"), "");
}

//===----------------------------------------------------------------------===//
// mbarriers as memory
//===----------------------------------------------------------------------===//

TEST(EmulatorRace, BarriersAreUsedBehindTheirInitialisation) {
  TestKernel kernel("mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0;\n"
                    "@%p0 mbarrier.init.shared.b64 [smem], 64;\n"
                    "bar.sync 0; mbarrier.arrive.shared.b64 _, [smem];",
                    64);
  kernel.shared(16);
  expectClean(kernel);
  TestKernel early("mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0;\n"
                   "@%p0 mbarrier.init.shared.b64 [smem], 64;\n"
                   "mbarrier.arrive.shared.b64 _, [smem];",
                   32);
  early.shared(16);
  expectRace(early, "uses the mbarrier at shared address 0x400, which thread 0 "
                    "of warp 0 writes");
}

TEST(EmulatorRace, BarriersEndBehindTheirUses) {
  std::string end = "@%p0 mbarrier.inval.shared.b64 [smem+512];";
  expectClean(twoWarps(kArrive + std::string("bar.sync 1, 64;\n") + end,
                       std::string(kAwait) + "bar.sync 1, 64;"));
  // Too early it is a race, or already gone.
  TestKernel early = twoWarps(kArrive + end, kAwait);
  for (const Options &options : allSchedules()) {
    Result result = early.run(options);
    EXPECT_TRUE(result.error.find("race: ") != std::string::npos ||
                result.error.find("was not initialised") != std::string::npos)
        << result.error;
  }
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

TEST(EmulatorRace, GlobalMemoryInsideACta) {
  // Every thread writes its word and reads that of the thread opposite.
  auto run = [](const std::string &between, const Options &options) {
    std::vector<uint32_t> out(64);
    TestKernel kernel("mov.u32 %r1, %tid.x; ld.param.b64 %d0, [p0];\n"
                      "mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d0, %d1;\n"
                      "st.global.b32 [%d1], %r1;\n" +
                          between +
                          "xor.b32 %r2, %r1, 63; mul.wide.u32 %d2, %r2, 4;\n"
                          "add.s64 %d2, %d0, %d2; ld.global.b32 %r3, [%d2];",
                      64);
    kernel.buffer(out);
    return kernel.run(options);
  };
  for (const Options &options : allSchedules()) {
    expectOk(run("bar.sync 0;\n", options));
    Result result = run("", options);
    expectError(result, "race: ");
    expectError(result, "('arg0' + ");
  }
}

TEST(EmulatorRace, BulkStoresAreWrittenAfterTheirWait) {
  auto run = [](const std::string &wait, const Options &options) {
    std::vector<uint32_t> out(32);
    TestKernel kernel(
        "mov.b32 %r1, 7; st.shared.b32 [smem], %r1;\n"
        "st.shared.b32 [smem+4], %r1; st.shared.b32 [smem+8], %r1;\n"
        "st.shared.b32 [smem+12], %r1; ld.param.b64 %d0, [p0];\n"
        "fence.proxy.async.shared::cta; mov.b32 %r2, 16;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%d0], [smem], %r2;\n"
        "cp.async.bulk.commit_group;\n" +
            wait + "ld.global.b32 %r3, [%d0]; cp.async.bulk.wait_group 0;",
        1);
    kernel.buffer(out).shared(16);
    return kernel.run(options);
  };
  for (const Options &options : allSchedules()) {
    expectOk(run("cp.async.bulk.wait_group 0;\n", options));
    // The source has been read; the target need not have been written.
    expectError(run("cp.async.bulk.wait_group.read 0;\n", options), "race: ");
  }
}

TEST(EmulatorRace, CanBeSwitchedOff) {
  TestKernel kernel = twoWarps(kStoreOwn, kLoadFirst);
  EXPECT_FALSE(kernel.run().ok);
  Options options;
  options.checkRaces = false;
  expectOk(kernel.run(options));
}
