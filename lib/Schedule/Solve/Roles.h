//===- Roles.h - Who does what, and which loads share a ring ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem and a number of processes. Out: everything of a schedule except
// its times: which process does what, registers, and which loads share a ring.
// The heuristic and the lists of candidates take their roles from here, so
// times found by one fit the divisions of the other.
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
  /// Each process gets the registers that its times need, and together they
  /// have what a launch allocates. Else each has what it says.
  bool sharesRegisters = false;
};

/// Operations of variable latency in a process of their own, sub-tile s in
/// compute process s mod `compute`; registers shared out evenly, in eights.
Roles rolesFor(const Problem &problem, int compute);

/// Registers of a lane that a launch of so many groups of four warps allocates:
/// it gives all threads as many, in eights.
int64_t launchedRegisters(const Problem &problem, int64_t groups);

/// Registers of a thread for each process of `roles` that holds results, if all
/// of these get as many.
int64_t evenShare(const Problem &problem, const Roles &roles);

/// Loads that feed an operation together share a ring, and those for several
/// products that add to one sum, and small ones share that of a large one that
/// is read before; depths are 1.
std::vector<Ring> chooseRings(const Problem &problem);

/// For each operation, the first of those that can only be in one process with
/// it.
std::vector<int> inseparableClasses(const Problem &problem);

/// What the result of `op` takes where processes share it; 0 if they cannot.
int64_t handedOverBytes(const Problem &problem, int op);

/// The smallest depth of each ring that the timetable allows.
void fitRings(const Problem &problem, Solution &solution);

/// Gives every ring one slot more as long as shared memory has room for all.
void fillSharedMemory(const Problem &problem, std::vector<Ring> &rings);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_ROLES_H
