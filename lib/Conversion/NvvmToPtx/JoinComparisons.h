//===- JoinComparisons.h - One comparison of neighbours -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function of LLVM IR. Out: neighbours are compared with a bound whose
// lower bits are clear as the first of them is. Such a bound has aligned runs
// of columns on one side. LLVM does not see it across different sums, and each
// comparison of its own would hold a predicate.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_JOINCOMPARISONS_H
#define HEDDLE_CONVERSION_NVVMTOPTX_JOINCOMPARISONS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Of a bound that is a multiple of 8, the columns 8 n to 8 n + 7 are compared
/// as the first is.
struct JoinComparisonsPass : llvm::PassInfoMixin<JoinComparisonsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_JOINCOMPARISONS_H
