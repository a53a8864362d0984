//===- HostExpr.h - Scalar arithmetic as the host evaluates it ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_HOSTEXPR_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_HOSTEXPR_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Manifest/Manifest.h"

namespace heddle {

/// The value as an expression over the kernel's dims and scalars; diagnoses
/// anything else at the op in question.
mlir::FailureOr<manifest::Expr> buildHostExpr(hopper::KernelOp kernel, mlir::Value value);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_HOSTEXPR_H
