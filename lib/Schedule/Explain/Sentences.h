//===- Sentences.h - What binds a schedule, in words ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem with its solution, or the timeline of a loop in program order.
// Out: sentences in plain words. They are computed from the constraints anew,
// because a schedule that a person has edited has no solver that could say what
// binds it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_EXPLAIN_SENTENCES_H
#define HEDDLE_LIB_SCHEDULE_EXPLAIN_SENTENCES_H

#include "heddle/Schedule/Timeline.h"

namespace heddle::schedule {

/// What keeps II where it is, what is idle, what is tight, what memory and
/// registers are taken.
std::vector<std::string> describePipeline(const Problem &problem,
                                          const Solution &solution);

/// The same of a loop that one process executes in order.
std::vector<std::string> describeOrder(const Timeline &timeline);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_EXPLAIN_SENTENCES_H
