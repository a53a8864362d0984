//===- Import.cpp - From tasks and a mapping to tile ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the questions: do variants and launches agree, are privileges
// kept, does the mapping fit, and what does the tree compute. What was read is
// erased at the end.
//
//===----------------------------------------------------------------------===//

#include "heddle/Frontend/Tasks/Import.h"

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

void heddle::task::registerDialects(DialectRegistry &registry) {
  registry.insert<TaskDialect>();
}

bool heddle::task::isTaskProgram(ModuleOp module) {
  return !module.getOps<VariantOp>().empty() ||
         !module.getOps<MappingOp>().empty();
}

LogicalResult heddle::task::importTasks(ModuleOp module) {
  module.getContext()
      ->loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                    scf::SCFDialect>();
  if (module.getOps<VariantOp>().empty())
    return importKernelMappings(module);
  Mapping mapping;
  if (failed(checkSignatures(module)) || failed(checkPrivileges(module)) ||
      failed(mapping.read(module)) || failed(Lowering(module, mapping).run()))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<VariantOp, MappingOp>(op))
      op.erase();
  // What does not fit together shows here, at the user's line.
  return verify(module);
}

namespace {
struct TaskToTile : PassWrapper<TaskToTile, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TaskToTile)

  StringRef getArgument() const override { return "task-to-tile"; }
  StringRef getDescription() const override {
    return "makes a tile program of tasks and their mapping";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                    scf::SCFDialect>();
  }
  void runOnOperation() override {
    if (failed(importTasks(getOperation())))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> heddle::task::createTaskToTile() {
  return std::make_unique<TaskToTile>();
}
