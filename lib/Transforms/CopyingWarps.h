//===- CopyingWarps.h - How many warps copy what TMA cannot -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view that no launch can make has no descriptor, so the threads of the
// loading process copy its tiles. How many groups of four warps these are is a
// choice of the plan: each copies its part at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_COPYINGWARPS_H
#define HEDDLE_LIB_TRANSFORMS_COPYINGWARPS_H

#include "SeveralLoops.h"

#include "heddle/Schedule/Solve.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle {

bool isCopiedByThreads(tile::LoadOp load);

/// Whether copies by threads take all of the interval of one of the kernel's
/// loops, but for the model's error, and `groups` groups can divide each tile
/// of rows that threads copy into whole accesses.
bool wantsCopiers(tile::KernelOp kernel, llvm::ArrayRef<SolvedLoop> loops,
                  const machine::Costs &costs, int64_t groups);

/// Gives each copy by threads the time that it takes where its process has as
/// many groups as `groupsOf` says.
void divideCopies(LoopProblem &exported, const machine::Costs &costs,
                  llvm::function_ref<int64_t(tile::LoadOp)> groupsOf);

/// Gives the processes that copy by threads `groups` groups and the registers
/// that copies take, and the others what that leaves; with one group nothing
/// changes here. False where that is no schedule of `problem`, which is the
/// loop's.
bool widenCopiers(const LoopProblem &exported, const schedule::Problem &problem,
                  int64_t groups, const machine::Costs &costs,
                  schedule::Solution &solution);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_COPYINGWARPS_H
