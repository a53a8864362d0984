//===- UsePlan.h - A plan that somebody wrote ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a file with plans. Out: kernels that have them, as if the scheduler had
// found them. A person may edit a table, so it is verified as a solver's result
// is; cycles of another machine's model are allowed, with a remark.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_USEPLAN_H
#define HEDDLE_LIB_TRANSFORMS_USEPLAN_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle {

/// Gives each kernel of `module` (split and named) the sched.plan that `path`
/// has for it: a table edited by hand, or a whole program on the sched rung. An
/// error if there is none or if a table breaks what this machine asks for.
mlir::LogicalResult usePlans(mlir::ModuleOp module, llvm::StringRef path,
                             const machine::Costs &costs);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_USEPLAN_H
