//===- Reduction.h - How threads combine elements along an axis ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread combines its registers, then lanes exchange what they have, and each
// warp knows the total of what it holds. Warps spread along the axis give one
// total each, so the axis keeps an extent: the number of positions of a warp.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_REDUCTION_H
#define HEDDLE_MACHINE_REDUCTION_H

#include "heddle/Machine/Layout.h"

namespace heddle::machine {

struct Reduction {
  /// The operand's layout with one coordinate along the axis for each position
  /// of whoever combines. Lanes of a warp that moved along it hold replicas.
  Layout result;
  /// For each register of `result`, those of the operand that it combines, in
  /// the order of the axis.
  std::vector<std::vector<int>> registers;
  /// The bits of the lane index that move along the axis.
  std::vector<int> laneBits;

  /// Positions of whoever combines along the axis.
  int64_t positions = 1;
};

/// Who combines what: threads their registers, or then warps their lanes too.
enum class Combining { Threads, Warps };

/// Nothing if a vector of the layout moves along several axes at once, or if an
/// element is missing or met twice on the way along the axis.
std::optional<Reduction> planReduction(const Layout &layout, int axis,
                                       Combining by = Combining::Warps);

/// `layout`, of which each thread holds all `layout.extent(axis)` coordinates
/// along the axis in registers; nobody else's coordinates change.
Layout gatherAxis(const Layout &layout, int axis);

/// A layout L with an axis of `extent` inserted such that sliceAxis(L, axis) is
/// `layout`: lanes and warps that hold replicas spread along the axis, after
/// pairs of registers, or runs of eight where no lane does.
Layout spreadAxis(const Layout &layout, int axis, int64_t extent);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_REDUCTION_H
