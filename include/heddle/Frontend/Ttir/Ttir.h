//===- Ttir.h - The tt dialect, as far as TTIR text needs it ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generated classes of Triton's dialect `tt`, of which TtirOps.td defines
// as much as the text of a kernel needs. It stands in for Triton's own library,
// which is built on another LLVM in each release.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FRONTEND_TTIR_TTIR_H
#define HEDDLE_FRONTEND_TTIR_TTIR_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "heddle/Frontend/Ttir/TtirDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Frontend/Ttir/TtirTypes.h.inc"

#define GET_OP_CLASSES
#include "heddle/Frontend/Ttir/TtirOps.h.inc"

#endif // HEDDLE_FRONTEND_TTIR_TTIR_H
