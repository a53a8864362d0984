//===- DotOps.cpp - Random products of matrices ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator's statements that multiply matrices: a product of values in
// scope, and a loop along K with one accumulator or two, whose operands may be
// transposed or converted on the way. An accumulator's bound covers all trips
// and is computed before the loop is written, because a sum that leaves its
// type is not written.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace heddle::fuzz;
using llvm::formatv;

static bool multiplies(Kind kind) {
  return (isFloat(kind) && kind != Kind::F32) || kind == Kind::I8;
}

std::optional<Value> Generator::multiplyAccumulate(const Value &a,
                                                   const Value &b,
                                                   const Value &acc) {
  std::optional<Bound> bound =
      sum(acc.type.kind, acc.bound, multiply(a.bound, b.bound),
          a.type.shape[1].size);
  if (!bound)
    return std::nullopt;
  return w.define(acc.type, *bound,
                  formatv("tile.dot {0}, {1}, {2} : {3}, {4} -> {5}", a.name,
                          b.name, acc.name, a.type.spell(), b.type.spell(),
                          acc.type.spell()));
}

/// Of whatever is in scope.
bool Generator::dot() {
  auto a = pick([](const Value &v) {
    return v.type.rank() == 2 && multiplies(v.type.kind) &&
           v.type.shape[1].size >= 16;
  });
  if (!a)
    return false;
  auto b = pick([&](const Value &v) {
    return v.type.rank() == 2 && v.type.kind == a->type.kind &&
           v.type.shape[0] == a->type.shape[1];
  });
  if (!b)
    b = leaf({a->type.kind, {a->type.shape[1], columns}});
  Type type{a->type.kind == Kind::I8 ? Kind::I32 : Kind::F32,
            {a->type.shape[0], b->type.shape[1]}};
  if (!afford(type.elements() * a->type.shape[1].size / 8))
    return false;
  Value acc = rng.percent(40) ? like(type) : splat(type, 0);
  return multiplyAccumulate(*a, *b, acc).has_value();
}

Kind Generator::operandKind() {
  return rng.percent(75)
             ? mainKind
             : rng.of({Kind::F16, Kind::BF16, Kind::E4M3, Kind::TF32});
}

/// A tile of `type` at (row, column), read from a view that may hold it
/// transposed or in another element type.
Value Generator::operandLoad(const Memory &view, bool transposed,
                             const Type &type, const Value &row,
                             const Value &column, Kind kind) {
  Type stored = type.with(kind);
  if (transposed)
    std::swap(stored.shape[0], stored.shape[1]);
  Value tile = loadFrom(view, stored,
                        transposed ? std::vector<Value>{column, row}
                                   : std::vector<Value>{row, column});
  if (transposed)
    tile = w.define(type.with(kind), tile.bound,
                    "tile.trans " + tile.name + ", [1, 0] : " + stored.spell() +
                        " -> " + type.with(kind).spell());
  return *castFloat(tile, type.kind);
}

