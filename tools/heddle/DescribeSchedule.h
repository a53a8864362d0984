//===- DescribeSchedule.h - A solver's schedule in a few lines --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem and its solution go in; a few lines for each process, queue and
// ring come out. `heddle solve` works on the solver's own data, which may come
// from a JSON file without a program, so there is no sched.plan for
// ScheduleTable.h to show.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_DESCRIBESCHEDULE_H
#define HEDDLE_TOOLS_HEDDLE_DESCRIBESCHEDULE_H

#include "heddle/Schedule/Problem.h"

#include "llvm/Support/raw_ostream.h"

namespace heddle::tool {

/// What each process issues and each queue holds in one interval, in order; the
/// shortest operations are only counted. `@S` is the stage.
void describeSchedule(const schedule::Problem &problem,
                      const schedule::Solution &solution, int64_t slack,
                      llvm::raw_ostream &os);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_DESCRIBESCHEDULE_H
