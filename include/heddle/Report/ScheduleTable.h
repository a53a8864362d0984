//===- ScheduleTable.h - A schedule as text ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sched.plan goes in; a table comes out, with a column for each process and a
// row for each cycle in which something starts. The plan's own text form has a
// line for each operation, which does not show the processes beside each other.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_REPORT_SCHEDULETABLE_H
#define HEDDLE_REPORT_SCHEDULETABLE_H

#include "heddle/Dialect/Sched/Sched.h"

namespace heddle::tool {

/// Processes are columns, cycles run downwards:
///
///   loop k: an iteration every 1024 cycles
///    cycle  stage  load          mma.0
///        0      0  a (tma, 600)
///     1100      1                dot (tensor, 1024)
void printSchedule(sched::PlanOp plan, llvm::raw_ostream &os);

} // namespace heddle::tool

#endif // HEDDLE_REPORT_SCHEDULETABLE_H
