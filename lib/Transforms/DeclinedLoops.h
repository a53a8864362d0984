//===- DeclinedLoops.h - Says why a loop is not pipelined -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel after scheduling was considered. Out: remarks. A loop that is
// not pipelined gives right results slowly, which nobody notices; the remark
// names the operation that stands in the way, and how to write the loop without
// it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_DECLINEDLOOPS_H
#define HEDDLE_LIB_TRANSFORMS_DECLINEDLOOPS_H

#include "ExportProblem.h"

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle {

/// Remarks on every loop of `kernel` that loads or multiplies tiles in program
/// order, and on the kernel if that leaves it one process.
void reportDeclinedLoops(tile::KernelOp kernel);

/// An error: the loop has no schedule, with what a person can change: where it
/// is steered, the pins, which no schedule keeps.
llvm::LogicalResult reportUnsolved(mlir::scf::ForOp loop,
                                   const LoopProblem &exported,
                                   llvm::StringRef reason, bool isSteered);

/// A remark that shorter intervals than `ii` were not excluded, unless the
/// bound leaves no gap.
void reportGap(mlir::scf::ForOp loop, const schedule::Problem &problem,
               int64_t ii);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_DECLINEDLOOPS_H
