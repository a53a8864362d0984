//===- ApproximateMath.h - Functions the hardware only approximates -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Single-precision functions from the special function unit, without libdevice
// and without calls (a call inside a stage serialises wgmma). Errors, relative
// unless said otherwise; subnormal inputs and results are flushed to zero:
//
//   div          2 ulp                  exp2         2 ulp
//   exp          2 ulp + 2^-24 |x|      log2, log    2^-22, absolute near x = 1
//   rsqrt        2 ulp                  sqrt         1 ulp
//   tanh         2^-20                  erf          2^-21, absolute
//   sin, cos     2^-20 + 2^-22 |x / 2 pi|, absolute, |x| < 2^16
//   pow          of exp2(y log2 x), x > 0 only
//
// The figures of the hardware's functions are those of the PTX ISA.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_APPROXIMATEMATH_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_APPROXIMATEMATH_H

#include "Instructions.h"

namespace heddle::tonvvm {

/// Is `op` an arith or math op that has an approximation here?
bool isApproximated(mlir::Operation *op);

/// The f32 result of the function of `op` for f32 operands.
mlir::Value approximate(Code &code, mlir::Operation *op, ValueRange operands);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_APPROXIMATEMATH_H
