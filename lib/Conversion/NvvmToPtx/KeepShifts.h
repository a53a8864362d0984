//===- KeepShifts.h - Shifts into the sign stay shifts ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function of LLVM IR. Out: a shift to the left that leaves one bit, the
// sign, no longer says that it does not wrap. Where it says so and its result is
// extended, LLVM 22 multiplies by 2^(N-1) as a number of N bits, which is
// -2^(N-1): of -1 it makes 2^(N-1), where the shift gives -2^(N-1).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_KEEPSHIFTS_H
#define HEDDLE_CONVERSION_NVVMTOPTX_KEEPSHIFTS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Stands behind all that may find out again that the shift does not wrap.
struct KeepShiftsPass : llvm::PassInfoMixin<KeepShiftsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_KEEPSHIFTS_H
