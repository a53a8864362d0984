//===- VerifyKernel.h - Verify: what must hold after the rewrite -*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a hopper.kernel just emitted. Out: success, or an internal error that
// names the operation. The verifier of the rung cannot ask as much, because
// people write and edit kernels of it; an op that this pass has left behind is
// a bug in heddle.
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
