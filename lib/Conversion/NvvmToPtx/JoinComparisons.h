//===- JoinComparisons.h - One comparison of neighbours -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_JOINCOMPARISONS_H
#define HEDDLE_CONVERSION_NVVMTOPTX_JOINCOMPARISONS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// A bound that is a multiple of 8 has the columns 8 n to 8 n + 7 on one side:
/// all are compared as the first is. A mask of the columns that a thread holds
/// takes one comparison and one predicate of each access's elements.
struct JoinComparisonsPass : llvm::PassInfoMixin<JoinComparisonsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_JOINCOMPARISONS_H
