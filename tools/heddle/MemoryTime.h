//===- MemoryTime.h - What memory adds to a kernel of streams ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the lines that primitives ask for, and the machine's memory. Out: the
// least time that a kernel takes with it. Channels hand lines out at their
// speed and all are as busy; requests run ahead, so that each primitive that
// reads delays the first token behind it once, and no other one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_MEMORYTIME_H
#define HEDDLE_TOOLS_HEDDLE_MEMORYTIME_H

#include "heddle/Machine/Units.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace heddle::tool {

struct KernelMemory {
  int64_t lines = 0; ///< that all primitives ask for
  int64_t chain = 0; ///< reads of which each needs the one before, at most
};

KernelMemory
findMemory(llvm::ArrayRef<mlir::Operation *> kernel,
           const llvm::DenseMap<mlir::Operation *, int64_t> &lines);

/// Cycles in which memory hands the lines out.
int64_t cyclesOfLines(const machine::Units &units, const KernelMemory &memory);

/// The cycles of a kernel that takes `cycles` if memory answers at once.
int64_t addMemory(const machine::Units &units, const KernelMemory &memory,
                  int64_t cycles);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_MEMORYTIME_H
