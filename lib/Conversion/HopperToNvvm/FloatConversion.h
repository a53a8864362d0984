//===- FloatConversion.h - Between floating-point formats ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every conversion rounds once, although not every pair of formats has an
// instruction: what goes through a format between either is exact in it or is
// rounded to odd there, which the second rounding cannot tell from the number
// itself (Boldo and Melquiond 2005).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_FLOATCONVERSION_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_FLOATCONVERSION_H

#include "Instructions.h"

namespace heddle::tonvvm {

/// f64, f32, f16, bf16 and the two 8-bit formats.
bool isConvertible(Type type);

/// Numbers of format `from` in format `to`, to nearest even or toward zero; to
/// 8 bits they saturate. Empty if the machine cannot: toward zero it narrows
/// f64 to f32 and f32 to 16 bits only.
llvm::SmallVector<Value> convertFloats(Code &code, mlir::ArrayRef<Value> values,
                                       Type from, Type to,
                                       bool towardZero = false);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_FLOATCONVERSION_H
