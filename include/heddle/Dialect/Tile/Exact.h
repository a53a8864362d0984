//===- Exact.h - What is said of single operations ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of discardable attributes that one stage puts on an operation and a
// later one reads. They stand here because the two stages are in different
// libraries: the frontend and HopperToNvvm for `tile.exact`, Transforms and
// ArefToHopper for `tile.whole_because`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_EXACT_H
#define HEDDLE_DIALECT_TILE_EXACT_H

#include "llvm/ADT/StringRef.h"

namespace heddle::tile {

/// On an arith.divf or a math.sqrt: rounded once, as the program asks where
/// others leave it to the machine.
inline constexpr llvm::StringLiteral kExactAttr = "tile.exact";

/// On a tile.dot whose tile could not be cut into sub-tiles: where the
/// operation stands that takes its rows together.
inline constexpr llvm::StringLiteral kWholeBecauseAttr = "tile.whole_because";

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_EXACT_H
