//===- Query.h - One question about a schedule to the SMT solver --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Is there a schedule with this II, these roles and these goals?" Times are
// integers; a sum of products with the constant II takes the place of modulo.
// Nothing of the SMT solver shows here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_QUERY_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_QUERY_H

#include "Blocks.h"
#include "Roles.h"

#include <optional>

namespace heddle::schedule {

/// What a schedule must reach beside being legal.
struct Goals {
  /// Cycles by which whatever an asynchronous unit works for or waits for may
  /// be late: an operation stands in its unit's queue that long before its
  /// turn, and its result lies there that long before it is read.
  int64_t slack = 0;
  /// Cycles from the first issue of an iteration to its last result.
  std::optional<int64_t> longest;
};

struct Query {
  const Problem &problem;
  const Roles &roles;
  const std::vector<Block> &blocks;
  int64_t ii;
  Goals goals;
};

enum class Answer { Found, Refuted, Unknown };

struct Reply {
  Answer answer = Answer::Unknown;
  Solution solution; ///< if found; verified by the caller
  uint64_t steps = 0;
};

/// Asks in a fresh context, so that the same query gets the same reply.
Reply ask(const Query &query, uint64_t steps);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_QUERY_H
