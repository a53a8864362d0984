//===- EndTest.cpp - What a CTA must have waited for at its end -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory goes to the next CTA: nothing may read or write it any more.
// Whether a wait is there decides, not how far the work happens to be, so every
// schedule says the same, with and without the search for races.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace heddle;
using namespace heddle::emulator;
using namespace heddle::emulator::test;

/// All schedules, with and without clocks.
static std::vector<Options> allOptions() {
  std::vector<Options> list;
  for (Options options : allSchedules())
    for (bool checksRaces : {true, false}) {
      options.checkRaces = checksRaces;
      list.push_back(options);
    }
  return list;
}

/// One thread runs `body`, with 1 KiB to read at %d0, 1 KiB to write at %d1 and
/// an mbarrier of one arrival at [smem+1024].
static TestKernel single(const std::string &body, std::vector<uint32_t> &in,
                         std::vector<uint32_t> &out) {
  TestKernel kernel("ld.param.b64 %d0, [p0]; ld.param.b64 %d1, [p1];\n"
                    "mbarrier.init.shared.b64 [smem+1024], 1;\n"
                    "mov.b32 %r1, 128; mov.b32 %r2, smem;\n" +
                        body,
                    1);
  kernel.buffer(in, false).buffer(out).shared(2048);
  return kernel;
}

static void expectEnds(const std::string &body) {
  std::vector<uint32_t> in(256, 7), out(256);
  for (const Options &options : allOptions())
    expectOk(single(body, in, out).run(options));
}

static void expectFault(const std::string &body, const std::string &message) {
  std::vector<uint32_t> in(256, 7), out(256);
  for (const Options &options : allOptions())
    expectError(single(body, in, out).run(options), message);
}

static std::string announce(const std::string &bytes) {
  return "mbarrier.arrive.expect_tx.shared.b64 _, [smem+1024], " + bytes +
         ";\n";
}
static std::string load(const std::string &at) {
  return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
         "[smem+" +
         at + "], [%d0], %r1, [smem+1024];\n";
}
static std::string wait(const std::string &parity) {
  std::string label = "W" + parity;
  return label + ": mbarrier.try_wait.parity.shared.b64 %p0, [smem+1024], " +
         parity + ";\n@!%p0 bra " + label + ";\n";
}

TEST(EmulatorEnd, BulkLoadsAreWaitedFor) {
  expectEnds(announce("128") + load("0") + wait("0"));
  expectEnds(announce("256") + load("0") + load("128") + wait("0"));
  expectFault(announce("128") + load("0"),
              "thread 0: the CTA ends while this bulk load may still write 128 "
              "bytes at shared address 0x400; nobody has waited for the "
              "mbarrier at shared address 0x800, phase 0\n  at PTX line ");
  // One load more than was waited for.
  expectFault(announce("128") + load("0") + wait("0") + announce("128") +
                  load("256"),
              "may still write 128 bytes at shared address 0x500; nobody has "
              "waited for the mbarrier at shared address 0x800, phase 1");
  // A later phase says that the earlier ones are over.
  expectEnds(announce("128") + load("0") + wait("0") + announce("128") +
             load("256") + wait("1"));
  // A load of nothing.
  expectEnds("mov.b32 %r1, 0;\n" + announce("0") + load("0"));
}

TEST(EmulatorEnd, AnotherWarpMayWait) {
  std::vector<uint32_t> in(256, 7), out(256);
  std::string start = "mov.u32 %r3, %tid.x; ld.param.b64 %d0, [p0];\n"
                      "mov.b32 %r1, 128; setp.ne.u32 %p1, %r3, 0;\n"
                      "@!%p1 mbarrier.init.shared.b64 [smem+1024], 1;\n"
                      "bar.sync 0; setp.eq.u32 %p2, %r3, 32;\n"
                      "@%p2 bra WAITER; @%p1 ret;\n" +
                      announce("128") + load("0") + "ret; WAITER:\n";
  for (const Options &options : allOptions())
    for (bool waits : {true, false}) {
      TestKernel kernel(start + (waits ? wait("0") : ""), 64);
      kernel.buffer(in, false).buffer(out).shared(2048);
      if (waits)
        expectOk(kernel.run(options));
      else
        expectError(kernel.run(options), "warp 0, thread 0: the CTA ends");
    }
}

TEST(EmulatorEnd, TensorLoadsAreWaitedFor) {
  std::vector<uint16_t> data(64 * 8, 1);
  manifest::TensorMap map;
  map.element = manifest::ElementType::F16;
  map.address = reinterpret_cast<uint64_t>(data.data());
  map.dims = {64, 8};
  map.stridesBytes = {2, 128};
  map.box = {64, 8};
  map.swizzleBytes = 128;
  for (const Options &options : allOptions())
    for (bool waits : {true, false}) {
      TestKernel kernel(
          "mbarrier.init.shared.b64 [smem+1024], 1; mov.b64 %d0, p0;\n"
          "cvta.param.u64 %d0, %d0; mov.b32 %r2, 0;\n" +
              announce("1024") +
              "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
              "complete_tx::bytes [smem], [%d0, {%r2, %r2}], [smem+1024];\n" +
              (waits ? wait("0") : ""),
          1);
      kernel.tensor(map, data.size() * 2).shared(2048);
      if (waits)
        expectOk(kernel.run(options));
      else
        expectError(kernel.run(options),
                    "may still write 1024 bytes at shared address 0x400");
    }
}

