//===- MemoryOrder.h - Refuses orders that processes cannot keep --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel. Out: an error where an instance may read what it has written
// before. A program of tiles is sequential and may do so, but a kernel with a
// pipelined loop becomes several processes, which meet in rings only: one that
// loads ahead does not see what another stores.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_MEMORYORDER_H
#define HEDDLE_LIB_TRANSFORMS_MEMORYORDER_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle {

/// Diagnoses a read, in a kernel with a pipelined loop, that may come after a
/// write to the same argument in the same instance.
mlir::LogicalResult checkMemoryOrder(tile::KernelOp kernel);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_MEMORYORDER_H
