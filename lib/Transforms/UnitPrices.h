//===- UnitPrices.h - What an operation takes on a unit ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation of the tile or the aref rung, and a unit of a machine. Out:
// cycles. What is decided before there are rings and what runs are timed by
// count with the same numbers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_UNITPRICES_H
#define HEDDLE_LIB_TRANSFORMS_UNITPRICES_H

#include "heddle/Machine/Units.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeRange.h"

namespace heddle {

/// What a value takes in memory or in a slot; elements take whole bytes.
int64_t bytesInSlot(mlir::Type type);

class UnitPrices {
public:
  explicit UnitPrices(const machine::Unit &unit) : unit(unit) {}

  /// How long the unit is busy with it.
  int64_t issueOf(mlir::Operation *op) const;
  /// When what it makes may be read; 0 if at once.
  int64_t latencyOf(mlir::Operation *op) const;
  /// What a turn brings, beside the turn: a number each, and each vector of
  /// tiles.
  int64_t takeOf(mlir::TypeRange payload) const {
    return turnOf(payload, unit.access) - unit.turn;
  }

private:
  int64_t vectorsOf(mlir::TypeRange types) const;
  int64_t turnOf(mlir::TypeRange payload, int64_t perVector) const;

  const machine::Unit &unit;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_UNITPRICES_H
