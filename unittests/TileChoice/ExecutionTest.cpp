//===- ExecutionTest.cpp - Launches' estimates against predictions --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch computes for tiles of attention must be what the evaluator says
// of the whole launch, and must rank the tiles as an H100 did
// (docs/lab/2026-11-27-flash-attention-from-source.md). An estimate by the
// tables' intervals is a fifth off and has the order wrong.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"
#include "Trials.h"

#include "heddle/Evaluate/Evaluate.h"
#include "heddle/Manifest/LaunchPlan.h"
#include "heddle/Pipeline/Compile.h"

#include "mlir/IR/Diagnostics.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using pipeline::Rung;

namespace {

class Program {
public:
  Program(StringRef example, std::vector<std::string> settings) {
    std::string error;
    EXPECT_TRUE(machine::findMachine(machine::kDefaultMachine, costs, error));
    context = pipeline::createContext();
    auto source =
        loadSource((HEDDLE_EXAMPLES "/" + example + ".mlir").str(), settings);
    EXPECT_TRUE(bool(source)) << toString(source.takeError());
    module = pipeline::parse(*source, *context);
    EXPECT_TRUE(module);
    EXPECT_TRUE(succeeded(pipeline::lower(*module, Rung::Tile, Rung::Sched)));
    kernel = *module->getOps<tile::KernelOp>().begin();
  }

  std::optional<Execution> execution() {
    return execute(kernel, describeWork(kernel, costs), costs);
  }

  std::optional<KernelTime> time() { return timeOfLaunch(kernel, 1, costs); }

  /// Of `heads` rows of heads with this many queries and keys, as a launch
  /// computes them, and as the whole launch is predicted.
  int64_t estimated(int64_t heads, int64_t length) {
    auto time = timeOfLaunch(kernel, 1, costs);
    EXPECT_TRUE(time && time->isExecuted);
    manifest::Manifest described;
    std::vector<manifest::ArgumentValue> values;
    for (const char *name : {"q", "k", "v", "o"}) {
      described.arguments.emplace_back().name = name;
      described.arguments.back().rank = 3;
      values.emplace_back().shape = {heads, length, 64};
    }
    int64_t value = 0;
    std::string error;
    EXPECT_TRUE(time && manifest::evaluate(time->cycles, described, values,
                                           int(costs.limits.multiprocessors),
                                           value, error))
        << error;
    return value;
  }

  int64_t predicted(int64_t heads, int64_t length) {
    evaluate::Launch launch;
    for (int64_t view = 1; view <= 4; ++view)
      launch.arguments.push_back(interp::Buffer{
          reinterpret_cast<void *>(view << 44), {heads, length, 64}, {}, {}});
    launch.arguments.push_back(0.125);
    launch.workers = costs.limits.multiprocessors;
    auto score =
        evaluate::evaluate(*module, kernel.getSymName(), costs, launch);
    EXPECT_TRUE(succeeded(score));
    return succeeded(score) ? score->cycles : 0;
  }

  machine::Costs costs;
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  tile::KernelOp kernel;
};

Program attention(int64_t rows, int64_t keys) {
  return Program("attention", {"D=64", "BM=" + std::to_string(rows),
                               "BN=" + std::to_string(keys)});
}

TEST(Execution, LaunchesAreChargedAsPredicted) {
  for (auto [rows, keys] : {std::pair(128, 128), {192, 160}}) {
    Program program = attention(rows, keys);
    for (auto [heads, length] : {std::pair(128, 4096), {64, 8192}}) {
      double estimated = double(program.estimated(heads, length));
      double predicted = double(program.predicted(heads, length));
      EXPECT_NEAR(estimated / predicted, 1, 0.03)
          << rows << " x " << keys << " at " << length;
    }
  }
}

// Rows of a triangle differ in how many iterations they have.
TEST(Execution, SaysWhetherInstancesAreAlike) {
  auto plain = attention(128, 128).time();
  auto causal = Program("attention_causal", {"D=64"}).time();
  ASSERT_TRUE(plain && causal);
  EXPECT_TRUE(plain->areInstancesAlike);
  EXPECT_FALSE(causal->areInstancesAlike);
}

TEST(Execution, RanksTilesOfLongRowsAsTheyWereMeasured) {
  Program own = attention(128, 128), wide = attention(192, 160);
  auto ratio = [&](int64_t heads, int64_t length) {
    return double(wide.estimated(heads, length)) /
           double(own.estimated(heads, length));
  };
  EXPECT_NEAR(ratio(64, 8192), 1 / 1.058, 0.02);
  EXPECT_NEAR(ratio(32, 16384), 1 / 1.076, 0.02);
}

} // namespace
