//===- Replicas.h - Elements that several threads hold ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a layout in which several registers, lanes or warps hold one element.
// Out: the holder that acts for all, and code that gives the others what it
// has. A load by all of them is harmless, and a store wastes bandwidth; an
// atomic update by each would count an element several times.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_REPLICAS_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_REPLICAS_H

#include "Emitter.h"

namespace heddle::tonvvm {

/// The registers that hold an element which no register before them holds.
std::vector<int> firstReplicas(const machine::Layout &layout);

/// Is some element held by several of a process's `warps`?
bool hasWarpReplicas(const machine::Layout &layout, int64_t warps);

/// True in the one thread of those with the same elements that acts for all;
/// null where every thread has its own.
mlir::Value emitActs(Code &code, const machine::Layout &layout,
                     const Threads &threads);

/// Gives all lanes what the acting ones have in `values`, and fills registers
/// that repeat others. Registers that are null are of no acting element.
void spreadReplicas(Code &code, const machine::Layout &layout,
                    const Threads &threads, Registers &values);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_REPLICAS_H
