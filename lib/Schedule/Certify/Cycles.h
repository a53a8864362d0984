//===- Cycles.h - Recurrences of links --------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Links that close a cycle say delays <= II * distances, all summed up.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_CERTIFY_CYCLES_H
#define HEDDLE_LIB_SCHEDULE_CERTIFY_CYCLES_H

#include "Links.h"

namespace heddle::schedule {

using Cycle = std::vector<Joint>;

int64_t delayOf(const Cycle &cycle);
int64_t distanceOf(const Cycle &cycle);

/// The least II at which links with these sums can hold, of those that are at
/// least `shortest`; kNoInterval if there is none.
int64_t boundOf(int64_t delay, int64_t distance, int64_t shortest = 1);

/// The first link that does not start where the one before ends.
std::optional<size_t> findBreak(const Cycle &cycle);

/// A place for each event of a problem in a table.
inline size_t indexOf(const Event &event) {
  return 2 * static_cast<size_t>(event.op) + (event.isTakeUp ? 1 : 0);
}

/// A cycle of `joints` that cannot hold at `ii`; empty if there is none.
Cycle findViolated(const std::vector<Joint> &joints, size_t operations,
                   int64_t ii);

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_CERTIFY_CYCLES_H
