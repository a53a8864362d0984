//===- Cycles.cpp - Recurrences of links ----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cycles.h"

#include <algorithm>

using namespace heddle::schedule;

int64_t heddle::schedule::delayOf(const Cycle &cycle) {
  int64_t delay = 0;
  for (const Joint &joint : cycle)
    delay += joint.link.delay;
  return delay;
}

int64_t heddle::schedule::distanceOf(const Cycle &cycle) {
  int64_t distance = 0;
  for (const Joint &joint : cycle)
    distance += joint.link.distance;
  return distance;
}

int64_t heddle::schedule::boundOf(int64_t delay, int64_t distance,
                                  int64_t shortest) {
  if (distance > 0)
    return delay <= 0 ? 0 : (delay + distance - 1) / distance;
  // What a longer interval makes worse, if anything.
  return delay > distance * shortest ? kNoInterval : 0;
}

std::optional<size_t> heddle::schedule::findBreak(const Cycle &cycle) {
  for (size_t i = 0; i < cycle.size(); ++i)
    if (!(cycle[i].to == cycle[(i + 1) % cycle.size()].from))
      return (i + 1) % cycle.size();
  return std::nullopt;
}

/// Times rise along links as far as they must (Bellman and Ford); if they still
/// do after as many rounds as there are events, the links that raised them last
/// lead back to a cycle that cannot hold.
Cycle heddle::schedule::findViolated(const std::vector<Joint> &joints,
                                     size_t operations, int64_t ii) {
  size_t events = 2 * operations;
  std::vector<int64_t> time(events, 0);
  std::vector<const Joint *> raisedBy(events, nullptr);
  const Joint *last = nullptr;
  for (size_t round = 0; round <= events; ++round) {
    last = nullptr;
    for (const Joint &joint : joints) {
      size_t from = indexOf(joint.from), to = indexOf(joint.to);
      int64_t earliest =
          time[from] + joint.link.delay - joint.link.distance * ii;
      if (earliest > time[to]) {
        time[to] = earliest;
        raisedBy[to] = last = &joint;
      }
    }
    if (!last)
      return {};
  }
  for (size_t step = 0; step < events; ++step) // surely onto the cycle
    last = raisedBy[indexOf(last->from)];
  Cycle cycle;
  const Joint *joint = last;
  do {
    cycle.push_back(*joint);
    joint = raisedBy[indexOf(joint->from)];
  } while (joint != last);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}
