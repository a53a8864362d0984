//===- ShapeOps.cpp - Random movements of elements ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator's statements that move elements and compute none: transposes,
// broadcasts, reshapes, concatenations, pairs and takes. A result is within the
// bounds of its operands, so inexact values may go in. The indices of a take
// are reduced modulo the extent, so that each names an element.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace heddle::fuzz;
using llvm::formatv;

static bool any(Kind) { return true; }

static std::string arrow(const Type &from, const Type &to) {
  return " : " + from.spell() + " -> " + to.spell();
}

bool Generator::transpose() {
  auto x = pickTile(any);
  if (!x || x->type.rank() < 2 || !afford(x->type.elements()))
    return false;
  std::vector<size_t> order;
  for (size_t axis = 0; axis < x->type.rank(); ++axis)
    order.insert(order.begin() + rng.below(int64_t(axis) + 1), axis);
  Type to{x->type.kind, {}};
  std::vector<std::string> axes;
  for (size_t axis : order) {
    to.shape.push_back(x->type.shape[axis]);
    axes.push_back(std::to_string(axis));
  }
  w.define(to, x->bound,
           "tile.trans " + x->name + ", [" + llvm::join(axes, ", ") + "]" +
               arrow(x->type, to));
  return true;
}

/// A tile of one axis, repeated along another: a bias, a row's maximum.
bool Generator::repeatAlongAxis() {
  auto x = pick([](const Value &v) { return v.type.rank() == 1; });
  if (!x)
    return false;
  auto partner = pick([&](const Value &v) {
    return v.type.rank() == 2 && (v.type.shape[0] == x->type.shape[0] ||
                                  v.type.shape[1] == x->type.shape[0]);
  });
  bool front =
      partner ? partner->type.shape[0] != x->type.shape[0] : rng.percent(50);
  Extent repeated =
      partner ? partner->type.shape[front ? 0 : 1] : randomExtent();
  Type middle = x->type, to = x->type;
  auto place = [&](Type &type, Extent extent) {
    type.shape.insert(front ? type.shape.begin() : type.shape.end(), extent);
  };
  place(middle, {1, ""});
  place(to, repeated);
  if (!afford(to.elements()))
    return false;
  Value expanded = w.define(
      middle, x->bound,
      formatv("tile.expand_dims {0}, {1}", x->name, front ? 0 : 1).str() +
          arrow(x->type, middle));
  if (to == middle)
    return true;
  w.define(to, x->bound, "tile.broadcast " + expanded.name + arrow(middle, to));
  return true;
}

static bool hasNames(const Type &type) {
  return llvm::any_of(type.shape,
                      [](const Extent &e) { return !e.name.empty(); });
}

bool Generator::reshape() {
  auto x =
      pick([](const Value &v) { return v.type.isTile() && !hasNames(v.type); });
  if (!x || !afford(x->type.elements()))
    return false;
  Type to{x->type.kind, {}};
  int64_t count = x->type.elements();
  int64_t columns = rng.of({1, 2, 8, 16, 32, 64});
  if (rng.percent(25))
    to.shape = {{count, ""}};
  else if (count % columns == 0)
    to.shape = {{count / columns, ""}, {columns, ""}};
  else
    return false;
  if (to == x->type)
    return false;
  w.define(to, x->bound, "tile.reshape " + x->name + arrow(x->type, to));
  return true;
}

bool Generator::concatenate() {
  auto x =
      pick([](const Value &v) { return v.type.isTile() && !hasNames(v.type); });
  if (!x || !afford(2 * x->type.elements()) || x->type.elements() > 8192)
    return false;
  Value y = like(x->type);
  size_t axis = size_t(rng.below(int64_t(x->type.rank())));
  Type to = x->type;
  to.shape[axis].size *= 2;
  w.define(to, join(x->bound, y.bound),
           formatv("tile.cat {0}, {1}, {2} : {3}, {3} -> {4}", x->name, y.name,
                   axis, x->type.spell(), to.spell()));
  return true;
}

/// Pairs, and their halves in another order: what packing and RoPE do.
bool Generator::joinAndSplit() {
  auto x = pickTile(any);
  if (!x || x->type.rank() > 2 || !afford(4 * x->type.elements()))
    return false;
  Value y = like(x->type);
  Type pair = x->type;
  pair.shape.push_back({2, ""});
  Bound bound = join(x->bound, y.bound);
  Value joined =
      w.define(pair, bound,
               "tile.join " + x->name + ", " + y.name + arrow(x->type, pair));
  std::string a = w.fresh(), b = w.fresh();
  w.line(a + ", " + b + " = tile.split " + joined.name + arrow(pair, x->type));
  w.bring({a, x->type, bound});
  w.bring({b, x->type, bound});
  return true;
}

bool Generator::take() {
  auto x = pickTile(any);
  if (!x || !afford(3 * x->type.elements()))
    return false;
  size_t axis = size_t(rng.below(int64_t(x->type.rank())));
  Type indexType = x->type.with(Kind::I32);
  if (hasNames(x->type) || rng.percent(60))
    ; // as many as there are
  else
    indexType.shape[axis] = {std::max<int64_t>(1, x->type.shape[axis].size / 2),
                             ""};
  Value chosen = leaf(indexType);
  Value extent = splat(indexType, double(x->type.shape[axis].size));
  Value inside = w.define(indexType, {0, double(x->type.shape[axis].size - 1)},
                          "arith.remui " + chosen.name + ", " + extent.name +
                              " : " + indexType.spell());
  Type to = indexType.with(x->type.kind);
  w.define(to, x->bound,
           formatv("tile.take {0}[{1}], {2} : {3}, {4} -> {5}", x->name,
                   inside.name, axis, x->type.spell(), indexType.spell(),
                   to.spell()));
  return true;
}
