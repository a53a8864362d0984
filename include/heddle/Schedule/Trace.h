//===- Trace.h - Timelines as a trace file ----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The trace event format of Chrome and Perfetto, which knows processes with
// threads, and microseconds. Here one of its processes is one timeline, its
// threads are the timeline's processes and units, its counters the rings, and a
// microsecond is a cycle.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_TRACE_H
#define HEDDLE_SCHEDULE_TRACE_H

#include "heddle/Schedule/Timeline.h"

namespace heddle::schedule {

/// JSON that shows the timelines under one another, from cycle 0. `names` say
/// where each comes from.
std::string writeTrace(const std::vector<Timeline> &timelines,
                       const std::vector<std::string> &names);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_TRACE_H
