//===- FloatRemainder.h - What a division of floats leaves ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C's fmod in one thread: exact, with the sign of the number that is divided.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_FLOATREMAINDER_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_FLOATREMAINDER_H

#include "Instructions.h"

namespace heddle::tonvvm {

/// Of two numbers of f32 or f64. NaN where the number is not finite, or the
/// divisor is zero.
Value floatRemainder(Code &code, Value number, Value divisor);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_FLOATREMAINDER_H
