//===- Origins.h - Which arguments an address derives from ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an address, a tile of addresses or a view, on any rung. Out: the kernel's
// arguments that it may derive from, whatever carried it there: loops,
// conditionals, choices, integers. Whoever asks what an access touches, what a
// kernel writes or which order of accesses shows, asks here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_ORIGINS_H
#define HEDDLE_DIALECT_TILE_ORIGINS_H

#include "heddle/Dialect/Tile/Tile.h"

#include "llvm/ADT/SetVector.h"

#include <optional>

namespace heddle::tile {

struct Origins {
  /// Views and pointers among the kernel's arguments.
  llvm::SmallSetVector<mlir::Value, 2> arguments;
  /// Otherwise it may lie behind any argument, too: it comes from memory, from
  /// a number that the caller passes, or by a way that is not followed.
  bool isKnown = true;

  /// The one argument that all of it lies behind; null if there are several or
  /// it is not known.
  mlir::Value single() const {
    return isKnown && arguments.size() == 1 ? arguments.front() : mlir::Value();
  }
  bool mayBe(mlir::Value argument) const {
    return !isKnown || arguments.contains(argument);
  }
  /// Arguments do not overlap where one of them is written.
  bool mayOverlap(const Origins &other) const;
};

/// What a value of a rung below derives from; nothing if it is not known there
/// either.
using Sources = std::optional<llvm::SmallVector<mlir::Value>>;
using FindSources = llvm::function_ref<Sources(mlir::Value)>;

/// With `below`, which is asked about each value first.
Origins findOrigins(mlir::Value address, FindSources below = nullptr);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_ORIGINS_H
