//===- CombineOps.cpp - Random reductions, scans and histograms -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator's statements that combine elements: reductions, scans, an
// argmax and histograms. The order of a combination is free, so each combiner
// is associative and commutative, and the bound of a result holds for every
// order.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/Support/FormatVariadic.h"

using namespace heddle::fuzz;
using llvm::formatv;

static bool combines(Kind kind) {
  return kind == Kind::F16 || kind == Kind::BF16 || kind == Kind::F32 ||
         (isInteger(kind) && kind != Kind::Index);
}

namespace {
struct Combination {
  const char *op;
  std::optional<Bound> bound; ///< of the result
};
} // namespace

/// Associative and commutative, so that the order is free.
static Combination chooseCombiner(Choice &rng, Kind kind, const Bound &term,
                                  int64_t count) {
  if (isFloat(kind)) {
    switch (rng.below(3)) {
    case 0:
      return {"arith.addf", sum(kind, {}, term, count)};
    case 1:
      return {"arith.maximumf", term};
    default:
      return {"arith.minimumf", term};
    }
  }
  Bound anything{lowestOf(kind), highestOf(kind)};
  if (kind == Kind::I1)
    return {rng.of({"arith.andi", "arith.ori", "arith.xori"}), anything};
  switch (rng.below(4)) {
  case 0:
    return {"arith.addi", sum(kind, {}, term, count)};
  case 1:
    return {rng.of({"arith.maxsi", "arith.minsi"}), term};
  case 2:
    return {rng.of({"arith.maxui", "arith.minui", "arith.muli"}), anything};
  default:
    return {rng.of({"arith.andi", "arith.ori", "arith.xori"}), anything};
  }
}

Value Generator::reduceTile(const Value &tile, int64_t axis,
                            const std::string &combiner,
                            std::optional<Bound> bound) {
  Type to = tile.type;
  to.shape.erase(to.shape.begin() + axis);
  std::string element = Type{tile.type.kind, {}}.spell();
  std::string name = w.fresh();
  w.line(formatv("{0} = tile.reduce {1} axis {2} : {3} -> {4} combine (%p: "
                 "{5}, %q: {5}) {{",
                 name, tile.name, axis, tile.type.spell(), to.spell(),
                 element));
  w.line("  %s = " + combiner + " %p, %q : " + element);
  w.line("  tile.yield %s : " + element);
  w.line("}");
  Value result{name, to, *bound};
  w.bring(result);
  return result;
}

bool Generator::reduce() {
  auto x = pickTile(combines);
  if (!x || !afford(x->type.elements()))
    return false;
  int64_t axis = rng.below(int64_t(x->type.rank()));
  Combination combination = chooseCombiner(rng, x->type.kind, x->bound,
                                           x->type.shape[size_t(axis)].size);
  if (!combination.bound)
    return false;
  reduceTile(*x, axis, combination.op, combination.bound);
  return true;
}

bool Generator::scan() {
  auto x = pickTile(combines);
  if (!x || !afford(x->type.elements()))
    return false;
  int64_t axis = rng.below(int64_t(x->type.rank()));
  Combination combination = chooseCombiner(rng, x->type.kind, x->bound,
                                           x->type.shape[size_t(axis)].size);
  if (!combination.bound)
    return false;
  std::string element = Type{x->type.kind, {}}.spell(), name = w.fresh();
  w.line(formatv("{0} = tile.scan {1} axis {2}{3} : {4} -> {4} combine (%p: "
                 "{5}, %q: {5}) {{",
                 name, x->name, axis, rng.percent(40) ? " reverse" : "",
                 x->type.spell(), element));
  w.line("  %s = " + std::string(combination.op) + " %p, %q : " + element);
  w.line("  tile.yield %s : " + element);
  w.line("}");
  w.bring({name, x->type, join(x->bound, *combination.bound)});
  return true;
}

/// The largest element and where it is first: two operands at once.
bool Generator::argMax() {
  auto x = pickTile([](Kind k) { return k == Kind::F32 || k == Kind::F16; },
                    /*exact=*/true);
  if (!x || !afford(4 * x->type.elements()))
    return false;
  Type places = x->type.with(Kind::I32);
  Value where = counting(places);
  int64_t axis = rng.below(int64_t(x->type.rank()));
  Type best = x->type, at = places;
  best.shape.erase(best.shape.begin() + axis);
  at.shape.erase(at.shape.begin() + axis);
  std::string element = Type{x->type.kind, {}}.spell(), name = w.fresh();
  w.line(formatv("{0}:2 = tile.reduce {1}, {2} axis {3} : {4}, {5} -> {6}, {7} "
                 "combine (%p: {8}, %pi: i32, %q: {8}, %qi: i32) {{",
                 name, x->name, where.name, axis, x->type.spell(),
                 places.spell(), best.spell(), at.spell(), element));
  w.line("  %g = arith.cmpf ogt, %p, %q : " + element);
  w.line("  %e = arith.cmpf oeq, %p, %q : " + element);
  w.line("  %f = arith.cmpi slt, %pi, %qi : i32");
  w.line("  %t = arith.andi %e, %f : i1");
  w.line("  %l = arith.ori %g, %t : i1");
  w.line("  %a = arith.select %l, %p, %q : " + element);
  w.line("  %b = arith.select %l, %pi, %qi : i32");
  w.line("  tile.yield %a, %b : " + element + ", i32");
  w.line("}");
  w.bring({name + "#0", best, x->bound});
  w.bring({name + "#1", at, where.bound});
  return true;
}

bool Generator::histogram() {
  auto x = pick([](const Value &v) {
    return v.type.rank() == 1 &&
           (v.type.kind == Kind::I32 || v.type.kind == Kind::I16);
  });
  if (!x || !afford(x->type.elements()))
    return false;
  Type bins{Kind::I32, {{rng.of({8, 16, 32}), ""}}};
  std::string mask;
  if (rng.percent(40)) {
    Value value = like(x->type.with(Kind::I1));
    mask = " mask " + value.name + " : " + value.type.spell();
  }
  w.define(bins, {0, double(x->type.elements())},
           "tile.histogram " + x->name + mask + " : " + x->type.spell() +
               " -> " + bins.spell());
  return true;
}
