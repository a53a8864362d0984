//===- FlowTarget.cpp - Text of the flow rung, down to processes ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs of streams, or einsums that become such graphs, run on small tensors:
// as lists of tokens, then as processes and rings in two orders. What both
// finish must be equal, and what is printed on the way must be text that the
// parser takes.
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "Targets.h"

#include "FlowKernels.h"
#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Flow/Interpret.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Sparse/Generate.h"

#include "mlir/IR/BuiltinOps.h"

using namespace heddle;
using namespace heddle::fuzz;

static constexpr int64_t kExtent = 5, kMostTokens = 20000, kMostSteps = 20000,
                         kMostBytes = 1 << 20, kMostEntries = 1 << 14;

/// Elements at random places for an argument; false if it is no small tensor.
static bool makeTensor(mlir::Type type, uint64_t seed, sparse::Tensor &tensor) {
  auto ranked = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!ranked)
    return false;
  double count = 1;
  std::vector<int64_t> extents;
  for (int64_t extent : ranked.getShape()) {
    extents.push_back(mlir::ShapedType::isDynamic(extent) ? kExtent : extent);
    count *= double(extents.back());
  }
  sparse::Format format = describeFormat(ranked);
  if (count > double(kMostEntries))
    return false;
  auto pattern =
      format.isDense() ? sparse::Pattern::Full : sparse::Pattern(seed % 5);
  std::string error;
  return sparse::Tensor::build(
      format,
      ranked.getElementType().isF64() ? sparse::Element::F64
                                      : sparse::Element::F32,
      extents, sparse::generate(extents, pattern, 0.3, seed, true), tensor,
      error, kMostBytes);
}

static bool areEqual(const sparse::Tensor &one, const sparse::Tensor &other) {
  std::vector<sparse::Entry> a = one.entries(), b = other.entries();
  return one.values == other.values && a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](const sparse::Entry &a, const sparse::Entry &b) {
                      return a.coordinates == b.coordinates;
                    });
}

static void runGraph(flow::GraphOp graph, mlir::ModuleOp module) {
  flow::GraphRun oracle;
  oracle.mostTokens = kMostTokens;
  for (auto [number, type] :
       llvm::enumerate(graph.getEntry().getArgumentTypes()))
    if (!makeTensor(type, number, oracle.arguments.emplace_back()))
      return;
  if (failed(flow::interpret(graph, oracle)))
    return;
  auto kernels = lowerFlowToAref(graph, module, {});
  if (failed(kernels))
    return;
  for (auto order :
       {simulator::Schedule::Fair, simulator::Schedule::Adversarial}) {
    tool::FlowKernelsRun run;
    run.engine = tool::Engine::Interpreted;
    run.options.schedule = order;
    run.options.maxSteps = kMostSteps;
    for (auto [argument, tensor] :
         llvm::zip_equal(graph.getEntry().getArguments(), oracle.arguments))
      run.tensors[argument] = tensor;
    for (auto write : graph.getEntry().getOps<flow::WriteOp>())
      run.tensors[write.getTensor()] = oracle.written.at(write.getName().str());
    auto fault = tool::runFlowKernels(module, *kernels, run);
    if (failed(fault) || !fault->empty())
      return;
    for (auto write : graph.getEntry().getOps<flow::WriteOp>())
      if (!areEqual(run.tensors[write.getTensor()],
                    oracle.written.at(write.getName().str())))
        __builtin_trap(); // the processes are the graph
  }
}

int heddle::fuzz::runFlow(const std::string &text) {
  auto context = pipeline::createContext();
  QuietHandler quiet(*context);
  auto module = parseEinsum(text, *context);
  if (!module)
    return -1; // not worth keeping
  if (module->getOps<flow::GraphOp>().empty() &&
      (failed(addStreamPlans(*module)) || failed(lowerEinsumToFlow(*module))))
    return 0;
  if (!parse(pipeline::print(*module), *context))
    __builtin_trap(); // what is written is read
  for (auto graph : llvm::to_vector(module->getOps<flow::GraphOp>()))
    runGraph(graph, *module);
  return 0;
}
