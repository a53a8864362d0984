//===- WarpProduct.cpp - Products that warps and threads compute ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments of mma.sync as layouts. Registers are numbered as the instruction
// lists them: neighbours along the contraction share a register of 32 bits,
// then come rows eight further on, then the upper half of the contraction.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/WarpProduct.h"

#include <algorithm>
#include <cassert>

using namespace heddle::machine;

/// The largest power of two that divides `count` and is at most `most`.
static int64_t shareOf(int64_t count, int64_t most) {
  int64_t share = 1;
  while (share * 2 <= most && count % (share * 2) == 0)
    share *= 2;
  return share;
}

WarpGrid heddle::machine::divideAmongWarps(int64_t rows, int64_t columns,
                                           int64_t warps) {
  WarpGrid grid;
  grid.rows = shareOf(rows / kWarpRows, warps);
  grid.columns = shareOf(columns / kWarpColumns, warps / grid.rows);
  return grid;
}

namespace {

/// The warps of `grid`, those along the rows first; `rowStep` and `columnStep`
/// are what one of them covers, zero along an axis that all of them share.
void addWarps(Layout &layout, WarpGrid grid, Coord rowStep, Coord columnStep) {
  auto add = [&](int64_t count, Coord step) {
    for (int64_t warp = 1; warp < count; warp *= 2) {
      Coord vector = {};
      for (int axis = 0; axis < kMaxRank; ++axis)
        vector[axis] = step[axis] * warp;
      layout.warp.push_back(vector);
    }
  };
  add(grid.rows, rowStep);
  add(grid.columns, columnStep);
}

void setExtents(Layout &layout, int64_t rows, int64_t columns) {
  assert(rows % layout.tile[0] == 0 && columns % layout.tile[1] == 0);
  layout.rep = {rows / layout.tile[0], columns / layout.tile[1]};
}

} // namespace

Layout heddle::machine::makeWarpAccumulator(int64_t rows, int64_t columns,
                                            WarpGrid grid) {
  Layout layout;
  layout.rank = 2;
  layout.lane = {{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}};
  layout.reg = {{0, 1}, {8, 0}};
  addWarps(layout, grid, {kWarpRows, 0}, {0, kWarpColumns});
  layout.tile = {kWarpRows * grid.rows, kWarpColumns * grid.columns};
  setExtents(layout, rows, columns);
  return layout;
}

Layout heddle::machine::makeWarpOperandA(int64_t rows, int64_t depth,
                                         int64_t bits, WarpGrid grid) {
  int64_t run = 32 / bits; // elements of a register
  Layout layout;
  layout.rank = 2;
  layout.lane = {{{0, run}, {0, 2 * run}, {1, 0}, {2, 0}, {4, 0}}};
  for (int64_t step = 1; step < run; step *= 2)
    layout.reg.push_back({0, step});
  layout.reg.push_back({8, 0});
  layout.reg.push_back({0, 4 * run});
  addWarps(layout, grid, {kWarpRows, 0}, {});
  layout.tile = {kWarpRows * grid.rows, warpDepth(bits)};
  setExtents(layout, rows, depth);
  return layout;
}

Layout heddle::machine::makeWgmmaOperandA(int64_t rows, int64_t depth,
                                          int64_t bits) {
  return makeWarpOperandA(rows, depth, bits, {/*rows=*/4, /*columns=*/1});
}

Layout heddle::machine::makeWarpOperandB(int64_t depth, int64_t columns,
                                         int64_t bits, WarpGrid grid) {
  int64_t run = 32 / bits;
  Layout layout;
  layout.rank = 2;
  layout.lane = {{{run, 0}, {2 * run, 0}, {0, 1}, {0, 2}, {0, 4}}};
  for (int64_t step = 1; step < run; step *= 2)
    layout.reg.push_back({step, 0});
  layout.reg.push_back({4 * run, 0});
  addWarps(layout, grid, {}, {0, kWarpColumns});
  layout.tile = {warpDepth(bits), kWarpColumns * grid.columns};
  setExtents(layout, depth, columns);
  return layout;
}

Layout heddle::machine::makeThreadSums(int64_t rows, int64_t columns,
                                       int64_t warps) {
  Layout layout;
  layout.rank = 2;
  layout.tile = {1, 1};
  int64_t extents[] = {rows, columns};
  // Doubles the atom along the axis, or along the other one.
  auto split = [&](int axis) {
    Coord vector = {};
    for (int tried : {axis, 1 - axis})
      if (extents[tried] % (2 * layout.tile[tried]) == 0) {
        vector[tried] = layout.tile[tried];
        layout.tile[tried] *= 2;
        break;
      }
    return vector;
  };
  // Neighbouring lanes take neighbouring columns: 8 of them, in 4 rows.
  for (int bit = 0; bit < kLaneBits; ++bit)
    layout.lane[bit] = split(bit < 3 ? 1 : 0);
  for (int64_t warp = 1; warp < warps; warp *= 2)
    layout.warp.push_back(split(0));
  setExtents(layout, rows, columns);
  return layout;
}

/// `sums` without what moves along `axis`, which `depth` registers stand for.
static Layout makeThreadOperand(Layout layout, int axis, int64_t depth) {
  for (Coord &vector : layout.lane)
    vector[axis] = 0;
  for (Coord &vector : layout.warp)
    vector[axis] = 0;
  layout.tile[axis] = 1;
  layout.rep[axis] = depth;
  return layout;
}

Layout heddle::machine::makeThreadOperandA(const Layout &sums, int64_t depth) {
  return makeThreadOperand(sums, 1, depth);
}

Layout heddle::machine::makeThreadOperandB(const Layout &sums, int64_t depth) {
  return makeThreadOperand(sums, 0, depth);
}
