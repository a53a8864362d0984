//===- Simulator.h - Runs processes joined by rings -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes one kernel of the aref rung on the CPU, as its one worker. What each
// step waits for and does is written in docs/rationale/aref.md; what an
// operation computes is the oracle's. The order in which processes step and
// asynchronous work lands is a policy, so that one program can be tried in many
// orders, each of them reproducible.
//
// Errors are diagnostics at the program's lines: a deadlock with who waits for
// whom, a value read before it landed or after its slot was given back, a token
// used twice, processes that disagree on the number of turns. They follow from
// what the program waits for, not from luck: the same program is at fault under
// every policy wherever control flow is the same.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SIMULATOR_SIMULATOR_H
#define HEDDLE_SIMULATOR_SIMULATOR_H

#include "heddle/Interp/Interp.h"

namespace heddle::simulator {

struct Timing;
struct TimedRun;

enum class Schedule {
  Fair,        ///< processes step in turn; work lands one round later
  Random,      ///< every choice from the seed
  Adversarial, ///< one process runs until it must wait; work lands when
               ///< somebody waits for it and nobody else can step
  Timed,       ///< by what each operation costs
  Local,       ///< of processes on units: each by a clock of its own
};

struct Options {
  Schedule schedule = Schedule::Fair;
  /// Decides the random choices, which process comes first in the adversarial
  /// order, and the differences between timed runs.
  uint64_t seed = 0;
  /// Operations executed before the simulator gives up; 0 is no limit.
  int64_t maxSteps = 20'000'000;
  /// Timed: what operations cost, and where to note what happens.
  const Timing *timing = nullptr;
  TimedRun *run = nullptr;
  /// Local: also what each process does when, and how full rings are.
  bool notesSteps = false;
  /// Where tile.print writes; null drops it.
  llvm::raw_ostream *output = nullptr;
  /// Which worker runs, and of how many.
  int64_t worker = 0, workers = 1;
  /// False: tiles have no values and memory no contents, so that a run of any
  /// size is short; numbers that decide where processes go are computed as
  /// ever. An error where one of them comes from memory.
  bool hasTiles = true;
};

/// Runs `kernel` on `arguments`, in place.
mlir::LogicalResult simulate(tile::KernelOp kernel,
                             llvm::ArrayRef<interp::Argument> arguments,
                             const Options &options = {});

} // namespace heddle::simulator

#endif // HEDDLE_SIMULATOR_SIMULATOR_H