/// acc += A . B along K, of the instance's rows and columns.
bool Generator::dotLoop() {
  Kind kind = operandKind();
  Kind stored = kind == Kind::TF32 ? Kind::F32 : kind;
  if (kind == Kind::F16 && rng.percent(8))
    stored = rng.of({Kind::E4M3, Kind::F32}); // converted on the way
  Kind accKind = kind == Kind::F16 && rng.percent(10) ? Kind::F16 : Kind::F32;
  int64_t trips = rng.of({1, 2, 2, 3, 3, 4, 5, 0});
  size_t dots = rng.percent(25) ? 2 : 1;
  int64_t products = rows.size * columns.size * depth.size;
  if (!afford(int64_t(dots) * trips * products / 8))
    return false;
  int64_t m = rows.size * instances[0], n = columns.size * instances[1];
  int64_t k = trips * depth.size;
  if (rng.percent(50)) {
    m -= rng.below(rows.size);
    n -= rng.below(columns.size);
    k -= trips ? rng.below(depth.size) : 0;
  }
  m = std::max<int64_t>(m, 0);
  n = std::max<int64_t>(n, 0);
  bool flipA = rng.percent(12), flipB = rng.percent(12);
  auto view = [&](int64_t first, int64_t second, bool flip) {
    return inputView(stored, flip ? std::vector{second, first}
                                  : std::vector{first, second});
  };
  std::vector<Memory> as, bs;
  as.push_back(view(m, k, flipA));
  for (size_t i = 0; i < dots; ++i) {
    if (i && rng.percent(30))
      as.push_back(view(m, k, flipA));
    bs.push_back(view(k, n, flipB));
  }

  Value row = indexBinary("arith.muli", instance[0], index(rows.size));
  Value column = indexBinary("arith.muli", instance[1], index(columns.size));
  Type accType{accKind, {rows, columns}};
  std::vector<Value> accs;
  for (size_t i = 0; i < dots; ++i)
    accs.push_back(rng.percent(85) ? splat(accType, 0) : like(accType));
  // What the accumulator is at most, over all trips.
  std::vector<Bound> whole;
  for (const Value &acc : accs) {
    ArgumentPlan &plan = w.plan(as[0]);
    double scale =
        std::ldexp(double(std::max(plan.high, -plan.low)), plan.quantum);
    double largest = 0;
    int quantum = plan.quantum;
    for (const Memory &b : bs) {
      const ArgumentPlan &other = w.plan(b);
      largest =
          std::max(largest, std::ldexp(double(std::max(other.high, -other.low)),
                                       other.quantum));
      quantum = std::min(quantum, other.quantum);
    }
    for (const Memory &a : as) {
      const ArgumentPlan &other = w.plan(a);
      scale =
          std::max(scale, std::ldexp(double(std::max(other.high, -other.low)),
                                     other.quantum));
      quantum = std::min(quantum, other.quantum);
    }
    Bound product{-scale * largest, scale * largest, 2 * quantum};
    auto bound = sum(accKind, acc.bound, product,
                     std::max<int64_t>(1, trips * depth.size));
    if (!bound)
      return false;
    whole.push_back(*bound);
  }

  Value zero = index(0), step = index(depth.size);
  std::string end = w.fresh(), variable = w.fresh(), results = w.fresh();
  w.line(end + " = tile.dim " + as[0].name + ", " + (flipA ? "0" : "1") +
         " : " + as[0].type);
  std::string carried, types;
  std::vector<std::string> inside;
  for (const Value &acc : accs) {
    inside.push_back(w.fresh());
    carried += (carried.empty() ? "" : ", ") + inside.back() + " = " + acc.name;
    types += (types.empty() ? "" : ", ") + acc.type.spell();
  }
  w.line(formatv("{0}{1} = scf.for {2} = {3} to {4} step {5} iter_args({6}) -> "
                 "({7}) {{",
                 results, dots > 1 ? ":2" : "", variable, zero.name, end,
                 step.name, carried, types));
  size_t scope = w.open();
  Value at{variable, {Kind::Index, {}}, {0, double(k)}};
  loops.push_back({at, depth.size, std::max<int64_t>(trips, 1)});
  int64_t outside = repetitions;
  repetitions *= std::max<int64_t>(trips, 1);
  std::vector<Value> left, right;
  for (const Memory &a : as)
    left.push_back(
        operandLoad(a, flipA, {kind, {rows, depth}}, row, at, stored));
  std::string yielded;
  for (size_t i = 0; i < dots; ++i) {
    Value b =
        operandLoad(bs[i], flipB, {kind, {depth, columns}}, at, column, stored);
    Value acc{inside[i], accType, whole[i]};
    const Value &a = left[std::min(i, left.size() - 1)];
    std::string next = w.fresh();
    w.line(formatv("{0} = tile.dot {1}, {2}, {3} : {4}, {5} -> {6}", next,
                   a.name, b.name, acc.name, a.type.spell(), b.type.spell(),
                   accType.spell()));
    yielded += (i ? ", " : "") + next;
  }
  if (flavour == Flavour::Free || rng.percent(15))
    statementsFor(rng.between(1, 3));
  w.line("scf.yield " + yielded + " : " + types);
  repetitions = outside;
  loops.pop_back();
  w.close(scope);
  w.line("}");
  for (size_t i = 0; i < dots; ++i)
    w.bring({results + (dots > 1 ? "#" + std::to_string(i) : ""), accType,
             whole[i]});
  return true;
}
