//===- Fixture.h - A kernel on the fake driver ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sample GEMM of unittests/Manifest as a kernel on a fresh fake driver, and
// functions that make its arguments. The fake is a shared library that is
// opened like libcuda.so.1, so that tests run all of the runtime, its loader
// too, without a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_RUNTIME_FIXTURE_H
#define HEDDLE_UNITTESTS_RUNTIME_FIXTURE_H

#include "../../runtime/lib/Internal.h"
#include "../Manifest/SamplePtx.h"
#include "FakeDriver.h"
#include "heddle/runtime.h"

#include "gtest/gtest.h"
#include <dlfcn.h>

namespace heddle::runtime_test {

using manifest::sample::ptxOf;

inline heddle_arg matrix(uint64_t address, int64_t rows, int64_t columns) {
  heddle_arg arg = {};
  arg.kind = HEDDLE_VIEW;
  arg.dtype = HEDDLE_F16;
  arg.rank = 2;
  arg.data = reinterpret_cast<void *>(address);
  arg.shape[0] = rows;
  arg.shape[1] = columns;
  arg.strides[0] = columns;
  arg.strides[1] = 1;
  return arg;
}

inline std::vector<heddle_arg> gemmArgs(int64_t m, int64_t n, int64_t k) {
  return {matrix(0x10000, m, k), matrix(0x20000, n, k), matrix(0x30000, m, n)};
}

inline heddle_status create(const manifest::Manifest &manifest,
                            heddle_kernel **kernel) {
  std::string json = manifest::print(manifest);
  std::string ptx = ptxOf(manifest);
  return heddle_kernel_create(ptx.data(), ptx.size(), json.data(), json.size(),
                              kernel);
}

/// The sample GEMM on a fresh fake driver.
class OnFakeDriver : public testing::Test {
protected:
  void SetUp() override {
    void *library = dlopen(FAKE_DRIVER_PATH, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    state = reinterpret_cast<FakeDriverState *(*)()>(
        dlsym(library, "fake_driver_state"));
    reinterpret_cast<void (*)()>(dlsym(library, "fake_driver_reset"))();
    setCurrent =
        reinterpret_cast<int (*)(uint64_t)>(dlsym(library, "cuCtxSetCurrent"));
    heddle_internal_set_driver_path(FAKE_DRIVER_PATH);
    state()->paramCount = 7;
    use(manifest::sample::gemm());
  }
  void TearDown() override { heddle_kernel_destroy(kernel); }

  void use(const manifest::Manifest &manifest) {
    heddle_kernel_destroy(kernel);
    kernel = nullptr;
    ASSERT_EQ(create(manifest, &kernel), HEDDLE_OK) << heddle_last_error();
  }
  heddle_status launch(const std::vector<heddle_arg> &args) {
    return heddle_kernel_launch(kernel, args.data(), args.size(), nullptr);
  }
  const FakeLaunch &lastLaunch() {
    static const FakeLaunch none;
    return state()->launches.empty() ? none : state()->launches.back();
  }

  FakeDriverState *(*state)() = nullptr;
  int (*setCurrent)(uint64_t) = nullptr;
  heddle_kernel *kernel = nullptr;
};

} // namespace heddle::runtime_test

#endif // HEDDLE_UNITTESTS_RUNTIME_FIXTURE_H
