//===- Partial.h - A schedule of which something is said already -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a problem, and what somebody fixed of its schedule: the interval, times,
// who does what, registers, slots, orders. Out: the schedule that keeps all of
// it, or why none was found. What is open is found by the solvers that there
// are; a schedule that keeps everything by itself stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHEDULE_PARTIAL_H
#define HEDDLE_SCHEDULE_PARTIAL_H

#include "heddle/Schedule/Solve.h"

namespace heddle::schedule {

struct Partial {
  struct Of {
    std::string process, ring; ///< names; empty: open
    std::optional<int64_t> start, latency;
  };
  /// By operation of the problem; empty: all are open.
  std::vector<Of> operations;
  int64_t ii = 0; ///< 0: open
  /// Warps and registers of 0 are open.
  std::vector<Process> processes;
  /// A depth of 0 is open.
  std::vector<Ring> rings;
  /// Operations of one process, and of two.
  std::vector<std::pair<int, int>> together, apart;
  std::vector<Relation> relations;

  bool saysNothing() const;
  /// Says each operation's time, process and ring, each ring's depth, and the
  /// warps and registers of each process.
  bool isWhole(const Problem &problem) const;
};

/// The schedule that a whole one states, when units take operations up open.
Solution statedBy(const Problem &problem, const Partial &partial);

/// Empty if `solution` keeps all of `partial`, else one sentence with the
/// numbers.
std::string whyNotKept(const Problem &problem, const Solution &solution,
                       const Partial &partial);

/// Gives processes and rings of `solution` the names, registers and depths of
/// `partial`, where that is a schedule: others give way.
void conform(const Problem &problem, const Partial &partial,
             Solution &solution);

/// The best schedule that was found to keep `partial`, which is not whole.
Outcome solvePartial(const Problem &problem, const Partial &partial,
                     Budget budget = {4'000'000});

} // namespace heddle::schedule

#endif // HEDDLE_SCHEDULE_PARTIAL_H
