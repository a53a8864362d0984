//===- Scalars.h - Arithmetic of compiled processes -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operations on scalars machine code computes to the bit as lib/Interp
// does. Arithmetic of LLVM is as exact, but for shifts beyond the width, which
// it leaves open; functions are those of the C++ library that the interpreter
// calls. A division by zero is an error, which whoever compiles one has to test
// for; signed divisions, which know a second one, are not among them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_COMPILED_SCALARS_H
#define HEDDLE_LIB_SIMULATOR_COMPILED_SCALARS_H

#include "mlir/IR/Operation.h"

namespace heddle::simulator {

bool isKnownScalarOp(mlir::Operation *op);

/// Replaces the results of an operation that LLVM would compute otherwise.
/// True if it did, so that the operation has no uses.
bool replaceScalarOp(mlir::Operation *op);

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_COMPILED_SCALARS_H
