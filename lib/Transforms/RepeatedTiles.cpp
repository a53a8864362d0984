//===- RepeatedTiles.cpp - Tiles that each process computes for itself -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is followed back to memory that is only read, and copied from there.
//
//===----------------------------------------------------------------------===//

#include "RepeatedTiles.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace heddle;

bool heddle::canRepeatOp(Operation *op) {
  return !isa<tile::DotOp>(op) &&
         (!op->getNumRegions() || isa<tile::ReduceOp>(op)) &&
         (isMemoryEffectFree(op) || sched::isOnlyRead(op));
}

/// Of values that were `seen` it is known, or another one fails it.
static bool canRepeat(Value value, function_ref<bool(Value)> isCheap,
                      llvm::SmallDenseSet<Value> &seen) {
  Operation *def = value.getDefiningOp();
  if (!isa<TensorType>(value.getType())) // processes repeat it, if they can
    return !def || !sched::isScheduled(def);
  if (!seen.insert(value).second)
    return true;
  return def && isCheap(value) && canRepeatOp(def) &&
         llvm::all_of(def->getOperands(), [&](Value operand) {
           return canRepeat(operand, isCheap, seen);
         });
}

bool heddle::canRepeat(Value value, function_ref<bool(Value)> isCheap) {
  llvm::SmallDenseSet<Value> seen;
  return ::canRepeat(value, isCheap, seen);
}

Value RepeatedTiles::get(Value tile) {
  return copy(tile.getDefiningOp())
      ->getResult(cast<OpResult>(tile).getResultNumber());
}

Operation *RepeatedTiles::copy(Operation *op) {
  if (Operation *known = copies.lookup(op))
    return known;
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (operand.getDefiningOp() && isa<TensorType>(operand.getType()))
      mapping.map(operand, get(operand));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *made = builder.clone(*op, mapping);
  if (sched::isScheduled(made))
    made->setAttr(sched::kRepeated, builder.getUnitAttr());
  return copies[op] = made;
}
