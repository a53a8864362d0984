//===- Hopper.h - The hopper rung ---------------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generated classes of the hopper dialect and the headers that they need.
// Rules that span several operations are in lib/Dialect/Hopper;
// RegisterLayout.h has the layouts of this rung as plain data.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_HOPPER_H
#define HEDDLE_DIALECT_HOPPER_HOPPER_H

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "heddle/Dialect/Hopper/HopperDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "heddle/Dialect/Hopper/HopperAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Hopper/HopperTypes.h.inc"

#define GET_OP_CLASSES
#include "heddle/Dialect/Hopper/HopperOps.h.inc"

namespace heddle::hopper {

/// Groups of stores or products that a wait may leave in flight. An immediate
/// takes more; a model of the machine need not tell older groups apart.
inline constexpr int64_t kMostPending = 63;

} // namespace heddle::hopper

#endif // HEDDLE_DIALECT_HOPPER_HOPPER_H
