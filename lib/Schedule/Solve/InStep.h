//===- InStep.h - Sub-tiles that do the same in turn ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem, which says what does the same for different sub-tiles. Out:
// how far apart that is where sub-tiles are in step. Processes in step can run
// one code, and a search for such schedules places the operations of one
// sub-tile only.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_INSTEP_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_INSTEP_H

#include "heddle/Schedule/Solve.h"

namespace heddle::schedule {

/// The operation that does the same for sub-tile 0; `op` itself if it serves
/// that or none.
int leaderOf(const Problem &problem, int op);

/// How long after its leader an operation of sub-tile `sub` comes, where
/// sub-tiles are in step.
int64_t stepOf(const Problem &problem, int64_t ii, int sub);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_INSTEP_H
