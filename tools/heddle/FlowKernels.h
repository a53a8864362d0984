//===- FlowKernels.h - Runs kernels made of streams -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives the kernels of a graph their arrays, simulates one after the other, and
// builds the tensors that they wrote, which the next ones read.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FLOWKERNELS_H
#define HEDDLE_TOOLS_HEDDLE_FLOWKERNELS_H

#include "heddle/Conversion/FlowToAref.h"
#include "heddle/Simulator/LeastSlots.h"
#include "heddle/Simulator/Timing.h"
#include "heddle/Sparse/Tensor.h"

namespace heddle::tool {

/// What executes kernels in the order of clocks.
enum class Engine {
  Auto,        ///< what takes less time: a short run ends before code is made
  Compiled,    ///< machine code, and the interpreter where that cannot be
  Interpreted, ///< the simulator of every order
  Both,        ///< also both kinds of machine code, to be compared
};

struct FlowKernelsRun {
  /// Of the arguments of the graph, and of what it writes, by value. Those that
  /// are written have their formats, extents and, as an upper bound of what
  /// there will be, the elements that the oracle found.
  llvm::DenseMap<mlir::Value, sparse::Tensor> tensors;
  simulator::Options options;
  /// For simulator::Schedule::Local; null: the interpreter.
  simulator::CompiledSimulator *compiled = nullptr;
  Engine engine = Engine::Compiled;
  int64_t tokens = 0; ///< that the kernels hand on, by which Auto decides
  /// Steps of each process that machine code may take; 0 is no limit.
  int64_t mostCompiledSteps = 0;
  /// Gives rings no more slots than the kernels need on these operands, and
  /// notes them, by kernel.
  bool findsSlots = false;
  std::vector<std::vector<simulator::RingSlots>> slots;
  /// Also runs the interpreter with one slot less in each ring that has
  /// several, which must be a deadlock; how many rings that were.
  bool triesFewer = false;
  int64_t tight = 0;
  /// What each kernel did in its time, with simulator::Schedule::Local.
  std::vector<simulator::TimedRun> runs;
  /// Why a kernel was interpreted though nobody asked for that; "".
  std::string interpretedFor;
};

/// Empty, or why a result is none; failure, with a message, where the simulator
/// found a fault.
mlir::FailureOr<std::string> runFlowKernels(mlir::ModuleOp module,
                                            std::vector<FlowKernel> &kernels,
                                            FlowKernelsRun &run);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_FLOWKERNELS_H
