//===- TimedSimulation.h - A run beside its schedule ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedule's model says what operations cost; the simulator executes the
// processes at these costs. What comes out is compared with the schedule.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_TIMEDSIMULATION_H
#define HEDDLE_TOOLS_HEDDLE_TIMEDSIMULATION_H

#include "heddle/Evaluate/TimingModel.h"

#include "llvm/Support/raw_ostream.h"

namespace heddle::tool {

/// What is kept of the sched rung when the program is lowered further.
void printIntervals(const evaluate::TimingModel &model,
                    const simulator::TimedRun &run, llvm::raw_ostream &os);

/// The trace of each loop's table and of the run.
std::string traceBoth(const evaluate::TimingModel &model,
                      const simulator::TimedRun &run);

/// The steady state of the pipelined loops, as it ran.
std::string drawRun(const evaluate::TimingModel &model,
                    const simulator::TimedRun &run);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_TIMEDSIMULATION_H
