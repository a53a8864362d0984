//===- TiedAxis.h - How an operation divides along an axis ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types and the default answers of TileOpInterface. They are apart from
// Tile.h because the generated declarations of the interface need them first.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_TIEDAXIS_H
#define HEDDLE_DIALECT_TILE_TIEDAXIS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace heddle::machine {
struct Costs;
} // namespace heddle::machine

namespace heddle::tile {

/// A value that is split along an axis because another one of its operation is.
struct TiedAxis {
  mlir::Value value;
  int64_t axis;
};

/// All operands and results along the same axis.
void tieAll(mlir::Operation *op, int64_t axis,
            llvm::SmallVectorImpl<TiedAxis> &tied);

/// An access for each element if `op` touches memory, else a copy.
double cyclesOfCopy(mlir::Operation *op, const machine::Costs &costs);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_TIEDAXIS_H
