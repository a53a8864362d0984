//===- MemoryOps.cpp - Operations on views
//---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle::tile;

LogicalResult DimOp::verify() {
  int64_t rank = getView().getType().getRank();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= rank)
    return emitOpError() << "asks for axis " << axis << " of a view with "
                         << rank << " axes";
  return success();
}

LogicalResult heddle::tile::verifyViewAccess(Operation *op, ViewType view,
                                             size_t offsets, Type tileType) {
  auto tile = cast<RankedTensorType>(tileType);
  if (int64_t(offsets) != view.getRank())
    return op->emitOpError()
           << "has " << offsets << " offsets but the view has "
           << view.getRank() << " axes";
  if (tile.getRank() != view.getRank())
    return op->emitOpError() << "has a tile of " << tile.getRank()
                             << " axes but the view has " << view.getRank();
  if (tile.getElementType() != view.getElementType())
    return op->emitOpError()
           << "has a tile of " << tile.getElementType()
           << " but the view's elements are " << view.getElementType();
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyViewAccess(*this, getView().getType(), getOffsets().size(),
                          getResult().getType());
}

LogicalResult StoreOp::verify() {
  return verifyViewAccess(*this, getView().getType(), getOffsets().size(),
                          getValue().getType());
}
