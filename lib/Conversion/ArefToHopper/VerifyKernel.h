//===- VerifyKernel.h - Verify: what must hold after the rewrite -*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_VERIFYKERNEL_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_VERIFYKERNEL_H

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::areftohopper {

/// Internal errors, not the user's: nothing of the aref rung is left, every
/// tile has a register layout, elected processes touch no registers.
mlir::LogicalResult verifyKernel(hopper::KernelOp kernel);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_VERIFYKERNEL_H
