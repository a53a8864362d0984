//===- RunEinsum.h - heddle run on the einsum rung --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles an einsum program for this processor, runs it with one worker and
// with several, and compares: with the oracle of einsums, and bit by bit among
// numbers of workers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_RUNEINSUM_H
#define HEDDLE_TOOLS_HEDDLE_RUNEINSUM_H

#include "EinsumKernel.h"
#include "Program.h"

namespace heddle::tool {

/// The options that only einsum programs have.
struct EinsumRunOptions {
  explicit EinsumRunOptions(llvm::cl::SubCommand &command);
  OperandOptions operands;
  llvm::cl::opt<std::string> plan;
  llvm::cl::opt<unsigned> workers;
  llvm::cl::opt<bool> interpret;
};

struct EinsumRun {
  std::vector<std::string> views;
  uint64_t seed = 0;
  bool integers = false;
  unsigned repeat = 1;
  /// Of the oracle of the tile rung, a kernel.
  int64_t maxSteps = 0;
  /// Null: this processor.
  const EinsumDevice *device = nullptr;
};

/// An exit code.
int runEinsum(Program &program, const EinsumRunOptions &options,
              const EinsumRun &request);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_RUNEINSUM_H
