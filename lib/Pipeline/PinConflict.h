//===- PinConflict.h - Lines that cannot hold together ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: pinned lines for which no plan was found, and a way to ask about fewer of
// them. Out: a set of lines that no plan was found for either, while one was
// found without any one of them; and, for a line with a number, the nearest
// number for which one is found.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PIPELINE_PINCONFLICT_H
#define HEDDLE_LIB_PIPELINE_PINCONFLICT_H

#include "heddle/Machine/Costs.h"
#include "heddle/Pipeline/Rung.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace heddle::pipeline {

/// Lowers a tile program to a rung, the hopper rung at the lowest.
using LowerPinned = std::function<mlir::LogicalResult(mlir::ModuleOp, Rung)>;

bool hasPins(mlir::ModuleOp module);

/// `lower`, for a tile program whose kernels have pinned lines: where it fails,
/// says which of the lines cannot hold together. `to` is where the question
/// ends.
mlir::LogicalResult lowerPinned(mlir::ModuleOp module,
                                const machine::Costs &costs, Rung to,
                                const std::function<mlir::LogicalResult()> &run,
                                const LowerPinned &lower);

} // namespace heddle::pipeline

#endif // HEDDLE_LIB_PIPELINE_PINCONFLICT_H
