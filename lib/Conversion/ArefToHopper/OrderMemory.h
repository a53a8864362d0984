//===- OrderMemory.h - Rewrite: global memory in program order ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sequential program may read what it wrote before. Threads of a block do not
// see each other's accesses in order unless a barrier stands between them, so
// one is put before each access that may meet an earlier one of the same
// instance: through the same argument, in another thread, one of them a write.
// Instances are not ordered among each other, and different arguments do not
// overlap where a kernel writes (docs/rationale/tile.md).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_ORDERMEMORY_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_ORDERMEMORY_H

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::areftohopper {

/// In each process by itself. What one process writes no other reads behind it:
/// `checkMemoryOrder` refuses that of pipelined kernels.
void orderMemory(hopper::KernelOp kernel);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_ORDERMEMORY_H
