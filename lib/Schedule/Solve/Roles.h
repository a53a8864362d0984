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
  std::vector<int> process; ///< of each operation; empty: any that is legal
  std::vector<Process> processes;
  std::vector<Ring> rings; ///< with depth 1
  /// Where operations may be anywhere: the first process is for those of
  /// variable latency, and they are in no other.
  bool hasLoader = false;

  bool areFree() const { return process.empty(); }
};

/// Operations of variable latency in a process of their own, sub-tile s in
/// compute process s mod `compute`; registers shared out evenly, in eights.
Roles rolesFor(const Problem &problem, int compute);

/// A pool of `compute` processes beside that of the loads.
Roles freeRoles(const Problem &problem, int compute);

/// For each operation, the first of those that can only be in one process with
/// it.
std::vector<int> inseparableClasses(const Problem &problem);

/// Is there a choice of processes beside the division of the sub-tiles?
bool isPlacementFree(const Problem &problem);

/// What the result of `op` takes where processes share it; 0 if they cannot.
int64_t handedOverBytes(const Problem &problem, int op);
/// Of a column of tensor memory: 128 lanes of 32 bits.
inline constexpr int64_t kColumnBytes = 512;

/// The bytes of one slot.
int64_t slotBytes(const Problem &problem, const Ring &ring);

/// The smallest depth of each ring that the timetable allows.
void fitRings(const Problem &problem, Solution &solution);

/// Gives every ring one slot more as long as shared memory has room for all.
void fillSharedMemory(const Problem &problem, std::vector<Ring> &rings);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_ROLES_H
