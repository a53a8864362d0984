//===- LaunchTest.cpp - What reaches the driver ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches go in; the calls that the fake driver recorded are compared with
// those expected: parameters, tensor maps, grids, clusters, streams, and how
// often something was encoded or loaded. On a GPU a wrong field shows as a
// wrong result or a trap, which does not say which field it is.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <atomic>
#include <cstring>
#include <thread>

using namespace heddle::runtime_test;
namespace sample = heddle::manifest::sample;
using heddle::manifest::Manifest;
using heddle::manifest::Param;

namespace {

using Launch = OnFakeDriver;
using U64 = std::vector<uint64_t>;
using U32 = std::vector<uint32_t>;

TEST_F(Launch, PacksParametersOfTheTmaVariant) {
  std::vector<heddle_arg> args = gemmArgs(4096, 8192, 512);
  void *stream = reinterpret_cast<void *>(0x77);
  ASSERT_EQ(heddle_kernel_launch(kernel, args.data(), 3, stream), HEDDLE_OK)
      << heddle_last_error();
  const FakeLaunch &launch = lastLaunch();
  EXPECT_EQ(launch.entry, "gemm_tma");
  EXPECT_EQ(launch.grid[0], 132u);
  EXPECT_EQ(launch.grid[1], 1u);
  EXPECT_EQ(launch.block[0], 384u);
  EXPECT_EQ(launch.block[1], 1u);
  EXPECT_EQ(launch.sharedBytes, 197120u);
  EXPECT_EQ(launch.stream, 0x77u);
  EXPECT_EQ(launch.params, (U64{0, 1, 512, 0x30000, 4096, 8192, 8192}));
}

U64 gemmWords(uint64_t m, uint64_t n, uint64_t k) {
  return {0x10000, m, k, k, 1, 0x20000, n, k, k, 1, 0x30000, m, n, n, 1};
}

TEST_F(Launch, TakesWordsForArguments) {
  ASSERT_EQ(launch(gemmArgs(4096, 8192, 512)), HEDDLE_OK);
  FakeLaunch expected = lastLaunch();
  U64 words = gemmWords(4096, 8192, 512);
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(
        heddle_kernel_launch_words(kernel, words.data(), words.size(), nullptr),
        HEDDLE_OK)
        << heddle_last_error();
  ASSERT_EQ(state()->launches.size(), 3u);
  EXPECT_EQ(state()->maps.size(), 2u); // both forms share their plans
  EXPECT_EQ(lastLaunch().grid[0], expected.grid[0]);
  EXPECT_EQ(lastLaunch().params, (U64{0, 1, 512, 0x30000, 4096, 8192, 8192}));
  words[1] = 128;
  words[11] = 128;
  ASSERT_EQ(
      heddle_kernel_launch_words(kernel, words.data(), words.size(), nullptr),
      HEDDLE_OK);
  EXPECT_EQ(lastLaunch().params[4], 128u);
}

TEST_F(Launch, StepsFollowInOneStreamWithAWorkspace) {
  use(sample::twoSteps());
  state()->paramCount = 4;
  std::vector<heddle_arg> args = gemmArgs(64, 32, 4096);
  void *stream = reinterpret_cast<void *>(0x77);
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(heddle_kernel_launch(kernel, args.data(), 3, stream), HEDDLE_OK)
        << heddle_last_error();
  ASSERT_EQ(state()->launches.size(), 4u);
  for (int i : {0, 2}) {
    const FakeLaunch &first = state()->launches[i];
    const FakeLaunch &second = state()->launches[i + 1];
    uint64_t workspace = 0x700000 + 0x10000 * (i + 1);
    EXPECT_EQ(first.entry, "gemm_parts");
    EXPECT_EQ(first.stream, 0x77u);
    EXPECT_EQ(state()->maps[first.params[0]].address, workspace);
    EXPECT_EQ(second.entry, "gemm_whole");
    EXPECT_EQ(second.stream, 0x77u);
    EXPECT_EQ(second.params[0], 0x30000u);
    EXPECT_EQ(second.params[2], workspace);
  }
  // One pool, and pieces that are given back in the stream's order.
  EXPECT_EQ(state()->pools.size(), 1u);
  EXPECT_EQ(
      state()->pieces,
      (std::vector<std::string>{
          "0 + 32768 on 119", "- " + std::to_string(0x710000) + " on 119",
          "0 + 32768 on 119", "- " + std::to_string(0x730000) + " on 119"}));
}

TEST_F(Launch, ClearsWhatAKernelCountsInBeforeEachLaunch) {
  Manifest manifest = sample::twoSteps();
  manifest.madeViews[0].cleared = true;
  use(manifest);
  state()->paramCount = 4;
  std::vector<heddle_arg> args = gemmArgs(64, 32, 4096);
  void *stream = reinterpret_cast<void *>(0x77);
  std::vector<std::string> expected;
  for (int address : {0x710000, 0x740000}) {
    ASSERT_EQ(heddle_kernel_launch(kernel, args.data(), 3, stream), HEDDLE_OK)
        << heddle_last_error();
    std::string place = std::to_string(address);
    expected.insert(expected.end(),
                    {"0 + 32768 on 119", place + " = 0 for 32768 on 119",
                     "- " + place + " on 119"});
  }
  EXPECT_EQ(state()->pieces, expected);
}

TEST_F(Launch, BringsAWorkspaceForOneStep) {
  Manifest manifest = sample::twoSteps();
  manifest.variants[0].then.clear();
  std::erase_if(manifest.variants,
                [](const auto &variant) { return !variant.step.empty(); });
  use(manifest);
  state()->paramCount = 1;
  std::vector<heddle_arg> args = gemmArgs(64, 32, 4096);
  ASSERT_EQ(heddle_kernel_launch(kernel, args.data(), 3, nullptr), HEDDLE_OK)
      << heddle_last_error();
  ASSERT_EQ(state()->launches.size(), 1u);
  EXPECT_EQ(state()->maps[lastLaunch().params[0]].address, 0x710000u);
  EXPECT_EQ(state()->pieces.size(), 2u);
}

TEST_F(Launch, DescribesBothSteps) {
  use(sample::twoSteps());
  std::vector<heddle_arg> args = gemmArgs(64, 32, 4096);
  char text[2048];
  ASSERT_EQ(heddle_kernel_plan_describe(kernel, args.data(), 3, 132, text,
                                        sizeof text, nullptr),
            HEDDLE_OK)
      << heddle_last_error();
  std::string described = text;
  EXPECT_NE(described.find("then, with a workspace of 32768 bytes: kernel "
                           "'gemm', variant 3 'gemm_whole', grid 64x1x1"),
            std::string::npos)
      << described;
  EXPECT_NE(described.find("pointer 'parts': 0, in the workspace\n"),
            std::string::npos)
      << described;
}

TEST_F(Launch, SaysThatThereIsNoMemoryForAWorkspace) {
  use(sample::twoSteps());
  state()->allocResult = 2;
  EXPECT_EQ(launch(gemmArgs(64, 32, 4096)), HEDDLE_ERROR_OUT_OF_MEMORY);
  EXPECT_NE(std::string(heddle_last_error())
                .find("32768 bytes for the workspace of a launch"),
            std::string::npos)
      << heddle_last_error();
  EXPECT_TRUE(state()->launches.empty());
}

TEST_F(Launch, OneStreamWaitsForAnother) {
  ASSERT_EQ(heddle_stream_wait(reinterpret_cast<void *>(0x77), nullptr),
            HEDDLE_OK)
      << heddle_last_error();
  ASSERT_EQ(state()->waits.size(), 1u);
  EXPECT_EQ(state()->waits[0].first, 0x77u);
  EXPECT_EQ(state()->eventsAlive, 0);
}

TEST_F(Launch, SaysWhoWaitedWhenAKernelTraps) {
  Manifest manifest;
  manifest.kernel = "stuck";
  manifest.target = "sm_90a";
  heddle::manifest::Variant variant;
  variant.entry = "stuck";
  variant.grid = {sample::constant(1), sample::constant(1),
                  sample::constant(1)};
  variant.sharedBytes = 4096;
  variant.params.emplace_back();
  variant.params[0].kind = heddle::manifest::Param::Kind::TrapRecord;
  variant.processes = {{"load", 0, 4, 0}};
  manifest.variants = {variant};
  heddle_kernel *stuck = nullptr;
  ASSERT_EQ(create(manifest, &stuck), HEDDLE_OK) << heddle_last_error();
  state()->paramCount = 1;
  ASSERT_EQ(heddle_kernel_launch(stuck, nullptr, 0, nullptr), HEDDLE_OK)
      << heddle_last_error();
  ASSERT_NE(state()->hostMemory, nullptr);
  EXPECT_EQ(lastLaunch().params,
            (U64{reinterpret_cast<uint64_t>(state()->hostMemory)}));
  // What the kernel would write: taken, barrier, warp, items, CTA.
  uint32_t record[8] = {1, 96, 2, 5, 7, 0, 0, 0};
  std::memcpy(state()->hostMemory, record, sizeof record);
  state()->synchronizeResult = 719;
  EXPECT_NE(heddle_synchronize(nullptr), HEDDLE_OK);
  EXPECT_NE(std::string(heddle_last_error())
                .find("; kernel 'stuck': process 'load' (warp 2, CTA 7) waited "
                      "2 s for the mbarrier at byte 96 of dynamic shared "
                      "memory"),
            std::string::npos)
      << heddle_last_error();
  std::memset(state()->hostMemory, 0, sizeof record);
  heddle_kernel_destroy(stuck);
}

TEST_F(Launch, EncodesTensorMaps) {
  ASSERT_EQ(launch(gemmArgs(4096, 8192, 512)), HEDDLE_OK)
      << heddle_last_error();
  ASSERT_EQ(state()->maps.size(), 2u);
  const FakeTensorMap &b = state()->maps[1];
  EXPECT_EQ(b.dtype, 6); // CU_TENSOR_MAP_DATA_TYPE_FLOAT16
  EXPECT_EQ(b.rank, 2u);
  EXPECT_EQ(b.address, 0x20000u);
  EXPECT_EQ(b.dims, (U64{512, 8192}));
  EXPECT_EQ(b.strides, (U64{1024}));
  EXPECT_EQ(b.box, (U32{64, 256}));
  EXPECT_EQ(b.elementStrides, (U32{1, 1}));
  EXPECT_EQ(b.interleave, 0);
  EXPECT_EQ(b.swizzle, 3);   // 128 bytes
  EXPECT_EQ(b.promotion, 2); // 128 bytes
  EXPECT_EQ(b.fill, 0);
}

TEST_F(Launch, TensorMapsOfRankOneAndFive) {
  for (int rank : {1, 5}) {
    Manifest manifest;
    manifest.kernel = "copy";
    manifest.target = "sm_90a";
    std::vector<int> order, box;
    for (int axis = rank - 1; axis >= 0; --axis)
      order.push_back(axis);
    box.assign(rank, 1);
    box[0] = 64;
    manifest.arguments = {sample::view("x", true, order)};
    manifest.arguments[0].element = heddle::manifest::ElementType::BF16;
    heddle::manifest::Variant variant;
    variant.entry = "copy";
    variant.params = {sample::tensorMap("x", box)};
    variant.grid = {sample::constant(1), sample::constant(1),
                    sample::constant(1)};
    manifest.variants = {variant};
    use(manifest);
    heddle_arg x = {};
    x.dtype = HEDDLE_BF16;
    x.rank = rank;
    x.data = reinterpret_cast<void *>(0x40000);
    int64_t stride = 1;
    for (int axis : order) {
      x.shape[axis] = 16;
      x.strides[axis] = stride;
      stride *= 16;
    }
    state()->paramCount = 1;
    ASSERT_EQ(launch({x}), HEDDLE_OK) << heddle_last_error();
    const FakeTensorMap &map = state()->maps.back();
    EXPECT_EQ(map.rank, static_cast<uint32_t>(rank));
    EXPECT_EQ(map.dtype, 9);
    EXPECT_EQ(map.strides, rank == 1 ? U64{} : (U64{32, 512, 8192, 131072}));
  }
}

TEST_F(Launch, TensorMapsInIm2colMode) {
  Manifest manifest;
  manifest.kernel = "runs";
  manifest.target = "sm_90a";
  manifest.arguments = {sample::view("x", false, {3, 2, 1, 0})};
  heddle::manifest::Variant variant;
  variant.entry = "runs";
  variant.params = {sample::tensorMap("x", {64})};
  variant.params[0].tensorMap.steps = {1, 2, 2, 1};
  heddle::manifest::Im2colRecipe &im2col =
      variant.params[0].tensorMap.im2col.emplace();
  im2col.pixels = 128;
  im2col.first = {sample::constant(-3), sample::constant(-1)};
  im2col.count = {sample::dim("x", 0), sample::constant(5)};
  variant.grid = {sample::constant(1), sample::constant(1),
                  sample::constant(1)};
  manifest.variants = {variant};
  use(manifest);
  heddle_arg x = {};
  x.dtype = HEDDLE_F16;
  x.rank = 4;
  x.data = reinterpret_cast<void *>(0x40000);
  int64_t shape[] = {4, 10, 12, 64}, stride = 1;
  for (int axis = 3; axis >= 0; --axis) {
    x.shape[axis] = shape[axis];
    x.strides[axis] = stride;
    stride *= shape[axis];
  }
  state()->paramCount = 1;
  ASSERT_EQ(launch({x}), HEDDLE_OK) << heddle_last_error();
  const FakeTensorMap &map = state()->maps.back();
  EXPECT_EQ(map.rank, 4u);
  EXPECT_EQ(map.pixels, 128u);
  EXPECT_EQ(map.box[0], 64u);
  EXPECT_EQ(map.elementStrides, (U32{1, 2, 2, 1}));
  EXPECT_EQ(map.dims, (U64{64, 12, 10, 4}));
  EXPECT_EQ(map.lower, (std::vector<int>{-3, -1}));
  // Columns begin at -3, -1, 1, 3, rows at -1, 1, 3, 5, 7.
  EXPECT_EQ(map.upper, (std::vector<int>{3 - 11, 7 - 9}));
}

TEST_F(Launch, MisalignedArgumentsTakeThePlainVariant) {
  state()->paramCount = 15;
  ASSERT_EQ(launch(gemmArgs(4095, 4095, 4095)), HEDDLE_OK)
      << heddle_last_error();
  EXPECT_EQ(lastLaunch().entry, "gemm_plain");
  EXPECT_EQ(lastLaunch().sharedBytes, 0u);
  EXPECT_TRUE(state()->maps.empty());
  EXPECT_EQ(lastLaunch().params[0], 0x10000u);
  EXPECT_EQ(lastLaunch().params[1], 4095u); // dim 0, its upper half is padding
}

TEST_F(Launch, EmptyResultLaunchesNothing) {
  EXPECT_EQ(launch(gemmArgs(0, 128, 64)), HEDDLE_OK) << heddle_last_error();
  EXPECT_TRUE(state()->launches.empty());
}

TEST_F(Launch, RaisesSharedMemoryWhereNeeded) {
  ASSERT_EQ(heddle_kernel_load(kernel), HEDDLE_OK) << heddle_last_error();
  EXPECT_EQ(state()->attributes,
            (std::vector<std::string>{"gemm_tma 8 = 197120"}));
  EXPECT_EQ(state()->ptx, ptxOf(sample::gemm()));
}

TEST_F(Launch, ClustersGoThroughTheExtendedLaunch) {
  Manifest manifest = sample::gemm();
  manifest.variants[0].cluster = {4, 4, 1};
  manifest.variants[0].grid = {sample::constant(8), sample::constant(4),
                               sample::constant(1)};
  use(manifest);
  ASSERT_EQ(launch(gemmArgs(128, 128, 64)), HEDDLE_OK) << heddle_last_error();
  const FakeLaunch &launch = lastLaunch();
  EXPECT_EQ(launch.cluster[0], 4u);
  EXPECT_EQ(launch.cluster[1], 4u);
  EXPECT_EQ(launch.cluster[2], 1u);
  EXPECT_EQ(launch.grid[0], 8u);
  EXPECT_EQ(launch.block[0], 384u);
  EXPECT_EQ(launch.sharedBytes, 197120u);
  EXPECT_EQ(launch.params.size(), 7u);
  // 16 CTAs are beyond the portable 8.
  EXPECT_EQ(state()->attributes.back(), "gemm_tma 14 = 1");
}

TEST_F(Launch, RepeatedArgumentsAreEncodedOnce) {
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(launch(gemmArgs(4096, 4096, 512)), HEDDLE_OK)
        << heddle_last_error();
  EXPECT_EQ(state()->launches.size(), 5u);
  EXPECT_EQ(state()->maps.size(), 2u);
  EXPECT_EQ(state()->modulesLoaded, 1);
  std::vector<heddle_arg> moved = gemmArgs(4096, 4096, 512);
  moved[0].data = reinterpret_cast<void *>(0x50000);
  ASSERT_EQ(launch(moved), HEDDLE_OK);
  EXPECT_EQ(state()->maps.size(), 4u);
  EXPECT_EQ(state()->maps[2].address, 0x50000u);
}

TEST_F(Launch, FieldsThatAKindDoesNotUseDoNotMatter) {
  std::vector<heddle_arg> args = gemmArgs(4096, 4096, 512);
  ASSERT_EQ(launch(args), HEDDLE_OK);
  args[0].shape[3] = 99;
  args[1].scalar_bits = 99;
  args[2].reserved = 99;
  ASSERT_EQ(launch(args), HEDDLE_OK);
  EXPECT_EQ(state()->maps.size(), 2u);
}

TEST_F(Launch, MoreArgumentSetsThanTheCacheHolds) {
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 3000; ++i) {
      std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
      args[2].data = reinterpret_cast<void *>(0x100000 + 0x1000 * i);
      ASSERT_EQ(launch(args), HEDDLE_OK);
      ASSERT_EQ(lastLaunch().params[3], 0x100000u + 0x1000 * i);
    }
}

