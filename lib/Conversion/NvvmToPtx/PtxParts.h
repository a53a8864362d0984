//===- PtxParts.h - An entry at a time --------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module with several kernels. Out: a module for each kernel, so that
// they can be compiled at the same time, and one text made of their texts.
// Kernels that differ in their names alone, as the second steps of sums in
// parts do, are compiled once. Each part declares shared memory for itself.
// Kernels that share anything else,
// such as a function or a text that they print, stay together, because one PTX
// file may not define it twice.
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

/// For each kernel of `module`, the first with the same code, line for line of
/// the source, but for its name; itself, where there is none before it.
std::vector<size_t> findSameKernels(mlir::ModuleOp module);

/// `text`, whose kernel `entry` becomes `name`.
std::string renameEntry(llvm::StringRef text, llvm::StringRef entry,
                        llvm::StringRef name);

/// Joins the texts that LLVM made of the parts. Nothing where they differ in
/// what stands around the kernels: in declarations, or in the source files that
/// numbers of files stand for.
std::optional<std::string> joinPtx(const std::vector<std::string> &texts);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_PTXPARTS_H
