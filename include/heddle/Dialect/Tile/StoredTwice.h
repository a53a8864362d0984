//===- StoredTwice.h - Two stores to one place -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an instance stores two tiles to one place, the later one stays: one
// process has both.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_STOREDTWICE_H
#define HEDDLE_DIALECT_TILE_STOREDTWICE_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle::tile {

/// One value, or constants that are equal.
bool isSameNumber(mlir::Value a, mlir::Value b);

/// Whether both stores begin at one place of one view, the second behind the
/// first.
bool isStoredTwice(StoreOp first, StoreOp second);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_STOREDTWICE_H
