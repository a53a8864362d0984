//===- ValueNeeds.h - Which operations wait for a value ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation and a load in front of it, of a program of tiles. Out:
// whether the one cannot begin before the other has ended, whichever processes
// have them, since what it is given is made of what was loaded.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_VALUENEEDS_H
#define HEDDLE_ANALYSIS_VALUENEEDS_H

#include "mlir/IR/Operation.h"

namespace heddle {

/// Whether `op` needs a result of `source`, on every way to it.
bool needsValueOf(mlir::Operation *op, mlir::Operation *source);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_VALUENEEDS_H
