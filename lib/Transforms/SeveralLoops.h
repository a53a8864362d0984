//===- SeveralLoops.h - The loops of a kernel, one after another -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the loops of a kernel, each with a schedule of its own. Out: what they
// have to agree on: a process that holds a tile behind one loop is the one that
// carries it on in the next, and all processes and rings together fit. It
// stands here because a problem describes a single loop.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_SEVERALLOOPS_H
#define HEDDLE_LIB_TRANSFORMS_SEVERALLOOPS_H

#include "ExportProblem.h"

#include "heddle/Plan/Choose.h"

namespace heddle {

/// A loop and its plan.
struct SolvedLoop {
  mlir::scf::ForOp loop;
  LoopProblem exported;
  plan::Loop described;
  plan::LoopPlan plan;
};

/// Pins operations of `later` to the processes that hold their operands behind
/// the `earlier` loops. False if its plan has them there already.
bool pinToHolders(llvm::ArrayRef<SolvedLoop> earlier, SolvedLoop &later);

/// The processes of all loops. Where they do not fit so many registers in a
/// lane of all warps, each has those that its results need.
std::vector<schedule::Process> processesOf(llvm::ArrayRef<SolvedLoop> loops,
                                           int64_t registers);

/// The registers of `processes` in a lane of all their warps.
int64_t registersOf(llvm::ArrayRef<schedule::Process> processes);

/// An error: there are fewer `registers` than their processes need.
mlir::LogicalResult reportCrowded(llvm::ArrayRef<SolvedLoop> loops,
                                  int64_t registers);

/// Shared memory that each loop leaves to the others, where their rings do not
/// fit it together: each gets as much as its iterations load. Empty: they fit.
std::vector<int64_t> leftToOthers(llvm::ArrayRef<SolvedLoop> loops);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_SEVERALLOOPS_H
