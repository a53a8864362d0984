//===- Flow.h - The flow dialect --------------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs of primitives on streams of tokens: sparse statements on a machine
// whose units are joined by queues. docs/rationale/flow.md has their meaning.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_FLOW_FLOW_H
#define HEDDLE_DIALECT_FLOW_FLOW_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace heddle::flow {

/// What the tokens of a stream carry.
enum class StreamKind { Crd, Ref, Val };

/// Whether a level of the type's storage is dense.
bool isDenseLevel(mlir::RankedTensorType type, int64_t level);

} // namespace heddle::flow

#include "heddle/Dialect/Flow/FlowDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Flow/FlowTypes.h.inc"

#define GET_OP_CLASSES
#include "heddle/Dialect/Flow/FlowOps.h.inc"

namespace heddle::flow {

/// Removes primitives whose streams nobody reads.
void dropUnused(GraphOp graph);

} // namespace heddle::flow

#endif // HEDDLE_DIALECT_FLOW_FLOW_H
