//===- DebugOps.cpp - Verifiers of assertions and printing ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle::tile;

LogicalResult AssertOp::verify() {
  if (!elementOf(getCondition().getType()).isInteger(1))
    return emitOpError() << "needs a condition of i1, not of "
                         << elementOf(getCondition().getType());
  return success();
}

LogicalResult PrintOp::verify() {
  for (Value value : getValues())
    if (isa<ViewType>(value.getType()))
      return emitOpError()
             << "prints scalars and tiles, not a view; load a tile of it";
  return success();
}
