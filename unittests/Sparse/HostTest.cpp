//===- HostTest.cpp - Workers and programs of steps -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each instance runs once whatever the workers and chunks; a program's steps
// compute, allocate, and end with a sentence where a size is too large.
//
//===----------------------------------------------------------------------===//

#include "heddle/Cpu/HostProgram.h"
#include "heddle/Cpu/Pool.h"
#include "heddle/Cpu/SavedProgram.h"

#include "gtest/gtest.h"

#include <unistd.h>

using namespace heddle::cpu;

namespace {

TEST(Pool, EachInstanceRunsOnce) {
  for (int workers : {1, 2, 5}) {
    Pool pool(workers);
    for (int64_t instances : {0, 1, 7, 1000})
      for (int64_t chunk : {1, 3, 5000}) {
        std::vector<std::atomic<int>> runs(static_cast<size_t>(instances));
        std::atomic<bool> isKnown = true;
        pool.run(instances, chunk, [&](int64_t begin, int64_t end, int worker) {
          isKnown = isKnown && worker >= 0 && worker < workers;
          for (int64_t i = begin; i < end; ++i)
            ++runs[size_t(i)];
        });
        EXPECT_TRUE(isKnown);
        for (std::atomic<int> &count : runs)
          EXPECT_EQ(count, 1);
      }
  }
}

Step makeStep(Step::Kind kind, int result, std::vector<int> operands,
              int64_t number = 0) {
  Step step;
  step.kind = kind;
  step.result = result;
  step.operands = std::move(operands);
  step.number = number;
  return step;
}

TEST(SavedProgram, ComesBack) {
  HostProgram program;
  program.name = "twice";
  program.arguments = {{"n", 0}, {"x", 4}};
  program.slots = 5;
  program.steps = {makeStep(Step::Kind::Constant, 2, {}, INT64_MIN),
                   makeStep(Step::Kind::Multiply, 3, {0, 2}),
                   makeStep(Step::Kind::Allocate, 4, {3}, 4),
                   makeStep(Step::Kind::Launch, -1, {0, 1, 4})};
  program.steps[2].isZeroed = true;
  program.steps[3].text = "a \"kernel\"";
  program.results = {{"y", 4, 3, 4}};
  std::string bytes =
      write({program, "some cpu", 1.5e9, std::string("o\0\nb", 4)});
  SavedProgram saved;
  std::string error;
  ASSERT_TRUE(read(bytes, saved, error)) << error;
  EXPECT_EQ(saved.processor, "some cpu");
  EXPECT_EQ(saved.cycles, 1.5e9);
  EXPECT_EQ(saved.object, std::string("o\0\nb", 4));
  EXPECT_EQ(write(saved), bytes);
  EXPECT_EQ(saved.program.steps[0].number, INT64_MIN);
  EXPECT_TRUE(saved.program.steps[2].isZeroed);
}

TEST(SavedProgram, WhatIsNone) {
  HostProgram program;
  program.arguments = {{"n", 0}};
  program.slots = 2;
  program.steps = {makeStep(Step::Kind::Add, 1, {0, 0})};
  std::string bytes = write({program, "", 0, "object"});
  SavedProgram saved;
  std::string error;
  size_t whole = bytes.size() - std::string("\nobject").size();
  for (size_t size = 0; size < whole; ++size)
    EXPECT_FALSE(read(bytes.substr(0, size), saved, error)) << size;
  EXPECT_FALSE(read("something else\n{}\n", saved, error));
  EXPECT_EQ(
      error,
      "these are not the bytes of a saved program, or of another version");
  // Slots and operands that are not there.
  for (auto [good, bad] :
       {std::pair("\"result\":1", "\"result\":2"),
        std::pair("\"operands\":[0,0]", "\"operands\":[0]"),
        std::pair("\"operands\":[0,0]", "\"operands\":[0,-1]"),
        std::pair("\"kind\":1", "\"kind\":8"),
        std::pair("\"slots\":2", "\"slots\":0")}) {
    std::string other = bytes;
    size_t at = other.find(good);
    ASSERT_NE(at, std::string::npos) << good;
    other.replace(at, std::string(good).size(), bad);
    EXPECT_FALSE(read(other, saved, error)) << bad;
  }
}

TEST(HostProgram, WhatTheMachineDoesNotHave) {
  // The system promises each; nobody could use both.
  int64_t most = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  HostProgram program;
  program.arguments = {{"n", 0}};
  program.slots = 3;
  program.steps = {makeStep(Step::Kind::Allocate, 1, {0}, 1),
                   makeStep(Step::Kind::Allocate, 2, {0}, 1)};
  program.steps[0].isZeroed = program.steps[1].isZeroed = true;
  std::string error;
  std::vector<int64_t> slots = {most / 5 * 3};
  Arrays arrays;
  EXPECT_FALSE(execute(program, slots, arrays, Launch(), error));
  EXPECT_EQ(error, "there is no memory for " + std::to_string(most / 5 * 3) +
                       " elements of 1 bytes");
}

TEST(HostProgram, Steps) {
  HostProgram program;
  program.arguments = {{"n", 0}};
  program.slots = 5;
  program.steps = {makeStep(Step::Kind::Constant, 1, {}, 3),
                   makeStep(Step::Kind::Multiply, 2, {0, 1}),
                   makeStep(Step::Kind::Limit, -1, {2}, 30),
                   makeStep(Step::Kind::Allocate, 3, {2}, 4),
                   makeStep(Step::Kind::Launch, -1, {3, 2}),
                   makeStep(Step::Kind::Read, 4, {3, 1}, 4)};
  program.steps[2].text = "rows";
  program.steps[4].text = "fill";
  Launch launch = [](const std::string &name,
                     const std::vector<int64_t> &arguments, std::string &) {
    EXPECT_EQ(name, "fill");
    for (int64_t i = 0; i < arguments[1]; ++i)
      reinterpret_cast<int32_t *>(arguments[0])[i] = int32_t(i * i);
    return true;
  };
  std::string error;
  std::vector<int64_t> slots = {10};
  Arrays arrays;
  ASSERT_TRUE(execute(program, slots, arrays, launch, error)) << error;
  EXPECT_EQ(slots[4], 9);
  EXPECT_EQ(arrays.sizeOf(reinterpret_cast<void *>(slots[3])), 120);

  slots = {11};
  EXPECT_FALSE(execute(program, slots, arrays, launch, error));
  EXPECT_EQ(error, "there are 33 rows; at most 30 can be counted");
  slots = {INT64_MAX / 2};
  EXPECT_FALSE(execute(program, slots, arrays, launch, error));
  EXPECT_EQ(error, "a size exceeds 64 bits: 4611686018427387903 x 3");
}

} // namespace
