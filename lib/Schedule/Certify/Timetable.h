//===- Timetable.h - A schedule unrolled into cycles ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enough iterations, in absolute cycles, to see everything that can happen.
// What one iteration does lies within `span` cycles, hand-overs included, so
// iterations span / II + 1 apart do not meet: whatever pair of events breaks a
// rule, a pair shifted by whole iterations does so among those unrolled. And in
// the last but one of them every life that reaches into it has begun, so counts
// are those of the steady state.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_CERTIFY_TIMETABLE_H
#define HEDDLE_LIB_SCHEDULE_CERTIFY_TIMETABLE_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// Something one iteration of an operation does from one cycle to another.
struct Stretch {
  int64_t begin = 0, end = 0; ///< [begin, end)
  int op = 0;
  int64_t iteration = 0;
};

class Timetable {
public:
  /// `solution` has the right shape.
  Timetable(const Problem &problem, const Solution &solution);

  int64_t iterations() const { return unrolled; }

  int64_t issued(int op, int64_t iteration) const;
  int64_t takenUp(int op, int64_t iteration) const;
  /// The last cycle + 1 in which it reads its operands.
  int64_t doneReading(int op, int64_t iteration) const;
  /// When a process that waits for it goes on.
  int64_t awaited(int op, int64_t iteration) const;
  /// From when on its result takes room.
  int64_t born(int op, int64_t iteration) const;
  /// When its last reader is done; its birth if there is none.
  int64_t dead(int op, int64_t iteration) const;

  bool isAsynchronous(int op) const;

  std::vector<Stretch> reservationsOn(int unit) const;
  std::vector<Stretch> issuesOf(int process) const;

private:
  const Problem &problem;
  const Solution &solution;
  int64_t unrolled = 0;
};

/// An overlap of two stretches, or nothing.
struct Overlap {
  bool found = false;
  Stretch first, second;
};
Overlap findOverlap(std::vector<Stretch> stretches);

/// The most that lie over one cycle, `weight` each.
struct Load {
  int64_t begin = 0, end = 0, weight = 0;
};
struct Peak {
  int64_t amount = 0, cycle = 0;
};
Peak findPeak(const std::vector<Load> &loads);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_CERTIFY_TIMETABLE_H
