//===- NvvmToPtx.h - From llvm and nvvm dialects to PTX text ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_H
#define HEDDLE_CONVERSION_NVVMTOPTX_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace heddle {

struct PtxOptions {
  std::string chip = "sm_90a";
  std::string features = "+ptx86";
  /// Emit .loc lines that lead from instructions to the source.
  bool lineInfo = true;
};

/// Registers the translations to LLVM IR that `translateToPtx` needs.
void registerPtxTranslations(mlir::DialectRegistry &registry);

/// Compiles every llvm.func of `module` to PTX. The module is changed (debug
/// scopes are added). Equal modules give equal bytes. Diagnoses on failure.
mlir::FailureOr<std::string> translateToPtx(mlir::ModuleOp module,
                                            const PtxOptions &options = {});

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_H
