//===- ProductCalls.h - Products as calls of LLVM IR ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: inline assembly of the nvvm rung that says that it is a product, or a
// wait for one. Out: a call that says so.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_PRODUCTCALLS_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_PRODUCTCALLS_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/IR/Instruction.h"

namespace heddle {

/// Translations take the mark along.
void registerProductTranslation(mlir::DialectRegistry &registry);

/// Does the instruction start a product?
bool isProductCall(const llvm::Instruction &instruction);

/// Does it wait for products, and hand on what one has made?
bool isProductWait(const llvm::Instruction &instruction);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_PRODUCTCALLS_H
