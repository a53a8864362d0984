//===- Evaluate.h - The time of a plan before it runs -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel on the sched rung, a machine, and the arguments of a launch
// without their memory. Out: the cycles of the launch by the machine's model.
// The processes that the plan expands to are executed in the timed order,
// without tiles, so nothing is said of the expansion that the kernel does not
// do. All proposals of plans are judged here and nowhere else.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_EVALUATE_EVALUATE_H
#define HEDDLE_EVALUATE_EVALUATE_H

#include "heddle/Evaluate/TimingModel.h"
#include "heddle/Interp/Interp.h"
#include "heddle/Machine/Costs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace heddle::evaluate {

struct Launch {
  /// Of the kernel, in order. A buffer's data is an address that is never read;
  /// buffers do not overlap.
  llvm::SmallVector<interp::Argument> arguments;
  /// Multiprocessors at work; each has the plan's number of thread blocks,
  /// which work through instances.
  int64_t workers = 1;
  /// Operations of one of them before the evaluation gives up. The longest
  /// launch of the tables takes a fifth; time and memory grow with them.
  int64_t maxSteps = 10'000'000;
  /// Workers that are executed, each with chances of its own; the slowest
  /// decides.
  int64_t executed = 5;
};

struct Score {
  struct Loop {
    std::string name;
    int64_t table = 0;   ///< the table's interval, in cycles
    double interval = 0; ///< in the steady state, in cycles; 0: never reached
  };
  int64_t cycles = 0; ///< of the worker with the most to do
  std::vector<Loop> loops;
};

/// The first, the last and those at equal distances between them; fewer if
/// there are fewer.
std::vector<int64_t> someOf(int64_t workers, int64_t count);

/// A kernel's processes, as its plan expands to them, for launches of any size.
class Expansion {
public:
  /// Of `kernel`, whose module is on the sched rung and stays there. Fails with
  /// a diagnostic.
  static mlir::FailureOr<Expansion> of(mlir::ModuleOp module,
                                       llvm::StringRef kernel,
                                       const machine::Costs &costs);

  /// Fails as `evaluate` does.
  mlir::FailureOr<Score> run(const Launch &launch) const;

  const TimingModel &model() const { return timingModel; }
  /// Thread blocks of a multiprocessor; one of them is run.
  int64_t blocks() const { return sharing; }

private:
  TimingModel timingModel;
  int64_t sharing = 1;
  mlir::OwningOpRef<mlir::ModuleOp> expanded;
  mutable tile::KernelOp kernel;
};

/// The time of `kernel`, whose module is on the sched rung and stays there.
/// Fails with a diagnostic where the kernel's control depends on the contents
/// of memory, and where a worker has more to do than `maxSteps`.
mlir::FailureOr<Score> evaluate(mlir::ModuleOp module, llvm::StringRef kernel,
                                const machine::Costs &costs,
                                const Launch &launch);

} // namespace heddle::evaluate

#endif // HEDDLE_EVALUATE_EVALUATE_H
