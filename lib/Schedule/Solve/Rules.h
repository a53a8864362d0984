//===- Rules.h - What a query asks of times, as links -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With II, roles and goals given, most rules are links between events: an
// operation's issue, and, where its unit has a queue, when that takes it up.
// What excludes each other modulo II is a disjunction: for each turn k, one
// side's links hold or the other's. What is counted (CumulativeResources.h) is
// not here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_RULES_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_RULES_H

#include "LongestPaths.h"
#include "Query.h"

namespace heddle::schedule {

/// Links that hold together.
using Links = std::vector<Arc>;

/// At least one of these holds.
using Clause = std::vector<Links>;

/// Two that exclude each other. At any turn k either the second, k iterations
/// later, follows the first by `first`, or the first follows it by `second`.
struct Exclusion {
  Links first, second; ///< at turn 0
};

class Rules {
public:
  explicit Rules(const Query &query);

  int events() const { return eventCount; }
  int issueOf(int op) const { return issues[op]; }
  int takeUpOf(int op) const { return takeUps[op]; }
  /// Where the end of reader `edge.to` is measured from, and how far it is.
  int endEventOf(const Dependence &edge) const;
  int64_t endDelayOf(const Dependence &edge) const;
  /// From its issue.
  int64_t birthDelayOf(int op) const;

  bool isAsynchronous(int op) const {
    return problem.units[problem.operations[op].unit].asynchronous;
  }
  /// Loads start when they are issued: the one process that issues them has
  /// nothing else to do. Unless nothing may be left out.
  bool hasQueue(int op) const {
    return isAsynchronous(op) &&
           (isComplete || !problem.operations[op].variableLatency);
  }

  /// The links that say that a slot of `ring` is free when it comes round.
  Links slotLinks(const Ring &ring, int64_t depth) const;
  /// The most slots that `ring` may have if the others have one each.
  int64_t mostSlots(const Ring &ring) const;

  const Problem &problem;
  const Roles &roles;
  const Goals &goals;
  const int64_t ii;
  const bool isComplete;

  Links links;
  std::vector<Exclusion> disjunctions;
  /// No schedule: an operation is longer than II, or a ring has no room.
  bool isImpossible = false;
  /// Some schedule has no two events farther apart, if there is any: where
  /// there is a longer pause than II and a link, all behind it can move up.
  int64_t apart = 0;

private:
  void addEvents();
  void addDependences();
  void addDelay(const Dependence &edge, int from, int read);
  void addCopies();
  void addRings();
  void addSteps();
  void addGoals();
  void addDisjunction(int a, int b);
  void addAnchors(const std::vector<std::pair<int, int>> &symmetric);

  bool sharesProcess(int a, int b) const {
    return roles.process[a] == roles.process[b];
  }

  int eventCount = 0;
  std::vector<int> issues, takeUps;
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_RULES_H
