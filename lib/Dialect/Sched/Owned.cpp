//===- Owned.cpp - What a loop hands on, and does not make ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Sched/Owned.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

SmallVector<OpOperand *> heddle::sched::findNotOwned(scf::ForOp loop) {
  SmallVector<OpOperand *> found;
  llvm::SmallPtrSet<Value, 8> seen;
  for (OpOperand &yielded : loop.getBody()->getTerminator()->getOpOperands()) {
    Value value = yielded.get();
    bool isMadeHere =
        value.getDefiningOp() && value.getParentBlock() == loop.getBody();
    if (!isMadeHere || !seen.insert(value).second)
      found.push_back(&yielded);
  }
  return found;
}
