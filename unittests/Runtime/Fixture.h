//===- Fixture.h - A kernel on the fake driver -------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_RUNTIME_FIXTURE_H
#define HEDDLE_UNITTESTS_RUNTIME_FIXTURE_H

#include "../../runtime/lib/Internal.h"
#include "../Manifest/Sample.h"
#include "FakeDriver.h"
#include "heddle/runtime.h"

#include "gtest/gtest.h"
#include <dlfcn.h>

namespace heddle::runtime_test {

inline int64_t scalarBytes(const manifest::Manifest &manifest,
                           const manifest::Param &param) {
  for (const manifest::Argument &argument : manifest.arguments)
    if (argument.name == param.argument)
      return manifest::elementBytes(argument.element);
  return 8;
}

/// PTX without bodies that has the entries of a manifest.
inline std::string ptxOf(const manifest::Manifest &manifest) {
  using manifest::Param;
  std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n";
  for (const manifest::Variant &variant : manifest.variants) {
    text += ".visible .entry " + variant.entry + "(\n";
    for (size_t i = 0; i < variant.params.size(); ++i) {
      const Param &param = variant.params[i];
      std::string name = variant.entry + "_param_" + std::to_string(i);
      text += i ? ",\n\t.param " : "\t.param ";
      if (param.kind == Param::Kind::TensorMap)
        text += ".align 64 .b8 " + name + "[128]";
      else if (param.kind == Param::Kind::Dim)
        text += ".u32 " + name;
      else if (param.kind == Param::Kind::Scalar)
        text += ".b" + std::to_string(8 * scalarBytes(manifest, param)) + " " +
                name;
      else
        text += ".u64 " + name;
    }
    text += "\n)\n.reqntid " + std::to_string(variant.threads) + ", 1, 1\n";
    if (variant.cluster != std::array<int, 3>{1, 1, 1})
      text += ".reqnctapercluster " + std::to_string(variant.cluster[0]) +
              ", " + std::to_string(variant.cluster[1]) + ", " +
              std::to_string(variant.cluster[2]) + "\n";
    text += "{\n\tret;\n}\n";
  }
  return text;
}

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
