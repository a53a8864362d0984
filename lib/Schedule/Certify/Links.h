//===- Links.h - Which event cannot happen long after which -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The events of a loop are the issue of each operation and, on units that keep
// a queue, its being taken up. Every legal schedule keeps
//
//   time(to) + distance * II - time(from) >= delay
//
// for every link of the problem. Their delays are never negative; distances may
// be.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_CERTIFY_LINKS_H
#define HEDDLE_LIB_SCHEDULE_CERTIFY_LINKS_H

#include "heddle/Schedule/Certify.h"

#include <optional>

namespace heddle::schedule {

/// An operation's issue, or its being taken up where that is something else.
struct Event {
  int op = 0;
  bool isTakeUp = false;
  bool operator==(const Event &) const = default;
};

/// A link and what it joins.
struct Joint {
  Link link;
  Event from, to;
};

/// The link that `rule` gives for a dependence or operation, if it gives one.
std::optional<Joint> jointOf(const Problem &problem, Link::Rule rule,
                             int index);

/// All links of a problem, in the order of rules and indices.
std::vector<Joint> jointsOf(const Problem &problem);

/// Does the result of `op` go through slots that take memory?
bool takesSlots(const Problem &problem, int op);

/// The most slots that a ring with the results of `op` can have, if one with
/// those of `other` has `slots` at least; all others that are read need one.
int64_t slotsFor(const Problem &problem, int op, int other = -1,
                 int64_t slots = 1);

/// Must the operations of `edge` be in one process?
bool staysInProcess(const Problem &problem, const Dependence &edge);

/// Whatever the schedule, since loads are kept apart.
bool crossesAnyway(const Problem &problem, const Dependence &edge);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_CERTIFY_LINKS_H
