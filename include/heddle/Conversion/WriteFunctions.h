//===- WriteFunctions.h - Functions of statements as operations -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a number, or a tile of them, and the functions of an einsum statement.
// Out: operations of arith and math, the same ones on every way down.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_WRITEFUNCTIONS_H
#define HEDDLE_CONVERSION_WRITEFUNCTIONS_H

#include "heddle/Support/Scalars.h"

#include "mlir/IR/Builders.h"

namespace heddle {

mlir::Value writeFunctions(mlir::OpBuilder &builder, mlir::Location loc,
                           const std::vector<ScalarFunction> &functions,
                           mlir::Value value);

/// A constant of the value's type, which is f32 or f64, or a tile of these.
mlir::Value writeConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Type type, double value);

} // namespace heddle

#endif // HEDDLE_CONVERSION_WRITEFUNCTIONS_H
