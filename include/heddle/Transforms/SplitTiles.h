//===- SplitTiles.h - A tile as pieces along an axis ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `tile-split` divides products; a pass may divide a single tile here: all
// that is made of it and goes with it becomes pieces, as ordinary operations
// with {sched.sub = i} whose names end in ".i".
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_SPLITTILES_H
#define HEDDLE_TRANSFORMS_SPLITTILES_H

#include "heddle/Dialect/Tile/Tile.h"

#include <string>

namespace heddle {

struct SplitObstacle {
  mlir::Operation *op = nullptr; ///< null: it was split
  std::string reason;
};

/// Rewrites `kernel`, in which `tile` is a value, so that it and what goes with
/// it are pieces of `extent` elements along `axis`. Changes nothing where an
/// operation cannot follow.
SplitObstacle splitAlong(tile::KernelOp kernel, mlir::Value tile, int64_t axis,
                         int64_t extent);

/// The same for a product and all that goes with it, cut into products of
/// `columns` columns, in front of `tile-split`, which then numbers sub-tiles
/// through all of them.
SplitObstacle splitColumns(tile::KernelOp kernel, tile::DotOp dot,
                           int64_t columns);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_SPLITTILES_H
