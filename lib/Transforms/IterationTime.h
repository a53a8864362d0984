//===- IterationTime.h - How long an iteration takes on a machine -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before there is a schedule: what no schedule can be much better than.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_ITERATIONTIME_H
#define HEDDLE_LIB_TRANSFORMS_ITERATIONTIME_H

#include "heddle/Machine/Costs.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle {

/// Cycles from an iteration of `loop`, which loads and multiplies, to the next
/// if the tiles of `count` iterations were one. Infinite if two of them do not
/// fit in shared memory.
double iterationCycles(mlir::scf::ForOp loop, const machine::Costs &costs,
                       int64_t count);

/// How many iterations had best be one: 1 unless the model promises enough.
/// `extent` is that of one iteration's tiles along the axis that gets longer.
int64_t chooseJoined(mlir::scf::ForOp loop, const machine::Costs &costs,
                     int64_t extent);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_ITERATIONTIME_H
