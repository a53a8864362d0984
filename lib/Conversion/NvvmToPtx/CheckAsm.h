//===- CheckAsm.h - Inline assembly that LLVM takes --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text of the nvvm rung may have been edited. LLVM ends the process where an
// assembly's text names an operand that there is not, or its constraints are
// about others.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_CHECKASM_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_CHECKASM_H

#include "mlir/IR/BuiltinOps.h"

namespace heddle {

/// Reports the first inline assembly that does not fit its operands.
mlir::LogicalResult checkAsm(mlir::ModuleOp module);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_CHECKASM_H
