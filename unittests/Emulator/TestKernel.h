//===- TestKernel.h - Runs a hand-made PTX kernel ----------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the manifest and plan around a body of PTX, so that a test shows its
// instructions and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_EMULATOR_TESTKERNEL_H
#define HEDDLE_UNITTESTS_EMULATOR_TESTKERNEL_H

#include "heddle/Emulator/Emulator.h"

#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

namespace heddle::emulator::test {

class TestKernel {
public:
  /// `body` goes between the braces. Registers %p, %h, %r, %f, %d and %x are
  /// declared; `smem` is the dynamic shared memory.
  explicit TestKernel(std::string body, int threads = 32)
      : body(std::move(body)) {
    variant.entry = "k";
    variant.threads = threads;
  }

  /// A parameter `%pN`'s worth of pointer, with the memory behind it.
  template <class T>
  TestKernel &buffer(std::vector<T> &data, bool writable = true) {
    manifest::ParamValue value;
    value.bits = reinterpret_cast<uint64_t>(data.data());
    memory.push_back({value.bits, data.size() * sizeof(T), writable,
                      "arg" + std::to_string(plan.params.size())});
    plan.params.push_back(value);
    return *this;
  }
  TestKernel &scalar(uint32_t bits) {
    manifest::ParamValue value;
    value.sizeBytes = 4;
    value.bits = bits;
    plan.params.push_back(value);
    return *this;
  }
  TestKernel &tensor(const manifest::TensorMap &map, uint64_t bytes) {
    manifest::ParamValue value;
    value.isTensorMap = true;
    value.tensorMap = map;
    memory.push_back(
        {map.address, bytes, true, "arg" + std::to_string(plan.params.size())});
    plan.params.push_back(value);
    return *this;
  }
  TestKernel &shared(int64_t bytes) {
    variant.sharedBytes = bytes;
    return *this;
  }
  TestKernel &grid(int64_t x) {
    plan.grid[0] = x;
    return *this;
  }

  std::string text() const {
    std::string ptx = ".version 8.6\n.target sm_90a\n.address_size 64\n"
                      ".extern .shared .align 1024 .b8 smem[];\n"
                      ".visible .entry k(";
    for (size_t i = 0; i < plan.params.size(); ++i) {
      std::string name = "p" + std::to_string(i);
      ptx += i ? ", " : "";
      ptx += plan.params[i].isTensorMap
                 ? ".param .align 64 .b8 " + name + "[128]"
             : plan.params[i].sizeBytes == 4 ? ".param .u32 " + name
                                             : ".param .u64 " + name;
    }
    return ptx + ")\n.reqntid " + std::to_string(variant.threads) +
           ", 1, 1\n.minnctapersm 1\n{\n"
           ".reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<64>;\n"
           ".reg .b32 %f<300>; .reg .b64 %d<32>; .reg .b64 %x<32>;\n" +
           body + "\nret;\n}\n";
  }

  Result run(const Options &options = {}) const {
    std::string error;
    auto program = Program::parse(text(), error);
    if (!program) {
      Result result;
      result.error = error;
      return result;
    }
    manifest::Manifest manifest;
    manifest.variants.push_back(variant);
    return emulator::run(*program, manifest, plan, memory, options);
  }

  manifest::Variant variant;
  manifest::LaunchPlan plan;
  std::vector<MemoryRange> memory;

private:
  std::string body;
};

/// All schedules, several seeds each.
inline std::vector<Options> allSchedules() {
  std::vector<Options> list;
  for (Schedule schedule :
       {Schedule::Fair, Schedule::Random, Schedule::Adversarial})
    for (uint64_t seed = 0; seed < 8; ++seed) {
      Options options;
      options.schedule = schedule;
      options.seed = seed;
      list.push_back(options);
    }
  return list;
}

inline void expectOk(const Result &result) {
  EXPECT_TRUE(result.ok) << result.error;
}

inline void expectError(const Result &result, const std::string &part) {
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.error.find(part), std::string::npos) << result.error;
}

} // namespace heddle::emulator::test

#endif // HEDDLE_UNITTESTS_EMULATOR_TESTKERNEL_H
