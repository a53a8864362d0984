//===- Import.h - From tasks and a mapping to tile --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module of task.variant and task.mapping. Out: a tile.kernel with the
// lines of the mapping that the schedule has to keep (Dialect/Sched/Pins.h).
// docs/rationale/task.md says what becomes of each operation.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FRONTEND_TASKS_IMPORT_H
#define HEDDLE_FRONTEND_TASKS_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace heddle::task {

void registerDialects(mlir::DialectRegistry &registry);

/// Whether `module` is a program of tasks.
bool isTaskProgram(mlir::ModuleOp module);

/// Are the privileges of all variants kept, whatever the mapping?
mlir::LogicalResult checkPrivileges(mlir::ModuleOp module);

/// Turns the program and its mapping into a tile.kernel, in place.
mlir::LogicalResult importTasks(mlir::ModuleOp module);

/// The same as a pass, `task-to-tile`.
std::unique_ptr<mlir::Pass> createTaskToTile();

} // namespace heddle::task

#endif // HEDDLE_FRONTEND_TASKS_IMPORT_H
