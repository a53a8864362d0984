//===- TensorCoreRules.h - Which dots one wgmma sequence can do -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the facts about a kernel. Out: a message for each dot that no sequence of
// wgmma computes, by element types, shape, warps or where its operands are. The
// rules are checked before anything is planned, so messages speak of the
// program and later phases rely on them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_TENSORCORERULES_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_TENSORCORERULES_H

#include "KernelFacts.h"

#include "heddle/Analysis/Products.h"

namespace heddle::areftohopper {

/// The dot of a start; null if the region holds anything else.
tile::DotOp dotOf(aref::StartOp start);

/// Every dot and start of the kernel against the instruction's limits.
mlir::LogicalResult checkTensorCore(const KernelFacts &facts);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_TENSORCORERULES_H
