//===- HeldSlots.h - Whether a slot is still held -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a value that a process got of a ring, or that a loop carries on, and a
// place in the process. Out: the token by which its slot is held, and whether
// the slot has been given back there. On the aref rung a value outlives its
// slot; on the machine it has to be in registers by then.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_AREFTOHOPPER_HELDSLOTS_H
#define HEDDLE_LIB_CONVERSION_AREFTOHOPPER_HELDSLOTS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace heddle::areftohopper {

/// The token that is carried wherever the value is; null where none is.
mlir::Value tokenOf(mlir::Value value);

/// Whether the value's slot is given back before `place`, or nobody knows.
bool isGivenBack(mlir::Value value, mlir::Operation *place);

} // namespace heddle::areftohopper

#endif // HEDDLE_LIB_CONVERSION_AREFTOHOPPER_HELDSLOTS_H
