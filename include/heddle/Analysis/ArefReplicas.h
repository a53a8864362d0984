//===- ArefReplicas.h - Replicas among the processes of rings ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: processes of a kernel on the aref rung. Out: whether they do the same in
// the same order, on rings of their own and with other numbers.
// sched-find-replicas asks what a plan's processes come to, sched-expand
// whether those are replicas that a plan calls so.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_AREFREPLICAS_H
#define HEDDLE_ANALYSIS_AREFREPLICAS_H

#include "heddle/Dialect/Aref/Aref.h"

namespace heddle::aref {

/// Each ring of the first stands for one ring of another. If they are none,
/// `difference` is the first one's step that another has not, or nothing where
/// that is not all.
bool areReplicas(llvm::ArrayRef<ProcessOp> processes,
                 mlir::Operation *&difference);

} // namespace heddle::aref

#endif // HEDDLE_ANALYSIS_AREFREPLICAS_H
