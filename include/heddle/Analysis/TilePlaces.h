//===- TilePlaces.h - Which accesses meet no common element -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: two accesses to tiles of views, on the tile or the hopper rung, one of
// which writes. Out: whether they have no element in common, by the numbers at
// which their tiles begin. What an argument that is written holds has places of
// its own, as each launch checks; of a view that the program makes, its strides
// have to show it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_TILEPLACES_H
#define HEDDLE_ANALYSIS_TILEPLACES_H

#include "mlir/IR/Operation.h"

namespace heddle {

/// One value, or constants that are equal.
bool isSameNumber(mlir::Value a, mlir::Value b);

/// The outermost of the loops around both whose iterations come one after the
/// other in an instance; null if there is none.
mlir::Operation *sharedOrderedLoop(mlir::Operation *a, mlir::Operation *b);

/// Whether no element is of a tile that `a` accesses and of one that `b`
/// accesses, in whatever iterations of an instance.
bool lieApart(mlir::Operation *a, mlir::Operation *b);

/// Whether the tiles that `op` accesses in two iterations have all of their
/// rows in common, or none: parts of a tile's rows meet only themselves.
bool meetsByWholeRows(mlir::Operation *op);

/// Whether both access tiles of one size at one place, in any two iterations or
/// in none.
bool meetAsWhole(mlir::Operation *a, mlir::Operation *b);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_TILEPLACES_H
