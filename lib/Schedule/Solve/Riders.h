//===- Riders.h - Small loads in the slots of large ones ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_RIDERS_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_RIDERS_H

#include "heddle/Schedule/Problem.h"

#include <vector>

namespace heddle::schedule {

/// Puts small loads into the slots of large ones that the same processes have
/// waited for when they come to read them: a ring less to wait for, to count
/// and to give back. Rings stay in order, and keep the large one's name.
void letSmallRide(const Problem &problem, std::vector<Ring> &rings);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_RIDERS_H
