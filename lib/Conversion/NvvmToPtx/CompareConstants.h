//===- CompareConstants.h - Neighbours compared with numbers ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function of LLVM IR. Out: base + constant < bound is constant < bound -
// base in loops that change the bound. A mask compares the columns that a
// thread holds with a bound a row: constants take no register, while the sums
// would be held all along the loop.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_COMPARECONSTANTS_H
#define HEDDLE_CONVERSION_NVVMTOPTX_COMPARECONSTANTS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Rewrites comparisons of neighbours in loops that change their bound.
struct CompareConstantsPass : llvm::PassInfoMixin<CompareConstantsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_COMPARECONSTANTS_H
