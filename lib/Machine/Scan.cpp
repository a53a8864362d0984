//===- Scan.cpp - Running totals along an axis ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Scan.h"

#include <algorithm>

namespace heddle::machine {

static bool isStraight(Coord vector, int axis) {
  if (vector[axis] == 0)
    return true;
  vector[axis] = 0;
  return vector == Coord{};
}

std::optional<Scan> planScan(const Layout &layout, int axis) {
  for (const Coord &vector : layout.warp)
    if (vector[axis])
      return std::nullopt;
  Scan scan;
  scan.repetitions = layout.rep[axis];
  auto add = [&](const Coord &vector, bool isLane, int bit) {
    if (vector[axis])
      scan.digits.push_back({isLane, bit, vector[axis]});
    return isStraight(vector, axis);
  };
  for (int bit = 0; bit < kLaneBits; ++bit)
    if (!add(layout.lane[bit], true, bit))
      return std::nullopt;
  for (size_t bit = 0; bit < layout.reg.size(); ++bit)
    if (!add(layout.reg[bit], false, int(bit)))
      return std::nullopt;
  std::sort(
      scan.digits.begin(), scan.digits.end(),
      [](const ScanDigit &a, const ScanDigit &b) { return a.scale < b.scale; });
  int64_t scale = 1;
  for (const ScanDigit &digit : scan.digits) {
    if (digit.scale != scale)
      return std::nullopt;
    scale *= 2;
  }
  if (scale != layout.tile[axis])
    return std::nullopt;
  return scan;
}

Layout makeScannable(const std::vector<int64_t> &shape, int axis, int warps) {
  Layout layout;
  layout.rank = int(shape.size());
  for (int current = 0; current < layout.rank; ++current) {
    layout.tile[current] = 1;
    layout.rep[current] = shape[current];
  }
  auto split = [&](int current, Coord &vector) {
    if (layout.rep[current] % 2)
      return false;
    vector = {};
    vector[current] = layout.tile[current];
    layout.tile[current] *= 2;
    layout.rep[current] /= 2;
    return true;
  };
  int64_t even = shape[axis] & -shape[axis]; // the power of two in the extent
  for (Coord step; even > 32 && split(axis, step); even /= 2)
    layout.reg.push_back(step);
  for (Coord &lane : layout.lane) {
    bool given = even > 1 && split(axis, lane);
    even = given ? even / 2 : 1;
    for (int current = layout.rank - 1; !given && current >= 0; --current)
      given = current != axis && split(current, lane);
  }
  for (int count = 1; count < warps; count *= 2) {
    Coord step = {};
    bool given = false;
    for (int current = 0; !given && current < layout.rank; ++current)
      given = current != axis && split(current, step);
    layout.warp.push_back(step);
  }
  return layout;
}

} // namespace heddle::machine
