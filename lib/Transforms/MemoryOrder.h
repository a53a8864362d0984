//===- MemoryOrder.h - Refuses orders that processes cannot keep --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of tiles is sequential: an instance reads what it has written, and
// an update that releases or acquires orders what stands before and behind it.
// A kernel with a pipelined loop becomes several processes, which meet in rings
// only: one that loads ahead does not see what another stores. So accesses
// whose order shows are one process's, and stand outside of pipelined loops.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_MEMORYORDER_H
#define HEDDLE_LIB_TRANSFORMS_MEMORYORDER_H

#include "heddle/Dialect/Tile/Tile.h"

#include "llvm/ADT/SetVector.h"

namespace heddle {

/// Diagnoses accesses of a kernel with a pipelined loop whose order shows and
/// that no assignment to processes keeps.
mlir::LogicalResult checkMemoryOrder(tile::KernelOp kernel);

/// The accesses that one process has to have, of a kernel without such.
llvm::SetVector<mlir::Operation *> accessesInOrder(tile::KernelOp kernel);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_MEMORYORDER_H
