//===- Shuffle.h - Changing a layout by shuffles within a warp ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: two layouts of a tile. Out: for each register of the second, the lane and
// the register of the first to read; nothing if a warp lacks an element.
// ArefToHopper decides by this plan and HopperToNvvm emits it, so no conversion
// is chosen that cannot be emitted.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_SHUFFLE_H
#define HEDDLE_MACHINE_SHUFFLE_H

#include "heddle/Machine/Costs.h"
#include "heddle/Machine/Layout.h"

namespace heddle::machine {

/// Where one register of the new layout comes from, in each lane.
struct Shuffle {
  /// The lane to read is `constant`, exclusive or ofBit[i] for each bit i of
  /// the own lane; no two of them share a bit.
  int constant = 0;
  std::array<int, kLaneBits> ofBit = {};
  /// The register to read there, by the own lane.
  std::array<int, 1 << kLaneBits> source = {};

  /// Different registers to read: as many shuffles.
  int count() const;
};

/// One for each register of `to`; nothing if some warp lacks an element or
/// lanes are no sum over bits.
std::optional<std::vector<Shuffle>> planShuffles(const Layout &from,
                                                 const Layout &to);

/// Is a change of layout within warps better done by shuffles than through
/// shared memory, of elements of that many bits on the machine with these
/// costs?
bool prefersShuffles(const Layout &from, const Layout &to, int elementBits,
                     const Costs &costs);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_SHUFFLE_H
