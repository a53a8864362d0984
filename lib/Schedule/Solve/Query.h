//===- Query.h - One question about a schedule --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Is there a schedule with this II, these roles and these goals?"
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_QUERY_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_QUERY_H

#include "Roles.h"

#include "heddle/Schedule/Relation.h"

#include <optional>

namespace heddle::schedule {

/// What a schedule must reach beside being legal.
struct Goals {
  /// Cycles by which whatever an asynchronous unit works for or waits for may
  /// be late: an operation stands in its unit's queue that long before its
  /// turn, and its result lies there that long before it is read.
  int64_t slack = 0;
  /// How often the units with queues go over from one process to another.
  std::optional<int64_t> ownerChanges;
  /// Of a thread, in the process that holds the most.
  std::optional<int64_t> registers;
  /// Cycles from the first issue of an iteration to its last.
  std::optional<int64_t> longest;
  /// Sub-tile s of S does everything s II / S cycles after the first.
  bool inStep = false;
  /// What a person asks for.
  std::vector<Relation> relations;
};

enum class Mode {
  /// Loads do not wait in their unit's queue, and of two operations of such a
  /// unit one is issued first.
  Quick,
  /// Leave nothing out that is legal: what is refuted then has no schedule.
  Complete,
};

struct Query {
  const Problem &problem;
  const Roles &roles;
  int64_t ii;
  Goals goals;
  Mode mode = Mode::Quick;
};

enum class Reach { Found, Refuted, Unknown };

struct Reply {
  Reach answer = Reach::Unknown;
  Solution solution; ///< if found; verified by the caller
  uint64_t steps = 0;
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_QUERY_H
