//===- MemoryAccess.h - Which argument an op reads or writes ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation of the tile dialect. Out: the kernel's arguments that it
// reads or writes, and whether two such accesses may conflict. Every step that
// keeps or changes the order of accesses asks here, so that all of them agree
// on the pairs that may change places.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_MEMORYACCESS_H
#define HEDDLE_DIALECT_TILE_MEMORYACCESS_H

#include "heddle/Dialect/Tile/Origins.h"

#include <optional>

namespace heddle::tile {

/// On an access of a kernel with a pipelined loop: one process has it and all
/// others with this mark, since the order in which the instance has them shows.
inline constexpr llvm::StringLiteral kInOrderAttr = "tile.in_order";

/// On a load and a store of a loop, the same number on both: an iteration
/// touches nothing that another one stores there, and stores what it computes
/// of what it loaded. So their order does not show.
inline constexpr llvm::StringLiteral kApartAttr = "tile.apart";

/// One op's access to memory of the kernel's arguments.
struct MemoryAccess {
  mlir::Operation *op = nullptr;
  Origins origins; ///< of the address
  bool reads = false, writes = false;
};

/// Of the tile dialect's ops; nothing for ops that touch no memory.
std::optional<MemoryAccess> memoryAccess(mlir::Operation *op,
                                         FindSources below = nullptr);

/// Whether the order of the two may show: one writes, and they may touch the
/// same place. Atomic updates may come in any order.
bool mayConflict(const MemoryAccess &a, const MemoryAccess &b);

/// Whether `later` may come behind `op` in one instance: it stands there, or a
/// loop has both.
bool mayFollow(mlir::Operation *later, mlir::Operation *op);

/// Whether `op` is an atomic update whose promise to other instances counts: it
/// releases or acquires, and somebody may see it. Nobody does who only adds to
/// a sum that the kernel never reads, behind no store that others could look
/// for.
bool synchronises(mlir::Operation *op);

/// Whether nothing behind the update `op` can count on what others released:
/// the kernel never looks at the memory, so it cannot know who came first.
bool onlyReleases(mlir::Operation *op);

/// Whether `op` is a loop whose iterations come one after the other: all but
/// the one over a worker's instances of tile.parallel, which are not ordered.
bool isOrderedLoop(mlir::Operation *op);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_MEMORYACCESS_H
