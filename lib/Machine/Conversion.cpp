//===- Conversion.cpp - What it costs to change a layout --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared in Layout.h. In: two layouts of one tile. Out: the cheapest way from
// the first to the second: none, other registers, shuffles within a warp, or
// shared memory. The answer may be dearer than necessary, never cheaper than
// possible.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Layout.h"

#include <map>
#include <set>

namespace heddle::machine {

/// Where `coord` of the wider tile is read in `from`.
static Coord project(const Layout &from, const Coord &coord) {
  Coord result = {};
  for (int axis = 0; axis < from.rank; ++axis)
    result[axis] = from.extent(axis) == 1 ? 0 : coord[axis];
  return result;
}

/// Lanes and warps of `to` move through the tile exactly as those of `from`.
static bool sameWarps(const Layout &from, const Layout &to) {
  if (from.warp.size() != to.warp.size())
    return false;
  for (size_t bit = 0; bit < to.warp.size(); ++bit)
    if (project(from, to.warp[bit]) != from.warp[bit])
      return false;
  return true;
}
static bool sameThreads(const Layout &from, const Layout &to) {
  for (int bit = 0; bit < kLaneBits; ++bit)
    if (project(from, to.lane[bit]) != from.lane[bit])
      return false;
  return sameWarps(from, to);
}

std::optional<std::vector<int>>
mapRegisters(const Layout &from, const Layout &to, const Coord &offset) {
  if (from.rank != to.rank || !sameThreads(from, to))
    return std::nullopt;
  std::map<Coord, int> holder;
  for (int index = from.registerCount() - 1; index >= 0; --index)
    holder[from.registerCoordinate(index)] = index;
  std::vector<int> result;
  for (int index = 0; index < to.registerCount(); ++index) {
    Coord coord = to.registerCoordinate(index);
    for (int axis = 0; axis < to.rank; ++axis)
      coord[axis] += offset[axis];
    auto found = holder.find(project(from, coord));
    if (found == holder.end())
      return std::nullopt;
    result.push_back(found->second);
  }
  return result;
}

/// The elements that warp 0 holds; the other warps are translations of it.
static std::set<Coord> warpElements(const Layout &layout) {
  std::set<Coord> result;
  for (int lane = 0; lane < 1 << kLaneBits; ++lane)
    for (int index = 0; index < layout.registerCount(); ++index)
      result.insert(layout.coordinate(lane, 0, index));
  return result;
}

Conversion classifyConversion(const Layout &from, const Layout &to) {
  if (std::optional<std::vector<int>> map = mapRegisters(from, to)) {
    bool identity = from.registerCount() == to.registerCount();
    for (size_t index = 0; index < map->size(); ++index)
      identity &= (*map)[index] == int(index);
    return identity ? Conversion::Same : Conversion::RegisterPermutation;
  }
  if (from.rank != to.rank || !sameWarps(from, to))
    return Conversion::SharedRoundTrip;
  std::set<Coord> held = warpElements(from);
  for (const Coord &coord : warpElements(to))
    if (!held.count(project(from, coord)))
      return Conversion::SharedRoundTrip;
  return Conversion::WarpShuffle;
}

} // namespace heddle::machine
