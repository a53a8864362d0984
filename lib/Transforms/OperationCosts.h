//===- OperationCosts.h - What one operation costs on a machine -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation on tiles. Out: its unit, latency, issue time and registers
// on a machine. The export of problems, the estimate of tiles and the decision
// on longer tiles all count by these numbers: two tables would rank a program
// differently from the way it is scheduled.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_OPERATIONCOSTS_H
#define HEDDLE_LIB_TRANSFORMS_OPERATIONCOSTS_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Schedule/Problem.h"

namespace heddle {

/// The units of every exported problem, in this order.
enum UnitIndex { kTma, kTensor, kAlu, kSpecial };
std::vector<schedule::Unit> unitsOfMultiprocessor();

/// Ops that make no work: their result is read where it is needed.
bool isFree(mlir::Operation *op);

int64_t subOf(mlir::Operation *op);
int64_t tileBytes(mlir::RankedTensorType type);

/// Registers of a thread for a tile that a process of four warps holds whole.
int64_t registersOf(mlir::RankedTensorType type, const machine::Costs &costs);

/// Name, sub-tile, unit and times of `op`, without what its result takes.
schedule::Operation describe(mlir::Operation *op, const machine::Costs &costs);

/// The steps of 32 bytes of K that a product is issued in; 1 for other
/// operations.
int64_t stepsOf(mlir::Operation *op);

/// By how many steps `op`, a product, is longer than the queue of its unit, or
/// shorter if less than 0; 0 for other operations.
int64_t beyondQueue(mlir::Operation *op, const machine::Costs &costs);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_OPERATIONCOSTS_H
