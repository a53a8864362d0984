//===- ReadPlan.h - A plan's tables as plain data ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For whoever judges, draws or explains a schedule, whether a solver or a
// person wrote it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_READPLAN_H
#define HEDDLE_TRANSFORMS_READPLAN_H

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Schedule/Problem.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle {

/// A loop's problem, exported anew from the program, and what its table says.
/// Units take operations up when their turn comes.
struct PlannedLoop {
  schedule::Problem problem;
  schedule::Solution solution;
  /// False: the table gives no cycles, and the solution is the program's order
  /// in the one process there is.
  bool isPipelined = true;
};

/// The pipelined loops of `plan`, or the innermost loops if its kernel is one
/// process; the plan agrees with its program and was made with these costs.
std::vector<PlannedLoop> readPlan(sched::PlanOp plan,
                                  const machine::Costs &costs);

/// An operation of the plan's kernel, in whichever loop, as the machine's model
/// sees it.
struct PlannedOperation {
  schedule::Operation operation;
  schedule::Unit unit;
  int64_t handOverCycles = 0;
  int64_t steps = 1; ///< in which a product is issued
};

/// Those of all loops.
std::vector<PlannedOperation> readOperations(sched::PlanOp plan,
                                             const machine::Costs &costs);

/// The problems of the pipelined loops of a module on sub-tiles, before anybody
/// looks for a schedule.
std::vector<schedule::Problem> readProblems(mlir::ModuleOp module,
                                            const machine::Costs &costs);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_READPLAN_H
