//===- LeastSlots.h - Rings that are just deep enough -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of processes and rings, with its arguments. Out: slots for each
// ring with which it does not deadlock, and none of which can be spared.
// Processes are deterministic, so whether a run ends follows from the slots
// alone: one run that ends is a proof for every order of execution, with these
// arguments.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SIMULATOR_LEASTSLOTS_H
#define HEDDLE_SIMULATOR_LEASTSLOTS_H

#include "heddle/Simulator/Compiled.h"

namespace heddle::simulator {

struct RingSlots {
  std::string ring;
  int64_t slots = 1;
  /// With more than one slot: who waits for whom with one less, where all
  /// others have theirs.
  std::string circle;
};

/// Arguments as they were before the first run.
using FreshArguments = llvm::function_ref<std::vector<interp::Argument>()>;

/// Of each ring of `kernel`, in order; its `depth` is set. Failure with a
/// message, or with a reason why the kernel cannot be asked.
mlir::FailureOr<std::vector<RingSlots>>
findLeastSlots(CompiledSimulator &simulator, tile::KernelOp kernel,
               FreshArguments fresh, const Options &options,
               std::string &reason);

} // namespace heddle::simulator

#endif // HEDDLE_SIMULATOR_LEASTSLOTS_H
