//===- ExchangeWords.h - Narrow elements from other lanes ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a plan of Machine/WordExchange.h and the registers of the first layout.
// Out: those of the second. Of each word a selection, a shuffle and a
// permutation of bytes: what depends on the lane alone is computed once.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_EXCHANGEWORDS_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_EXCHANGEWORDS_H

#include "Instructions.h"

#include "heddle/Machine/WordExchange.h"

namespace heddle::tonvvm {

/// All lanes take part; `lane` is the own one.
llvm::SmallVector<Value> exchangeWords(Code &code,
                                       const machine::WordExchange &plan,
                                       llvm::ArrayRef<Value> source,
                                       Value lane);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_EXCHANGEWORDS_H