TEST_F(Launch, HundredsOfArgumentSetsStayPlanned) {
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 1000; ++i) {
      std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
      args[2].data = reinterpret_cast<void *>(0x100000 + 0x1000 * i);
      ASSERT_EQ(launch(args), HEDDLE_OK);
    }
  EXPECT_EQ(state()->maps.size(), 2000u); // two a set, made once
}

TEST_F(Launch, ManyThreadsShareOneModule) {
  constexpr int kThreads = 8, kLaunches = 200;
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kLaunches; ++i) {
        std::vector<heddle_arg> args = gemmArgs(128 * (1 + t % 3), 128, 64);
        args[2].data =
            reinterpret_cast<void *>(0x100000 * (1 + t) + 0x1000 * (i % 5));
        if (launch(args) != HEDDLE_OK)
          ++failures;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(state()->modulesLoaded, 1);
  EXPECT_EQ(state()->launches.size(), size_t(kThreads * kLaunches));
  for (const FakeLaunch &launch : state()->launches) {
    uint64_t owner = launch.params[3] / 0x100000 - 1;
    ASSERT_EQ(launch.params[4],
              128 * (1 + owner % 3)); // rows follow the address
  }
}

TEST_F(Launch, UsesTheCallersContextAndLoadsOncePerContext) {
  ASSERT_EQ(launch(gemmArgs(128, 128, 64)), HEDDLE_OK);
  EXPECT_EQ(state()->primaryRetains, 1);
  EXPECT_EQ(lastLaunch().context, 0x100u);
  setCurrent(0x200); // another context on device 0
  ASSERT_EQ(launch(gemmArgs(128, 128, 64)), HEDDLE_OK);
  EXPECT_EQ(lastLaunch().context, 0x200u);
  EXPECT_EQ(state()->modulesLoaded, 2);
  EXPECT_EQ(state()->primaryRetains, 1);
  heddle_kernel_destroy(kernel);
  kernel = nullptr;
  EXPECT_EQ(state()->modulesUnloaded, 2);
}

