//===- KnownSign.h - Which numbers are not negative ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a number or a tile of them. Out: whether how it is made shows that none
// is below 0. A store by TMA must not begin in front of its view, and a
// quotient of numbers below 0 rounds the other way.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_KNOWNSIGN_H
#define HEDDLE_DIALECT_TILE_KNOWNSIGN_H

#include "mlir/IR/Value.h"

namespace heddle::tile {

/// Whether signed numbers are proved to be 0 or more, if arithmetic of 32 bits
/// and more does not wrap and extents and thread blocks are counted from 0.
bool knownNotNegative(mlir::Value number);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_KNOWNSIGN_H
