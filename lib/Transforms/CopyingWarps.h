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

/// Is the interval of one of the kernel's loops what copies by threads take,
/// but for the model's error, and can so many groups divide all tiles of rows
/// that threads copy in whole accesses?
bool wantsCopiers(tile::KernelOp kernel, llvm::ArrayRef<SolvedLoop> loops,
                  const machine::Costs &costs, int64_t groups);

/// Gives copies by threads the times that they take if a process of
/// `groupsOf` of them has so many groups.
void divideCopies(LoopProblem &exported, const machine::Costs &costs,
                  llvm::function_ref<int64_t(tile::LoadOp)> groupsOf);

/// Gives the processes that copy by threads so many groups and the registers
/// that copies take, and the others what that leaves; one group is what they
/// have, and takes registers of others later. False where that is no schedule
/// of `problem`, which is the loop's.
bool widenCopiers(const LoopProblem &exported, const schedule::Problem &problem,
                  int64_t groups, const machine::Costs &costs,
                  schedule::Solution &solution);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_COPYINGWARPS_H
