//===- StorePlan.h - Decide: how a tile reaches global memory -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a store and the layout of its value. Out: the chunks in which it goes
// through TMA, or the reason why threads store instead. A TMA store that breaks
// a rule is an illegal instruction at run time, so every rule that types and
// offsets decide is checked here; alignment is left to the choice of the
// variant.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_STOREPLAN_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_STOREPLAN_H

#include "Stored.h"

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::areftohopper {

/// A store or reduction through TMA goes in chunks, each staged in shared
/// memory: as many columns as TMA moves in one pattern, and all rows, or parts
/// of them where there is less room. Without a chunk type, threads store their
/// registers, or add them, themselves.
struct StorePlan {
  hopper::SmemType chunk;
  int64_t chunks = 0;
  std::string reason; // why not TMA

  bool isTma() const { return bool(chunk); }
};

/// `layout` is the register layout of the value stored. Where no ring is fed
/// by TMA (`isPlain`), threads that hold whole rows of 16 bytes store them
/// themselves. A view that a launch cannot make (`isAtLaunch`) is no tensor
/// map.
StorePlan planStore(Stored store, hopper::LayoutAttr layout, bool isPlain,
                    bool isAtLaunch);

/// The same in chunks of half as many rows; nothing if threads do not hold such
/// chunks.
std::optional<StorePlan> halveRows(const StorePlan &plan,
                                   hopper::LayoutAttr layout);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_STOREPLAN_H
