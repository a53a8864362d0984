//===- SinkAddresses.h - Addresses computed where they are used -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_SINKADDRESSES_H
#define HEDDLE_CONVERSION_NVVMTOPTX_SINKADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// An instance's epilogue reads addresses that no instance changes. In front of
/// the loop over instances they would be held through all pipelined loops, whose
/// tiles leave no registers: ptxas spills them. They are computed in the epilogue
/// again, where that leaves fewer values to be held.
struct SinkAddressesPass : llvm::PassInfoMixin<SinkAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_SINKADDRESSES_H
