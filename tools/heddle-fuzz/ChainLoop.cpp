//===- ChainLoop.cpp - A dot of a dot, along a loop -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   acc += narrow(f(Q . K)) . V, either with an element-wise f on exact numbers
//   or with the running maximum and sum of an online softmax.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace heddle::fuzz;
using llvm::formatv;

namespace {
/// A value that the loop carries: inside, as it starts, as it goes on.
struct Carried {
  Value inside;
  std::string start, next;
};
} // namespace

static Bound inputBound(const ArgumentPlan &plan) {
  double scale = std::ldexp(1.0, plan.quantum);
  return {scale * double(std::min<int64_t>(plan.low, 0)),
          scale * double(std::max<int64_t>(plan.high, 0)), plan.quantum};
}

bool Generator::chainLoop() {
  Kind kind = rng.of({Kind::F16, Kind::BF16});
  int64_t trips = rng.between(1, 4), head = rng.of({32, 64, 64, 128});
  Extent width{head, ""}, keys = depth;
  if (keys.size < 16 || !afford(trips * rows.size * keys.size * head / 4))
    return false;
  bool online = approximate && rng.percent(70);
  int64_t length =
      trips * keys.size - (rng.percent(30) ? rng.below(keys.size) : 0);
  Memory q = inputView(kind, {rows.size * instances[0], head});
  Memory k = inputView(kind, {length, head});
  Memory v = inputView(kind, {length, head});
  if (online) // of moderate size, so that exp2 has something to tell apart
    for (const Memory &memory : {q, k})
      w.plan(memory).low = -1, w.plan(memory).high = 1,
      w.plan(memory).quantum = -2;
  Bound qBound = inputBound(w.plan(q)), kBound = inputBound(w.plan(k)),
        vBound = inputBound(w.plan(v));

  Value zero = index(0), step = index(keys.size);
  Value row = indexBinary("arith.muli", instance[0], index(rows.size));
  Value left = loadFrom(q, {kind, {rows, width}}, {row, zero});
  Type accType{Kind::F32, {rows, width}}, scoreType{Kind::F32, {rows, keys}};
  Type vector{Kind::F32, {rows}};
  Value accStart = splat(accType, 0), noScore = splat(scoreType, 0);
  auto score = sum(Kind::F32, {}, multiply(qBound, kBound), head);
  if (!score || !score->isExact())
    return false;

  std::vector<Carried> carried;
  auto carry = [&](const Value &start, Bound bound) {
    carried.push_back({{w.fresh(), start.type, bound}, start.name, ""});
    return carried.size() - 1;
  };
  size_t acc = carry(accStart, {});
  size_t best = 0, total = 0;
  if (online) {
    best = carry(splat(vector, -score->magnitude() - 1), {});
    total = carry(splat(vector, 0), {});
  }
  std::string end = w.fresh(), variable = w.fresh(), results = w.fresh();
  w.line(end + " = tile.dim " + k.name + ", 0 : " + k.type);
  std::string bindings, types;
  for (const Carried &one : carried) {
    bindings +=
        (bindings.empty() ? "" : ", ") + one.inside.name + " = " + one.start;
    types += (types.empty() ? "" : ", ") + one.inside.type.spell();
  }
  w.line(formatv("{0}:{1} = scf.for {2} = {3} to {4} step {5} iter_args({6}) "
                 "-> ({7}) {{",
                 results, carried.size(), variable, zero.name, end, step.name,
                 bindings, types));
  size_t scope = w.open();
  Value at{variable, {Kind::Index, {}}, {0, double(length)}};
  Value keysTile = loadFrom(k, {kind, {keys, width}}, {at, zero});
  Value flipped = w.define({kind, {width, keys}}, keysTile.bound,
                           "tile.trans " + keysTile.name +
                               ", [1, 0] : " + keysTile.type.spell() + " -> " +
                               Type{kind, {width, keys}}.spell());
  Value scores = *multiplyAccumulate(left, flipped, noScore);
  Value values = loadFrom(v, {kind, {keys, width}}, {at, zero});

  auto apply = [&](const char *op, const Value &x, const Value &y) {
    return w.define(x.type, {},
                    std::string(op) + " " + x.name + ", " + y.name + " : " +
                        x.type.spell());
  };
  auto exponent = [&](const Value &x) {
    return w.define(x.type, {}, "math.exp2 " + x.name + " : " + x.type.spell());
  };
  auto alongRows = [&](const Value &x, const Type &to) {
    Type middle{x.type.kind, {rows, {1, ""}}};
    Value column =
        w.define(middle, x.bound,
                 "tile.expand_dims " + x.name + ", 1 : " + x.type.spell() +
                     " -> " + middle.spell());
    return w.define(to, x.bound,
                    "tile.broadcast " + column.name + " : " + middle.spell() +
                        " -> " + to.spell());
  };

  Value inside = carried[acc].inside, weights = scores;
  if (online) {
    Value highest = reduceTile(scores, 1, "arith.maximumf", Bound{});
    Value next = apply("arith.maximumf", carried[best].inside, highest);
    Value shrink = exponent(apply("arith.subf", carried[best].inside, next));
    weights = exponent(apply("arith.subf", scores, alongRows(next, scoreType)));
    Value part = reduceTile(weights, 1, "arith.addf", Bound{});
    carried[best].next = next.name;
    carried[total].next =
        apply("arith.addf", apply("arith.mulf", carried[total].inside, shrink),
              part)
            .name;
    inside = apply("arith.mulf", inside, alongRows(shrink, accType));
  } else {
    for (int64_t i = rng.below(3); i > 0; --i) {
      Value by = splat(scoreType, rng.of({0.5, 0.0, 0.25, 1.0}));
      const char *op = rng.of({"arith.mulf", "arith.maximumf", "arith.addf"});
      Value next = apply(op, weights, by);
      next.bound = op == llvm::StringRef("arith.mulf")
                       ? multiply(weights.bound, by.bound)
                   : op == llvm::StringRef("arith.addf")
                       ? add(weights.bound, by.bound)
                       : maximum(weights.bound, by.bound);
      weights = next;
    }
  }
  Bound exactWeights = weights.bound;
  std::optional<Bound> narrow = castTo(kind, exactWeights);
  if (online)
    narrow = Bound{0, 1, kNoQuantum};
  Type narrowType = weights.type.with(kind);
  Value p = w.define(narrowType, narrow.value_or(Bound{}),
                     "tile.cast " + weights.name + " : " +
                         weights.type.spell() + " -> " + narrowType.spell());
  std::string product = w.fresh();
  w.line(formatv("{0} = tile.dot {1}, {2}, {3} : {4}, {5} -> {6}", product,
                 p.name, values.name, inside.name, p.type.spell(),
                 values.type.spell(), accType.spell()));
  carried[acc].next = product;
  std::string yielded;
  for (const Carried &one : carried)
    yielded += (yielded.empty() ? "" : ", ") + one.next;
  w.line("scf.yield " + yielded + " : " + types);
  w.close(scope);
  w.line("}");

  auto result = [&](size_t i, Bound bound) {
    return Value{results + "#" + std::to_string(i), carried[i].inside.type,
                 bound};
  };
  if (!online) {
    auto bound =
        sum(Kind::F32, {}, multiply(p.bound, values.bound), trips * keys.size);
    if (bound)
      w.bring(result(acc, *bound));
    return bound.has_value();
  }
  // acc / total is a mean of V with weights that are off, relatively, by what
  // exp2 leaves, by an ulp of the narrow type, and by the sums' roundings.
  double relative =
      std::ldexp(1.0, 2 - factsOf(kind).precision) + double(trips) * 0x1p-18;
  double largest = vBound.magnitude();
  size_t mark = w.mark();
  Value bottom = result(total, {});
  Value mean = apply("arith.divf", result(acc, {}), alongRows(bottom, accType));
  Value known{mean.name,
              mean.type,
              {-largest, largest, kNoQuantum, largest * relative}};
  w.forget(mark);
  w.bring(known);
  return true;
}
