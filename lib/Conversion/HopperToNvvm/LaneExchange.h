//===- LaneExchange.h - Values of any type from other lanes -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shuffle moves 32 bits; narrower values travel alone in a register, wider
// ones in two.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_LANEEXCHANGE_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_LANEEXCHANGE_H

#include "Instructions.h"

namespace heddle::tonvvm {

/// The bits of an integer or float of at most 64 bits in i32 registers.
llvm::SmallVector<Value> toWords(Code &code, Value value);
/// The value of type `type` with these bits.
Value fromWords(Code &code, ValueRange words, Type type);

/// What the lane whose index differs in the bits of `laneMask` passes here; all
/// lanes take part.
Value shuffleXor(Code &code, Value value, int64_t laneMask);

/// What lane `lane` (i32) passes here; all lanes take part.
Value shuffleFrom(Code &code, Value value, Value lane);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_LANEEXCHANGE_H