TEST_F(Launch, StaysLoadedForTheGraphThatCapturedIt) {
  std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
  state()->capturing = 0x77;
  auto *stream = reinterpret_cast<heddle_stream>(0x77);
  ASSERT_EQ(heddle_kernel_launch(kernel, args.data(), args.size(), stream),
            HEDDLE_OK);
  state()->capturing = 0;
  ASSERT_EQ(launch(args), HEDDLE_OK);
  heddle_kernel_destroy(kernel);
  kernel = nullptr;
  EXPECT_EQ(state()->modulesUnloaded, 0);
}

TEST_F(Launch, TimesRotatingSets) {
  std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
  std::vector<heddle_arg> second = gemmArgs(128, 128, 64);
  second[2].data = reinterpret_cast<void *>(0x40000);
  args.insert(args.end(), second.begin(), second.end());
  float milliseconds = 0;
  ASSERT_EQ(
      heddle_kernel_time(kernel, args.data(), 2, 3, 5, nullptr, &milliseconds),
      HEDDLE_OK)
      << heddle_last_error();
  EXPECT_EQ(milliseconds, 2.5f);
  ASSERT_EQ(state()->launches.size(), 5u);
  EXPECT_EQ(state()->launches[3].params[3], 0x40000u);
  EXPECT_EQ(state()->launches[4].params[3], 0x30000u);
  EXPECT_EQ(state()->eventsAlive, 0);
}

