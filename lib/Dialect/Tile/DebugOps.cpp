//===- DebugOps.cpp - Verifiers of assertions and printing ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An assertion takes i1 and a print takes no view. Both accept operands of any
// type in the .td file, so the generated checks know neither rule.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

LogicalResult AssertOp::verify() {
  if (!elementOf(getCondition().getType()).isInteger(1))
    return reportOp(*this, diag::mask_type)
           << "needs a condition of i1, not of "
           << elementOf(getCondition().getType());
  return success();
}

LogicalResult PrintOp::verify() {
  for (Value value : getValues())
    if (isa<ViewType>(value.getType()))
      return reportOp(*this, diag::print_operand)
             << "prints scalars and tiles, not a view; load a tile of it";
  return success();
}
