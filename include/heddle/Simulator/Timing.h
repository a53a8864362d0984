//===- Timing.h - What a run costs, and what it did when --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the timed order each process has a clock. An operation with a name
// (sched.op) keeps its process busy for `issue` cycles, and so does a step of a
// ring; all others take no time. Processes that execute at the same time share
// the units of threads: what needs a unit for `reservation` of its `issue`
// cycles is slower while others need the rest, and while products take the
// registers' ports. What an asynchronous unit does
// waits there until it is free: a unit takes operations up in the order of
// their issue, one at a time.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SIMULATOR_TIMING_H
#define HEDDLE_SIMULATOR_TIMING_H

#include "heddle/Machine/Units.h"

#include "llvm/ADT/StringMap.h"

#include <limits>
#include <string>
#include <vector>

namespace heddle::simulator {

struct Cost {
  std::string unit;
  int64_t issue = 0;       ///< cycles the process is busy
  int64_t reservation = 0; ///< cycles the unit is busy
  int64_t latency = 0; ///< from issue, or from being taken up, to the result
  /// Of threads: cycles the process is busy while `Timing::slowing` executes.
  int64_t issueBeside = 0;
  /// By how much its latency may be longer.
  int64_t spread = 0;
  /// Of `Timing::slowing`: in how many instructions it is issued.
  int64_t instructions = 1;
};

struct Timing {
  llvm::StringMap<Cost> costs; ///< by sched.op
  /// From the last arrival at a slot until who waits for it goes on.
  int64_t handOver = 0;
  /// Of a process that acquires or gets a slot, besides waiting.
  int64_t ringStep = 0;
  /// The asynchronous unit that makes operations of threads slower; "" if none.
  std::string slowing;
  /// Its instructions that may wait there before who issues more waits, too.
  int64_t queue = std::numeric_limits<int64_t>::max();
  /// Between two processes that one arrival wakes, at the most.
  int64_t apart = 0;
  /// Of a conditional with a cost, beside what it executes.
  int64_t branch = 0;
  /// Of a kernel whose processes are on units: costs are on its operations, and
  /// this has the rest. Null for others.
  const machine::Units *units = nullptr;
};

/// How often a cache, or memory, was asked for a line.
struct MemoryUse {
  std::string name;
  int64_t asked = 0, hits = 0;
};

/// What happened in the timed order, by cycle.
struct TimedRun {
  /// An execution of a named operation; `number` counts those of its name.
  struct Execution {
    std::string op;
    unsigned process = 0;
    int64_t number = 0;
    int64_t issued = 0, issueEnd = 0;
    /// By an asynchronous unit: when it is busy, and when the result is there.
    bool asynchronous = false;
    int64_t taken = 0, unitEnd = 0, landed = 0;
    /// Its result stays in the process (a flight) rather than in a slot.
    bool isFlight = false;
  };
  struct Wait {
    unsigned process = 0;
    int64_t begin = 0, end = 0;
    std::string reason;
  };
  /// A turn of a ring.
  struct Turn {
    std::string ring;
    int64_t number = 0;
    int64_t acquired = 0, full = 0, read = -1, released = 0;
  };

  std::vector<std::string> processes;
  std::vector<Execution> executions; ///< in the order of their issue
  std::vector<Wait> waits;
  std::vector<Turn> turns;
  /// On units: cycles for which each process was busy, by process; what memory
  /// was asked for.
  std::vector<int64_t> busy;
  std::vector<MemoryUse> memory;
  int64_t cycles = 0;

  /// With Options::notesSteps: for how long each process had nothing to take,
  /// and no room for what it makes.
  std::vector<int64_t> starved, blocked;
  struct RingUse {
    std::string ring;
    unsigned producer = 0; ///< a process, as are its consumers
    std::vector<unsigned> consumers;
    int64_t turns = 0, slots = 0;
    int64_t most = 0; ///< slots in use at once
  };
  std::vector<RingUse> rings;
};

} // namespace heddle::simulator

#endif // HEDDLE_SIMULATOR_TIMING_H
