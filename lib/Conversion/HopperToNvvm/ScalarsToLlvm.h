//===- ScalarsToLlvm.h - Scalars of threads in LLVM's dialect ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module of threads, with arithmetic and branches of arith and cf on
// types that LLVM has. Out: the same in the llvm dialect, operation by
// operation. Upstream's conversions make the same of it, by patterns of which
// each operation tries dozens; they take what is not listed here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SCALARSTOLLVM_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SCALARSTOLLVM_H

#include "mlir/IR/BuiltinOps.h"

namespace heddle::tonvvm {

/// Is all arithmetic of the module on the list, and all of it on types of LLVM?
bool isPlainArithmetic(mlir::ModuleOp module);

/// Expands what is no single instruction and folds what is no arithmetic, as
/// upstream's expansion does. To be called where isPlainArithmetic.
void expandArithmetic(mlir::ModuleOp module);

/// Folds arithmetic that was expanded, and converts what is left.
void convertArithmetic(mlir::ModuleOp module);

/// Converts all branches; false, with nothing changed, where there are others
/// than plain ones.
bool convertBranches(mlir::ModuleOp module);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SCALARSTOLLVM_H
