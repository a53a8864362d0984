//===- ExplainRoles.h - A plan by roles in words ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `heddle explain` says of plans whose processes are on units.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_EXPLAINROLES_H
#define HEDDLE_TOOLS_EXPLAINROLES_H

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Pipeline/Pipeline.h"

#include "llvm/Support/raw_ostream.h"

namespace heddle::tool {

/// Whether a kernel of the module has such a plan.
bool hasRoles(mlir::ModuleOp module);

/// For each such plan: who executes what, how control passes, what each turn of
/// a ring carries, and why a load stays where results are computed. Fails with
/// a diagnostic where the plan cannot be expanded. `module` stays as it is.
mlir::LogicalResult printRoles(mlir::ModuleOp module,
                               const pipeline::LowerOptions &options,
                               llvm::raw_ostream &out);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_EXPLAINROLES_H
