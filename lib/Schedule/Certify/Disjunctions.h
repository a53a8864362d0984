//===- Disjunctions.h - What holds, whoever goes first ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that exclude each other do so in all their iterations. So of `a`
// and the `b` of any number of iterations later, one leads and the other
// follows, and either is a few links:
//
//   unit       what leads is served before the other is taken up; if the unit
//              keeps a queue, it is also issued no later
//   process    what leads is issued before the other
//   registers  who reads what leads is done before the other is born
//
// Of two rings, either one has so few slots, or the other what is left of
// memory beside a slot more.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_CERTIFY_DISJUNCTIONS_H
#define HEDDLE_LIB_SCHEDULE_CERTIFY_DISJUNCTIONS_H

#include "Links.h"

namespace heddle::schedule {

class DisjunctionRules {
public:
  explicit DisjunctionRules(const Problem &problem);

  /// All pairs, with turn 0; those of slots with each number that matters.
  std::vector<Disjunction> all() const;

  /// Does the rule keep the two apart?
  bool holds(const Disjunction &disjunction) const;

  /// What is assumed where `first` leads, or where `second` does.
  std::vector<Joint> linksOf(const Disjunction &disjunction,
                             bool firstLeads) const;

  /// What an anchor assumes: `second` of the same iteration follows `first`,
  /// and that of the iteration before leads.
  std::vector<Joint> anchor(Disjunction disjunction) const;

  /// "'a' before or after 'b' of 1 iteration later on unit 'alu'".
  std::string describe(const Disjunction &disjunction) const;

  /// II is at least that, since nothing overlaps its own next iteration.
  int64_t shortestInterval() const;

private:
  bool isAsynchronous(int op) const;
  bool excludeInRegisters(int first, int second) const;
  bool surelyLives(int op) const;
  int64_t birthOf(int op) const;
  std::vector<Joint> deathBeforeBirth(int dying, int born, int64_t turn) const;
  std::vector<Joint> comesRound(int op, int64_t slots) const;

  const Problem &problem;
  std::vector<int> classOf;  ///< operations that share a process anyway
  std::vector<int64_t> held; ///< registers that a class holds all the time
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_CERTIFY_DISJUNCTIONS_H
