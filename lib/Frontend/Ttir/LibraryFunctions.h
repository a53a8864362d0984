//===- LibraryFunctions.h - libdevice's functions, by class ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each class of functions has a file. All take a function's name without
// `__nv_`, its operands and the element of its result, and give the result, or
// null if it is none of theirs or has other operands.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_TTIR_LIBRARYFUNCTIONS_H
#define HEDDLE_LIB_FRONTEND_TTIR_LIBRARYFUNCTIONS_H

#include "Formula.h"

namespace heddle::ttir {

/// Functions that name an instruction.
mlir::Value writeInstruction(Formula &f, llvm::StringRef name,
                             mlir::ValueRange in, mlir::Type to);

/// Functions whose result is exact, or rounded from one: exponents, halves of
/// numbers, neighbours, remainders, norms.
mlir::Value writeExactNumber(Formula &f, llvm::StringRef name,
                             mlir::ValueRange in, mlir::Type to);

/// erf, erfc, erfcx and the normal distribution, of f64 and of what has no
/// shorter formula.
mlir::Value writeErrorFunction(Formula &f, llvm::StringRef name,
                               mlir::ValueRange in, mlir::Type to);

} // namespace heddle::ttir

#endif // HEDDLE_LIB_FRONTEND_TTIR_LIBRARYFUNCTIONS_H
