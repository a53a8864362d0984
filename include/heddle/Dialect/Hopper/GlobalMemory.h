//===- GlobalMemory.h - What a hopper kernel reads and writes ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Origins of addresses on this rung, where a launch makes views of pointers and
// addresses travel through shared memory, and what is accessed with them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_GLOBALMEMORY_H
#define HEDDLE_DIALECT_HOPPER_GLOBALMEMORY_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"

namespace heddle::hopper {

/// Of ops of this rung and of tile's; nothing for ops that touch no global
/// memory. A view that the launch makes is the pointer that it is made of.
std::optional<tile::MemoryAccess> memoryAccess(mlir::Operation *op);

/// The pointers and views, those that a launch makes among them, that `kernel`
/// may store to: where an address cannot be followed, all that a caller passes.
llvm::DenseSet<mlir::Value> writtenArguments(KernelOp kernel);

} // namespace heddle::hopper

#endif // HEDDLE_DIALECT_HOPPER_GLOBALMEMORY_H
