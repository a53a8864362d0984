//===- Verify.cpp - What the verifiers share ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Tile.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

LogicalResult heddle::tile::verifySameShape(Operation *op, StringRef name,
                                            Type type, StringRef otherName,
                                            Type other) {
  if (extentsOf(type) == extentsOf(other))
    return success();
  return reportOp(op, diag::shape_mismatch)
         << "has " << name << " (" << spellExtents(extentsOf(type)) << ") and "
         << otherName << " (" << spellExtents(extentsOf(other))
         << ") of different shapes";
}

LogicalResult heddle::tile::verifyMask(Operation *op, Value mask, Type type,
                                       StringRef maskedName) {
  if (!mask)
    return success();
  if (!elementOf(mask.getType()).isInteger(1))
    return reportOp(op, diag::mask_type)
           << "has a mask of " << elementOf(mask.getType()) << ", not of i1";
  return verifySameShape(op, "a mask", mask.getType(), maskedName, type);
}

// Extents and element type only: a lower rung's register layout may stand where
// names stood.
LogicalResult heddle::tile::verifyResult(Operation *op, Type actual,
                                         ArrayRef<Extent> extents,
                                         Type elementType) {
  bool scalar = !isa<RankedTensorType>(actual);
  if (extentsOf(actual) == extents && elementOf(actual) == elementType &&
      (!scalar || extents.empty()))
    return success();
  Type expected =
      extents.empty() ? elementType : Type(getTileType(extents, elementType));
  return reportOp(op, diag::result_type)
         << "gives " << expected << ", not " << actual;
}

LogicalResult heddle::tile::verifyAxis(Operation *op, int64_t axis,
                                       int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return reportOp(op, diag::axis_range)
         << "names axis " << axis << " of a tile with " << rank << " axes";
}
