//===- HostExpr.h - Scalar arithmetic as the host evaluates it ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a scalar value of a kernel. Out: the same as a manifest's expression over
// extents and scalar arguments, or the operation that stands in the way. Grids,
// requirements and the estimates of tiles all need such expressions; one
// translation keeps the arithmetic of the host equal to that of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_HOSTEXPR_H
#define HEDDLE_CONVERSION_HOSTEXPR_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Manifest/Manifest.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace heddle {

/// What expressions call an argument; nothing if no caller passes it.
using ArgumentNames =
    llvm::function_ref<std::optional<std::string>(mlir::BlockArgument)>;

/// The value as an expression over dims and scalars. Nothing if it is anything
/// else; then `culprit` is the op that is not the host's, or null if that is an
/// argument.
std::optional<manifest::Expr>
findHostExpr(mlir::Value value, ArgumentNames names, mlir::Operation *&culprit);

/// The value as an expression over the kernel's dims and scalars; diagnoses
/// anything else at the op in question.
mlir::FailureOr<manifest::Expr> buildHostExpr(hopper::KernelOp kernel,
                                              mlir::Value value);

} // namespace heddle

#endif // HEDDLE_CONVERSION_HOSTEXPR_H
