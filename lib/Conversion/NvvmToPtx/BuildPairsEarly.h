//===- BuildPairsEarly.h - No vector of old values behind a product -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function of LLVM IR. Out: vectors that are built of values from before
// a product in the same block are built before that product. LICM leaves them
// behind it; then the values are held while the product starts, the back end
// gives the product other registers than the loop goes on with, and copies them
// while the product writes them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_BUILDPAIRSEARLY_H
#define HEDDLE_CONVERSION_NVVMTOPTX_BUILDPAIRSEARLY_H

#include "llvm/IR/PassManager.h"

namespace heddle {

struct BuildPairsEarlyPass : llvm::PassInfoMixin<BuildPairsEarlyPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_BUILDPAIRSEARLY_H
