//===- SplitBatches.h - One place of a batch of tiles ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A batch is a tile, and its places are those along its first axis. Its part at
// a place is the tile of the other axes, or a scalar if there are none. What an
// operation does at each place by itself can be done to the parts.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_SPLITBATCHES_H
#define HEDDLE_TRANSFORMS_SPLITBATCHES_H

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace heddle::batches {

/// 0 for a scalar.
int64_t rankOf(mlir::Value value);
int64_t placesOf(mlir::Value batch);
mlir::Type typeOfPart(mlir::Type batch);

/// Whether an operation does the same at each place of its results, or of what
/// it stores.
bool goesByPlace(mlir::Operation *op);
/// The operands of such an operation of which it reads the same place; one of
/// a single place counts for all.
llvm::SmallVector<mlir::Value> placedOperands(mlir::Operation *op);
int64_t placesOf(mlir::Operation *op);

/// What such an operation does at a place; `parts` has those of its placed
/// operands.
llvm::SmallVector<mlir::Value> makeAt(mlir::OpBuilder &builder,
                                      mlir::Operation *op, int64_t place,
                                      mlir::IRMapping &parts);

/// In registers, of a power of two of places.
llvm::SmallVector<mlir::Value> takeApart(mlir::OpBuilder &builder,
                                         mlir::Location loc, mlir::Value batch);
mlir::Value putTogether(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::RankedTensorType type,
                        llvm::ArrayRef<mlir::Value> parts);

} // namespace heddle::batches

#endif // HEDDLE_TRANSFORMS_SPLITBATCHES_H
