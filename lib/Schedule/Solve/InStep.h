//===- InStep.h - Sub-tiles that do the same in turn ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the operations of a problem. Out: which of them do the same for different
// sub-tiles, and how far apart they are where sub-tiles are in step. Processes
// in step can run one code, and a search for such schedules places the
// operations of one sub-tile only.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_INSTEP_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_INSTEP_H

#include "heddle/Schedule/Solve.h"

#include <string>
#include <vector>

namespace heddle::schedule {

/// The operation's name without its sub-tile's number.
std::string baseName(const Operation &operation);

/// For each operation the one that does the same for sub-tile 0; -1 if there is
/// none, or if it is that one.
std::vector<int> findLeaders(const Problem &problem);

/// How long after its leader an operation of sub-tile `sub` comes, where
/// sub-tiles are in step.
int64_t stepOf(const Problem &problem, int64_t ii, int sub);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_INSTEP_H
