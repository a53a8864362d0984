//===- LoopParts.h - What loops with products consist of --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions that passes on the tile rung ask of loops and their conditionals.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_LOOPPARTS_H
#define HEDDLE_LIB_TRANSFORMS_LOOPPARTS_H

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle {

/// Whether there is a product in it, at any depth.
bool multiplies(mlir::Operation *op);
bool multiplies(mlir::Region &region);

/// Whether there is no loop in the loop.
bool isInnermost(mlir::scf::ForOp loop);

/// Whether `number` is computed in front of the loop, or can be: then it is.
bool moveOut(mlir::scf::ForOp loop, mlir::Value number);

/// The number that every iteration adds to what the loop carries at `index`: to
/// an integer, an address, or each element of a tile of these. It is moved in
/// front of the loop. Null if something else happens.
mlir::Value findStep(mlir::scf::ForOp loop, unsigned index);

/// Whether `store` writes a tile like that of `load` to the same place.
bool storesWhereLoaded(tile::StoreOp store, tile::LoadOp load);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_LOOPPARTS_H
