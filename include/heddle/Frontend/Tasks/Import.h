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

#include "heddle/Dialect/Sched/Pins.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>
#include <utility>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace heddle::task {

void registerDialects(mlir::DialectRegistry &registry);

/// Whether `module` is a program of tasks, or has a mapping.
bool isTaskProgram(mlir::ModuleOp module);

/// Are the privileges of all variants kept, whatever the mapping?
mlir::LogicalResult checkPrivileges(mlir::ModuleOp module);

/// Turns the program and its mapping into a tile.kernel, in place.
mlir::LogicalResult importTasks(mlir::ModuleOp module);

/// Gives kernels of tile text what mappings that enter at them say: values of
/// parameters, and pins.
mlir::LogicalResult importKernelMappings(mlir::ModuleOp module);

/// What the mappings of `module` say of plans, by themselves: their pins and
/// those of their instances. Names of the attributes that hold them stay valid
/// with the module's context.
mlir::FailureOr<llvm::SmallVector<sched::Pin>>
readPlanLines(mlir::ModuleOp module);

/// The plans of `scheduled`, which is on the sched rung, as mappings:
/// everything that they hold is a line. The instances are those of the mapping
/// in `written`, the program as it was read, if it has one. `tiles` are the
/// values that parameters had.
std::string
writeMappings(mlir::ModuleOp scheduled, mlir::ModuleOp written,
              llvm::ArrayRef<std::pair<std::string, int64_t>> tiles);

/// The same as a pass, `task-to-tile`.
std::unique_ptr<mlir::Pass> createTaskToTile();

} // namespace heddle::task

#endif // HEDDLE_FRONTEND_TASKS_IMPORT_H
