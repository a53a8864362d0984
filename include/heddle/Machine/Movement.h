//===- Movement.h - Layouts of tiles whose axes are rearranged ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that only rename axes cost nothing if the layout is renamed with them:
// each thread keeps its elements, and registers get other numbers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_MOVEMENT_H
#define HEDDLE_MACHINE_MOVEMENT_H

#include "heddle/Machine/Layout.h"

namespace heddle::machine {

/// Axis i of the result is axis order[i] of `layout`. Threads keep their
/// elements; repetitions are numbered in the order of the new axes.
Layout permuteAxes(const Layout &layout, const std::vector<int64_t> &order);
/// For each register of permuteAxes(layout, order) the register of `layout`
/// with the same element.
std::vector<int> mapPermuted(const Layout &layout,
                             const std::vector<int64_t> &order);

/// The layout of the same elements, row-major, in another shape, such that each
/// thread keeps its elements; nothing if no layout says so.
std::optional<Layout> reshape(const Layout &layout,
                              const std::vector<int64_t> &shape);
/// For each register of `to` the register of `from` with the same element in
/// row-major order; nothing if threads differ in what they hold.
std::optional<std::vector<int>> mapReshaped(const Layout &from,
                                            const Layout &to);

/// Two tiles of `layout` side by side along a new last axis: register 2 i + h
/// is register i of tile h.
Layout joinTiles(const Layout &layout);
/// The layout L with joinTiles(L) == layout.
std::optional<Layout> splitTiles(const Layout &layout);

/// `layout` with `extent` along an axis, as more or fewer repetitions.
std::optional<Layout> resizeAxis(const Layout &layout, int axis,
                                 int64_t extent);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_MOVEMENT_H
