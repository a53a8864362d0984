//===- ExportProblem.h - A loop as a scheduling problem -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop of a split, named kernel and the costs of a machine. Out: the
// scheduling problem as plain data, and the op behind each of its operations.
// Solvers and certifiers know no MLIR, so every fact about a program that a
// schedule must respect has to be in the problem.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_EXPORTPROBLEM_H
#define HEDDLE_LIB_TRANSFORMS_EXPORTPROBLEM_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Schedule/Problem.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle {

/// A loop's problem, and the op behind each of its operations.
struct LoopProblem {
  schedule::Problem problem;
  llvm::SmallVector<mlir::Operation *> ops;
  /// Slots for each of `operandsFromOutside`; their bytes are no longer in
  /// `problem.machine`.
  int64_t outerDepth = 1;
  /// Slots for each of `streamedLoads`, likewise; 0 where they have no ring.
  int64_t streamDepth = 0;
};

/// An op of an iteration that makes a number of a tile, or reads one that the
/// kernel may write, for others of the iteration; null if there is none. Only
/// the process that runs it knows the number: rings carry tiles.
mlir::Operation *numberOfOneProcess(mlir::scf::ForOp loop);

/// True for a loop or a conditional that only computes numbers, from numbers
/// and from memory that the kernel never writes. Like any number it is repeated
/// by each process that reads what comes of it.
bool isControlOfNumbers(mlir::Operation *op);

/// True if `loop` has work for an asynchronous unit, no loop of tiles inside
/// and nothing that processes would have to tell one another but tiles: a loop
/// worth pipelining.
bool isPipelined(mlir::scf::ForOp loop);

/// Loads outside the pipelined loops that only feed dots inside: they travel
/// through rings of their own, like the loads inside.
llvm::SmallVector<tile::LoadOp> operandsFromOutside(tile::KernelOp kernel);

/// Operands that threads make outside the pipelined loops, for products inside.
llvm::SmallVector<tile::StageOp> stagedOutside(tile::KernelOp kernel);

/// Exports `loop` (split and named) with the costs of a machine. On one with
/// tensor memory, products leave their results there. `storing` processes keep
/// shared memory to store through; 0 is one for each sub-tile, the most.
LoopProblem exportProblem(tile::KernelOp kernel, mlir::scf::ForOp loop,
                          const machine::Costs &costs, int64_t storing = 0);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_EXPORTPROBLEM_H
