//===- ExpandedTest.cpp - The expander's programs against the oracle ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The examples with the solver's schedule and with drawn ones, expanded to
// processes and rings, at trip counts from 0 past the rings' depths, in several
// orders of execution: each must give what the tile program gives, bit for bit.
// No code of the lowering below the aref rung takes part.
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Support/NumberFormat.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

using namespace heddle;
using namespace heddle::simulator;

namespace {

constexpr int64_t kBk = 32;

/// An example with one extent of K, before and after expansion.
class Example {
public:
  Example(llvm::StringRef name, uint64_t seed) {
    context.loadDialect<tile::TileDialect, sched::SchedDialect,
                        aref::ArefDialect, mlir::arith::ArithDialect,
                        mlir::math::MathDialect, mlir::scf::SCFDialect>();
    // A refusal is shown by the test that meets it.
    context.printOpOnDiagnostic(false);
    sequential = mlir::parseSourceFile<mlir::ModuleOp>(
        (HEDDLE_EXAMPLES "/" + name + ".mlir").str(), &context);
    InstantiateOptions sizes;
    sizes.values = {"BM=128", "BN=64", "BK=" + std::to_string(kBk)};
    mlir::PassManager fix(&context);
    fix.addPass(createInstantiate(sizes));
    fix.addPass(createPromoteAccumulation());
    isValid = succeeded(fix.run(*sequential));
    expanded = sequential->clone();
    ScheduleLoopsOptions schedule;
    schedule.random = seed;
    mlir::PassManager expand(&context);
    expand.addPass(createDistribute());
    expand.addPass(createNameOps());
    expand.addPass(createSplit());
    expand.addPass(createScheduleLoops(schedule));
    expand.addPass(createExpandSchedule());
    isValid = isValid && succeeded(expand.run(*expanded));
  }

  tile::KernelOp kernel(mlir::OwningOpRef<mlir::ModuleOp> &module) {
    return *module->getOps<tile::KernelOp>().begin();
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> sequential, expanded;
  bool isValid = false;
};

/// Halves and floats alike: every second byte stays small, so both are finite.
std::vector<std::vector<uint16_t>> makeData(tile::KernelOp kernel) {
  std::vector<std::vector<uint16_t>> data;
  for (unsigned i = 0; i < kernel.getEntry().getNumArguments(); ++i) {
    auto &array = data.emplace_back(1 << 16);
    for (size_t k = 0; k < array.size(); ++k)
      array[k] = uint16_t(
          encode<kFloat16>(double((k * 7919 * (2 * i + 3)) % 17) / 16 - 0.5));
  }
  return data;
}

std::vector<interp::Argument>
argumentsFor(tile::KernelOp kernel, std::vector<std::vector<uint16_t>> &data,
             int64_t k) {
  std::vector<interp::Argument> arguments;
  for (auto [i, argument] : llvm::enumerate(kernel.getEntry().getArguments())) {
    std::string name = kernel.getArgName(i);
    auto view = llvm::cast<tile::ViewType>(argument.getType());
    // More than one tile along M and N, and no multiple.
    interp::Buffer buffer;
    buffer.data = data[i].data();
    if (view.getRank() == 1)
      buffer.shape = {70};
    else if (name == "a")
      buffer.shape = {140, k};
    else if (name.front() == 'b')
      buffer.shape = {k, 70};
    else
      buffer.shape = {140, 70};
    arguments.push_back(buffer);
  }
  return arguments;
}

void check(llvm::StringRef name, uint64_t scheduleSeed, int64_t trips) {
  SCOPED_TRACE(name.str() + ", schedule " + std::to_string(scheduleSeed) +
               ", trips " + std::to_string(trips));
  Example example(name, scheduleSeed);
  ASSERT_TRUE(example.isValid);
  // The last trip is a partial one.
  int64_t k = trips == 0 ? 0 : trips * kBk - 5;
  tile::KernelOp kernel = example.kernel(example.sequential);
  auto expected = makeData(kernel);
  ASSERT_TRUE(
      succeeded(interp::interpret(kernel, argumentsFor(kernel, expected, k))));
  for (Options order : {Options{Schedule::Fair}, Options{Schedule::Adversarial},
                        Options{Schedule::Adversarial, scheduleSeed + 1},
                        Options{Schedule::Random, scheduleSeed + 1}}) {
    auto data = makeData(kernel);
    tile::KernelOp processes = example.kernel(example.expanded);
    ASSERT_TRUE(succeeded(
        simulate(processes, argumentsFor(processes, data, k), order)));
    ASSERT_TRUE(data == expected) << "order " << int(order.schedule);
  }
}

TEST(Expanded, SolvedSchedulesAroundTheDepthOfTheRing) {
  // The solver gives gemm.mlir rings of 8 slots at this size.
  for (int64_t trips : {0, 1, 2, 3, 7, 8, 9})
    check("gemm", 0, trips);
  for (int64_t trips : {0, 1, 4, 5}) {
    check("dual_gemm", 0, trips);
    check("gemm_bias_gelu", 0, trips);
  }
}

TEST(Expanded, AWaitThatLeavesOneFlightMoreOutIsFound) {
  Example example("gemm", 0);
  ASSERT_TRUE(example.isValid);
  tile::KernelOp kernel = example.kernel(example.expanded);
  kernel.walk(
      [](aref::AwaitOp await) { await.setPending(await.getPending() + 1); });
  mlir::ScopedDiagnosticHandler quiet(
      &example.context, [](mlir::Diagnostic &) { return mlir::success(); });
  for (const Options &order : allOrders()) {
    auto data = makeData(kernel);
    EXPECT_TRUE(
        failed(simulate(kernel, argumentsFor(kernel, data, 3 * kBk), order)));
  }
}

TEST(Expanded, DrawnSchedules) {
  constexpr int64_t kTrips[] = {0, 1, 2, 3, 4, 5, 7, 9};
  for (uint64_t seed = 1; seed <= 40; ++seed)
    check("gemm", seed, kTrips[seed % 8]);
  for (uint64_t seed = 1; seed <= 16; ++seed)
    check("dual_gemm", seed, kTrips[(seed / 2) % 8]);
}

} // namespace
