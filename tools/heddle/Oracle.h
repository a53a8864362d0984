//===- Oracle.h - What a tile program means ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ORACLE_H
#define HEDDLE_TOOLS_HEDDLE_ORACLE_H

#include "ArgumentData.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle::tool {

/// Interprets kernel `name` of `module` (tile or sched rung) on the arguments,
/// in place. Failures are diagnostics.
mlir::LogicalResult runOracle(mlir::ModuleOp module, llvm::StringRef name,
                              llvm::MutableArrayRef<ArgumentData> arguments);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_ORACLE_H
