//===- PtxParts.h - An entry at a time --------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module with several kernels. Out: a module for each, so that they can
// be compiled at the same time, and from their texts one again. That is done
// where kernels share nothing but shared memory, which each declares: what one
// text may not define twice stays together.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_PTXPARTS_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_PTXPARTS_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// The kernels of `module`, each moved to a module of its own; nothing, and
/// `module` as it was, where they stay together.
std::vector<mlir::OwningOpRef<mlir::ModuleOp>>
separateKernels(mlir::ModuleOp module);

/// Moves the kernels back into `module`, behind everything else.
void uniteKernels(mlir::ModuleOp module,
                  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> parts);

/// One text of several of LLVM's, in which lines of the source have the same
/// names. Nothing where they differ in what stands around the kernels.
std::optional<std::string> joinPtx(const std::vector<std::string> &texts);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_PTXPARTS_H
