//===- Einsum.h - The einsum dialect ----------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements over tensors with formats, and the plan that carries them out.
// docs/rationale/einsum.md has their meaning.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_EINSUM_EINSUM_H
#define HEDDLE_DIALECT_EINSUM_EINSUM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "heddle/Dialect/Einsum/EinsumDialect.h.inc"

#define GET_OP_CLASSES
#include "heddle/Dialect/Einsum/EinsumOps.h.inc"

namespace heddle::einsum {
/// The name that the program gives a tensor.
std::string nameOf(mlir::Value tensor);
} // namespace heddle::einsum

#endif // HEDDLE_DIALECT_EINSUM_EINSUM_H
