//===- MemoryOrder.h - Refuses orders that processes cannot keep --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_MEMORYORDER_H
#define HEDDLE_LIB_TRANSFORMS_MEMORYORDER_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle {

/// A kernel with a pipelined loop becomes several processes, which meet in
/// rings only: one that loads ahead does not see what another stores. Diagnoses
/// a read, in such a kernel, that may come after a write to the same argument
/// in the same instance.
mlir::LogicalResult checkMemoryOrder(tile::KernelOp kernel);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_MEMORYORDER_H
