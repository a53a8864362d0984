//===- Alternatives.h - One kernel by several tiles -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program compiled for several tiles, and the cycles of each as an
// expression. Out: one module whose manifests let a launch choose. The join is
// on the nvvm rung: entries are independent functions there, and manifests are
// there already, so neither compilation knows of the other.
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

/// The cycles of each kernel that a launch compares.
using Cycles = std::map<std::string, manifest::Expr>;

/// Erases, on the hopper rung, variants of which `Join` takes none: those that
/// require nothing of the views, and of a first step, whose workspaces are
/// given, those that require of the other views what one before does. Code for
/// them is half of what an alternative is. A kernel keeps one variant.
void eraseUnjoined(mlir::ModuleOp onHopper,
                   llvm::ArrayRef<manifest::MadeView> workspaces = {});

/// What joins the kernels of a module on the nvvm rung. The manifests are read
/// once and written once.
class Join {
public:
  /// `cycles` are those of the kernels' variants that require anything of the
  /// views. What copies by threads was not estimated.
  static mlir::FailureOr<Join> into(mlir::ModuleOp own, const Cycles &cycles);

  /// The kernels of `other`, the same program compiled for other tiles. Of
  /// their variants those are taken that require of the views what an own one
  /// does. `suffix` tells entries apart.
  mlir::LogicalResult add(mlir::ModuleOp other, const Cycles &cycles,
                          llvm::StringRef suffix);

  /// A kernel in two steps, with their workspaces, which its programs have as
  /// further arguments. Variants of `first` require what `steps` says, too;
  /// those of `second` follow them.
  mlir::LogicalResult addSteps(mlir::ModuleOp first, mlir::ModuleOp second,
                               const Steps &steps, const Cycles &cycles,
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
