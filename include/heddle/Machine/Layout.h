//===- Layout.h - Which lane and register hold which element ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register layout is an atom times an integer repetition per axis. The atom
// is linear: bit i of the lane index adds the vector lane[i] to the
// coordinates, bit i of the warp index (within the process) adds warp[i], bit i
// of the register index adds reg[i]; a zero vector replicates. Only the atom
// has power-of-two structure, so any multiple of its extents is a legal tile:
// 64x176, 64x24.
//
// Registers are numbered with the atom's bits fastest, then the repetitions,
// the last axis fastest. Plain C++: the scheduler's cost model uses it without
// MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_LAYOUT_H
#define HEDDLE_MACHINE_LAYOUT_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::machine {

inline constexpr int kMaxRank = 5;
inline constexpr int kLaneBits = 5;

/// A coordinate or an extent per axis; axes from `rank` on stay zero.
using Coord = std::array<int64_t, kMaxRank>;

struct Layout {
  int rank = 1;
  std::array<Coord, kLaneBits> lane = {};
  std::vector<Coord> warp;
  std::vector<Coord> reg;
  Coord tile = {}; ///< extents of the atom
  Coord rep = {};  ///< repetitions of the atom

  bool operator==(const Layout &) const = default;

  int64_t extent(int axis) const { return tile[axis] * rep[axis]; }
  int64_t elementCount() const;
  int warpCount() const { return 1 << warp.size(); }
  /// Elements that each thread holds, replicas included.
  int registerCount() const;

  /// The element that register `index` of `laneIndex` in `warpIndex` holds.
  Coord coordinate(int laneIndex, int warpIndex, int index) const;
  /// The part of the coordinate that the register adds (lane 0 of warp 0).
  Coord registerCoordinate(int index) const { return coordinate(0, 0, index); }
};

/// The bits of a lane's index that change nothing: lanes that differ in them
/// hold the same elements.
int64_t idleLaneBits(const Layout &layout);
/// The same of a warp's index among `warps`; a layout may know fewer.
int64_t idleWarpBits(const Layout &layout, int64_t warps);

//===----------------------------------------------------------------------===//
// Anchors: the layouts that instructions and memory dictate
//===----------------------------------------------------------------------===//

/// Accumulators of wgmma m64nNk16 over four warps; `rows` is a multiple of 64,
/// `columns` of 8.
Layout makeWgmmaAccumulator(int64_t rows, int64_t columns);

/// The A operand of wgmma in registers, 16-bit elements; `depth` is a multiple
/// of
/// 16. Its registers are those of an accumulator of the same extents.
Layout makeWgmmaOperandA(int64_t rows, int64_t depth);

/// A layout for global access: neighbouring lanes hold neighbouring runs of up
/// to `vector` elements along the fastest axis. `order` lists axes fastest
/// first. Lanes and warps that no axis can use evenly replicate.
Layout makeCoalesced(const std::vector<int64_t> &shape,
                     const std::vector<int> &order, int warps, int vector);

//===----------------------------------------------------------------------===//
// Derived layouts
//===----------------------------------------------------------------------===//

/// What remains after a reduction along `axis`: lanes and warps that differed
/// along it become replicas, registers that did disappear. Rank goes down by
/// one.
Layout sliceAxis(const Layout &layout, int axis);

/// Inserts an axis of extent 1; expandAxis(sliceAxis(L, a), a) broadcasts
/// freely to L.
Layout expandAxis(const Layout &layout, int axis);

/// The layout of a block of extents `shape` cut out of `layout` at a coordinate
/// that is a multiple of the atom; nothing if the atom does not divide `shape`.
std::optional<Layout> subtile(const Layout &layout, const Coord &shape);

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// For each register of `to`, a register of `from` in the same thread that
/// holds the element `offset` further on; axes where `from` has extent 1
/// broadcast. Nothing if some element is in another thread or depends on the
/// lane.
std::optional<std::vector<int>>
mapRegisters(const Layout &from, const Layout &to, const Coord &offset = {});

/// How many elements along `axis` neighbouring registers of a thread hold, each
/// such run beginning at a multiple of its length: a power of two.
int64_t contiguousRun(const Layout &layout, int axis);

/// How many elements along `axis` the lanes of a warp cover without a gap when
/// each takes one run of `run` elements.
int64_t coalescedSpan(const Layout &layout, int axis, int64_t run);

enum class Conversion {
  Same,                ///< register i holds the same element in both
  RegisterPermutation, ///< every thread has what it needs: free
  WarpShuffle,         ///< every warp has what it needs
  SharedRoundTrip,     ///< through shared memory: a slot and a barrier
};
/// What turning `from` into `to` costs. Both cover the same extents.
Conversion classifyConversion(const Layout &from, const Layout &to);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_LAYOUT_H
