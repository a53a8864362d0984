//===- Alternatives.h - One kernel by several tiles -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program compiled twice for different tiles, and by how many cycles one
// beats the other, as expressions. Out: one module whose manifests let a launch
// choose. The join is on the nvvm rung: entries are independent functions
// there, and manifests are there already, so neither compilation knows of the
// other.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PIPELINE_ALTERNATIVES_H
#define HEDDLE_PIPELINE_ALTERNATIVES_H

#include "heddle/Manifest/Manifest.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <vector>

namespace heddle::pipeline {

/// What a launch must know of a kernel in two steps, beside its manifests.
struct Steps {
  std::vector<manifest::MadeView> workspaces; ///< by their names
  std::vector<manifest::Precondition> requires_;
};

/// What joins the kernels of a module on the nvvm rung. The manifests are read
/// once and written once: with what alternatives gain they are long.
class Join {
public:
  static mlir::FailureOr<Join> into(mlir::ModuleOp own);

  /// The workspaces of steps to come. They must be there before any alternative
  /// is compared with one that has them.
  void addWorkspaces(const Steps &steps);

  /// The kernels of `other`, the same program compiled for other tiles. Their
  /// variants stand in front of the own ones that require the same of the
  /// views, and a launch takes them where `gain`, by kernel, is not negative.
  /// Variants that require nothing stay single: what copies by threads was not
  /// estimated. `suffix` tells entries apart.
  mlir::LogicalResult add(mlir::ModuleOp other,
                          const std::map<std::string, manifest::Expr> &gain,
                          llvm::StringRef suffix);

  /// A kernel in two steps, whose programs have the workspaces as further
  /// arguments. Variants of `first` stand as those of `add` do, and require
  /// what `steps` says, too; those of `second` follow them.
  mlir::LogicalResult
  addSteps(mlir::ModuleOp first, mlir::ModuleOp second, const Steps &steps,
           const std::map<std::string, manifest::Expr> &gain,
           llvm::StringRef suffix);

  /// Until then the module has the manifests that it had.
  std::vector<manifest::Manifest> finish();

private:
  Join(mlir::ModuleOp own, std::vector<manifest::Manifest> manifests)
      : own(own), manifests(std::move(manifests)) {}

  mlir::LogicalResult appendStep(mlir::ModuleOp second, llvm::StringRef name,
                                 llvm::StringRef suffix);

  mlir::ModuleOp own;
  std::vector<manifest::Manifest> manifests;
};

/// Adds to `own` the kernels of `other`, the same program compiled with fewer
/// preconditions, behind its own: a launch takes them where those do not hold.
/// False, and `own` as it was, where its manifests cannot hold them.
bool appendVariants(mlir::ModuleOp own, mlir::ModuleOp other,
                    llvm::StringRef suffix, std::string &error);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_ALTERNATIVES_H
