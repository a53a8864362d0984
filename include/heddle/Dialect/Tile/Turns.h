//===- Turns.h - Who adds to memory when ------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program. Out: how instances add to one piece of memory: in turns, each
// behind the one before, or together with those of its cluster. Others add in
// whichever order they come.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_TURNS_H
#define HEDDLE_DIALECT_TILE_TURNS_H

#include "heddle/Dialect/Tile/Tile.h"

#define GET_OP_CLASSES
#include "heddle/Dialect/Tile/TileTurnOps.h.inc"

namespace heddle::tile {

/// On tile.in_turn below tile.parallel: the extents of the tile that an
/// instance adds, of which processes may each have a part. Of a tile at the
/// edge of a view some parts lie outside, and take turns all the same.
inline constexpr llvm::StringLiteral kWholeTile = "tile.whole";

/// What says when `sum` is added; null where instances come in any order.
InTurnOp findTurn(ViewReduceOp sum);

/// What says that `sum` is added by a cluster; null if it is not.
InClusterOp findCluster(ViewReduceOp sum);

/// Why instances cannot add `sum` by `way`, a tile.in_turn or tile.in_cluster,
/// both below a tile.parallel, in words that go on from "is in turns, and";
/// empty if they can. `other` is what is in the way, where that is an
/// operation.
std::string whyNotByIndex(mlir::Operation *way, ViewReduceOp sum,
                          mlir::Operation *&other);

/// Do instances of `kernel` take turns?
bool takesTurns(mlir::Operation *kernel);
/// The blocks of each of its clusters; 1 if instances form none.
int64_t clusterBlocks(mlir::Operation *kernel);
/// Do instances of `kernel` wait for one another, so that each has a block?
bool waitsForOthers(mlir::Operation *kernel);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_TURNS_H
