//===- ControlFlow.cpp - Random loops and branches ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions and bounds are uniform: scalars that every instance's threads
// agree on. What a loop carries stays within a bound that is chosen first; the
// value that goes on is one that fits, or is clamped to it.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/Support/FormatVariadic.h"

using namespace heddle::fuzz;
using llvm::formatv;

static bool carries(Kind kind) {
  return kind == Kind::F32 || kind == Kind::F16 || kind == Kind::BF16 ||
         (isInteger(kind) && kind != Kind::Index);
}

/// What a carried value may be: anything exact up to 512.
static Bound carriedBound(Kind kind) {
  if (isInteger(kind))
    return {lowestOf(kind), highestOf(kind)};
  return {-512, 512, factsOf(kind).minQuantum};
}

static bool fits(const Bound &bound, const Bound &limit) {
  return bound.isExact() && bound.low >= limit.low &&
         bound.high <= limit.high && bound.quantum >= limit.quantum;
}

/// What the next iteration gets instead of `value`: a young value that fits,
/// else one that is made to.
Value Generator::carriedOn(const Value &value) {
  Kind kind = value.type.kind;
  Bound limit = carriedBound(kind);
  auto next = pick([&](const Value &v) {
    return v.type == value.type && v.bound.isExact() && v.name != value.name;
  });
  if (!next)
    return value;
  if (fits(next->bound, limit))
    return *next;
  Value high = splat(value.type, limit.high),
        low = splat(value.type, limit.low);
  std::string type = value.type.spell();
  Value below = w.define(value.type, minimum(next->bound, high.bound),
                         "arith.minimumf " + next->name + ", " + high.name +
                             " : " + type);
  return w.define(value.type, maximum(below.bound, low.bound),
                  "arith.maximumf " + below.name + ", " + low.name + " : " +
                      type);
}

Value Generator::uniformCondition() {
  std::vector<Value> scalars = {instance[0], instance[1]};
  for (const Loop &loop : loops)
    scalars.push_back(loop.variable);
  Value x = rng.of(scalars);
  int64_t last = std::max<int64_t>(1, int64_t(x.bound.high));
  Value y = index(rng.between(0, last));
  return w.define({Kind::I1, {}}, {0, 1},
                  formatv("arith.cmpi {0}, {1}, {2} : index",
                          rng.of({"slt", "eq", "sge", "ne", "ult"}), x.name,
                          y.name));
}

bool Generator::loop() {
  if (nesting >= 3)
    return false;
  int64_t trips = rng.of({0, 1, 2, 3, 3, 4}), step = rng.of({1, 1, 2, 8, 16});
  int64_t first = rng.percent(80) ? 0 : rng.between(1, 3);
  int64_t end = first + trips * step - (trips ? rng.below(step) : 0);
  std::vector<Value> starts;
  for (int64_t i = rng.below(3); i > 0; --i)
    if (auto start = pick([&](const Value &v) {
          return carries(v.type.kind) && v.type.kind != Kind::I1 &&
                 fits(v.bound, carriedBound(v.type.kind));
        }))
      starts.push_back(*start);

  Value low = index(first), high = index(end), by = index(step);
  if (rng.percent(30)) { // a bound that only the launch knows
    Value given = w.addScalar(Kind::I32, double(end));
    high = w.define({Kind::Index, {}}, given.bound,
                    "arith.index_cast " + given.name + " : i32 to index");
  }
  std::string variable = w.fresh(), results = w.fresh(), bindings, types;
  std::vector<Value> inside;
  for (const Value &start : starts) {
    inside.push_back({w.fresh(), start.type, carriedBound(start.type.kind)});
    bindings += (bindings.empty() ? "" : ", ") + inside.back().name + " = " +
                start.name;
    types += (types.empty() ? "" : ", ") + start.type.spell();
  }
  std::string head = formatv("scf.for {0} = {1} to {2} step {3} ", variable,
                             low.name, high.name, by.name);
  if (!starts.empty())
    head = formatv("{0}:{1} = {2}iter_args({3}) -> ({4}) ", results,
                   starts.size(), head, bindings, types);
  w.line(head + "{");
  size_t scope = w.open();
  ++nesting;
  Value at{variable, {Kind::Index, {}}, {0, double(end)}};
  w.bring(at);
  loops.push_back({at, step, std::max<int64_t>(trips, 1)});
  int64_t outside = repetitions;
  repetitions *= std::max<int64_t>(trips, 1);
  for (const Value &value : inside)
    w.bring(value);
  statementsFor(rng.between(2, 5));
  if (starts.empty() || rng.percent(20))
    storeEarly();
  std::string yielded;
  for (const Value &value : inside)
    yielded += (yielded.empty() ? "" : ", ") + carriedOn(value).name;
  if (!starts.empty())
    w.line("scf.yield " + yielded + " : " + types);
  repetitions = outside;
  loops.pop_back();
  --nesting;
  w.close(scope);
  w.line("}");
  for (size_t i = 0; i < starts.size(); ++i)
    w.bring({results + "#" + std::to_string(i), starts[i].type,
             join(starts[i].bound, carriedBound(starts[i].type.kind))});
  return true;
}

