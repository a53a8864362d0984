//===- Movement.cpp - Layouts of tiles whose axes are rearranged ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Movement.h"

#include <map>

namespace heddle::machine {

static Coord permuteCoord(const Coord &coord,
                          const std::vector<int64_t> &order) {
  Coord result = {};
  for (size_t axis = 0; axis < order.size(); ++axis)
    result[axis] = coord[order[axis]];
  return result;
}

Layout permuteAxes(const Layout &layout, const std::vector<int64_t> &order) {
  auto permute = [&](Coord &vector) { vector = permuteCoord(vector, order); };
  Layout result = layout;
  for (Coord &vector : result.lane)
    permute(vector);
  for (Coord &vector : result.warp)
    permute(vector);
  for (Coord &vector : result.reg)
    permute(vector);
  permute(result.tile);
  permute(result.rep);
  return result;
}

std::vector<int> mapPermuted(const Layout &layout,
                             const std::vector<int64_t> &order) {
  // The last of equals first, so that replicas come from the lowest register.
  std::map<Coord, int> holder;
  for (int index = layout.registerCount() - 1; index >= 0; --index)
    holder[permuteCoord(layout.registerCoordinate(index), order)] = index;
  Layout permuted = permuteAxes(layout, order);
  std::vector<int> map;
  for (int index = 0; index < permuted.registerCount(); ++index)
    map.push_back(holder.at(permuted.registerCoordinate(index)));
  return map;
}

Layout joinTiles(const Layout &layout) {
  Layout result = expandAxis(layout, layout.rank);
  Coord half = {};
  half[layout.rank] = 1;
  result.reg.insert(result.reg.begin(), half);
  result.tile[layout.rank] = 2;
  return result;
}

std::optional<Layout> splitTiles(const Layout &layout) {
  if (layout.rank < 2 || layout.extent(layout.rank - 1) != 2)
    return std::nullopt;
  Layout half = sliceAxis(layout, layout.rank - 1);
  if (joinTiles(half) != layout)
    return std::nullopt;
  return half;
}

std::optional<Layout> resizeAxis(const Layout &layout, int axis,
                                 int64_t extent) {
  if (extent % layout.tile[axis])
    return std::nullopt;
  Layout result = layout;
  result.rep[axis] = extent / layout.tile[axis];
  return result;
}

} // namespace heddle::machine
