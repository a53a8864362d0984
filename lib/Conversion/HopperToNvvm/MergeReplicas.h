//===- MergeReplicas.h - One process for a process and its replicas *- C++ -*-//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel on the hopper rung, of whose processes some are replicas of one
// (`replica_of`). Out: the kernel without these replicas; the process that they
// are replicas of serves all their warps. Its body has the replica's number as
// an argument, and numbers in which the replicas differ are computed from that.
//
// The result is for the emitter alone: the rung's rules hold of a kernel in
// which each process stands for itself.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_MERGEREPLICAS_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_MERGEREPLICAS_H

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::tonvvm {

struct MergedReplicas {
  /// Of an operation that names a place in shared memory, or a barrier: how
  /// many bytes, or barriers, further on that is. An i32 in the process.
  llvm::DenseMap<mlir::Operation *, mlir::Value> shifts;
  /// How many processes are in one, for processes that have replicas.
  llvm::DenseMap<mlir::Operation *, int64_t> counts;

  int64_t countOf(mlir::Operation *process) const {
    auto count = counts.find(process);
    return count == counts.end() ? 1 : count->second;
  }
};

/// Reports replicas that are none.
mlir::FailureOr<MergedReplicas> mergeReplicas(hopper::KernelOp kernel);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_MERGEREPLICAS_H
