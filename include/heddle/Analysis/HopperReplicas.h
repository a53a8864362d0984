//===- HopperReplicas.h - Replicas among a kernel's warp groups -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: processes of a kernel on the hopper rung. Out: the numbers in which they
// differ, if it is nothing else. hopper-find-replicas asks whether processes
// are replicas, hopper-to-nvvm what one code for them computes.
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

} // namespace heddle::hopper

#endif // HEDDLE_ANALYSIS_HOPPERREPLICAS_H
