//===- SimulateFlow.h - heddle simulate on streams --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An einsum program as a graph of streams: made by its plan, run on random
// operands, compared with the oracle of einsums.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_SIMULATEFLOW_H
#define HEDDLE_TOOLS_HEDDLE_SIMULATEFLOW_H

#include "EinsumOperands.h"
#include "FlowKernels.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle::tool {

struct FlowOptions {
  explicit FlowOptions(llvm::cl::SubCommand &command);
  OperandOptions operands;
  llvm::cl::opt<std::string> plan;
  llvm::cl::opt<bool> tokens;
  llvm::cl::opt<std::string> regions;
  llvm::cl::opt<bool> reassociates;
  llvm::cl::opt<std::string> parallel;
  llvm::cl::opt<std::string> slots;
  llvm::cl::opt<bool> emitProcesses;
  llvm::cl::opt<Engine> engine;
  llvm::cl::opt<bool> speed;
  llvm::cl::opt<bool> profile;
};

struct FlowRequest {
  std::vector<std::string> views;
  std::string machine = "fabric-ideal";
  uint64_t seed = 0;
  bool integers = false;
  simulator::Options options;
  /// Of the interpreter, options.maxSteps; of machine code, whose steps are
  /// those of one process.
  int64_t mostCompiledSteps = 0;
  unsigned schedules = 1;
  /// Where to write a picture of the graph, and a trace; "" for none.
  std::string svgFile, traceFile;
};

/// An exit code.
int simulateFlow(mlir::ModuleOp module, const FlowOptions &options,
                 const FlowRequest &request);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_SIMULATEFLOW_H
