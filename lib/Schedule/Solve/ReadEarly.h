//===- ReadEarly.h - Results are read before long work, not after -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a schedule. Out: the same with readers of asynchronous results in front
// of long work of their process. The model does not tell the two places apart,
// but ptxas does, so no solver has a reason to choose the better one; it is
// chosen afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_READEARLY_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_READEARLY_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// Moves what reads results of asynchronous units in front of other work of its
/// process, as far as it is legal. II, processes, and when units take work up
/// stay.
void readEarly(const Problem &problem, Solution &solution);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_READEARLY_H
