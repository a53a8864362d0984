//===- ScalarOps.h - One arith or math op in one thread -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most ops stay what they are and upstream lowers them. Here is where the tile
// rung says more than arith does (shifts by the width or more, floats outside
// the range of an integer) or the machine has an instruction that upstream
// would not choose.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SCALAROPS_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SCALAROPS_H

#include "Instructions.h"

namespace heddle::tonvvm {

/// The results of `op`, an op of arith or math on tiles or scalars, for one
/// element of each operand. Fails with a diagnostic.
mlir::FailureOr<llvm::SmallVector<Value>>
emitScalar(Code &code, mlir::Operation *op, ValueRange operands);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SCALAROPS_H
