//===- TaskValuesTest.cpp - Tasks mean what their tile program means ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of tasks is run by the oracle of tasks, and what becomes of it by
// the oracle of tiles: on small integers every element must be equal.
//
//===----------------------------------------------------------------------===//

#include "TaskPrograms.h"

#include "heddle/Frontend/Tasks/Import.h"
#include "heddle/Interp/Interp.h"
#include "heddle/Interp/Tasks.h"
#include "heddle/Pipeline/Compile.h"

using namespace mlir;
using namespace heddle;

namespace {

/// Small integers, which every sum keeps exactly.
std::vector<double> numbers(int64_t count, int seed) {
  std::vector<double> made;
  for (int64_t i = 0; i < count; ++i)
    made.push_back(double((i * 7 + seed * 3 + i / 5) % 9) - 4);
  return made;
}

/// Tensors of f32 in the text, so that memory is an array of float.
void expectEqual(const std::string &text,
                 const std::vector<SmallVector<int64_t>> &shapes) {
  std::unique_ptr<MLIRContext> context = pipeline::createContext();
  OwningOpRef<ModuleOp> program =
      parseSourceString<ModuleOp>(text, context.get());
  ASSERT_TRUE(program);
  interp::TaskRun run;
  std::vector<std::vector<float>> memory;
  std::vector<interp::Argument> arguments;
  for (auto [index, shape] : llvm::enumerate(shapes)) {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    std::vector<double> elements = numbers(count, int(index));
    memory.emplace_back(elements.begin(), elements.end());
    run.arguments.push_back({shape, std::move(elements)});
  }
  ASSERT_TRUE(succeeded(interp::interpretTasks(*program, run)));
  EXPECT_TRUE(run.faults.empty()) << run.faults.front().text;
  ASSERT_TRUE(succeeded(task::importTasks(*program)));
  auto kernel = *program->getOps<tile::KernelOp>().begin();
  for (auto [array, shape] : llvm::zip(memory, shapes))
    arguments.push_back(interp::Buffer{array.data(), shape, {}, {}});
  ASSERT_TRUE(succeeded(interp::interpret(kernel, arguments)));
  for (auto [array, wanted] : llvm::zip(memory, run.arguments))
    for (size_t i = 0; i < array.size(); ++i)
      ASSERT_EQ(double(array[i]), wanted.elements[i]) << "element " << i;
}

std::string product(int rows = 4, int columns = 6, int step = 4,
                    int groups = 2) {
  auto number = [](const char *name, int value) {
    return "\"" + std::string(name) + "\" = " + std::to_string(value);
  };
  return readExample("gemm.mlir", {{"\"U\" = 128", number("U", rows)},
                                   {"\"V\" = 256", number("V", columns)},
                                   {"\"W\" = 64", number("W", step)},
                                   {"\"GROUPS\" = 2", number("GROUPS", groups)},
                                   {"xf16", "xf32"},
                                   {"#tile.order<0, 1>", "#tile.order<1, 0>"}});
}

TEST(TaskValues, MappingsChangeNothing) {
  for (int rows : {2, 6, 12})
    for (int columns : {1, 4, 5})
      for (int step : {1, 3, 8})
        for (int groups : {1, 2})
          expectEqual(product(rows, columns, step, groups),
                      {{7, 10}, {10, 9}, {7, 9}});
}

TEST(TaskValues, Product) {
  expectEqual(product(), {{9, 7}, {7, 10}, {9, 10}});
  expectEqual(product(), {{4, 4}, {4, 6}, {4, 6}});
  expectEqual(product(), {{5, 0}, {0, 3}, {5, 3}});
  expectEqual(product(), {{1, 1}, {1, 1}, {1, 1}});
}

TEST(TaskValues, SharedPieces) {
  for (int part : {2, 4, 16})
    for (const char *rows : {"\"U\" = 3", "\"U\" = 8"})
      expectEqual(
          readExample("split_k_gemm.mlir",
                      {{"\"U\" = 128 of {64, 128}", rows},
                       {"\"V\" = 128 of {64, 128}", "\"V\" = 4"},
                       {"\"PART\" = 512", "\"PART\" = " + std::to_string(part)},
                       {"\"W\" = 64", "\"W\" = 2"},
                       {"xf16", "xf32"}}),
          {{7, 10}, {10, 9}, {7, 9}});
}

TEST(TaskValues, NestedPieces) {
  expectEqual(kNested, {{9, 7}, {9, 7}, {9, 7}});
  expectEqual(kNested, {{1, 12}, {1, 12}, {1, 12}});
}

} // namespace
