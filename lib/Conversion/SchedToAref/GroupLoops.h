//===- GroupLoops.h - Several iterations of a loop at a time ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_GROUPLOOPS_H
#define HEDDLE_LIB_SCHEDTOAREF_GROUPLOOPS_H

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle::expander {

/// The number of iterations in a group: on the loop over whole groups, and on
/// the loop behind it, which has the iterations that are left over.
inline constexpr llvm::StringLiteral kGroups = "sched.groups";
inline constexpr llvm::StringLiteral kRest = "sched.rest";

/// The loop over groups in front of one that has the rest; null for others.
mlir::scf::ForOp groupsOf(mlir::scf::ForOp rest);
/// The loop with the rest behind one over groups; null for others.
mlir::scf::ForOp restOf(mlir::scf::ForOp groups);

/// Rewrites the loops whose tables have `groups`: a loop over whole groups, and
/// one behind it for the rest, both with the names of the loop that they come
/// from. Reports what has no groups and fails.
llvm::LogicalResult groupLoops(tile::KernelOp kernel, sched::PlanOp plan);

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_GROUPLOOPS_H
