//===- Reshape.cpp - Layouts of the same elements in another shape ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element's row-major number is a sum over the digits of lane, warp and
// register, and so are its coordinates in the new shape, unless two digits
// carry. Powers of two among the repetitions become bits of the register; an
// odd factor must be the topmost digit of some new axis.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Movement.h"

#include <map>

namespace heddle::machine {

static int64_t toNumber(const Layout &layout, const Coord &coord) {
  int64_t number = 0;
  for (int axis = 0; axis < layout.rank; ++axis)
    number = number * layout.extent(axis) + coord[axis];
  return number;
}

static Coord toCoord(const std::vector<int64_t> &shape, int64_t number) {
  Coord coord = {};
  for (size_t axis = shape.size(); axis-- > 0;) {
    coord[axis] = number % shape[axis];
    number /= shape[axis];
  }
  return coord;
}

namespace {
/// A digit of the register index with more than two values.
struct Repetition {
  int64_t count, step; // of the row-major number
};
} // namespace

/// Splits the repetitions into bits, as steps of the row-major number, and odd
/// factors above them.
static void splitRepetitions(const Layout &layout, std::vector<int64_t> &bits,
                             std::vector<Repetition> &odd) {
  for (int axis = layout.rank - 1; axis >= 0; --axis) {
    Coord atom = {};
    atom[axis] = layout.tile[axis];
    int64_t count = layout.rep[axis];
    int64_t step = count > 1 ? toNumber(layout, atom) : 0;
    for (; count % 2 == 0; count /= 2, step *= 2)
      bits.push_back(step);
    if (count > 1)
      odd.push_back({count, step});
  }
}

/// Gives each odd factor to the new axis of which it is the topmost digit.
static bool placeOdd(const std::vector<int64_t> &shape,
                     const std::vector<Repetition> &odd, Layout &result) {
  for (const Repetition &repetition : odd) {
    bool placed = false;
    int64_t stride = 1;
    for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) {
      int64_t below = repetition.step / stride;
      if (placed || repetition.step % stride || result.rep[axis] != 1 ||
          below * repetition.count != shape[axis])
        continue;
      result.rep[axis] = repetition.count;
      placed = true;
    }
    if (!placed)
      return false;
  }
  return true;
}

/// The vectors fill each atom and leave it nowhere.
static bool fillsAtom(const Layout &layout) {
  for (int axis = 0; axis < layout.rank; ++axis) {
    int64_t reach = 0;
    for (const Coord &vector : layout.lane)
      reach += vector[axis];
    for (const Coord &vector : layout.warp)
      reach += vector[axis];
    for (const Coord &vector : layout.reg)
      reach += vector[axis];
    if (reach >= layout.tile[axis])
      return false;
  }
  return true;
}

std::optional<Layout> reshape(const Layout &layout,
                              const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  if (shape.empty() || shape.size() > kMaxRank ||
      count != layout.elementCount())
    return std::nullopt;
  bool isSame = int(shape.size()) == layout.rank;
  for (size_t axis = 0; isSame && axis < shape.size(); ++axis)
    isSame = shape[axis] == layout.extent(int(axis));
  if (isSame)
    return layout;

  Layout result = layout;
  result.rank = int(shape.size());
  auto move = [&](Coord &vector) {
    vector = toCoord(shape, toNumber(layout, vector));
  };
  for (Coord &vector : result.lane)
    move(vector);
  for (Coord &vector : result.warp)
    move(vector);
  for (Coord &vector : result.reg)
    move(vector);
  std::vector<int64_t> bits;
  std::vector<Repetition> odd;
  splitRepetitions(layout, bits, odd);
  for (int64_t bit : bits)
    result.reg.push_back(toCoord(shape, bit));
  result.tile = result.rep = {};
  for (int axis = 0; axis < result.rank; ++axis)
    result.rep[axis] = 1;
  if (!placeOdd(shape, odd, result))
    return std::nullopt;
  for (int axis = 0; axis < result.rank; ++axis)
    result.tile[axis] = shape[axis] / result.rep[axis];
  if (!fillsAtom(result) || !mapReshaped(layout, result))
    return std::nullopt;
  return result;
}

std::optional<std::vector<int>> mapReshaped(const Layout &from,
                                            const Layout &to) {
  if (from.warp.size() != to.warp.size())
    return std::nullopt;
  for (int bit = 0; bit < kLaneBits; ++bit)
    if (toNumber(from, from.lane[bit]) != toNumber(to, to.lane[bit]))
      return std::nullopt;
  for (size_t bit = 0; bit < to.warp.size(); ++bit)
    if (toNumber(from, from.warp[bit]) != toNumber(to, to.warp[bit]))
      return std::nullopt;
  std::map<int64_t, int> holder;
  for (int index = from.registerCount() - 1; index >= 0; --index)
    holder[toNumber(from, from.registerCoordinate(index))] = index;
  std::vector<int> map;
  for (int index = 0; index < to.registerCount(); ++index) {
    auto found = holder.find(toNumber(to, to.registerCoordinate(index)));
    if (found == holder.end())
      return std::nullopt;
    map.push_back(found->second);
  }
  return map;
}

} // namespace heddle::machine
