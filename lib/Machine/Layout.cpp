//===- Layout.cpp - Coordinates of registers, anchors and slices ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Layout.h"

#include <algorithm>
#include <cassert>

namespace heddle::machine {

static void add(Coord &sum, const Coord &term) {
  for (int axis = 0; axis < kMaxRank; ++axis)
    sum[axis] += term[axis];
}

/// `value` at `axis`, zero elsewhere.
static Coord unit(int axis, int64_t value) {
  Coord result = {};
  result[axis] = value;
  return result;
}

int64_t Layout::elementCount() const {
  int64_t count = 1;
  for (int axis = 0; axis < rank; ++axis)
    count *= extent(axis);
  return count;
}

int Layout::registerCount() const {
  int64_t count = int64_t(1) << reg.size();
  for (int axis = 0; axis < rank; ++axis)
    count *= rep[axis];
  return int(count);
}

Coord Layout::coordinate(int laneIndex, int warpIndex, int index) const {
  Coord result = {};
  for (int bit = 0; bit < kLaneBits; ++bit)
    if (laneIndex >> bit & 1)
      add(result, lane[bit]);
  for (size_t bit = 0; bit < warp.size(); ++bit)
    if (warpIndex >> bit & 1)
      add(result, warp[bit]);
  for (size_t bit = 0; bit < reg.size(); ++bit)
    if (index >> bit & 1)
      add(result, reg[bit]);
  int64_t repetition = index >> reg.size();
  for (int axis = rank - 1; axis >= 0; --axis) {
    result[axis] += tile[axis] * (repetition % rep[axis]);
    repetition /= rep[axis];
  }
  return result;
}

int64_t idleLaneBits(const Layout &layout) {
  int64_t bits = 0;
  for (int bit = 0; bit < kLaneBits; ++bit)
    if (layout.lane[bit] == Coord{})
      bits |= int64_t(1) << bit;
  return bits;
}

int64_t idleWarpBits(const Layout &layout, int64_t warps) {
  int64_t bits = 0;
  for (int bit = 0; (int64_t(1) << bit) < warps; ++bit)
    if (bit >= int(layout.warp.size()) || layout.warp[bit] == Coord{})
      bits |= int64_t(1) << bit;
  return bits;
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

// PTX ISA, "Register fragments and shared memory matrix layouts" of wgmma: lane
// 4 g + t holds rows g and g + 8, columns 2 t and 2 t + 1 of each 16x8 block.
Layout makeWgmmaAccumulator(int64_t rows, int64_t columns) {
  assert(rows > 0 && rows % 64 == 0 && columns > 0 && columns % 8 == 0);
  Layout layout;
  layout.rank = 2;
  layout.lane = {{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}};
  layout.warp = {{16, 0}, {32, 0}};
  layout.reg = {{0, 1}, {8, 0}};
  layout.tile = {64, 8};
  layout.rep = {rows / 64, columns / 8};
  return layout;
}

Layout makeWgmmaOperandA(int64_t rows, int64_t depth) {
  assert(depth % 16 == 0);
  Layout layout = makeWgmmaAccumulator(rows, depth);
  layout.reg.push_back({0, 8});
  layout.tile[1] = 16;
  layout.rep[1] = depth / 16;
  return layout;
}

namespace {
/// Hands out the extents of a tile to registers, lanes and warps, in powers of
/// two.
class AtomBuilder {
public:
  AtomBuilder(const std::vector<int64_t> &shape) {
    layout.rank = int(shape.size());
    for (int axis = 0; axis < layout.rank; ++axis) {
      layout.tile[axis] = 1;
      layout.rep[axis] = shape[axis];
    }
  }

  /// Doubles the atom along `axis` if its extent allows it.
  bool split(int axis, Coord &vector) {
    if (layout.rep[axis] % 2)
      return false;
    vector = unit(axis, layout.tile[axis]);
    layout.tile[axis] *= 2;
    layout.rep[axis] /= 2;
    return true;
  }
  /// The same along the first axis of `order` that can.
  void splitFirst(const std::vector<int> &order, Coord &vector) {
    vector = {};
    for (int axis : order)
      if (split(axis, vector))
        return;
  }

  Layout layout;
};
} // namespace

Layout makeCoalesced(const std::vector<int64_t> &shape,
                     const std::vector<int> &order, int warps, int vector) {
  AtomBuilder builder(shape);
  Coord step;
  for (int width = 1; width < vector && builder.split(order.front(), step);
       width *= 2)
    builder.layout.reg.push_back(step);
  for (Coord &lane : builder.layout.lane)
    builder.splitFirst(order, lane);
  std::vector<int> slowestFirst(order.rbegin(), order.rend());
  for (int count = 1; count < warps; count *= 2) {
    builder.splitFirst(slowestFirst, step);
    builder.layout.warp.push_back(step);
  }
  return builder.layout;
}

//===----------------------------------------------------------------------===//
// Derived layouts
//===----------------------------------------------------------------------===//

static Coord dropAxis(const Coord &coord, int axis) {
  Coord result = {};
  for (int from = 0, to = 0; from < kMaxRank; ++from)
    if (from != axis)
      result[to++] = coord[from];
  return result;
}

static Coord insertAxis(const Coord &coord, int axis, int64_t value) {
  Coord result = {};
  for (int to = 0, from = 0; to < kMaxRank; ++to)
    result[to] = to == axis ? value : coord[from++];
  return result;
}

Layout sliceAxis(const Layout &layout, int axis) {
  assert(layout.rank > 1 && axis < layout.rank);
  Layout result = layout;
  --result.rank;
  for (Coord &vector : result.lane)
    vector = dropAxis(vector, axis);
  for (Coord &vector : result.warp)
    vector = dropAxis(vector, axis);
  result.reg.clear();
  for (const Coord &vector : layout.reg)
    if (Coord kept = dropAxis(vector, axis);
        kept != Coord{} || vector == Coord{})
      result.reg.push_back(kept);
  result.tile = dropAxis(layout.tile, axis);
  result.rep = dropAxis(layout.rep, axis);
  return result;
}

Layout expandAxis(const Layout &layout, int axis) {
  assert(layout.rank < kMaxRank && axis <= layout.rank);
  Layout result = layout;
  ++result.rank;
  for (Coord &vector : result.lane)
    vector = insertAxis(vector, axis, 0);
  for (Coord &vector : result.warp)
    vector = insertAxis(vector, axis, 0);
  for (Coord &vector : result.reg)
    vector = insertAxis(vector, axis, 0);
  result.tile = insertAxis(layout.tile, axis, 1);
  result.rep = insertAxis(layout.rep, axis, 1);
  return result;
}

std::optional<Layout> subtile(const Layout &layout, const Coord &shape) {
  Layout result = layout;
  for (int axis = 0; axis < layout.rank; ++axis) {
    if (shape[axis] < 1 || shape[axis] % layout.tile[axis] ||
        shape[axis] > layout.extent(axis))
      return std::nullopt;
    result.rep[axis] = shape[axis] / layout.tile[axis];
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Runs in memory
//===----------------------------------------------------------------------===//

int64_t contiguousRun(const Layout &layout, int axis) {
  int64_t run = 1;
  size_t bits = 0;
  while (bits < layout.reg.size() && layout.reg[bits] == unit(axis, run)) {
    run *= 2;
    ++bits;
  }
  auto narrow = [&](int64_t distance) {
    while (distance % run)
      run /= 2;
  };
  for (const Coord &vector : layout.lane)
    narrow(vector[axis]);
  for (const Coord &vector : layout.warp)
    narrow(vector[axis]);
  for (; bits < layout.reg.size(); ++bits)
    narrow(layout.reg[bits][axis]);
  if (layout.rep[axis] > 1)
    narrow(layout.tile[axis]);
  return run;
}

int64_t coalescedSpan(const Layout &layout, int axis, int64_t run) {
  int64_t span = run;
  for (const Coord &vector : layout.lane)
    if (vector == unit(axis, span))
      span *= 2;
  return span;
}

} // namespace heddle::machine
