//===- Chains.h - Chains of constraints that close --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constraint says that `to` starts at least `delay` cycles after `from`,
// `distance` iterations later. Constraints that close to a cycle bound II from
// below by the sum of their delays over the sum of their distances.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_EXPLAIN_CHAINS_H
#define HEDDLE_LIB_SCHEDULE_EXPLAIN_CHAINS_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

struct Constraint {
  /// Why it holds.
  enum Kind {
    Data,     ///< `to` reads the result of `from`
    Order,    ///< the problem asks for it
    Issue,    ///< one process issues both
    Unit,     ///< one unit executes both
    Slot,     ///< `to` fills the slot that `from` reads
    Registers ///< `to` writes the registers that `from` reads
  } kind = Data;
  int from = 0, to = 0;
  int64_t delay = 0, distance = 0;
  int ring = -1; ///< Slot
};

/// What the problem itself asks for, whoever does what.
std::vector<Constraint> constraintsOf(const Problem &problem);

/// What holds once processes, rings and the order on each resource are those of
/// `solution`.
std::vector<Constraint> constraintsOf(const Problem &problem,
                                      const Solution &solution);

/// Cycles that are left between both ends of a constraint.
int64_t slackOf(const Constraint &constraint, const Solution &solution);

/// A cycle of constraints that excludes every interval below `ii`; empty if
/// there is none.
std::vector<Constraint> findRecurrence(const std::vector<Constraint> &all,
                                       int operations, int64_t ii);

/// The least interval that no cycle of constraints excludes; `possible` is one
/// that none does.
int64_t recurrenceBound(const std::vector<Constraint> &all, int operations,
                        int64_t possible);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_EXPLAIN_CHAINS_H
