//===- CopyingWarps.h - How many warps copy what TMA cannot -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view that no launch can make has no descriptor, so the threads of the
// loading process copy its tiles: four warps, unless a plan or a mapping says
// that these are more groups, each of which copies its part at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_COPYINGWARPS_H
#define HEDDLE_LIB_TRANSFORMS_COPYINGWARPS_H

#include "ExportProblem.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle {

bool isCopiedByThreads(tile::LoadOp load);

/// Gives each copy by threads the time that it takes where its process has as
/// many groups as `groupsOf` says.
void divideCopies(LoopProblem &exported, const machine::Costs &costs,
                  llvm::function_ref<int64_t(tile::LoadOp)> groupsOf);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_COPYINGWARPS_H
