//===- RowCopy.h - Rows that memory names to shared memory -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile of a view, and how much further in memory each of its rows lies.
// Out: the thread's copies of 16 bytes that the memory system carries out, or
// copies of elements where a row of the thread is not aligned. A row that is
// not there, and what lies behind the view's end, is zero.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_ROWCOPY_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_ROWCOPY_H

#include "GlobalTile.h"

namespace heddle::tonvvm {

/// Where a row's place is, and whether it says that there is one.
struct RowPlace {
  RowPlace(Code &code, const machine::Layout &rows,
           llvm::ArrayRef<mlir::Value> places, int axis, int64_t row);

  mlir::Value elements; ///< i64
  mlir::Value exists;
};

/// For tiles that hopper::copiesInChunks accepts.
class RowCopy {
public:
  /// `places`: those of hopper::rowsLayout, i64.
  RowCopy(Code &code, const GlobalView &view, hopper::SmemType tile,
          const Threads &threads, llvm::ArrayRef<mlir::Value> offsets,
          mlir::Value base, llvm::ArrayRef<mlir::Value> places);

  /// Do all chunks of this thread begin at multiples of 16 bytes, and none in
  /// front of the view?
  mlir::Value isAligned();
  void issueAll();
  void copyElements();

private:
  struct Chunk {
    mlir::Value target;  ///< in shared memory
    mlir::Value pointer; ///< of its first element
    mlir::Value exists;  ///< the row is there, and inside of the view
    mlir::Value column;  ///< of its first element, in the view
  };

  Code &code;
  const GlobalView &view;
  machine::SharedLayout shape;
  mlir::Type element;
  llvm::SmallVector<Chunk> chunks;
};

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_ROWCOPY_H
