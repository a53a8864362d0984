//===- Certify.h - Is a schedule legal, and is it the best? -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second opinion on what a solver says. It is written from the meaning in
// Problem.h alone: it shares no code with the solvers, with schedule::verify or
// with the bounds they use, and links none of it. Schedules are unrolled into
// cycles; bounds come with a witness that a person can add up; an interval that
// only search can exclude becomes a query for any SMT solver.
// docs/rationale/certify.md has the arguments.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_CERTIFY_H
#define HEDDLE_SCHEDULE_CERTIFY_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// Empty if the timetable of `solution` breaks no rule of `problem`, else one
/// sentence that names the operations, iterations and cycles where it does.
std::string certify(const Problem &problem, const Solution &solution);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_CERTIFY_H
