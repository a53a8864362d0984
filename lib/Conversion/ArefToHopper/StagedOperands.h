//===- StagedOperands.h - Decide: operands that a dot must put into shared
// memory -*- C++ -*-===//
//
//  Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
//  SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a dot. Out: for each operand that wgmma cannot take from registers, the
// shared tile that it is written to first. The plan of scratch memory, the
// rules of the tensor core and the emitter must agree on these tiles, so all
// three ask here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_STAGEDOPERANDS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_STAGEDOPERANDS_H

#include "KernelFacts.h"
#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::areftohopper {

/// Register operands that wgmma cannot take: b always, a of 32 bits. They go
/// through the process's scratch memory, a before b, and with them a of 8 bits
/// where nothing is in flight: whatever made it, other lanes hold what its
/// fragments want.
struct StagedOperands {
  hopper::SmemType a, b; // null where the operand is fine as it is
  int64_t offsetOfB = 0, bytes = 0;

  bool any() const { return a || b; }
};

StagedOperands stageOperands(tile::DotOp dot, const KernelFacts &facts);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_STAGEDOPERANDS_H
