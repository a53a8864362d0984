//===- Rules.h - Rules that were measured -----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop's problem and its schedule. Out: what the schedule leaves open.
// The thresholds are the machine's: each was measured on a chip.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PLAN_RULES_H
#define HEDDLE_LIB_PLAN_RULES_H

#include "heddle/Machine/Costs.h"
#include "heddle/Schedule/Problem.h"

#include <vector>

namespace heddle::plan {

/// The asynchronous unit whose operations the processes should issue in the
/// order of the schedule, or -1: the unit is busy nearly all the time, and a
/// process that issues several operations an iteration would be held up by
/// another's in between. Where a unit has time to spare, order only costs.
/// Staggered processes keep it by themselves, but for three cases, in which the
/// token's way round must leave a part of the interval:
/// - An operation is longer than the unit's queue (`beyondQueue`): its issue
///   ends when little of it is left to do, so the next of its process is not in
///   the queue in time.
/// - An operation leaves places in the queue, where the other's slips in, the
///   unit reads what processes compute, so that they wait for each other's, and
///   the loop has no tail, which may bring them back as it throws others out.
/// - The loop `hasTail`, iterations that take longer, and the unit no cycle to
///   spare: once they are no longer staggered, they wait for it together and
///   compute together from then on.
int unitToOrder(const schedule::Problem &problem,
                const schedule::Solution &solution,
                const machine::Costs::Choices &choices,
                const std::vector<int64_t> &beyondQueue = {},
                bool hasTail = false);

/// Should staggered processes, without order, make what an asynchronous unit
/// reads from registers a step ahead? Yes if it has no cycle to spare: whoever
/// comes to issue then holds it up.
bool prefetchesOperands(const schedule::Problem &problem,
                        const schedule::Solution &solution);

/// Gives back what products read only when the next one of their process has
/// been issued, where waiting for each of them at once would take longer than
/// an interval: until one is done, and `between` cycles and its issue until the
/// next. That is for processes whose products only add to their own results,
/// so that nobody waits for these, and where rings have the slots.
void leaveInFlight(const schedule::Problem &problem, int64_t between,
                   schedule::Solution &solution);

} // namespace heddle::plan

#endif // HEDDLE_LIB_PLAN_RULES_H
