//===- VerifyKernel.h - The rules of sm_90a on the hopper rung ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules that hold for a kernel as a whole, one function for each of
// VerifyStructure, VerifyResources, VerifyUses and VerifyAsync. They run in
// this order and rely on it: paths are followed only in a kernel whose names
// resolve.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_DIALECT_HOPPER_VERIFYKERNEL_H
#define HEDDLE_LIB_DIALECT_HOPPER_VERIFYKERNEL_H

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::hopper {

/// Everything stands where something executes or reads it.
mlir::LogicalResult verifyStructure(KernelOp kernel);

/// Budgets, places and names: what can be said without following control flow.
mlir::LogicalResult verifyResources(KernelOp kernel);

/// What each operation needs of its process and its operands.
mlir::LogicalResult verifyUses(KernelOp kernel);

/// Turns that blocks wait for are passed.
mlir::LogicalResult verifyTurns(KernelOp kernel);

/// Blocks of a cluster read what others have written.
mlir::LogicalResult verifyCluster(KernelOp kernel);

/// Waits, fences and flights along every path of a process.
mlir::LogicalResult verifyAsync(ProcessOp process);

} // namespace heddle::hopper

#endif // HEDDLE_LIB_DIALECT_HOPPER_VERIFYKERNEL_H
