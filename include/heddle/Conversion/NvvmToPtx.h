//===- NvvmToPtx.h - From llvm and nvvm dialects to PTX text ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module in the llvm and nvvm dialects. Out: its PTX, by LLVM's own back
// end in this process, so that no CUDA toolkit is needed. Before the text is
// handed out, it is compared with the module: passes of LLVM know little of
// barriers and asynchronous units, and must not have moved any (CheckEvents.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_NVVMTOPTX_H
#define HEDDLE_CONVERSION_NVVMTOPTX_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace heddle {

struct PtxOptions {
  std::string chip; ///< the target: "sm_" and a number
  std::string features = "+ptx86";
  /// Emit .loc lines that lead from instructions to the source.
  bool lineInfo = true;
};

/// Registers the translations to LLVM IR that `translateToPtx` needs.
void registerPtxTranslations(mlir::DialectRegistry &registry);

/// Compiles every llvm.func of `module` to PTX. The module is changed (debug
/// scopes are added). Equal modules give equal bytes. Diagnoses on failure.
mlir::FailureOr<std::string> translateToPtx(mlir::ModuleOp module,
                                            const PtxOptions &options);

} // namespace heddle

#endif // HEDDLE_CONVERSION_NVVMTOPTX_H
