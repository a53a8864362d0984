//===- WindowOps.cpp - Random views of views, and windows of tiles --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows and merged axes, up to three on each other, of any axes in any order,
// and windows that slide along a tile. Places may lie outside on either side,
// but for windows of tiles, where that is an error of the program.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/Support/FormatVariadic.h"

using namespace heddle::fuzz;
using llvm::formatv;

/// No extent of a view that is made is known.
static std::string spell(Kind kind, const std::vector<int> &order) {
  return spellView(kind, std::vector<std::string>(order.size(), "?"), order);
}

Memory Generator::window(const Memory &view, Kind kind, Axes &axes, int axis,
                         int position) {
  int64_t extent = axes.extents[size_t(axis)];
  int64_t stride = rng.of({1, 1, 1, 2, 3}), dilation = rng.of({1, 1, 2});
  int64_t windows =
      std::max<int64_t>(0, extent / stride + rng.of({0, 0, -1, 2}));
  int64_t places = rng.between(1, 4);
  std::vector<int> order;
  for (int one : axes.order) {
    order.push_back(one < position ? one : one + 1);
    if (one == axis)
      order.push_back(position);
  }
  Memory made{w.fresh(), spell(kind, order), view.plan};
  w.line(formatv("{0} = tile.window {1} axis {2} extent {3}, window {4} extent "
                 "{5}, low {6} {{stride = {7}, dilation = {8}} : {9} -> {10}",
                 made.name, view.name, axis, index(windows).name, position,
                 index(places).name, index(rng.of({0, 0, 1, 2, -1})).name,
                 stride, dilation, view.type, made.type));
  axes.order = order;
  axes.extents[size_t(axis)] = windows;
  axes.extents.insert(axes.extents.begin() + position, places);
  return made;
}

Memory Generator::merge(const Memory &view, Kind kind, Axes &axes, int first,
                        int last) {
  std::vector<int> order;
  bool isNamed = false;
  for (int one : axes.order) {
    if (one < first || one > last)
      order.push_back(one < first ? one : one - (last - first));
    else if (!std::exchange(isNamed, true))
      order.push_back(first);
  }
  Memory made{w.fresh(), spell(kind, order), view.plan};
  w.line(formatv("{0} = tile.merge {1} axes {2} to {3} : {4} -> {5}", made.name,
                 view.name, first, last, view.type, made.type));
  axes.order = order;
  for (int axis = last; axis > first; --axis) {
    axes.extents[size_t(axis - 1)] *= axes.extents[size_t(axis)];
    axes.extents.erase(axes.extents.begin() + axis);
  }
  return made;
}

/// A tile of a view that windows and merges make of an input.
bool Generator::loadMapped() {
  Kind kind =
      rng.percent(70)
          ? mainKind
          : rng.of({Kind::F32, Kind::F16, Kind::BF16, Kind::I32, Kind::I8});
  Type type{kind, randomShape(size_t(rng.between(1, 2)))};
  if (!factsOf(kind).stored || !afford(3 * type.elements()))
    return false;
  Axes axes;
  int rank = int(rng.between(1, 2));
  for (int axis = 0; axis < rank; ++axis)
    axes.extents.push_back(rng.of<int64_t>({1, 3, 8, 17, 40, 64, 130}));
  Memory view = inputView(kind, axes.extents, /*mayBeKnown=*/false);
  axes.order = w.plan(view).declared.order;
  for (int64_t more = rng.between(1, 3); more > 0 || rank < int(type.rank());
       --more) {
    rank = int(axes.order.size());
    int axis = int(rng.below(rank));
    if (rank >= 4 || (rank > int(type.rank()) && rng.percent(40))) {
      if (axis + 1 < rank)
        view = merge(view, kind, axes, axis, axis + 1);
    } else {
      view = window(view, kind, axes, axis, int(rng.between(0, rank)));
    }
    rank = int(axes.order.size());
  }
  std::vector<Value> offsets;
  size_t before = size_t(rank) - type.rank();
  for (size_t axis = 0; axis < size_t(rank); ++axis)
    offsets.push_back(
        axis < before
            ? index(rng.between(-1, std::max<int64_t>(axes.extents[axis], 1)))
            : offset(type.shape[axis - before].size,
                     std::min<size_t>(axis - before, 1)));
  loadFrom(view, type, offsets);
  return true;
}

/// Windows that slide along a tile, all of them inside.
bool Generator::unfold() {
  auto span = pick([](const Value &v) {
    return v.type.rank() == 1 && v.type.shape[0].size >= 16 &&
           v.type.shape[0].name.empty() && factsOf(v.type.kind).stored;
  });
  if (!span)
    return false;
  int64_t length = span->type.shape[0].size;
  int64_t step = rng.between(1, 6), size = rng.between(1, 24);
  int64_t height = int64_t(1) << rng.between(2, 6);
  int64_t width = int64_t(1) << rng.between(3, 6);
  int64_t most = length - size - step * (height - 1);
  if (most < 0 || size > width || !afford(height * width))
    return false;
  Type type{span->type.kind, {{height, ""}, {width, ""}}};
  w.define(type, join(span->bound, {0, 0}),
           formatv("tile.unfold {0} from {1} {{size = {2}, step = {3}} : {4} "
                   "-> {5}",
                   span->name, index(rng.between(0, most)).name, size, step,
                   span->type.spell(), type.spell()));
  return true;
}