bool Generator::branch() {
  if (nesting >= 3)
    return false;
  auto chosen = pickTile(carries);
  bool hasResult = chosen && rng.percent(70);
  Value condition = uniformCondition();
  std::string result = w.fresh();
  std::string head = "scf.if " + condition.name + " ";
  if (hasResult)
    head = result + " = " + head + "-> (" + chosen->type.spell() + ") ";
  w.line(head + "{");
  Bound bound;
  for (bool first : {true, false}) {
    if (!first && !hasResult && rng.percent(60))
      break;
    if (!first)
      w.line("} else {");
    size_t scope = w.open();
    ++nesting;
    statementsFor(rng.between(1, 3));
    if (hasResult) {
      Value value = like(chosen->type);
      w.line("scf.yield " + value.name + " : " + value.type.spell());
      bound = first ? value.bound : join(bound, value.bound);
    } else if (rng.percent(50)) {
      storeEarly();
    }
    --nesting;
    w.close(scope);
  }
  w.line("}");
  if (hasResult)
    w.bring({result, chosen->type, bound});
  return true;
}

bool Generator::whileLoop() {
  if (nesting >= 2)
    return false;
  auto start = pick([&](const Value &v) {
    return carries(v.type.kind) && v.type.isTile() && v.type.kind != Kind::I1 &&
           fits(v.bound, carriedBound(v.type.kind));
  });
  if (!start)
    return false;
  int64_t trips = rng.between(0, 3);
  Value zero = index(0), one = index(1), limit = index(trips);
  std::string type = start->type.spell(), types = "index, " + type;
  std::string results = w.fresh(), count = w.fresh(), value = w.fresh();
  w.line(formatv("{0}:2 = scf.while ({1} = {2}, {3} = {4}) : ({5}) -> ({5}) {{",
                 results, count, zero.name, value, start->name, types));
  std::string more = w.fresh();
  w.line(formatv("  {0} = arith.cmpi slt, {1}, {2} : index", more, count,
                 limit.name));
  w.line(formatv("  scf.condition({0}) {1}, {2} : {3}", more, count, value,
                 types));
  w.line("} do {");
  std::string at = w.fresh(), inside = w.fresh();
  w.line(formatv("^bb0({0}: index, {1}: {2}):", at, inside, type));
  size_t scope = w.open();
  ++nesting;
  int64_t outside = repetitions;
  repetitions *= std::max<int64_t>(trips, 1);
  Bound bound = carriedBound(start->type.kind);
  w.bring({inside, start->type, bound});
  statementsFor(rng.between(1, 3));
  Value next = carriedOn({inside, start->type, bound});
  Value following = indexBinary(
      "arith.addi", {at, {Kind::Index, {}}, {0, double(trips)}}, one);
  w.line("scf.yield " + following.name + ", " + next.name + " : " + types);
  repetitions = outside;
  --nesting;
  w.close(scope);
  w.line("}");
  w.bring({results + "#1", start->type, join(start->bound, bound)});
  return true;
}
