//===- Relation.h - What is asked of a schedule beside the rules -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A person's question to the solver, as differences of times:
//
//   issued(dot) < issued(dot_2) < issued(dot_3)     an order of products
//   done(*) <= issued(*)@1                          no overlap of iterations
//   issued(dot)@1 < done(dot_3)                     overlap of these two
//
// `@1` is the next iteration. A name stands for the operation, or for all
// sub-tiles of it; `*` for all operations but loads. A relation holds within
// each sub-tile, not between them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_RELATION_H
#define HEDDLE_SCHEDULE_RELATION_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

enum class Event {
  Issued,  ///< by its process
  TakenUp, ///< by its unit
  Done,    ///< its result may be used
};

/// `to` of an iteration comes at least `delay` cycles after `from` of the
/// iteration `distance` before; both may be negative.
struct Relation {
  int from = 0, to = 0;
  Event fromEvent = Event::Issued, toEvent = Event::Issued;
  int64_t distance = 0, delay = 0;
};

/// Adds what `text` says of `problem`'s operations. Empty, or one sentence.
std::string parseRelations(const std::string &text, const Problem &problem,
                           std::vector<Relation> &relations);

bool holds(const Problem &problem, const Solution &solution,
           const Relation &relation);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_RELATION_H
