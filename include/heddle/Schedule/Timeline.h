//===- Timeline.h - Who does what in which cycle ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some iterations of one loop, written out over cycles: what each process is
// busy with and what it waits for, what each asynchronous unit executes, and
// what the slots of each ring hold. Pictures and traces are drawn from this
// alone, so a predicted run and an executed one look the same.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_TIMELINE_H
#define HEDDLE_SCHEDULE_TIMELINE_H

#include "heddle/Schedule/Problem.h"

namespace heddle::schedule {

/// One execution of an operation, or a part of it: cycles [begin, end).
struct Span {
  int operation = 0;
  int64_t iteration = 0;
  int64_t begin = 0, end = 0;
};

/// A process is idle in [begin, end) and cannot go on before `end`.
struct WaitSpan {
  int process = 0;
  int64_t begin = 0, end = 0;
  std::string reason; ///< what it waits for, a noun
};

enum class SlotState {
  Filling, ///< acquired, not all of its values have arrived
  Full,    ///< nobody reads it yet
  Read,    ///< from its first reader's start until it is given back
};

struct SlotSpan {
  int ring = 0;
  int64_t slot = 0;
  int64_t iteration = 0;
  int64_t begin = 0, end = 0;
  SlotState state = SlotState::Filling;
};

struct Timeline {
  struct Operation {
    std::string name;
    int unit = 0, process = 0;
    int64_t start = 0;   ///< issue cycle of iteration 0
    int64_t latency = 0; ///< cycles from there until the result is waited for
    int64_t stage = 0;
  };
  struct Ring {
    std::string name;
    int64_t depth = 1;
    int64_t slotBytes = 0;
  };

  std::string kernel, loop;
  int64_t interval = 0; ///< II
  int64_t stages = 1;
  /// Several iterations are under way at a time; otherwise the loop's body is
  /// one process's program, whose length is the interval.
  bool isPipelined = true;

  std::vector<Operation> operations;
  std::vector<Unit> units;
  std::vector<Process> processes;
  std::vector<Ring> rings;
  std::vector<int64_t> work; ///< of each unit: cycles it is busy an iteration

  std::vector<Span> issued;   ///< a process is busy with it
  std::vector<Span> executed; ///< an asynchronous unit is busy with it
  /// From the issue of what an asynchronous unit does until its result, which
  /// stays in the process, may be read.
  std::vector<Span> inFlight;
  std::vector<WaitSpan> waits;
  std::vector<SlotSpan> slots;
};

/// Iterations [first, first + count) of `solution`, with iteration 0 beginning
/// at cycle 0; the steady state is any window in which neither end shows.
Timeline unroll(const Problem &problem, const Solution &solution, int64_t first,
                int64_t count);

/// Fills in `execution`: each asynchronous unit takes operations up in the
/// order of their issue, one at a time, as in the steady state.
void queueUp(const Problem &problem, Solution &solution);

/// A solution for `problem` in which one process executes the operations one
/// after the other, as early as their operands allow; II is its length.
Solution inProgramOrder(const Problem &problem, const Process &process);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_TIMELINE_H
