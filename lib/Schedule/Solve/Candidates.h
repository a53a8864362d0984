//===- Candidates.h - Divisions of labour worth a query -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem, a wish and an interval. Out: the divisions of labour to ask
// about, or the reason why there are none. The search decides times only; it
// gets the roles from here, in an order in which the first answer is the best,
// and learns whether the list was complete, without which nothing is refuted.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_CANDIDATES_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_CANDIDATES_H

#include "Roles.h"

#include "heddle/Schedule/Solve.h"

namespace heddle::schedule {

struct Candidates {
  std::vector<Roles> roles;
  /// Why no choice of times can make a schedule of another one that was thought
  /// of; empty if there was none.
  std::string impossible;
  /// There are more than were listed.
  bool isCut = false;
};

/// Those that `wish` allows at an interval, fewest processes first: the
/// divisions of the sub-tiles, and, where results may change processes, any
/// division at all over as few as can issue it, fewest bytes across first.
Candidates candidatesAt(const Problem &problem, const Wish &wish, int64_t ii);

/// All that `wish` allows, for questions whose refutation is to be one: any
/// number of processes, if it names none, and a ring for each value, which is
/// never worse than a shared one.
Candidates everythingAt(const Problem &problem, const Wish &wish, int64_t ii);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_CANDIDATES_H
