//===- Roles.h - Who does what, and which loads share a ring ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_ROLES_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_ROLES_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// A solution without its times.
struct Roles {
  std::vector<int> process; ///< of each operation
  std::vector<Process> processes;
  std::vector<Ring> rings; ///< with depth 1
};

/// Operations of variable latency in a process of their own, sub-tile s in
/// compute process s mod `compute`; registers shared out evenly, in eights.
Roles rolesFor(const Problem &problem, int compute);

/// The bytes of one slot.
int64_t slotBytes(const Problem &problem, const Ring &ring);

/// Gives every ring one slot more as long as shared memory has room for all.
void fillSharedMemory(const Problem &problem, std::vector<Ring> &rings);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_ROLES_H
