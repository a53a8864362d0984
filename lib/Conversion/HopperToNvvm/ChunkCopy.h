//===- ChunkCopy.h - A tile to shared memory without registers --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a view, a tile of it, and its place in shared memory. Out: copies of 16
// bytes that the memory system carries out (cp.async), zeros outside of the
// view, and the condition under which they may stand in for copies of elements.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_CHUNKCOPY_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_CHUNKCOPY_H

#include "GlobalTile.h"

namespace heddle::tonvvm {

/// For tiles that hopper::copiesInChunks accepts.
class ChunkCopy {
public:
  ChunkCopy(Code &code, const GlobalView &view,
            const machine::SharedLayout &shape,
            llvm::ArrayRef<mlir::Value> offsets, mlir::Value base,
            int64_t threadCount, int64_t unrolled);

  /// Do all chunks of the tile begin at multiples of 16 bytes, and none in
  /// front of the view? The same for all threads.
  mlir::Value isAligned();
  /// Issues the copies of this thread.
  void issueAll(mlir::Value thread);
  /// The same of a tile that ends in the view.
  void issueWhole(mlir::Value thread) { issueAll(thread, /*whole=*/true); }

private:
  mlir::Value isWhole();
  void issueAll(mlir::Value thread, bool whole);
  void issue(mlir::Value first, int64_t count, bool whole);
  mlir::Value bytesOf(llvm::ArrayRef<mlir::Value> coords);

  int slow() const { return shape.order[1]; }
  /// The axis of the view along an axis of the tile.
  int along(int axis) const { return view.rank - 2 + axis; }

  Code &code;
  const GlobalView &view;
  const machine::SharedLayout &shape;
  llvm::ArrayRef<mlir::Value> offsets;
  mlir::Value base;
  int64_t threadCount;
  int64_t unrolled; ///< copies that are written out; more are a loop
  int64_t elements; ///< of a chunk
  int64_t chunks;   ///< of a row
  int64_t rowStep;  ///< rows between two chunks of a thread
};

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_CHUNKCOPY_H
