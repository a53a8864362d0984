//===- Placements.h - Which process does what, where it is free ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem whose results may change processes. Out: the divisions of
// labour over a number of processes, other than by sub-tiles. Machines with
// tensor memory allow them. They are listed apart from Candidates.h, because
// their number is exponential and the list has to be cut.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_PLACEMENTS_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_PLACEMENTS_H

#include "Roles.h"

namespace heddle::schedule {

/// Is there a choice of processes beside the division of the sub-tiles?
bool isPlacementFree(const Problem &problem);

/// Whether some operations belong to no sub-tile and may part from all that do:
/// a process of their own has work without the sub-tiles being divided further.
bool hasWholeClass(const Problem &problem);

/// Classes of operations that cannot part, without those of loads.
int countClasses(const Problem &problem);

struct Placements {
  /// Fewest bytes across processes first.
  std::vector<Roles> all;
  /// There are more than were listed.
  bool isCut = false;
};

/// Every division of labour over exactly `compute` processes, beside that of
/// the loads, none of which issues for longer than `ii`.
Placements findPlacements(const Problem &problem, int compute, int64_t ii);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_PLACEMENTS_H
