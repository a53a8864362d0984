//===- Renaming.cpp - Other names of the same tile ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared in Tile.h. A `tile.trans` has no entry in a schedule, so analyses of
// uses and definitions look through it. These functions alone know which
// operations are of that kind.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Turns.h"

using namespace mlir;
using namespace heddle;

bool heddle::tile::isRenaming(Operation *op) {
  return isa_and_present<TransOp, InTurnOp, InClusterOp>(op);
}

Value heddle::tile::lookThroughRenaming(Value value) {
  while (isRenaming(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

SmallVector<OpOperand *> heddle::tile::usesThroughRenaming(Value value) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses()) {
    if (isRenaming(use.getOwner()))
      llvm::append_range(uses,
                         usesThroughRenaming(use.getOwner()->getResult(0)));
    else
      uses.push_back(&use);
  }
  return uses;
}
