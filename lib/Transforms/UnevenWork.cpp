//===- UnevenWork.cpp - Decide: who deals the instances out -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a bound backwards to whatever it is computed from.
//
//===----------------------------------------------------------------------===//

#include "UnevenWork.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace heddle;

/// Whether `value` is computed from numbers in memory. What a loop carries
/// begins with its operands, which are enough: a bound that only iterations
/// change is one of an inner loop.
static bool isFromMemory(Value value, DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return false;
  Operation *op = value.getDefiningOp();
  if (!op) {
    Operation *around = value.getParentBlock()->getParentOp();
    if (!isa<LoopLikeOpInterface>(around))
      return false;
    op = around;
  } else if (!isMemoryEffectFree(op) && !op->getNumRegions()) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (effects && effects.hasEffect<MemoryEffects::Read>())
      return true;
  }
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isFromMemory(operand, seen);
  });
}

static bool isFromMemory(ValueRange values) {
  DenseSet<Value> seen;
  return llvm::any_of(values,
                      [&](Value value) { return isFromMemory(value, seen); });
}

bool heddle::hasUnevenWork(tile::KernelOp kernel) {
  return kernel
      ->walk([&](scf::ForOp loop) {
        bool isUneven = isFromMemory(
            {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
        return isUneven ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
