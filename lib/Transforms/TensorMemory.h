//===- TensorMemory.h - Products that leave their results there -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem whose products leave their results in registers. Out: the same
// for a machine with tensor memory. The difference is one step at the end of
// the export, so that everything before it is the same for both kinds of
// machine.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_TENSORMEMORY_H
#define HEDDLE_LIB_TRANSFORMS_TENSORMEMORY_H

#include "ExportProblem.h"

namespace heddle {

/// A product that adds to what the iteration before left, last, after the
/// element-wise operations between, the last of them first: all change one
/// accumulator where it lies.
using Accumulator = llvm::SmallVector<mlir::Operation *>;

/// Moves the products' results, and what threads make for their A and their
/// accumulators, from registers to tensor memory. Threads that read a result
/// load it, once for all operations of a process that read it; who makes an
/// operand stores it.
void moveToTensorMemory(LoopProblem &exported,
                        llvm::ArrayRef<Accumulator> accumulators,
                        const machine::Costs &costs);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_TENSORMEMORY_H
