//===- ByteConversion.h - 8-bit integers, four at a time -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An integer of 8 bits is the lowest byte of a float whose other bits say "2^n
// and so many units": one byte permutation makes that float, and one
// subtraction takes 2^n away. Both are exact and run at the speed of
// arithmetic, where the conversion instruction has a sixteenth of it. Bits of
// four bytes are combined in one word, which is how two numbers of 4 bits leave
// the byte that holds them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_BYTECONVERSION_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_BYTECONVERSION_H

#include "Instructions.h"

namespace heddle::tonvvm {

/// `values` of 8 bits, with a sign if `isSigned`, as f16, bf16 or f32, four at
/// a time. Empty for other types, and where four do not divide their number.
llvm::SmallVector<Value> convertBytes(Code &code, mlir::ArrayRef<Value> values,
                                      Type to, bool isSigned);

/// A bit operation on bytes, or a shift of them by a constant, four at a time.
/// Empty for other operations, and where four do not divide their number.
llvm::SmallVector<Value> combineBytes(Code &code, mlir::Operation *op,
                                      mlir::ArrayRef<Value> a,
                                      mlir::ArrayRef<Value> b);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_BYTECONVERSION_H
