//===- JoinProducts.h - Both halves of a product by one multiplication -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function of LLVM IR. Out: both halves of a product of 32-bit numbers
// come from one multiplication. LLVM, which sees two products of different
// widths, and ptxas keep a second one; random numbers are chains of such pairs.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_JOINPRODUCTS_H
#define HEDDLE_CONVERSION_NVVMTOPTX_JOINPRODUCTS_H

#include "llvm/IR/PassManager.h"

namespace heddle {

/// Takes the lower half of a product from the multiplication that makes the
/// upper one. Stands last: InstCombine would part them again.
struct JoinProductsPass : llvm::PassInfoMixin<JoinProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_JOINPRODUCTS_H
