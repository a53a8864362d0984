//===- HostileTest.cpp - Calls that no caller means -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function of runtime.h with null pointers and absurd numbers, and with
// each of its allocations failing in turn: an error with a sentence each time,
// never an exception. The functions are those that the header declares, so that
// a new one without calls here fails the test.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <regex>
#include <set>

using namespace heddle::runtime_test;
namespace sample = heddle::manifest::sample;

//===----------------------------------------------------------------------===//
// Memory that runs out
//===----------------------------------------------------------------------===//

// The allocation that fails next, counted down; below 0 none does.
static thread_local long allocationsLeft = -1;

static void *allocate(size_t size) {
  if (allocationsLeft >= 0 && allocationsLeft-- == 0)
    throw std::bad_alloc();
  void *memory = std::malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void *operator new(size_t size) { return allocate(size); }
void *operator new[](size_t size) { return allocate(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, size_t) noexcept { std::free(memory); }

namespace {

std::set<std::string> declaredFunctions() {
  std::ifstream file(HEDDLE_HEADER);
  std::string text(std::istreambuf_iterator<char>(file), {});
  std::set<std::string> names;
  std::regex pattern(R"(HEDDLE_API[^;(]*\b(heddle_\w+)\()");
  for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern);
       it != std::sregex_iterator(); ++it)
    names.insert((*it)[1]);
  return names;
}

constexpr size_t kSizes[] = {0,
                             1,
                             3,
                             size_t(1) << 31,
                             size_t(1) << 62,
                             SIZE_MAX / 160 + 1,
                             SIZE_MAX - 1,
                             SIZE_MAX};
constexpr int kInts[] = {0, -1, 1, INT32_MAX, INT32_MIN};

class Hostile : public OnFakeDriver {
protected:
  using Status = std::function<heddle_status()>;

  /// The calls that must fail, and those that may do either.
  void refused(const std::string &name, const Status &call) {
    calls.insert(name);
    EXPECT_NE(call(), HEDDLE_OK) << name;
    EXPECT_EQ(std::string(heddle_last_error()).find_first_of("\n"),
              std::string::npos);
    EXPECT_STRNE(heddle_last_error(), "") << name;
  }
  template <class Call> void survives(const std::string &name, Call call) {
    calls.insert(name);
    call();
  }
  void callAll();

  std::set<std::string> calls;
};

#define REFUSED(name, ...) refused(#name, [&] { return name(__VA_ARGS__); })
#define SURVIVES(name, ...) survives(#name, [&] { (void)name(__VA_ARGS__); })

void Hostile::callAll() {
  std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
  std::vector<uint64_t> words(15, 7);
  std::string json = print(sample::gemm()), ptx = ptxOf(sample::gemm());
  heddle_kernel *out = nullptr;
  heddle_device_info device;
  heddle_argument_info argument;
  heddle_variant_info variant;
  heddle_resources resources;
  heddle_remark remark;
  heddle_plan_info plan;
  float time = 0;
  char text[8];
  void *memory = &device;

  SURVIVES(heddle_abi_version);
  SURVIVES(heddle_last_error);
  SURVIVES(heddle_device_available);
  SURVIVES(heddle_synchronize, memory);
  SURVIVES(heddle_stream_wait, memory, nullptr);
  SURVIVES(heddle_free, nullptr);
  SURVIVES(heddle_free, memory); // the fake does not know it
  SURVIVES(heddle_kernel_load, kernel);
  SURVIVES(heddle_kernel_destroy, nullptr);
  SURVIVES(heddle_kernel_name, nullptr);
  SURVIVES(heddle_kernel_argument_count, nullptr);
  SURVIVES(heddle_kernel_variant_count, nullptr);
  SURVIVES(heddle_kernel_jit_log, nullptr);
  SURVIVES(heddle_kernel_remark_count, nullptr);
  SURVIVES(heddle_set_remark_handler, nullptr, memory);
  for (int number : kInts)
    SURVIVES(heddle_status_string, static_cast<heddle_status>(number & 15));

  REFUSED(heddle_device_query, nullptr);
  REFUSED(heddle_kernel_load, nullptr);
  REFUSED(heddle_malloc, 1, nullptr);
  REFUSED(heddle_device_name, nullptr, 8);
  REFUSED(heddle_kernel_argument, nullptr, 0, &argument);
  REFUSED(heddle_kernel_argument, kernel, 0, nullptr);
  REFUSED(heddle_kernel_variant, nullptr, 0, &variant);
  REFUSED(heddle_kernel_variant, kernel, 0, nullptr);
  REFUSED(heddle_kernel_resources, nullptr, 0, &resources);
  REFUSED(heddle_kernel_resources, kernel, 0, nullptr);
  REFUSED(heddle_kernel_remark, nullptr, 0, &remark);
  REFUSED(heddle_kernel_remark, kernel, 0, nullptr);
  REFUSED(heddle_kernel_plan, nullptr, args.data(), 3, 132, &plan);
  REFUSED(heddle_kernel_plan, kernel, args.data(), 3, 132, nullptr);
  REFUSED(heddle_kernel_plan, kernel, nullptr, 3, 132, &plan);
  REFUSED(heddle_kernel_plan_describe, nullptr, args.data(), 3, 132, text, 8,
          nullptr);
  REFUSED(heddle_kernel_plan_describe, kernel, args.data(), 3, 132, nullptr, 8,
          nullptr);
  REFUSED(heddle_kernel_launch, nullptr, args.data(), 3, nullptr);
  REFUSED(heddle_kernel_launch, kernel, nullptr, 3, nullptr);
  REFUSED(heddle_kernel_launch_words, nullptr, words.data(), 15, nullptr);
  REFUSED(heddle_kernel_launch_words, kernel, nullptr, 15, nullptr);
  REFUSED(heddle_kernel_launch_words, kernel, words.data(), 15, nullptr);
  REFUSED(heddle_kernel_time, nullptr, args.data(), 1, 3, 1, nullptr, &time);
  REFUSED(heddle_kernel_time, kernel, args.data(), 1, 3, 1, nullptr, nullptr);
  REFUSED(heddle_kernel_time, kernel, nullptr, 1, 3, 1, nullptr, &time);
  REFUSED(heddle_kernel_create, nullptr, 0, json.data(), json.size(), &out);
  REFUSED(heddle_kernel_create, ptx.data(), ptx.size(), nullptr, 0, &out);
  REFUSED(heddle_kernel_create, ptx.data(), ptx.size(), json.data(),
          json.size(), nullptr);

  for (size_t size : kSizes) {
    SURVIVES(heddle_device_query, &device);
    size_t needed = 0;
    SURVIVES(heddle_kernel_plan_describe, kernel, args.data(), 3, 132, text,
             std::min<size_t>(size, 8), &needed);
    REFUSED(heddle_copy_to_device, nullptr, text, size | 1);
    REFUSED(heddle_copy_from_device, text, nullptr, size | 1);
    REFUSED(heddle_memset, nullptr, 0, size | 1);
    if (size >= 3)
      REFUSED(heddle_kernel_argument, kernel, size, &argument);
    if (size >= 3)
      REFUSED(heddle_kernel_variant, kernel, size, &variant);
    if (size >= 3)
      REFUSED(heddle_kernel_resources, kernel, size, &resources);
    REFUSED(heddle_kernel_remark, kernel, size, &remark);
    REFUSED(heddle_kernel_launch_words, kernel, words.data(), size, nullptr);
    if (size != 3) {
      REFUSED(heddle_kernel_launch, kernel, args.data(), size, nullptr);
      REFUSED(heddle_kernel_plan, kernel, args.data(), size, 132, &plan);
      REFUSED(heddle_kernel_time, kernel, args.data(), 1, size, 1, nullptr,
              &time);
    }
    if (size > 3 || size == 0)
      REFUSED(heddle_kernel_time, kernel, args.data(), size, 3, 1, nullptr,
              &time);
    if (size > 3 || size == 0)
      REFUSED(heddle_kernel_time, kernel, args.data(), 1, 3, size, nullptr,
              &time);
    if (size < size_t(1) << 31)
      continue;
    void *given = nullptr;
    REFUSED(heddle_malloc, size | size_t(1) << 62, &given);
    REFUSED(heddle_copy_to_device, memory, text, size | size_t(1) << 62);
    REFUSED(heddle_copy_from_device, text, memory, size | size_t(1) << 62);
    REFUSED(heddle_memset, memory, 0, size | size_t(1) << 62);
    REFUSED(heddle_kernel_create, ptx.data(), size, json.data(), json.size(),
            &out);
    REFUSED(heddle_kernel_create, ptx.data(), ptx.size(), json.data(), size,
            &out);
    EXPECT_EQ(out, nullptr);
  }
  for (int number : kInts) {
    std::vector<heddle_arg> bad = args;
    bad[1].shape[0] = bad[1].shape[1] = int64_t(number) << 32 | 77;
    bad[1].strides[0] = number < 0 ? INT64_MIN : INT64_MAX - number;
    REFUSED(heddle_kernel_launch, kernel, bad.data(), 3, nullptr);
    bad = args;
    bad[1].rank = number;
    REFUSED(heddle_kernel_launch, kernel, bad.data(), 3, nullptr);
    bad = args;
    bad[1].dtype = number | 256;
    REFUSED(heddle_kernel_launch, kernel, bad.data(), 3, nullptr);
    bad = args;
    bad[1].kind = number | 256;
    REFUSED(heddle_kernel_launch, kernel, bad.data(), 3, nullptr);
    SURVIVES(heddle_kernel_plan, kernel, args.data(), 3, number, &plan);
  }
}

TEST_F(Hostile, EveryFunctionOfTheHeader) {
  callAll();
  EXPECT_EQ(calls, declaredFunctions());
  EXPECT_GT(calls.size(), 25u);
}

// LLVM's reader of JSON is built without exceptions: what it held is lost where
// one passes through, and no leak of heddle's.
#if __has_feature(address_sanitizer)
extern "C" void __lsan_disable();
extern "C" void __lsan_enable();
struct LeaksAllowed {
  LeaksAllowed() { __lsan_disable(); }
  ~LeaksAllowed() { __lsan_enable(); }
};
#else
struct LeaksAllowed {
  ~LeaksAllowed() {}
};
#endif

// What the kernel keeps must be whole after each failure: the calls go on.
TEST_F(Hostile, EveryAllocationFailsOnce) {
  std::string json = print(sample::gemm()), ptx = ptxOf(sample::gemm());
  std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
  int64_t moved = 0;
  char text[8];
  float time;
  const std::vector<std::pair<std::string, std::function<heddle_status()>>>
      all = {{"load", [&] { return heddle_kernel_load(kernel); }},
             {"create",
              [&] {
                LeaksAllowed allowed;
                heddle_kernel *out = nullptr;
                heddle_status status = heddle_kernel_create(
                    ptx.data(), ptx.size(), json.data(), json.size(), &out);
                heddle_kernel_destroy(out);
                return status;
              }},
             {"launch",
              [&] { // never the same twice
                args[2].data = reinterpret_cast<void *>(0x100000 + moved);
                moved += 64;
                return heddle_kernel_launch(kernel, args.data(), 3, nullptr);
              }},
             {"time",
              [&] {
                args[2].data = reinterpret_cast<void *>(0x100000 + moved);
                moved += 64;
                return heddle_kernel_time(kernel, args.data(), 1, 3, 1, nullptr,
                                          &time);
              }},
             {"describe",
              [&] {
                return heddle_kernel_plan_describe(kernel, args.data(), 3, 132,
                                                   text, 8, nullptr);
              }},
             {"bad index", [&] {
                heddle_variant_info info;
                heddle_status status = heddle_kernel_variant(kernel, 9, &info);
                return status == HEDDLE_ERROR_INVALID_ARGUMENT ? HEDDLE_OK
                                                               : status;
              }}};
  for (const auto &[name, call] : all) {
    int failures = 0;
    for (long index = 0;; ++index) {
      allocationsLeft = index;
      heddle_status status = call();
      bool isReached = allocationsLeft < 0;
      allocationsLeft = -1;
      if (!isReached) {
        ASSERT_EQ(status, HEDDLE_OK) << name << ": " << heddle_last_error();
        break;
      }
      if (status == HEDDLE_OK)
        continue; // nothing that it needed
      ++failures;
      ASSERT_EQ(status, HEDDLE_ERROR_OUT_OF_MEMORY) << name;
      ASSERT_NE(std::string(heddle_last_error())
                    .find("the process has not enough memory left for it"),
                std::string::npos)
          << heddle_last_error();
      ASSERT_LT(index, 100000);
    }
    EXPECT_GT(failures, 0) << name;
  }
  EXPECT_EQ(state()->eventsAlive, 0);
}

TEST_F(Hostile, SentencesGoOnAfterOneWithoutMemory) {
  allocationsLeft = 0;
  heddle_variant_info info;
  EXPECT_EQ(heddle_kernel_variant(kernel, 9, &info),
            HEDDLE_ERROR_OUT_OF_MEMORY);
  EXPECT_STREQ(heddle_last_error(),
               "heddle_kernel_variant: the process has not enough memory left "
               "for it");
  EXPECT_NE(heddle_kernel_load(nullptr), HEDDLE_OK);
  EXPECT_STREQ(heddle_last_error(), "heddle_kernel_load: 'kernel' is null");
}

TEST_F(Hostile, ExceptionsOfAHandlerAreDropped) {
  state()->localBytes = 8;
  heddle_set_remark_handler(
      [](const heddle_kernel *, const heddle_remark *, void *) { throw 1; },
      nullptr);
  EXPECT_EQ(launch(gemmArgs(128, 128, 64)), HEDDLE_OK) << heddle_last_error();
  heddle_set_remark_handler(nullptr, nullptr);
}

TEST_F(Hostile, WrittenViewsDoNotOverlapThemselves) {
  for (int64_t stride : {0, 1, 127}) {
    std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
    args[2].strides[0] = stride;
    EXPECT_EQ(launch(args), HEDDLE_ERROR_ARGUMENTS) << stride;
    EXPECT_NE(std::string(heddle_last_error())
                  .find("'c' is written, but elements of it share memory"),
              std::string::npos);
  }
  std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
  args[0].strides[0] = args[1].strides[0] = 0; // rows that repeat
  state()->paramCount = 15;
  EXPECT_EQ(launch(args), HEDDLE_OK) << heddle_last_error();
}

// The fake looks an address up by std::map::at.
TEST_F(Hostile, ExceptionsOfADriverAreErrors) {
  int place = 0;
  EXPECT_EQ(heddle_copy_to_device(&place, &place, 4), HEDDLE_ERROR_DRIVER);
  EXPECT_EQ(std::string(heddle_last_error())
                .find("heddle_copy_to_device: an "
                      "exception came up"),
            0u)
      << heddle_last_error();
  EXPECT_EQ(heddle_memset(&place, 0, 4), HEDDLE_ERROR_DRIVER);
}

// Keys of planned launches once kept 8 of a type's 32 bits.
TEST_F(Hostile, PlannedLaunchesKeepAllBitsOfTheirArguments) {
  std::vector<heddle_arg> args = gemmArgs(128, 128, 64);
  ASSERT_EQ(launch(args), HEDDLE_OK) << heddle_last_error();
  for (int bit = 8; bit < 31; ++bit) {
    std::vector<heddle_arg> other = args;
    other[0].dtype |= 1 << bit;
    EXPECT_EQ(launch(other), HEDDLE_ERROR_ARGUMENTS) << bit;
    other = args;
    other[0].kind |= 1 << bit;
    EXPECT_EQ(launch(other), HEDDLE_ERROR_ARGUMENTS) << bit;
    other = args;
    other[0].rank |= 1 << bit;
    EXPECT_EQ(launch(other), HEDDLE_ERROR_ARGUMENTS) << bit;
  }
  std::vector<heddle_arg> other = args;
  other[0].dtype = 256;
  EXPECT_EQ(launch(other), HEDDLE_ERROR_ARGUMENTS);
  EXPECT_STREQ(heddle_last_error(),
               "argument 'a' has dtype 256, which is no heddle_dtype; the "
               "kernel takes f16");
  EXPECT_EQ(state()->launches.size(), 1u);
}

} // namespace
