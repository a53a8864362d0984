//===- Problem.h - A loop's scheduling problem, as plain data -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop of a tile program: operations on units, dependences with distances,
// values that travel through rings, and what the machine has. A solution gives
// each operation a start cycle and a process, and each ring a depth.
//
// Meaning of a solution with initiation interval II: operation o of iteration i
// is issued at start(o) + i * II by its process, which issues in order. That
// fixed timetable is a possible run of the asynchronous program, so a program
// expanded from a solution that verifies cannot deadlock: each wait ends at the
// latest when the timetable says.
//
// A result of an asynchronous unit that does not go through a ring lives in one
// set of registers, and must be read before the next iteration writes them.
//
// No MLIR here: solvers and certifiers see this and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_PROBLEM_H
#define HEDDLE_SCHEDULE_PROBLEM_H

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::schedule {

/// A resource that serves one operation at a time ("tma", "tensor", "alu",
/// ...).
struct Unit {
  std::string name;
  /// Results arrive while the process goes on (the tensor core, the copy
  /// engine).
  bool asynchronous = false;
};

struct Operation {
  std::string name;
  int unit = 0;
  int64_t reservation = 1; ///< cycles the unit is busy
  int64_t latency = 1;     ///< cycles from issue until the result may be used
  int64_t issue = 1;       ///< cycles the process is busy issuing it
  /// Variable latency: belongs to a process that may stall (the loads').
  bool variableLatency = false;
  /// Which sub-tile it works on; -1 if it serves all.
  int sub = -1;
  int64_t registers =
      0; ///< of its result, a thread of the process that holds it
};

struct Dependence {
  int from = 0, to = 0;
  int64_t distance = 0; ///< iterations from `from` to `to`
  /// The consumer adds to the result in place on the same unit, which keeps the
  /// order: only the reservation separates them, and both stay in one process.
  bool accumulates = false;
  /// No value: `to` starts at least `delay` cycles after `from`.
  bool orders = false;
  int64_t delay = 0;
};

/// A value that is handed over through slots of shared memory.
struct Transfer {
  int from = 0;      ///< operation
  int64_t bytes = 0; ///< of one slot's share
};

struct Machine {
  int64_t sharedBytes = 0; ///< for rings, after everything else
  int64_t registersPerLane =
      512; ///< register file / 128: to share among warp groups
  int64_t maxRegisters = 240; ///< a thread
  int64_t overheadRegisters =
      32; ///< addresses, counters, what wgmma needs beside its results
  int64_t handOverCycles = 96; ///< from a barrier's arrival to the wake-up
};

struct Problem {
  std::string loop;
  std::vector<Unit> units;
  std::vector<Operation> operations;
  std::vector<Dependence> dependences;
  std::vector<Transfer> transfers;
  Machine machine;
  int subTiles = 1;

  /// Empty if the problem is well-formed, else one sentence.
  std::string check() const;
};

struct Ring {
  std::string name;
  int64_t depth = 1;
  std::vector<int> operations; ///< whose results share its slots
};

struct Process {
  std::string name;
  int64_t warps = 4;
  int64_t registers = 0;
};

struct Solution {
  int64_t ii = 0;
  std::vector<int64_t> start; ///< of each operation
  std::vector<int> process;   ///< of each operation
  std::vector<Process> processes;
  std::vector<Ring> rings;
};

/// The resource bound on II: the busiest unit's work in one iteration.
int64_t resourceMinII(const Problem &problem);
/// The recurrence bound on II: max over cycles of latency over distance.
int64_t recurrenceMinII(const Problem &problem);

/// Cycles after `from` is issued that `dependence.to` may be issued.
int64_t requiredDelay(const Problem &problem, const Dependence &dependence,
                      bool crossesProcesses);

/// Empty if `solution` satisfies every constraint, else one sentence naming the
/// constraint, the operations and the cycles.
std::string verify(const Problem &problem, const Solution &solution);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_PROBLEM_H
