//===- EightBitFloat.h - Which types are 8-bit floats -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two formats of 8 bits that tiles may have: one question for what chooses
// a product, checks it, and converts its operands.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_EIGHTBITFLOAT_H
#define HEDDLE_DIALECT_TILE_EIGHTBITFLOAT_H

#include "mlir/IR/BuiltinTypes.h"

namespace heddle::tile {

/// Of an element, not of a tile.
inline bool isEightBitFloat(mlir::Type type) {
  return mlir::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(type);
}

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_EIGHTBITFLOAT_H
