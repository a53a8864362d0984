//===- UnitRun.h - What a run on units shows --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a timed run of processes on units, which has no timetable beside it. Out:
// its sums as text, a trace, and a picture of some hundred cycles.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_UNITRUN_H
#define HEDDLE_TOOLS_UNITRUN_H

#include "heddle/Schedule/Trace.h"
#include "heddle/Simulator/Timing.h"

#include "llvm/Support/raw_ostream.h"

namespace heddle::tool {

/// Cycles, how busy each process was, and what caches and memory were asked.
void printUnits(const simulator::TimedRun &run, llvm::raw_ostream &out);

/// What each process did when.
schedule::Timeline timelineOf(const simulator::TimedRun &run);

/// For Chrome or Perfetto.
std::string traceUnits(const simulator::TimedRun &run);

/// As SVG, cycles from the middle of the run: what each process executes and
/// waits for, and the loads that it has under way.
std::string drawUnits(const simulator::TimedRun &run);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_UNITRUN_H
