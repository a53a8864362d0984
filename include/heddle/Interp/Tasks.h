//===- Tasks.h - The oracle of the task rung --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program of tasks as its text says: every launch in order, every leaf
// on the elements of its pieces. Beside the results it keeps, for each
// execution of a variant and of an iteration, which elements were read and
// written, and so says whether privileges were kept. The reader of tasks proves
// that without running anything; the two share no code.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_INTERP_TASKS_H
#define HEDDLE_INTERP_TASKS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace heddle::interp {

/// A tensor argument of the entry in row-major order.
struct TaskArray {
  llvm::SmallVector<int64_t> shape;
  std::vector<double> elements;
};

/// What a run found wrong with a privilege.
struct TaskFault {
  enum Kind {
    Privilege, ///< an element read or written without the privilege
    Coverage,  ///< `writes` alone, and an element was not written
    Meeting,   ///< an iteration of a prange wrote what another one touched
    Alias,     ///< a launch wrote an element that it had by another argument
    Undefined, ///< an element of what task.make made was read before a write
  };
  Kind kind;
  std::string text;
};

struct TaskRun {
  /// Of the entry. All are tensors; where nothing is computed, an argument
  /// without a shape may stand for a number.
  std::vector<TaskArray> arguments;
  /// False: indices and accesses only, which needs no leaf to be run.
  bool computes = true;
  std::vector<TaskFault> faults; ///< found; one of a kind at a place
};

/// Runs the mapping of `module`, which need not fit heddle's lowering. Failure,
/// with a message, where the program has no meaning.
mlir::LogicalResult interpretTasks(mlir::ModuleOp module, TaskRun &run);

} // namespace heddle::interp

#endif // HEDDLE_INTERP_TASKS_H
