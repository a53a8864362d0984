//===- RemarksTest.cpp - What a load makes of the driver's log ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Logs of the driver's compiler go in; the remarks made of them are compared
// with their whole text, and a handler notes each that it is told. The log is
// no interface and may change, so texts that are cut or odd must do no harm.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include "../../runtime/lib/LoadRemarks.h"

using namespace heddle::runtime;
using namespace heddle::runtime_test;

namespace {

// As the driver of CUDA 13.0 writes it.
const char *kLog =
    "ptxas info    : (C7512) Potential Performance Loss: wgmma.mma_async "
    "instructions are serialized due to insufficient register resources for "
    "the function 'gemm_plain'\n"
    "ptxas info    : (C7519) warpgroup.arrive is injected in around line 8322 "
    "by compiler to allow use of registers in GMMA in function 'gemm_tma'\n"
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'gemm_plain' for 'sm_90a'\n"
    "ptxas info    : Function properties for gemm_plain\n"
    "ptxas         .     32 bytes stack frame, 84 bytes spill stores, 96 bytes "
    "spill loads\n"
    "ptxas info    : Used 168 registers, used 1 barriers, 32 bytes cumulative "
    "stack size\n"
    "ptxas info    : Compiling entry function 'gemm_tma' for 'sm_90a'\n"
    "ptxas info    : Function properties for gemm_tma\n"
    "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes "
    "spill loads\n"
    "ptxas info    : Used 168 registers, used 3 barriers\n";

const char *kSpills =
    "kernel 'gemm', variant 'gemm_plain': the driver's compiler ran out of "
    "registers; a thread stores 84 bytes of them to memory and loads 96 back";
const char *kSerialised =
    "kernel 'gemm', variant 'gemm_plain': its products (wgmma) wait where the "
    "schedule lets them run beside other work: wgmma.mma_async instructions "
    "are serialized due to insufficient register resources for the function "
    "'gemm_plain' (C7512)";

std::vector<std::string> texts(const std::vector<Remark> &remarks) {
  std::vector<std::string> result;
  for (const Remark &remark : remarks)
    result.push_back(remark.id + (" | " + remark.variant) + " | " +
                     remark.text);
  return result;
}

TEST(FindRemarks, SpillsAndSerialisedProducts) {
  std::vector<LoadedEntry> entries = {{"gemm_tma", 0}, {"gemm_plain", 32}};
  std::vector<std::string> expected = {
      std::string("spilled-registers | gemm_plain | ") + kSpills,
      std::string("serialised-products | gemm_plain | ") + kSerialised};
  EXPECT_EQ(texts(findRemarks("gemm", entries, kLog)), expected);
}

TEST(FindRemarks, NothingIsWrong) {
  EXPECT_TRUE(findRemarks("gemm", {{"gemm_tma", 0}}, kLog).empty());
  EXPECT_TRUE(findRemarks("gemm", {{"gemm_tma", 0}}, "").empty());
}

TEST(FindRemarks, WithoutALogLocalMemoryShows) {
  std::vector<std::string> expected = {
      "spilled-registers | k | kernel 'k', variant 'k': a thread has 16 bytes "
      "of local memory, for registers that were spilled or for an array"};
  EXPECT_EQ(texts(findRemarks("k", {{"k", 16}}, "")), expected);
}

TEST(FindRemarks, BudgetsWithoutAFunctionsName) {
  const char *log = "ptxas warning : (C7508) Potential Performance Loss: "
                    "'setmaxnreg' ignored to maintain minimum register "
                    "requirements.\r\n";
  std::vector<std::string> expected = {
      "budgets-ignored |  | kernel 'k': its processes do not get the registers "
      "planned for them: 'setmaxnreg' ignored to maintain minimum register "
      "requirements. (C7508)"};
  EXPECT_EQ(texts(findRemarks("k", {{"k", 0}}, log)), expected);
}

TEST(FindRemarks, AWaitThatWasAdded) {
  const char *log = "ptxas info : (C7520) warpgroup.wait is injected in around "
                    "line 7 by compiler to allow use of registers defined by "
                    "GMMA in function 'k'";
  std::vector<Remark> remarks = findRemarks("k", {{"k", 0}}, log);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_STREQ(remarks[0].id, "serialised-products");
}

// The log is the driver's: any text must do.
TEST(FindRemarks, OddLogs) {
  for (const char *log :
       {"(C", "(C75", "(C7512", "(C7512)", "(C7512) ", "function '",
        "(C7512) function 'k", " bytes spill stores", "Function properties for",
        "x bytes spill stores", "(C7412) wgmma", "(C75123) wgmma", "\n\n\r\n"})
    for (const Remark &remark : findRemarks("k", {{"k", 0}}, log))
      EXPECT_STREQ(remark.id, "serialised-products") << log;
  EXPECT_TRUE(findRemarks("k", {{"k", 0}}, "(C7412) wgmma").empty());
}

/// Remarks that the handler got.
using Told = std::vector<std::string>;

void note(const heddle_kernel *kernel, const heddle_remark *remark,
          void *data) {
  static_cast<Told *>(data)->push_back(remark->variant);
  // The library may be called from here.
  EXPECT_GT(heddle_kernel_remark_count(const_cast<heddle_kernel *>(kernel)),
            0u);
}

class Remarks : public OnFakeDriver {
protected:
  void SetUp() override {
    OnFakeDriver::SetUp();
    state()->infoLog = kLog;
    heddle_set_remark_handler(note, &told);
  }
  void TearDown() override {
    heddle_set_remark_handler(nullptr, nullptr);
    OnFakeDriver::TearDown();
  }
  /// A launch that only gemm_plain takes.
  heddle_status launchPlain(int64_t m) {
    std::vector<heddle_arg> args = gemmArgs(m, 129, 65);
    state()->paramCount = 15;
    return launch(args);
  }
  Told told;
};

TEST_F(Remarks, AreThereAfterLoading) {
  heddle_remark remark = {};
  EXPECT_EQ(heddle_kernel_remark_count(kernel), 0u);
  EXPECT_EQ(heddle_kernel_remark_count(nullptr), 0u);
  ASSERT_EQ(heddle_kernel_load(kernel), HEDDLE_OK);
  ASSERT_EQ(heddle_kernel_remark_count(kernel), 2u);
  ASSERT_EQ(heddle_kernel_remark(kernel, 1, &remark), HEDDLE_OK);
  EXPECT_STREQ(remark.id, "serialised-products");
  EXPECT_STREQ(remark.variant, "gemm_plain");
  EXPECT_STREQ(remark.text, kSerialised);
  EXPECT_TRUE(told.empty()); // nobody has launched it
  EXPECT_EQ(heddle_kernel_remark(kernel, 2, &remark),
            HEDDLE_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heddle_last_error(), "heddle_kernel_remark: kernel 'gemm' has 2 "
                                    "remarks, so there is no index 2");
  EXPECT_EQ(heddle_kernel_remark(kernel, 0, nullptr),
            HEDDLE_ERROR_INVALID_ARGUMENT);
}

TEST_F(Remarks, AreToldOnceToThoseWhomTheyConcern) {
  ASSERT_EQ(launch(gemmArgs(128, 128, 64)), HEDDLE_OK);
  EXPECT_EQ(lastLaunch().entry, "gemm_tma");
  EXPECT_TRUE(told.empty());
  for (int64_t m : {129, 129, 200})
    ASSERT_EQ(launchPlain(m), HEDDLE_OK) << heddle_last_error();
  EXPECT_EQ(lastLaunch().entry, "gemm_plain");
  EXPECT_EQ(told, Told(2, "gemm_plain"));
}

TEST_F(Remarks, AreToldAgainForAnotherLoad) {
  ASSERT_EQ(launchPlain(129), HEDDLE_OK);
  use(heddle::manifest::sample::gemm());
  ASSERT_EQ(launchPlain(129), HEDDLE_OK);
  EXPECT_EQ(told.size(), 4u);
}

TEST_F(Remarks, AreNotToldOfLaunchesOfNothing) {
  ASSERT_EQ(launchPlain(0), HEDDLE_OK);
  EXPECT_TRUE(told.empty());
}

TEST_F(Remarks, NeedNoHandler) {
  heddle_set_remark_handler(nullptr, nullptr);
  EXPECT_EQ(launchPlain(129), HEDDLE_OK);
}

} // namespace
