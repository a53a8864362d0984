//===- ClusterTest.cpp - CTAs that reach each other's shared memory -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels in clusters: remote loads, stores and arrivals, multicast, and the
// cluster's barrier. CTAs store values that only another one can have given
// them, so that a confusion of ranks shows in the result.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include <numeric>

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

namespace {
/// %r0 = the CTA in the grid, %r1 = its rank, %r2 = the other of two, %d0 =
/// p0 + 4 * CTA.
const std::string kWhoAmI =
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %cluster_ctarank;\n"
    "xor.b32 %r2, %r1, 1; ld.param.b64 %d0, [p0]; mul.wide.u32 %d1, %r0, 4;\n"
    "add.s64 %d0, %d0, %d1;\n";
const std::string kBarrier =
    "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";

TestKernel pairs(const std::string &body, std::vector<uint32_t> &out,
                 int threads = 32) {
  TestKernel kernel(kWhoAmI + body, threads);
  kernel.buffer(out).grid(int64_t(out.size())).shared(1024);
  kernel.variant.cluster = {2, 1, 1};
  return kernel;
}
} // namespace

TEST(EmulatorCluster, KnowsItsShape) {
  std::vector<uint32_t> out(6);
  TestKernel kernel(kWhoAmI + "mov.u32 %r3, %cluster_ctaid.x;\n"
                              "mov.u32 %r4, %clusterid.x;\n"
                              "mov.u32 %r5, %cluster_nctarank;\n"
                              "mov.u32 %r6, %nclusterid.x;\n"
                              "mad.lo.s32 %r7, %r3, 10, %r4;\n"
                              "mad.lo.s32 %r7, %r7, 10, %r5;\n"
                              "mad.lo.s32 %r7, %r7, 10, %r6;\n"
                              "st.global.b32 [%d0], %r7;",
                    1);
  kernel.buffer(out).grid(6);
  kernel.variant.cluster = {3, 1, 1};
  expectOk(kernel.run());
  EXPECT_EQ(out, (std::vector<uint32_t>{32, 1032, 2032, 132, 1132, 2132}));
}

TEST(EmulatorCluster, ReadsAndWritesTheOtherSharedMemory) {
  // Each CTA writes 100 + CTA into the other's memory, which then reads it, and
  // adds what it reads from the other's own word.
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out(4);
    TestKernel kernel = pairs(
        "mov.b32 %r3, smem; mapa.shared::cluster.u32 %r4, %r3, %r2;\n"
        "add.s32 %r5, %r0, 100; add.s32 %r6, %r0, 7; setp.eq.u32 %p0, %r1, "
        "%r1;\n" +
            kBarrier +
            "st.shared::cluster.b32 [%r4], %r5;\n"
            "st.shared.b32 [smem+4], %r6;\n" +
            kBarrier +
            "ld.shared.b32 %r7, [smem]; ld.shared::cluster.b32 %r8, [%r4+4];\n"
            "mad.lo.s32 %r7, %r7, 1000, %r8; st.global.b32 [%d0], %r7;\n" +
            kBarrier,
        out);
    expectOk(kernel.run(options));
    EXPECT_EQ(out, (std::vector<uint32_t>{101008, 100007, 103010, 102009}));
  }
}

TEST(EmulatorCluster, GenericAddressesAndRanks) {
  std::vector<uint32_t> out(2);
  TestKernel kernel =
      pairs("mov.b32 %r3, smem; cvt.u64.u32 %d2, %r3; cvta.shared.u64 %d2, "
            "%d2;\n"
            "mapa.u64 %d3, %d2, %r2; getctarank.u64 %r4, %d3;\n"
            "getctarank.u64 %r5, %d2; mad.lo.s32 %r6, %r4, 10, %r5;\n" +
                kBarrier + "st.b32 [%d3], %r6;\n" + kBarrier +
                "ld.shared.b32 %r7, [smem]; st.global.b32 [%d0], %r7;",
            out);
  expectOk(kernel.run());
  // What the other one found out: its partner's rank, then its own.
  EXPECT_EQ(out, (std::vector<uint32_t>{1, 10}));
}

TEST(EmulatorCluster, ArrivesOnTheOtherMbarrier) {
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> out(2);
    TestKernel kernel = pairs(
        "mov.b32 %r3, smem; mbarrier.init.shared.b64 [smem], 1;\n" + kBarrier +
            "mapa.shared::cluster.u32 %r4, %r3, %r2;\n"
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];\n"
            "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem], 0;\n"
            "@!%p0 bra W; mov.b32 %r5, 5; st.global.b32 [%d0], %r5;\n" +
            kBarrier,
        out, 1);
    expectOk(kernel.run(options));
    EXPECT_EQ(out, (std::vector<uint32_t>{5, 5}));
  }
}

