//===- HopperReplicas.h - Replicas among a kernel's warp groups -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: processes of a kernel on the hopper rung. Out: the numbers in which they
// differ, if it is nothing else. hopper-to-nvvm asks what one code for replicas
// computes; passes in front of it, whether the rules of the machine leave
// processes replicas that the plan calls so.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_HOPPERREPLICAS_H
#define HEDDLE_ANALYSIS_HOPPERREPLICAS_H

#include "heddle/Analysis/CompareProcesses.h"
#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::hopper {

/// As heddle::compareProcesses. Nothing, too, if their warps alone do not tell
/// which of them is which, or have other registers.
std::optional<ReplicaNumbers>
compareProcesses(llvm::ArrayRef<ProcessOp> processes,
                 mlir::Operation *&difference);

/// Leaves those of `group` replicas that are, from some process of it to the
/// last; the others get codes of their own. `tell` hears of each of these what
/// those behind it do not do alike: a step, or nothing where that is not all.
void partReplicas(llvm::ArrayRef<ProcessOp> group,
                  llvm::function_ref<void(ProcessOp, mlir::Operation *)> tell);

} // namespace heddle::hopper

#endif // HEDDLE_ANALYSIS_HOPPERREPLICAS_H
