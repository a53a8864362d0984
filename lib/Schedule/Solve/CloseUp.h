//===- CloseUp.h - No operation waits whole intervals for nothing -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_CLOSEUP_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_CLOSEUP_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// Moves operations by whole intervals to where their results are read, those
/// that do the same for each sub-tile alike. II, processes and what happens when
/// in an interval stay.
void closeUp(const Problem &problem, Solution &solution);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_CLOSEUP_H
