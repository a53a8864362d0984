//===- Execution.h - What an instance takes when it is run ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with its plan. Out: the interval of each pipelined loop and what
// an instance takes besides, as `heddle predict` finds them: by executing the
// plan's processes (lib/Evaluate). A table promises an interval that processes
// which compute between products do not keep, and the estimate of a launch must
// not rank tiles by promises where the prediction knows better. What is
// executed is a launch of a few instances, so it takes milliseconds.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_EXECUTION_H
#define HEDDLE_LIB_TILECHOICE_EXECUTION_H

#include "heddle/Machine/Costs.h"
#include "heddle/Transforms/KernelWork.h"

#include <map>
#include <optional>
#include <string>

namespace heddle::tilechoice {

struct Execution {
  /// Of each pipelined loop in the steady state, by its name.
  std::map<std::string, double> intervals;
  double ends = 0; ///< cycles of an instance besides its iterations
  double once = 0; ///< cycles of a launch besides its instances
};

/// Is a plan of such a kernel executed? Its loops over iterations stand in the
/// instance, and threads compute in one of them: where they only start
/// products, these come one after the other as the table has it.
bool isExecuted(const LoopWork &work);

/// Has `kernel` such a plan, and can it be run? The smallest launch tells, for
/// a small part of what `execute` takes.
bool canExecute(tile::KernelOp kernel, const machine::Costs &costs);

/// Of `kernel`, whose module is on the sched rung and stays as it is. Nothing
/// where it has no plan, where none is executed, and where a run would need
/// what memory holds.
std::optional<Execution> execute(tile::KernelOp kernel, const LoopWork &work,
                                 const machine::Costs &costs);

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_EXECUTION_H
