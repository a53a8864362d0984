//===- GlobalAccess.h - How wide threads may access a view --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread may read or write several elements at once where they lie in
// neighbouring registers and start at a multiple of their size. The alignment
// of a view's rows is a fact of the launch (the `rows` of a hopper.kernel), and
// so is that of what addresses are made of (its `multiples`); the rest is
// proved here, by who chooses the width and by who verifies it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_GLOBALACCESS_H
#define HEDDLE_DIALECT_HOPPER_GLOBALACCESS_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Tile/Runs.h"
#include "heddle/Machine/Layout.h"

namespace heddle::hopper {

/// The widest access, and what the rows of a view must be a multiple of for it.
inline constexpr int64_t kAccessBytes = 16;
static_assert(tile::kArgumentMultiple == kAccessBytes,
              "a launch is asked for what the widest access needs");

/// How many elements in neighbouring registers a gather or scatter accesses at
/// once, by the address and the mask of the first.
struct Neighbours {
  int64_t vector = 1;  ///< one after the other in memory
  int64_t repeats = 1; ///< or all at one place, of a gather

  bool operator==(const Neighbours &) const = default;
};

/// As attributes of the operation; one of each without.
inline constexpr llvm::StringLiteral kVectorAttr = "hopper.vector";
inline constexpr llvm::StringLiteral kRepeatsAttr = "hopper.repeats";
Neighbours neighboursOf(mlir::Operation *access);
void setNeighbours(mlir::Operation *access, Neighbours neighbours);

/// The view in memory whose rows those of `view` are made of, from end to end:
/// `view` itself, or what windows and merged axes were made of. Null where
/// neighbours along the fastest axis are none in memory.
mlir::Value findRows(mlir::Value view);

/// The most elements that one access to a tile of `view` at `offsets` can have
/// if the rows of findRows are aligned. `tile` has a register layout.
int64_t widestAccess(tile::ViewType view, mlir::ValueRange offsets,
                     mlir::RankedTensorType tile);

/// The most elements that one access of a gather or scatter can have. `tile`
/// has the register layout in which it is executed.
Neighbours widestAccess(mlir::Operation *access, mlir::RankedTensorType tile,
                        tile::RunFinder &runs);

/// Whether `threads` threads can copy a tile of the view in chunks of 16 bytes,
/// where its rows turn out to be aligned: the same axis is the fastest in both,
/// and each thread takes as many chunks, a constant number of rows apart.
bool copiesInChunks(tile::ViewType view, SmemType tile, int64_t threads);

/// Which elements of a tile that copiesInChunks accepts each thread copies:
/// neighbouring registers are those of a chunk.
machine::Layout chunkLayout(SmemType tile, int64_t threads);
/// Who has the places of the rows that the threads copy, a column.
machine::Layout rowsLayout(SmemType tile, int64_t threads);

} // namespace heddle::hopper

#endif // HEDDLE_DIALECT_HOPPER_GLOBALACCESS_H
