//===- CompareConstants.h - Neighbours compared with numbers ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_COMPARECONSTANTS_H
#define HEDDLE_CONVERSION_NVVMTOPTX_COMPARECONSTANTS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// A mask compares the columns that a thread holds, base + constant each, with
/// a bound a row. As constants compared with bound - base they take no
/// register; as sums they would be held all along a loop whose bounds change.
struct CompareConstantsPass : llvm::PassInfoMixin<CompareConstantsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_COMPARECONSTANTS_H
