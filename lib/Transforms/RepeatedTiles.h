//===- RepeatedTiles.h - Tiles that each process computes for itself ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a number that decides is made of, as far as that is tiles: made of rows
// in memory that the kernel never writes and of places. Copies of these
// operations are marked as repeated: each process that needs the number
// computes them, as it reads a number from memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_REPEATEDTILES_H
#define HEDDLE_LIB_TRANSFORMS_REPEATEDTILES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle {

/// Whether a process could compute `op` of tiles for itself, given its
/// operands.
bool canRepeatOp(mlir::Operation *op);

/// Whether `value` is a number that processes repeat anyway, or a tile that
/// they can, each tile of which passes `isCheap`.
bool canRepeat(mlir::Value value,
               llvm::function_ref<bool(mlir::Value)> isCheap);

/// Copies of operations that make tiles, each beside its own, with what tiles
/// these are made of.
class RepeatedTiles {
public:
  mlir::Value get(mlir::Value tile);
  mlir::Operation *copy(mlir::Operation *op);

private:
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> copies;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_REPEATEDTILES_H
