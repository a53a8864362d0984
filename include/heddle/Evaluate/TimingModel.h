//===- TimingModel.h - The costs of a planned kernel ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel on the sched rung, whose plan names its operations, and a
// machine's costs. Out: what each operation costs in the timed order, and from
// a run the interval of each pipelined loop. Read before the plan is expanded,
// since below nobody knows any more what operations cost.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_EVALUATE_TIMINGMODEL_H
#define HEDDLE_EVALUATE_TIMINGMODEL_H

#include "heddle/Simulator/Timing.h"
#include "heddle/Transforms/ReadPlan.h"

#include <optional>

namespace heddle::evaluate {

struct TimingModel {
  std::string kernel;
  std::vector<PlannedLoop> loops;
  std::vector<PlannedOperation> operations;
  std::vector<PlannedOperation> besideProducts; ///< while products run
  int64_t ringStep = 0;    ///< of a process, besides waiting
  int64_t tensorQueue = 0; ///< instructions that may wait; 0: any number
  int64_t apart = 0;       ///< between two processes that one arrival wakes
  int64_t branch = 0;      ///< of a conditional, beside what it executes
  int64_t loadSpread = 0;  ///< by how much the latency of loads may be longer

  static TimingModel read(sched::PlanOp plan, const machine::Costs &costs);
  simulator::Timing timing() const;
};

/// The iterations that findInterval needs.
size_t iterationsNeeded(const PlannedLoop &loop);

/// The interval of `loop` in the steady state, in cycles; none if the run has
/// too few iterations.
std::optional<double> findInterval(const PlannedLoop &loop,
                                   const simulator::TimedRun &run);

/// The cycles in which each execution of the operation was issued.
std::vector<int64_t> issuesOf(const simulator::TimedRun &run,
                              llvm::StringRef op);

} // namespace heddle::evaluate

#endif // HEDDLE_EVALUATE_TIMINGMODEL_H