TEST_F(Launch, ReportsResourcesAndTheCompilersLog) {
  state()->infoLog = "ptxas info : Used 168 registers\n";
  state()->errorLog = "ptxas warning : (C7510) Potential Performance Loss\n";
  EXPECT_STREQ(heddle_kernel_jit_log(kernel), "");
  heddle_resources resources = {};
  ASSERT_EQ(heddle_kernel_resources(kernel, 1, &resources), HEDDLE_OK);
  EXPECT_EQ(resources.registers, 168);
  EXPECT_EQ(resources.max_threads, 384);
  EXPECT_STREQ(
      heddle_kernel_jit_log(kernel),
      "ptxas info : Used 168 registers\nptxas warning : (C7510) Potential "
      "Performance Loss");
}

TEST_F(Launch, Memory) {
  void *buffer = nullptr;
  ASSERT_EQ(heddle_malloc(16, &buffer), HEDDLE_OK);
  char out[16] = {};
  ASSERT_EQ(heddle_memset(buffer, 0x1ff, 16), HEDDLE_OK);
  ASSERT_EQ(heddle_copy_to_device(buffer, "heddle", 6), HEDDLE_OK);
  ASSERT_EQ(heddle_copy_from_device(out, buffer, 8), HEDDLE_OK);
  EXPECT_EQ(std::string(out, 8), "heddle\xff\xff");
  EXPECT_EQ(heddle_free(buffer), HEDDLE_OK);
  ASSERT_EQ(heddle_malloc(0, &buffer), HEDDLE_OK); // empty tensors exist
  EXPECT_EQ(heddle_free(buffer), HEDDLE_OK);
  EXPECT_EQ(heddle_free(nullptr), HEDDLE_OK);
  EXPECT_TRUE(state()->memory.empty());
  EXPECT_EQ(heddle_synchronize(nullptr), HEDDLE_OK);
}

TEST_F(Launch, DescribesTheDevice) {
  EXPECT_EQ(heddle_device_available(), 1);
  heddle_device_info info = {};
  ASSERT_EQ(heddle_device_query(&info), HEDDLE_OK);
  EXPECT_EQ(info.sm_count, 132);
  EXPECT_EQ(info.capability_major, 9);
  EXPECT_EQ(info.shared_bytes, 232448);
  EXPECT_EQ(info.driver_version, 12080);
  char name[8];
  ASSERT_EQ(heddle_device_name(name, sizeof(name)), HEDDLE_OK);
  EXPECT_STREQ(name, "Fake de");
}

} // namespace
