//===- KernelFunction.h - The llvm.func of a kernel ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: name, parameters, threads and blocks of a kernel. Out: an empty llvm.func
// with the attributes by which ptxas honours setmaxnreg. The two functions are
// declared apart from the class of instructions, because they make operations
// of a module and not of a body.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_KERNELFUNCTION_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_KERNELFUNCTION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace heddle::tonvvm {

/// Creates a kernel entry whose parameters are `tensorMaps` tensor maps by
/// value, then `scalars`; a null type is a pointer to global memory. Declares
/// dynamic shared memory in `module`. `blocks` of `threads` threads share a
/// multiprocessor; 0: as many as the registers that the code needs let. The
/// entry block is empty.
mlir::Operation *createKernelFunction(mlir::OpBuilder &builder,
                                      mlir::Location loc, mlir::ModuleOp module,
                                      llvm::StringRef name,
                                      llvm::ArrayRef<mlir::Type> scalars,
                                      int64_t tensorMaps, int64_t threads,
                                      int64_t blocks);
void createReturn(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_KERNELFUNCTION_H
