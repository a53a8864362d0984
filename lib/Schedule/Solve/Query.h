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

#include "heddle/Schedule/Relation.h"

#include <optional>

namespace heddle::schedule {

/// What a schedule must reach beside being legal.
struct Goals {
  /// Bytes of results that other processes read, without what was loaded.
  std::optional<int64_t> bytes;
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
  /// What a person asks for.
  std::vector<Relation> relations;
};

enum class Mode {
  /// Few iterations under way, one copy of a result, small ones counted always.
  Quick,
  /// Besides, all sub-tiles do the same, some cycles apart.
  Regular,
  /// Leave nothing out that is legal: what is refuted then has no schedule if
  /// the blocks are single operations.
  Complete,
};

struct Query {
  const Problem &problem;
  const Roles &roles;
  const std::vector<Block> &blocks;
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

/// Asks in a fresh context, so that the same query gets the same reply.
Reply ask(const Query &query, uint64_t steps);

/// The same question as an SMT-LIB 2 script.
std::string toSmtLib(const Query &query);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_QUERY_H
