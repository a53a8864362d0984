//===- ApproximateMath.h - Functions the hardware only approximates -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Single-precision functions from the special function unit, without libdevice
// and without calls (a call inside a stage serialises wgmma). Subnormal inputs
// and results are flushed to zero. Largest errors seen on an H200 over four
// million arguments a function, relative unless said otherwise:
//
//   exp2    2^-22                   exp     2^-22 + 2^-24 |x|
//   log2    2^-22, absolute near 1  log     as log2
//   rsqrt   2^-22                   sqrt    2^-23
//   tanh    2^-22
//   sin     2^-20, absolute, for |x| < 60 000; cos the same
//
// sin and cos of |x| below 10 million keep their bound with exact instructions
// of the unit, and within four of 0, where its own is 2^-20.5; from 13 million
// on (2^21 turns) they are NaN. erf is within 2^-21. div is within 2 ulp (PTX
// ISA). expm1 and log1p are exp(x) - 1 and log(1 + x), near zero their series,
// so that their errors are relative there. pow is exp2(y log2 |x|), with C's
// special cases. With exact instructions of the unit, as the emulator has them,
// cbrt, log10, the hyperbolic functions, the functions that invert others, and
// tan for |x| < 200 000 are within 2.5 ulp; from 1.6 million on, tan is NaN.
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
