//===- OwnCarried.cpp - What a loop hands on is made in it ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expander knows a carried value by what the iteration before made of it.
// That names one value only if the body makes it, and hands it on once: in
// `a, b = b, a`, in `before = now`, and in `first = False` it does not. There a
// cast to the same type stands for the value as long as loops are being
// written.
//
//===----------------------------------------------------------------------===//

#include "OwnCarried.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace heddle;

/// Calls `found` with each value handed on that is none of its own, until it
/// says true.
static void walkNotOwned(scf::ForOp loop,
                         llvm::function_ref<bool(OpOperand &)> found) {
  llvm::SmallPtrSet<Value, 8> seen;
  for (OpOperand &yielded : loop.getBody()->getTerminator()->getOpOperands()) {
    Value value = yielded.get();
    bool isMadeHere =
        value.getDefiningOp() && value.getParentBlock() == loop.getBody();
    if ((!isMadeHere || !seen.insert(value).second) && found(yielded))
      return;
  }
}

OpOperand *expander::findNotOwned(scf::ForOp loop) {
  OpOperand *first = nullptr;
  walkNotOwned(loop, [&](OpOperand &yielded) {
    first = &yielded;
    return true;
  });
  return first;
}

void expander::ownCarriedNumbers(tile::KernelOp kernel) {
  kernel.walk([](scf::ForOp loop) {
    OpBuilder builder(loop.getBody()->getTerminator());
    walkNotOwned(loop, [&](OpOperand &yielded) {
      Value value = yielded.get();
      if (!isa<RankedTensorType>(value.getType()))
        yielded.set(UnrealizedConversionCastOp::create(builder, loop.getLoc(),
                                                       value.getType(), value)
                        .getResult(0));
      return false;
    });
  });
}

void expander::dropOwnedNumbers(tile::KernelOp kernel) {
  kernel.walk([](UnrealizedConversionCastOp cast) {
    cast.getResult(0).replaceAllUsesWith(cast.getOperand(0));
    cast.erase();
  });
}
