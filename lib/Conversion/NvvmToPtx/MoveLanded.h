//===- MoveLanded.h - Products are copied behind their wait -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function of LLVM IR. Out: where what a wait gives cannot have the
// registers in which the product was made, since these are needed for another
// one meanwhile, the wait is followed by moves. A wait's assembly ties its
// results to its operands, and the back end copies what is tied in front of the
// assembly: while the product is still writing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_MOVELANDED_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_MOVELANDED_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Stands behind all that changes how long values are needed.
struct MoveLandedPass : llvm::PassInfoMixin<MoveLandedPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_MOVELANDED_H
