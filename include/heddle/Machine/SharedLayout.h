//===- SharedLayout.h - Where an element of a shared tile lies ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile in shared memory is a row of boxes along its fastest axis, each
// `swizzle` bytes wide and as tall as the other axes; TMA writes a box in one
// instruction and a wgmma descriptor walks it. Within a box the 16-byte chunk
// of a row is exchanged by address bits: chunk' = chunk ^ phase(row), which
// keeps eight rows of one column in different banks. Offsets hold if the tile
// starts at a multiple of `alignment()`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_SHAREDLAYOUT_H
#define HEDDLE_MACHINE_SHAREDLAYOUT_H

#include "heddle/Machine/Layout.h"

namespace heddle::machine {

struct SharedLayout {
  int rank = 2;
  Coord shape = {};
  std::array<int, kMaxRank> order = {1, 0}; ///< axes, fastest first
  int64_t swizzle = 0;                      ///< 0, 32, 64 or 128 bytes
  int64_t elementBytes = 2;

  int fastest() const { return order[0]; }
  int64_t boxWidth() const {
    return swizzle ? swizzle / elementBytes : shape[fastest()];
  }
  int64_t boxCount() const { return shape[fastest()] / boxWidth(); }
  int64_t rowBytes() const { return boxWidth() * elementBytes; }
  /// Rows of a box: the extents of the slower axes multiplied.
  int64_t boxRows() const;
  int64_t boxBytes() const { return rowBytes() * boxRows(); }
  int64_t bytes() const { return boxBytes() * boxCount(); }
  int64_t alignment() const { return swizzle ? 8 * swizzle : 16; }

  /// Row of an element in its box.
  int64_t row(const Coord &coord) const;
  /// What `row` is exchanged with, in 16-byte chunks.
  int64_t phase(int64_t row) const {
    return swizzle ? row * swizzle / 128 % (swizzle / 16) : 0;
  }

  /// The part of the offset that the swizzle leaves alone: box, row, byte in
  /// chunk.
  int64_t fixedOffset(const Coord &coord) const;
  /// The part that it changes, after the exchange: the chunk of the row, in
  /// bytes. Over coordinates with disjoint bits it is linear under exclusive
  /// or.
  int64_t chunkOffset(const Coord &coord) const;
  int64_t offset(const Coord &coord) const {
    return fixedOffset(coord) + chunkOffset(coord);
  }
};

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_SHAREDLAYOUT_H
