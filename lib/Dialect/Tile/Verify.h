//===- Verify.h - What the verifiers share --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks and look-ups that verifiers of several files share. They give one
// mistake one message: a mask of the wrong shape reads alike at a gather, a
// scatter and a histogram.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_DIALECT_TILE_VERIFY_H
#define HEDDLE_LIB_DIALECT_TILE_VERIFY_H

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/IR/TypeUtilities.h"

namespace heddle::tile {

inline mlir::RankedTensorType tileOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// The extents of a tile; none for a scalar.
inline llvm::SmallVector<Extent> extentsOf(mlir::Type type) {
  if (auto tile = mlir::dyn_cast<mlir::RankedTensorType>(type))
    return getExtents(tile);
  return {};
}

inline mlir::Type elementOf(mlir::Type type) {
  return mlir::getElementTypeOrSelf(type);
}

/// "has a mask (64x32) and addresses (64) of different shapes" unless they
/// agree.
mlir::LogicalResult verifySameShape(mlir::Operation *op, llvm::StringRef name,
                                    mlir::Type type, llvm::StringRef otherName,
                                    mlir::Type other);

/// That a value is a scalar or tile of i1 of the shape of another.
mlir::LogicalResult verifyMask(mlir::Operation *op, mlir::Value mask,
                               mlir::Type type, llvm::StringRef maskedName);

/// That the result is the one that the operands make.
mlir::LogicalResult verifyResult(mlir::Operation *op, mlir::Type actual,
                                 llvm::ArrayRef<Extent> extents,
                                 mlir::Type elementType);

/// What load, store and view_reduce share: one offset an axis, and a tile of
/// the view's rank and element type.
mlir::LogicalResult verifyViewAccess(mlir::Operation *op, ViewType view,
                                     size_t offsets, mlir::Type tileType);

/// That what is written does not go through windows, which may overlap.
mlir::LogicalResult verifyWritten(mlir::Operation *op, mlir::Value view);

mlir::LogicalResult verifyAxis(mlir::Operation *op, int64_t axis, int64_t rank);

} // namespace heddle::tile

#endif // HEDDLE_LIB_DIALECT_TILE_VERIFY_H