TEST(EmulatorEnd, AnnouncedBytesComeBeforeTheEnd) {
  expectFault(announce("64"),
              "the CTA ends while phase 0 of the mbarrier at shared address "
              "0x800 still expects 64 bytes");
  expectFault("mbarrier.expect_tx.relaxed.cta.shared.b64 [smem+1024], 64;\n",
              "still expects 64 bytes");
  // Arrivals that are missing are no work in flight.
  expectEnds("mbarrier.init.shared.b64 [smem+1040], 2;\n"
             "mbarrier.arrive.shared.b64 _, [smem+1040];\n");
}

TEST(EmulatorEnd, BarriersOutliveWhatSignalsThem) {
  std::string invalidate = "mbarrier.inval.shared.b64 [smem+1024];\n";
  expectEnds(announce("128") + load("0") + wait("0") + invalidate);
  expectFault(announce("128") + load("0") + invalidate,
              "invalidates the mbarrier at shared address 0x800 while a bulk "
              "load may still signal it");
  expectFault(announce("64") + invalidate, "still expects 64 bytes");
}

static std::string copy(const std::string &at) {
  return "cp.async.ca.shared.global [%r2+" + at + "], [%d0], 16;\n";
}

TEST(EmulatorEnd, CopiesAreWaitedFor) {
  std::string commit = "cp.async.commit_group;\n";
  std::string fault = "the CTA ends while this cp.async may still write 16 "
                      "bytes at shared address 0x4";
  expectEnds(copy("0") + commit + "cp.async.wait_group 0;\n");
  expectEnds(copy("0") + "cp.async.wait_all;\n");
  expectFault(copy("0"), fault + "00");
  expectFault(copy("0") + commit, fault + "00");
  expectFault(copy("0") + "cp.async.wait_group 0;\n", fault + "00");
  expectFault(copy("0") + commit + copy("16") + commit +
                  "cp.async.wait_group 1;\n",
              fault + "10");
  // Or through an mbarrier, which somebody waits for.
  std::string arrive =
      "cp.async.mbarrier.arrive.noinc.shared.b64 [smem+1024];\n";
  expectEnds(copy("0") + arrive + wait("0"));
  expectFault(copy("0") + arrive, fault + "00");
  expectFault(copy("0") + arrive + wait("0") + copy("16"), fault + "10");
}

TEST(EmulatorEnd, BulkStoresHaveReadTheirSource) {
  std::string fill = "mov.b32 %r5, 1; mov.b32 %r6, 0;\n"
                     "L: add.u32 %r7, %r2, %r6; st.shared.b32 [%r7], %r5;\n"
                     "add.u32 %r6, %r6, 4; setp.lt.u32 %p1, %r6, 256;\n"
                     "@%p1 bra L; fence.proxy.async.shared::cta;\n";
  auto store = [](const std::string &at) {
    return "cp.async.bulk.global.shared::cta.bulk_group [%d1+" + at +
           "], [smem+" + at + "], %r1;\n";
  };
  std::string commit = "cp.async.bulk.commit_group;\n";
  auto waitFor = [](const char *which) {
    return std::string("cp.async.bulk.wait_group") + which + ";\n";
  };
  // What they write is not the CTA's any more.
  expectEnds(fill + store("0") + commit + waitFor(".read 0"));
  expectEnds(fill + store("0") + commit + waitFor(" 0"));
  std::string fault = "the CTA ends while this bulk store may still read 128 "
                      "bytes at shared address 0x4";
  expectFault(fill + store("0") + commit, fault + "00");
  expectFault(fill + store("0") + waitFor(".read 0"), fault + "00");
  expectFault(fill + store("0") + commit + store("128") + commit +
                  waitFor(".read 1"),
              fault + "80");
}

TEST(EmulatorEnd, ClustersTooEndWithNothingInFlight) {
  // Each CTA loads into both, and waits for its own or not. The cluster's
  // barrier comes too early to help.
  auto body = [](const std::string &waits) {
    return "ld.param.b64 %d0, [p0]; mov.b32 %r1, 128;\n"
           "mov.u32 %r3, %cluster_ctarank; setp.eq.u32 %p1, %r3, 0;\n"
           "mbarrier.init.shared.b64 [smem+1024], 1;\n"
           "fence.mbarrier_init.release.cluster;\n"
           "barrier.cluster.arrive; barrier.cluster.wait;\n"
           "mov.b16 %h1, 3;\n" +
           announce("128") +
           "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
           "bytes.multicast::cluster [smem], [%d0], %r1, [smem+1024], %h1;\n" +
           waits + "barrier.cluster.arrive; barrier.cluster.wait;";
  };
  std::vector<uint32_t> in(256, 7);
  for (const Options &options : allSchedules())
    for (bool waits : {true, false}) {
      TestKernel kernel(body(waits ? wait("0") : ""), 1);
      kernel.buffer(in, false).grid(2).shared(2048);
      kernel.variant.cluster = {2, 1, 1};
      if (waits)
        expectOk(kernel.run(options));
      else
        expectError(kernel.run(options), "the CTA ends while this bulk load");
    }
}
