//===- GlobalAccess.h - How wide threads may access a view --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread may read or write several elements at once where they lie in
// neighbouring registers and start at a multiple of their size. The alignment
// of a view's rows is a fact of the launch (the `rows` of a hopper.kernel); the
// rest is proved here, by who chooses the width and by who verifies it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_GLOBALACCESS_H
#define HEDDLE_DIALECT_HOPPER_GLOBALACCESS_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Machine/Layout.h"

namespace heddle::hopper {

/// The widest access, and what the rows of a view must be a multiple of for it.
inline constexpr int64_t kAccessBytes = 16;

/// The largest power of two that is known to divide an index, at most 2^16. It
/// holds for arithmetic that wraps, too.
int64_t knownDivisor(mlir::Value index);

/// Whether a signed index is proved to be 0 or more, if its arithmetic does not
/// wrap and extents and thread blocks are counted from 0.
bool knownNotNegative(mlir::Value index);

/// The view in memory whose rows those of `view` are made of, from end to end:
/// `view` itself, or what windows and merged axes were made of. Null where
/// neighbours along the fastest axis are none in memory.
mlir::Value findRows(mlir::Value view);

/// The most elements that one access to a tile of `view` at `offsets` can have
/// if the rows of findRows are aligned. `tile` has a register layout.
int64_t widestAccess(tile::ViewType view, mlir::ValueRange offsets,
                     mlir::RankedTensorType tile);

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
