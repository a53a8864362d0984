//===- Problem.h - A loop's scheduling problem, as plain data -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop of a tile program: operations on units, dependences with distances,
// values that travel through rings, and what the machine has. A solution gives
// each operation an issue cycle, a cycle at which its unit takes it up, and a
// process, and each ring a depth.
//
// Meaning of a solution with initiation interval II: operation o of iteration i
// is issued at start(o) + i * II by its process, which issues in order, and
// taken up by its unit at execution(o) + i * II. An asynchronous unit keeps a
// queue: it takes operations up in the order in which they were issued, one at
// a time. The process goes on at once, and comes to wait for the result
// latency(o) cycles after the issue at the earliest. That fixed timetable is a
// possible run of the asynchronous program, so a program expanded from a
// solution that verifies cannot deadlock: each wait ends at the latest when the
// timetable says.
//
// Registers. A result lives from its birth to the end of its last reader:
//   birth  start(o) if an asynchronous unit makes it, since its registers are
//          taken from the issue on, or if the operation is not in place; else
//          start(o) + issue(o), since an operation in place hands its operand's
//          registers on as it goes;
//   end    of reader r over distance d: start(r) + d * II, plus latency(r) if
//          an asynchronous unit reads, else issue(r).
// A result that persists (an accumulator, what iterations carry) is held all
// the time. Results of an asynchronous unit cannot be copied while it writes:
// whoever reads one that does not go through memory, other than by accumulating
// onto it, is done before the next iteration's is born. At every cycle, what
// the results of a process hold, plus the machine's overhead, is at most the
// process's registers; a process that states none is not limited.
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
  /// engine), and operations wait their turn in a queue.
  bool asynchronous = false;
};

struct Operation {
  std::string name;
  int unit = 0;
  int64_t reservation = 1; ///< cycles the unit is busy
  /// Cycles until the result may be used, from when the unit takes it up.
  int64_t latency = 1;
  int64_t issue = 1; ///< cycles the process is busy issuing it
  /// Nobody knows how long it takes (loads). Who waits for it stalls.
  bool variableLatency = false;
  /// Which sub-tile it works on; -1 if it serves all.
  int sub = -1;
  /// Of its result, a thread of the process that holds it; 0 if it lives in
  /// memory or in registers counted elsewhere.
  int64_t registers = 0;
  /// Held through all iterations.
  bool persists = false;
  /// Takes its operand's registers over as it goes.
  bool inPlace = false;
  /// Columns of tensor memory that the result takes instead of registers.
  int64_t columns = 0;
  /// The operation that does the same for sub-tile 0; -1 if there is none, or
  /// if it is that one.
  int leader = -1;
};

struct Dependence {
  int from = 0, to = 0;
  int64_t distance = 0; ///< iterations from `from` to `to`
  /// The consumer adds to the result in place on the same unit, which keeps the
  /// order: only the reservation separates them on it, and both stay in one
  /// process.
  bool accumulates = false;
  /// No value: `to` is issued at least `delay` cycles after `from`'s unit took
  /// that up.
  bool orders = false;
  int64_t delay = 0;
};

/// A value that is handed over through slots of shared memory.
struct Transfer {
  int from = 0;      ///< operation
  int64_t bytes = 0; ///< of one slot's share
  /// Where it may begin; a slot is a multiple of the largest of its own.
  int64_t alignment = 1;
};

/// What a machine has for one loop; nothing where it is not said.
struct Machine {
  int64_t sharedBytes = 0; ///< for rings, after everything else
  /// Of the register file, for each lane of a warp group: to share among
  /// groups.
  int64_t registersPerLane = 0;
  int64_t maxRegisters = 0; ///< a thread
  /// Addresses, counters, what products need beside their results.
  int64_t overheadRegisters = 0;
  int64_t loaderRegisters = 0; ///< of a process that only starts loads
  int64_t handOverCycles = 0;  ///< from a barrier's arrival to the wake-up
  int64_t columns = 0;         ///< of tensor memory; 0 if there is none
  int64_t columnBytes = 0;     ///< of such a column
  int64_t ringDepth = 0;       ///< slots that a ring may have
};

struct Problem {
  std::string loop;
  std::vector<Unit> units;
  std::vector<Operation> operations;
  std::vector<Dependence> dependences;
  std::vector<Transfer> transfers;
  Machine machine;
  int subTiles = 1;
  /// One process has what has variable latency, and nothing else (Twill's
  /// rule).
  bool loadsApart = false;

  /// Empty if the problem is well-formed, else one sentence.
  std::string check() const;
  /// The longest time of an operation and the largest delay or distance of a
  /// dependence; what takes longer is no loop to overlap.
  static constexpr int64_t kMostCycles = 1 << 20;
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
  std::vector<int64_t> start; ///< of each operation: its issue
  std::vector<int> process;   ///< of each operation
  /// When each operation's unit takes it up; empty: at its issue.
  std::vector<int64_t> execution;
  /// From issue until the process waits for the result at the latest, and gives
  /// back what the operation reads: no less than it takes; empty: as long.
  std::vector<int64_t> latency;
  std::vector<Process> processes;
  std::vector<Ring> rings;

  int64_t executionOf(int op) const {
    return execution.empty() ? start[op] : execution[op];
  }
  int64_t latencyOf(const Problem &problem, int op) const {
    return latency.empty()
               ? executionOf(op) - start[op] + problem.operations[op].latency
               : latency[op];
  }
};

/// Does one process have what has variable latency, and nothing else?
bool keepsLoadsApart(const Problem &problem, const Solution &solution);

/// The resource bound on II: the busiest unit's work in one iteration.
int64_t resourceMinII(const Problem &problem);
/// The recurrence bound on II: max over cycles of latency over distance.
int64_t recurrenceMinII(const Problem &problem);

/// The larger of both bounds, at least 1.
int64_t minII(const Problem &problem);

/// Cycles from when `from` is taken up until `to` may be issued (if it
/// accumulates: taken up).
int64_t requiredDelay(const Problem &problem, const Dependence &dependence,
                      bool crossesProcesses);

/// Does the result of `op` go through slots of shared memory?
bool goesThroughSlots(const Problem &problem, int op);

/// The bytes of one slot, up to where the next one may begin.
int64_t slotBytes(const Problem &problem, const Ring &ring);

/// May the result of `op` be handed to another process?
bool mayCross(const Problem &problem, int op);

/// Registers of a thread that the results in `process` hold at most, at any
/// cycle, without the machine's overhead.
int64_t peakRegisters(const Problem &problem, const Solution &solution,
                      int process);

/// Empty if `solution` satisfies every constraint, else one sentence naming the
/// constraint, the operations and the cycles.
std::string verify(const Problem &problem, const Solution &solution);

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_PROBLEM_H
