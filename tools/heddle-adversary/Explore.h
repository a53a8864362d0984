//===- Explore.h - What can go wrong in a launch ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `exploreAll` takes every order of what agents and copies do at mbarriers, by
// a depth-first search that remembers states. What they do elsewhere cannot be
// hindered by others and hinders nobody: it is done at once, and the clocks say
// what it is not ordered with. Waits, arrivals and copies must meet the same
// phase in all orders.
//
// `exploreOne` takes one order and asks the clocks whether another one could
// differ: a wait knows that the phase before has completed, an arrival and a
// copy that the last has, and a phase completes behind all waits for the one
// before. Then every wait, arrival and copy meets the same phase in every
// order, by induction over the steps; so one order shows what all do. Where
// both can be had, both are taken and must agree.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_EXPLORE_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_EXPLORE_H

#include "World.h"

namespace heddle::adversary {

struct Exploration {
  Finding finding;
  int64_t states = 0;
};

/// Finding::Unknown beyond `mostStates`.
Exploration exploreAll(const Kernel &kernel, const Launch &launch,
                       int64_t mostStates);
Exploration exploreOne(const Kernel &kernel, const Launch &launch);

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_EXPLORE_H
