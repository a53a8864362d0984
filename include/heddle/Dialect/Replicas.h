//===- Replicas.h - Processes that do the same ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute by which a process says that it is a replica of another: it
// does the same in the same order, with other rows, slots and barriers, and one
// code serves both. sched-find-replicas writes it, and all below obeys.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_REPLICAS_H
#define HEDDLE_DIALECT_REPLICAS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

namespace heddle {

inline constexpr llvm::StringLiteral kReplicaOf = "replica_of";

/// The name of the process that `process` is a replica of, or "".
inline llvm::StringRef replicaOf(mlir::Operation *process) {
  auto name = process->getAttrOfType<mlir::StringAttr>(kReplicaOf);
  return name ? name.getValue() : llvm::StringRef();
}

/// Processes by the one that they say they are replicas of, or themselves, in
/// order.
template <typename ProcessOp>
using ReplicaGroups =
    llvm::MapVector<llvm::StringRef, llvm::SmallVector<ProcessOp>>;
template <typename ProcessOp>
ReplicaGroups<ProcessOp> groupReplicas(mlir::Region &kernel) {
  ReplicaGroups<ProcessOp> groups;
  for (auto process : kernel.getOps<ProcessOp>()) {
    llvm::StringRef name = replicaOf(process);
    groups[name.empty() ? process.getSym() : name].push_back(process);
  }
  return groups;
}

} // namespace heddle

#endif // HEDDLE_DIALECT_REPLICAS_H
