//===- GroupTurns.h - Decide: how many iterations share turns ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: what an iteration of a loop of a plan by roles takes, by numbers. Out:
// how many iterations are done at a time, whether they share the turns of their
// rings, and how the slots of these are divided then. Groups share what a turn
// and a loop's end take, and leave a rest, whose rings need slots of their own:
// where slots are few, loads come too late for it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_GROUPTURNS_H
#define HEDDLE_LIB_TRANSFORMS_GROUPTURNS_H

#include "heddle/Machine/Units.h"

#include <string>
#include <vector>

namespace heddle {

/// A process in an iteration.
struct ShareOfLoop {
  int64_t work = 0;  ///< what it executes, and what turns bring it
  int64_t turns = 0; ///< that it takes or fills
};

/// An operation of who computes, who starts one after the other.
struct StepOfLoop {
  int64_t issue = 0, latency = 0;
  bool isEarly = true; ///< needs nothing that the loop carries
  /// The steps whose results it reads, and those of the iteration before.
  std::vector<size_t> reads, before;
};

struct IterationOnUnits {
  /// Who computes, beside his steps, and each of those that read.
  ShareOfLoop execute;
  std::vector<StepOfLoop> steps;
  std::vector<ShareOfLoop> access;
  struct Ring {
    std::string name;
    int64_t slots = 1; ///< for an iteration's turn each
  };
  std::vector<Ring> rings;
  double lines = 0;    ///< that are asked for
  int64_t outside = 0; ///< of who computes, once for all iterations of a run
};

struct GroupsOfLoop {
  int64_t iterations = 1;
  bool sharesTurns = false;
  /// Of each ring, if turns are shared: slots of a group each, and of an
  /// iteration each.
  std::vector<std::pair<int64_t, int64_t>> slots;
};

GroupsOfLoop chooseGroups(const IterationOnUnits &loop,
                          const machine::Units &units,
                          const machine::Unit &access,
                          const machine::Unit &execute);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_GROUPTURNS_H
