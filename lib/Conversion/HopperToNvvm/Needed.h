//===- Needed.h - Which meetings and waits a process needs ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a process. Out: the arrivals before which the lanes of a warp must meet,
// and the waits for products that may find one in flight. The hopper rung knows
// processes and no lanes, so the expansion must add meetings; one at every
// arrival would be right, but would cost issue slots in the loops of the tensor
// core.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_NEEDED_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_NEEDED_H

#include "heddle/Dialect/Hopper/Hopper.h"

#include "llvm/ADT/DenseSet.h"

namespace heddle::tonvvm {

struct Needed {
  /// Arrivals before which the lanes of a warp must meet, because some may be
  /// behind, or did what the lane that arrives does not know.
  llvm::DenseSet<mlir::Operation *> meetings;
  /// Waits for products that may find one to wait for.
  llvm::DenseSet<mlir::Operation *> waits;
};

Needed findNeeded(hopper::ProcessOp process);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_NEEDED_H
