//===- ErrorsTest.cpp - Statuses and sentences ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of runtime.h that fail, each compared with its status and its whole
// sentence: no driver, wrong arguments, PTX that does not load, a device that
// does not fit. The sentence is all that a caller in C has to act on, so a part
// of it is not enough.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <set>
#include <thread>

using namespace heddle::runtime_test;
namespace sample = heddle::manifest::sample;
using heddle::manifest::Manifest;

namespace {

#define EXPECT_FAILS(call, status, text)                                       \
  do {                                                                         \
    EXPECT_EQ(call, status);                                                   \
    EXPECT_STREQ(heddle_last_error(), text);                                   \
  } while (false)

TEST(Status, EveryStatusHasItsOwnSentence) {
  std::set<std::string> sentences;
  for (int status = HEDDLE_OK; status <= HEDDLE_ERROR_DRIVER; ++status)
    sentences.insert(heddle_status_string(static_cast<heddle_status>(status)));
  EXPECT_EQ(sentences.size(), size_t(HEDDLE_ERROR_DRIVER + 1));
  EXPECT_STREQ(heddle_status_string(static_cast<heddle_status>(99)),
               "not a heddle status");
  EXPECT_EQ(heddle_abi_version(), HEDDLE_ABI_VERSION);
}

class WithoutDriver : public testing::Test {
protected:
  void SetUp() override {
    heddle_internal_set_driver_path("/nonexistent/libcuda.so.1");
    ASSERT_EQ(create(sample::gemm(), &kernel), HEDDLE_OK)
        << heddle_last_error();
  }
  void TearDown() override { heddle_kernel_destroy(kernel); }
  heddle_kernel *kernel = nullptr;
};

TEST_F(WithoutDriver, EveryDeviceFunctionSaysSo) {
  const char *text =
      "cannot load the CUDA driver /nonexistent/libcuda.so.1: "
      "/nonexistent/libcuda.so.1: cannot open shared object file: No such file "
      "or "
      "directory; install the NVIDIA driver, or use the emulator";
  std::vector<heddle_arg> args = gemmArgs(1, 1, 1);
  heddle_device_info device;
  heddle_resources resources;
  heddle_plan_info plan;
  void *buffer = &device;
  char name[8];
  float time;
  EXPECT_EQ(heddle_device_available(), 0);
  EXPECT_STREQ(heddle_last_error(), text);
  heddle_status status = HEDDLE_ERROR_NO_DRIVER;
  EXPECT_FAILS(heddle_device_query(&device), status, text);
  EXPECT_FAILS(heddle_device_name(name, 8), status, text);
  EXPECT_FAILS(heddle_synchronize(nullptr), status, text);
  EXPECT_FAILS(heddle_malloc(1, &buffer), status, text);
  EXPECT_FAILS(heddle_free(buffer), status, text);
  EXPECT_FAILS(heddle_copy_to_device(buffer, name, 1), status, text);
  EXPECT_FAILS(heddle_copy_from_device(name, buffer, 1), status, text);
  EXPECT_FAILS(heddle_memset(buffer, 0, 1), status, text);
  EXPECT_FAILS(heddle_kernel_load(kernel), status, text);
  EXPECT_FAILS(heddle_kernel_launch(kernel, args.data(), 3, nullptr), status,
               text);
  EXPECT_FAILS(heddle_kernel_time(kernel, args.data(), 1, 3, 1, nullptr, &time),
               status, text);
  EXPECT_FAILS(heddle_kernel_resources(kernel, 0, &resources), status, text);
  EXPECT_FAILS(heddle_kernel_plan(kernel, args.data(), 3, 0, &plan), status,
               text);
  EXPECT_STREQ(heddle_kernel_jit_log(kernel), "");
}

TEST_F(WithoutDriver, IntrospectionAndPlansWork) {
  EXPECT_STREQ(heddle_kernel_name(kernel), "gemm");
  EXPECT_EQ(heddle_kernel_argument_count(kernel), 3u);
  EXPECT_EQ(heddle_kernel_variant_count(kernel), 2u);
  heddle_argument_info argument = {};
  ASSERT_EQ(heddle_kernel_argument(kernel, 2, &argument), HEDDLE_OK);
  EXPECT_STREQ(argument.name, "c");
  EXPECT_EQ(argument.kind, HEDDLE_VIEW);
  EXPECT_EQ(argument.dtype, HEDDLE_F16);
  EXPECT_EQ(argument.rank, 2);
  EXPECT_EQ(argument.written, 1);
  EXPECT_EQ(argument.order[0], 1);
  heddle_variant_info variant = {};
  ASSERT_EQ(heddle_kernel_variant(kernel, 0, &variant), HEDDLE_OK);
  EXPECT_STREQ(variant.entry, "gemm_tma");
  EXPECT_EQ(variant.threads, 384);
  EXPECT_EQ(variant.shared_bytes, 197120);
  heddle_plan_info plan = {};
  std::vector<heddle_arg> args = gemmArgs(4096, 4096, 0);
  ASSERT_EQ(heddle_kernel_plan(kernel, args.data(), 3, 132, &plan), HEDDLE_OK);
  EXPECT_EQ(plan.variant, 1);
  EXPECT_EQ(plan.grid[0], 64);
}

TEST_F(WithoutDriver, DescribesAPlan) {
  std::vector<heddle_arg> args = gemmArgs(128, 256, 64);
  size_t needed = 0;
  ASSERT_EQ(heddle_kernel_plan_describe(kernel, args.data(), 3, 132, nullptr, 0,
                                        &needed),
            HEDDLE_OK);
  std::string text(needed, 0);
  ASSERT_EQ(heddle_kernel_plan_describe(kernel, args.data(), 3, 132,
                                        text.data(), text.size(), nullptr),
            HEDDLE_OK);
  EXPECT_STREQ(
      text.c_str(),
      "kernel 'gemm', variant 0 'gemm_tma', grid 1x1x1, 384 threads, cluster "
      "1x1x1, 197120 bytes of dynamic shared memory\n"
      "  0: tensor map 'a': f16 at 65536, dims 64x128, strides 2x128 bytes, "
      "box 64x128, swizzle 128 bytes\n"
      "  1: tensor map 'b': f16 at 131072, dims 64x256, strides 2x128 bytes, "
      "box 64x256, swizzle 128 bytes\n"
      "  2: dim 'a' axis 1: 64\n"
      "  3: pointer 'c': 196608\n"
      "  4: dim 'c' axis 0: 128\n"
      "  5: dim 'c' axis 1: 256\n"
      "  6: stride 'c' axis 0: 256\n");
  char cut[9];
  ASSERT_EQ(
      heddle_kernel_plan_describe(kernel, args.data(), 3, 132, cut, 9, nullptr),
      HEDDLE_OK);
  EXPECT_STREQ(cut, "kernel '");
}

TEST_F(WithoutDriver, WrongCalls) {
  heddle_status status = HEDDLE_ERROR_INVALID_ARGUMENT;
  heddle_kernel *out = nullptr;
  EXPECT_FAILS(heddle_kernel_create(nullptr, 0, "{}", 2, &out), status,
               "heddle_kernel_create: 'ptx' is null");
  EXPECT_FAILS(heddle_kernel_create("", 0, nullptr, 0, &out), status,
               "heddle_kernel_create: 'manifest_json' is null");
  EXPECT_FAILS(heddle_kernel_create("", 0, "{}", 2, nullptr), status,
               "heddle_kernel_create: 'kernel' is null");
  EXPECT_FAILS(heddle_kernel_launch(nullptr, nullptr, 0, nullptr), status,
               "heddle_kernel_launch: 'kernel' is null");
  EXPECT_FAILS(heddle_kernel_load(nullptr), status,
               "heddle_kernel_load: 'kernel' is null");
  heddle_argument_info argument;
  EXPECT_FAILS(
      heddle_kernel_argument(kernel, 3, &argument), status,
      "heddle_kernel_argument: kernel 'gemm' has 3 arguments, so there is no "
      "index 3");
  heddle_variant_info variant;
  EXPECT_FAILS(
      heddle_kernel_variant(kernel, 7, &variant), status,
      "heddle_kernel_variant: kernel 'gemm' has 2 variants, so there is no "
      "index 7");
  float time;
  EXPECT_FAILS(
      heddle_kernel_time(kernel, nullptr, 0, 0, 1, nullptr, &time), status,
      "heddle_kernel_time: 'n_sets' is 0 and 'launches' is 1; both must be at "
      "least 1");
  char name[1];
  EXPECT_FAILS(heddle_device_name(name, 0), status,
               "heddle_device_name: 'size' is 0; the final zero needs 1");
  heddle_plan_info plan;
  EXPECT_FAILS(heddle_kernel_plan(kernel, nullptr, 3, 132, &plan), status,
               "kernel 'gemm': 'args' is null, but 'n_args' is 3");
  heddle_kernel_destroy(nullptr);
}

TEST_F(WithoutDriver, BadManifest) {
  heddle_kernel *out = nullptr;
  EXPECT_FAILS(heddle_kernel_create("", 0, "{}", 2, &out),
               HEDDLE_ERROR_MANIFEST, "schema: the field is missing");
  EXPECT_EQ(out, nullptr);
}

TEST_F(WithoutDriver, ArgumentsOfTheWrongKind) {
  heddle_status status = HEDDLE_ERROR_ARGUMENTS;
  heddle_plan_info plan;
  auto planOf = [&](const std::vector<heddle_arg> &args) {
    return heddle_kernel_plan(kernel, args.data(), args.size(), 132, &plan);
  };
  std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
  args[1].kind = HEDDLE_SCALAR;
  EXPECT_FAILS(planOf(args), status,
               "argument 'b' is a scalar, but the kernel takes a view");
  args[1].kind = 12;
  EXPECT_FAILS(
      planOf(args), status,
      "argument 'b' is of an unknown kind, but the kernel takes a view");
  args = gemmArgs(128, 128, 64);
  args[0].dtype = 77;
  EXPECT_FAILS(
      planOf(args), status,
      "argument 'a' has dtype 77, which is no heddle_dtype; the kernel takes "
      "f16");
  args = gemmArgs(128, 128, 64);
  args[0].rank = 9;
  EXPECT_FAILS(
      planOf(args), status,
      "argument 'a' has rank 9, but the kernel takes a view of rank 2");
  args = gemmArgs(128, 128, 64);
  args.pop_back();
  EXPECT_FAILS(planOf(args), status,
               "kernel 'gemm' takes 3 arguments (a, b, c), but 2 were passed");
}

TEST_F(WithoutDriver, MessagesBelongToTheirThread) {
  heddle_kernel_load(nullptr);
  std::string other = "unset";
  std::thread([&] { other = heddle_last_error(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_STREQ(heddle_last_error(), "heddle_kernel_load: 'kernel' is null");
}

using Failing = OnFakeDriver;

TEST_F(Failing, DriverWithoutDevices) {
  state()->initResult = 100;
  EXPECT_FAILS(heddle_kernel_load(kernel), HEDDLE_ERROR_NO_DEVICE,
               "the CUDA driver finds no device");
  state()->initResult = 0;
  state()->deviceCount = 0;
  EXPECT_FAILS(heddle_kernel_load(kernel), HEDDLE_ERROR_NO_DEVICE,
               "the CUDA driver finds no device");
  state()->deviceCount = 1; // not remembered
  EXPECT_EQ(heddle_kernel_load(kernel), HEDDLE_OK);
}

TEST_F(Failing, DriverThatIsTooOld) {
  heddle_internal_set_driver_path("libm.so.6"); // a library without cuInit
  EXPECT_FAILS(
      heddle_kernel_load(kernel), HEDDLE_ERROR_NO_DRIVER,
      "the CUDA driver libm.so.6 has no function cuInit; a driver for CUDA "
      "12.0 or later is needed");
}

TEST_F(Failing, PtxThatDoesNotCompile) {
  state()->loadResult = 218;
  state()->errorLog =
      "ptxas application ptx input, line 3; fatal : Parsing error\n";
  EXPECT_FAILS(
      heddle_kernel_load(kernel), HEDDLE_ERROR_PTX,
      "the driver refuses the PTX of kernel 'gemm' (CUDA_ERROR_INVALID_PTX): "
      "ptxas application ptx input, line 3; fatal : Parsing error");
  state()->loadResult = 0; // a failed load may be tried again
  EXPECT_EQ(heddle_kernel_load(kernel), HEDDLE_OK);
}

TEST_F(Failing, PtxWithoutTheEntry) {
  state()->missingEntry = "gemm_plain";
  EXPECT_FAILS(
      heddle_kernel_load(kernel), HEDDLE_ERROR_PTX,
      "the PTX of kernel 'gemm' has no entry 'gemm_plain'; PTX and manifest do "
      "not belong together");
  EXPECT_EQ(state()->modulesUnloaded, 1);
}

TEST_F(Failing, DeviceOfAnotherArchitecture) {
  setCurrent(0x101);
  EXPECT_FAILS(
      heddle_kernel_load(kernel), HEDDLE_ERROR_UNSUPPORTED_DEVICE,
      "kernel 'gemm' was compiled for sm_90a, but the device has compute "
      "capability 8.0; compile it for that");
}

TEST_F(Failing, TooMuchSharedMemoryOnlyForThatVariant) {
  state()->staticShared = 40000;
  EXPECT_FAILS(
      launch(gemmArgs(128, 128, 64)), HEDDLE_ERROR_UNSUPPORTED_DEVICE,
      "kernel 'gemm': variant 'gemm_tma' needs 237120 bytes of shared memory, "
      "but a CTA of this device has at most 232448");
  state()->paramCount = 15;
  EXPECT_EQ(launch(gemmArgs(127, 127, 63)), HEDDLE_OK) << heddle_last_error();
}

TEST_F(Failing, TooManyRegisters) {
  state()->maxThreads = 256;
  EXPECT_FAILS(
      launch(gemmArgs(128, 128, 64)), HEDDLE_ERROR_UNSUPPORTED_DEVICE,
      "kernel 'gemm': variant 'gemm_tma' has 384 threads of 168 registers, but "
      "this device runs at most 256 such threads in a CTA");
}

TEST_F(Failing, DriverCalls) {
  state()->launchResult = 700;
  EXPECT_FAILS(
      launch(gemmArgs(128, 128, 64)), HEDDLE_ERROR_DRIVER,
      "the launch of kernel 'gemm' failed with CUDA_ERROR_ILLEGAL_ADDRESS: the "
      "fake says so");
  state()->encodeResult = 1;
  EXPECT_FAILS(
      launch(gemmArgs(256, 128, 64)), HEDDLE_ERROR_DRIVER,
      "cuTensorMapEncodeTiled for view 'a' (f16, dims 64x256, strides 2x128 "
      "bytes, box 64x128) failed with CUDA_ERROR_INVALID_VALUE: the fake says "
      "so");
  state()->allocResult = 2;
  void *buffer = nullptr;
  EXPECT_FAILS(heddle_malloc(77, &buffer), HEDDLE_ERROR_OUT_OF_MEMORY,
               "the device has no 77 bytes left");
}

TEST_F(Failing, WordsOfAnotherNumber) {
  uint64_t words[3] = {};
  EXPECT_FAILS(heddle_kernel_launch_words(kernel, words, 3, nullptr),
               HEDDLE_ERROR_INVALID_ARGUMENT,
               "kernel 'gemm': its arguments are 15 words, not 3");
  EXPECT_FAILS(heddle_kernel_launch_words(kernel, nullptr, 3, nullptr),
               HEDDLE_ERROR_INVALID_ARGUMENT,
               "heddle_kernel_launch_words: 'words' is null");
}

TEST_F(Failing, MemoryOfTheHost) {
  state()->unreachable = 0x20000;
  EXPECT_FAILS(launch(gemmArgs(128, 256, 64)), HEDDLE_ERROR_ARGUMENTS,
               "argument 'b' lies in memory that device 0 cannot reach; move "
               "it there");
}

TEST_F(Failing, MemoryOfAnotherDevice) {
  state()->owners[0x30000] = 1;
  EXPECT_FAILS(launch(gemmArgs(128, 256, 64)), HEDDLE_ERROR_ARGUMENTS,
               "argument 'c' lies on device 1, but the launch is on device 0; "
               "make its device current");
  state()->managed.insert(0x30000);
  EXPECT_EQ(launch(gemmArgs(128, 256, 64)), HEDDLE_OK) << heddle_last_error();
}

} // namespace
