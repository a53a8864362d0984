//===- Instances.h - The tree of instances ----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module with variants and a mapping. Out: the instances by name, each
// with its variant, its level, its memories, its tunables, and the instance
// that serves each of its launches. What is wrong with the mapping as a whole
// is said here, so that the walk over the tree meets only what fits.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_TASKS_INSTANCES_H
#define HEDDLE_LIB_FRONTEND_TASKS_INSTANCES_H

#include "heddle/Dialect/Task/Task.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace heddle::task {

struct Instance {
  InstanceOp op;
  VariantOp variant;
  Level level = Level::Host;
  /// Of each argument of the variant; nothing for a scalar, and where the
  /// mapping says nothing.
  llvm::SmallVector<std::optional<Memory>> memories;
  llvm::StringMap<TuneOp> tunables;
  llvm::DenseMap<mlir::Operation *, Instance *> calls; ///< by launch
  llvm::SmallVector<PinOp> pins;
};

class Mapping {
public:
  /// Reads the one mapping of `module`.
  mlir::LogicalResult read(mlir::ModuleOp module);

  Instance &entry() { return *root; }
  MappingOp getOp() { return op; }
  /// In the order of the text.
  llvm::ArrayRef<std::unique_ptr<Instance>> all() const { return instances; }
  /// How many instances bind a tunable of this name.
  unsigned countTunables(llvm::StringRef name) const;

private:
  mlir::LogicalResult readInstance(mlir::ModuleOp module, InstanceOp op);
  mlir::LogicalResult readMemories(Instance &instance);
  mlir::LogicalResult readLines(Instance &instance);
  mlir::LogicalResult bindLaunches(Instance &instance);
  mlir::LogicalResult checkTree();

  MappingOp op;
  Instance *root = nullptr;
  std::vector<std::unique_ptr<Instance>> instances;
  llvm::StringMap<Instance *> byName;
};

/// Do variants of one task agree, and launches with their tasks?
mlir::LogicalResult checkSignatures(mlir::ModuleOp module);

/// The first variant of `task`, or null: all have its signature.
VariantOp findVariant(mlir::ModuleOp module, llvm::StringRef task);

} // namespace heddle::task

#endif // HEDDLE_LIB_FRONTEND_TASKS_INSTANCES_H
