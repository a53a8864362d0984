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

#include "heddle/Dialect/Sched/Owned.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace heddle;

void expander::ownCarriedNumbers(tile::KernelOp kernel) {
  kernel.walk([](scf::ForOp loop) {
    OpBuilder builder(loop.getBody()->getTerminator());
    for (OpOperand *yielded : sched::findNotOwned(loop)) {
      Value value = yielded->get();
      if (!isa<RankedTensorType>(value.getType()))
        yielded->set(UnrealizedConversionCastOp::create(builder, loop.getLoc(),
                                                        value.getType(), value)
                         .getResult(0));
    }
  });
}

void expander::dropOwnedNumbers(tile::KernelOp kernel) {
  kernel.walk([](UnrealizedConversionCastOp cast) {
    cast.getResult(0).replaceAllUsesWith(cast.getOperand(0));
    cast.erase();
  });
}
