//===- GemmBenchmark.cpp - How fast the oracle runs a product -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GemmBenchmark examples/gemm.mlir: a 512x512x512 product in 128x256x64 tiles.
//
//===----------------------------------------------------------------------===//

#include "heddle/Interp/Interp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>

using namespace heddle;
using namespace heddle::interp;

static const char *path = nullptr;

static void runProduct(benchmark::State &state) {
  mlir::MLIRContext context;
  context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect,
                      mlir::math::MathDialect, mlir::scf::SCFDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  if (!module)
    return state.SkipWithError("the program does not parse");
  int64_t size = state.range(0);
  std::vector<uint16_t> a(size * size, 0x3c00), b = a, c = a;
  auto bufferOf = [&](std::vector<uint16_t> &data) {
    return Buffer{data.data(), {size, size}, {}, {}};
  };
  auto kernel = *module->getOps<tile::KernelOp>().begin();
  for (auto _ : state)
    if (failed(interpret(kernel, {bufferOf(a), bufferOf(b), bufferOf(c)})))
      return state.SkipWithError("the oracle failed");
  state.counters["multiply-adds"] =
      benchmark::Counter(double(size) * double(size) * double(size),
                         benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(runProduct)
    ->Arg(256)
    ->Arg(512)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2)
    return llvm::errs() << "usage: GemmBenchmark PROGRAM\n", 3;
  path = argv[1];
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
