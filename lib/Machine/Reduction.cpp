//===- Reduction.cpp - How threads combine elements along an axis -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Reduction.h"

#include <algorithm>

namespace heddle::machine {

static bool movesAlong(const Coord &vector, int axis) {
  return vector[axis] != 0;
}

static Coord without(Coord vector, int axis) {
  vector[axis] = 0;
  return vector;
}

/// The vector adds to the axis or to others, never to both.
static bool isStraight(const Coord &vector, int axis) {
  return !movesAlong(vector, axis) || without(vector, axis) == Coord{};
}

static Coord unit(int axis, int64_t value) {
  Coord result = {};
  result[axis] = value;
  return result;
}

/// Register `index` of `layout` in the numbering of `result`, whose axis has no
/// registers left.
static int reducedIndex(const Layout &layout, int axis, int index) {
  int kept = 0, position = 0;
  for (size_t bit = 0; bit < layout.reg.size(); ++bit)
    if (!movesAlong(layout.reg[bit], axis))
      kept |= (index >> bit & 1) << position++;
  int64_t repetition = index >> layout.reg.size(), scale = 1, reduced = 0;
  for (int current = layout.rank - 1; current >= 0; --current) {
    if (current != axis) {
      reduced += repetition % layout.rep[current] * scale;
      scale *= layout.rep[current];
    }
    repetition /= layout.rep[current];
  }
  return kept + int(reduced << position);
}

/// Walks once over what the threads of one coordinate of the other axes hold,
/// which have `registers`, each at a place `along` the axis.
static bool meetsEachOnce(const Layout &layout, int axis,
                          const std::vector<int> &registers,
                          const std::vector<int64_t> &along) {
  std::vector<int64_t> steps;
  for (const Coord &vector : layout.lane)
    if (movesAlong(vector, axis))
      steps.push_back(vector[axis]);
  for (const Coord &vector : layout.warp)
    if (movesAlong(vector, axis))
      steps.push_back(vector[axis]);
  int64_t extent = layout.extent(axis);
  if (int64_t(registers.size()) << steps.size() != extent)
    return false;
  std::vector<int64_t> met;
  met.reserve(extent);
  for (int index : registers)
    met.push_back(along[index]);
  for (int64_t step : steps)
    for (size_t i = 0, count = met.size(); i < count; ++i)
      met.push_back(met[i] + step);
  std::sort(met.begin(), met.end());
  return std::adjacent_find(met.begin(), met.end()) == met.end();
}

std::optional<Reduction> planReduction(const Layout &layout, int axis,
                                       Combining by) {
  for (const auto *vectors : {&layout.warp, &layout.reg})
    for (const Coord &vector : *vectors)
      if (!isStraight(vector, axis))
        return std::nullopt;
  for (const Coord &vector : layout.lane)
    if (!isStraight(vector, axis))
      return std::nullopt;

  Reduction plan;
  Layout &result = plan.result = layout;
  auto keep = [&](Coord &vector) {
    vector = unit(axis, plan.positions);
    plan.positions *= 2;
  };
  for (int bit = 0; bit < kLaneBits; ++bit)
    if (movesAlong(layout.lane[bit], axis)) {
      if (by == Combining::Threads) {
        keep(result.lane[bit]);
        continue;
      }
      plan.laneBits.push_back(bit);
      result.lane[bit] = {};
    }
  for (Coord &vector : result.warp)
    if (movesAlong(vector, axis))
      keep(vector);
  std::erase_if(result.reg,
                [&](const Coord &vector) { return movesAlong(vector, axis); });
  result.tile[axis] = plan.positions;
  result.rep[axis] = 1;

  plan.registers.resize(result.registerCount());
  std::vector<int64_t> along;
  for (int index = 0; index < layout.registerCount(); ++index) {
    plan.registers[reducedIndex(layout, axis, index)].push_back(index);
    along.push_back(layout.registerCoordinate(index)[axis]);
  }
  for (std::vector<int> &group : plan.registers)
    std::stable_sort(group.begin(), group.end(),
                     [&](int a, int b) { return along[a] < along[b]; });
  if (!meetsEachOnce(layout, axis, plan.registers.front(), along))
    return std::nullopt;
  return plan;
}

Layout gatherAxis(const Layout &layout, int axis) {
  Layout result = layout;
  for (Coord &vector : result.lane)
    vector = without(vector, axis);
  for (Coord &vector : result.warp)
    vector = without(vector, axis);
  std::erase_if(result.reg,
                [&](const Coord &vector) { return movesAlong(vector, axis); });
  result.tile[axis] = 1;
  result.rep[axis] = layout.extent(axis);
  return result;
}

Layout spreadAxis(const Layout &layout, int axis, int64_t extent) {
  Layout result = expandAxis(layout, axis);
  result.rep[axis] = extent;
  auto give = [&](Coord &vector) {
    if (vector != Coord{} || result.rep[axis] % 2)
      return;
    vector = unit(axis, result.tile[axis]);
    result.tile[axis] *= 2;
    result.rep[axis] /= 2;
  };
  // Lanes that have all of the axis read it in long runs: in pairs, those of a
  // warp would meet in the same banks of shared memory.
  bool lanesShare = std::find(result.lane.begin(), result.lane.end(),
                              Coord{}) != result.lane.end();
  for (int bit = 0; bit < (lanesShare ? 1 : 3); ++bit) {
    Coord run = {};
    give(run);
    if (run != Coord{})
      result.reg.insert(result.reg.begin() + bit, run);
  }
  for (Coord &vector : result.lane)
    give(vector);
  for (Coord &vector : result.warp)
    give(vector);
  return result;
}

} // namespace heddle::machine
