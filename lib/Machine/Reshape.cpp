//===- Reshape.cpp - Layouts of the same elements in another shape ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Layout.h"

namespace heddle::machine {

/// The axes that are longer than 1.
static std::vector<int> longAxes(const std::vector<int64_t> &shape) {
  std::vector<int> axes;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] != 1)
      axes.push_back(int(axis));
  return axes;
}

std::optional<Layout> reshape(const Layout &layout,
                              const std::vector<int64_t> &shape) {
  std::vector<int64_t> from;
  for (int axis = 0; axis < layout.rank; ++axis)
    from.push_back(layout.extent(axis));
  std::vector<int> fromAxes = longAxes(from), toAxes = longAxes(shape);
  if (shape.empty() || shape.size() > kMaxRank ||
      fromAxes.size() != toAxes.size())
    return std::nullopt;
  for (size_t i = 0; i < toAxes.size(); ++i)
    if (from[fromAxes[i]] != shape[toAxes[i]])
      return std::nullopt;

  auto move = [&](const Coord &coord, int64_t rest) {
    Coord result = {};
    for (size_t axis = 0; axis < shape.size(); ++axis)
      result[axis] = rest;
    for (size_t i = 0; i < toAxes.size(); ++i)
      result[toAxes[i]] = coord[fromAxes[i]];
    return result;
  };
  Layout result = layout;
  result.rank = int(shape.size());
  for (Coord &vector : result.lane)
    vector = move(vector, 0);
  for (Coord &vector : result.warp)
    vector = move(vector, 0);
  for (Coord &vector : result.reg)
    vector = move(vector, 0);
  result.tile = move(layout.tile, 1);
  result.rep = move(layout.rep, 1);
  return result;
}

} // namespace heddle::machine