TEST(EmulatorCluster, StoresAsynchronously) {
  std::vector<uint32_t> out(2);
  TestKernel kernel = pairs(
      "mov.b32 %r3, smem; mbarrier.init.shared.b64 [smem], 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 %d4, [smem], 8;\n" +
          kBarrier +
          "mapa.shared::cluster.u32 %r4, %r3, %r2; add.s32 %r5, %r0, 40;\n"
          "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 "
          "[%r4+16], {%r5, %r5}, [%r4];\n"
          "W: mbarrier.try_wait.parity.shared.b64 %p0, [smem], 0;\n"
          "@!%p0 bra W; ld.shared.b32 %r6, [smem+20];\n"
          "st.global.b32 [%d0], %r6;\n" +
          kBarrier,
      out, 1);
  expectOk(kernel.run());
  EXPECT_EQ(out, (std::vector<uint32_t>{41, 40}));
}

TEST(EmulatorCluster, MulticastsATile) {
  // Rank 0 loads 8 x 8 words for both; each waits on its own mbarrier.
  for (const Options &options : allSchedules()) {
    std::vector<uint32_t> data(64), out(2);
    std::iota(data.begin(), data.end(), 1u);
    manifest::TensorMap map;
    map.element = manifest::ElementType::F32;
    map.address = reinterpret_cast<uint64_t>(data.data());
    map.dims = {8, 8};
    map.stridesBytes = {4, 32};
    map.box = {8, 8};
    TestKernel kernel(
        kWhoAmI +
            "mbarrier.init.shared.b64 [smem+512], 1;\n"
            "mbarrier.arrive.expect_tx.shared.b64 %d4, [smem+512], 256;\n" +
            kBarrier +
            "setp.eq.u32 %p0, %r1, 0; mov.b16 %h0, 3; mov.b32 %r3, 0;\n"
            "mov.b64 %d5, p1; cvta.param.u64 %d5, %d5;\n"
            "@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
            "complete_tx::bytes.multicast::cluster [smem], [%d5, {%r3, %r3}], "
            "[smem+512], %h0;\n"
            "W: mbarrier.try_wait.parity.shared.b64 %p1, [smem+512], 0;\n"
            "@!%p1 bra W; shl.b32 %r4, %r1, 2; mov.b32 %r5, smem;\n"
            "add.s32 %r5, %r5, %r4; ld.shared.b32 %r6, [%r5+32];\n"
            "st.global.b32 [%d0], %r6;\n" +
            kBarrier,
        1);
    kernel.buffer(out).tensor(map, 256).grid(2).shared(1024);
    kernel.variant.cluster = {2, 1, 1};
    expectOk(kernel.run(options));
    EXPECT_EQ(out, (std::vector<uint32_t>{9, 10}));
  }
}

TEST(EmulatorCluster, ReportsWhatIsWrong) {
  std::vector<uint32_t> out(2);
  // The other one is gone.
  expectError(
      pairs("mov.b32 %r3, smem; mapa.shared::cluster.u32 %r4, %r3, %r2;\n"
            "setp.eq.u32 %p0, %r1, 0; @%p0 ret;\n"
            "mov.b32 %r5, 0;\n"
            "L: add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 9000;\n"
            "@%p1 bra L; st.shared::cluster.b32 [%r4], %r5;",
            out)
          .run(),
      "of CTA 0 of the cluster, which has ended");
  expectError(
      pairs("mov.b32 %r3, smem; mapa.shared::cluster.u32 %r4, %r3, 2;", out)
          .run(),
      "maps an address to CTA 2 of a cluster of 2");
  // A message about another CTA's memory names the thread that was at work.
  expectError(
      pairs("setp.eq.u32 %p0, %r1, 0; @%p0 bra E;\n"
            "mov.b32 %r3, smem; mapa.shared::cluster.u32 %r4, %r3, 0;\n"
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];\n"
            "E: " +
                kBarrier,
            out)
          .run(),
      "CTA (1,0,0), warp 0, thread 0: the mbarrier at shared address 0x400 was "
      "not initialised");
  // One of two waits for a barrier that the other never comes to.
  expectError(pairs("setp.eq.u32 %p0, %r1, 0; @%p0 bra E;\n" + kBarrier +
                        "ret;\nE: mbarrier.init.shared.b64 [smem], 1;\n"
                        "W: mbarrier.try_wait.parity.shared.b64 %p1, [smem], "
                        "0;\n@!%p1 bra W;",
                    out, 1)
                  .run(),
              "deadlock");
  TestKernel kernel = pairs("mov.b32 %r3, 0;", out);
  kernel.grid(3);
  expectError(kernel.run(), "clusters of 2x1x1 CTAs do not divide a grid of 3");
}
