//===- Demand.h - How much of a tile anybody asks for -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile and one of its axes. Out: the ends of views behind which its
// elements are dropped, or are zero. Tiles at the edges of a problem are mostly
// empty, and a processor need not compute what nobody reads: other machines
// compute whole tiles.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_TILETOCPU_DEMAND_H
#define HEDDLE_LIB_CONVERSION_TILETOCPU_DEMAND_H

#include "heddle/Dialect/Tile/Tile.h"

#include <optional>

namespace heddle::dense {

/// The end of a view, as seen from a tile at `offset`: the tile's elements from
/// `extent of the view - offset` on lie outside.
struct End {
  mlir::Value view;
  int64_t axis = 0;
  mlir::Value offset;
};

/// Where the elements end that somebody reads: at the last of these. Nothing if
/// all may be read. `before` is the operation that will ask for the values: all
/// are known there.
std::optional<llvm::SmallVector<End>> findDemand(mlir::Value tile, int64_t axis,
                                                 mlir::Operation *before);

/// Behind which end the elements of a load are zero; nothing for other tiles.
std::optional<End> findContentEnd(mlir::Value tile, int64_t axis);

} // namespace heddle::dense

#endif // HEDDLE_LIB_CONVERSION_TILETOCPU_DEMAND_H
