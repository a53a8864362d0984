//===- MemoryOps.cpp - Random loads, stores and atomics -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs are never written and each result has memory of its own, in which each
// instance has its own part, so that no instance reads what another writes.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace heddle;
using namespace heddle::fuzz;
using llvm::formatv;
using ArgumentKind = manifest::Argument::Kind;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Few bits, so that sums of products stay exact.
static void chooseFill(Choice &rng, ArgumentPlan &plan, Kind kind) {
  plan.filled = true;
  plan.seed = rng.bits() >> 40;
  plan.high = rng.between(1, 3);
  plan.low = rng.percent(15) ? 0 : -plan.high;
  if (isFloat(kind))
    plan.quantum = rng.of({0, 0, 0, -1, -2});
  else if (rng.percent(25))
    plan.low = -128, plan.high = 127;
}

static Bound boundOf(const ArgumentPlan &plan) {
  double scale = std::ldexp(1.0, plan.quantum);
  // Outside the view there are zeros.
  return {scale * double(std::min<int64_t>(plan.low, 0)),
          scale * double(std::max<int64_t>(plan.high, 0)), plan.quantum};
}

static std::vector<int> chooseOrder(Choice &rng, size_t rank) {
  if (rank == 1)
    return {0};
  return rng.percent(65) ? std::vector<int>{1, 0} : std::vector<int>{0, 1};
}

/// The distance of lines: packed, padded to what TMA asks, or just padded.
static int64_t choosePitch(Choice &rng, int64_t extent, Kind kind) {
  int64_t unit = 128 / factsOf(kind).bits; // elements in 16 bytes
  if (rng.percent(40))
    return (extent + unit - 1) / unit * unit + unit * rng.below(2);
  return extent + (rng.percent(15) ? rng.below(4) : 0);
}

Memory Generator::inputView(Kind kind, const std::vector<int64_t> &shape,
                            bool mayBeKnown) {
  ArgumentPlan plan;
  plan.declared.element = *factsOf(kind).stored;
  plan.declared.order = chooseOrder(rng, shape.size());
  plan.shape = shape;
  plan.pitch = choosePitch(rng, shape[size_t(plan.declared.order[0])], kind);
  chooseFill(rng, plan, kind);
  std::vector<bool> known;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    known.push_back(mayBeKnown && shape[axis] > 0 && rng.percent(8));
  Memory memory = w.addArgument(plan, known);
  inputs.push_back(memory);
  return memory;
}

/// Where to load a tile: at the instance's part, along a loop, or anywhere.
Value Generator::offset(int64_t tileExtent, size_t axis) {
  switch (rng.weighted({4, loops.empty() ? 0 : 4, 2, 1})) {
  case 0:
    return indexBinary("arith.muli", instance[axis], index(tileExtent));
  case 1: {
    const Loop &loop = rng.of(loops);
    if (loop.step == tileExtent || rng.percent(50))
      return loop.variable;
    return indexBinary("arith.muli", loop.variable, index(rng.of({1, 8})));
  }
  case 2:
    return index(rng.of({0, 0, 8, 16, -8, -3, 1, 64}));
  default: {
    Value base = offset(tileExtent, axis);
    return indexBinary("arith.addi", base, index(rng.of({8, -16, 5})));
  }
  }
}

Value Generator::loadFrom(const Memory &view, const Type &type,
                          const std::vector<Value> &offsets) {
  auto names = llvm::map_range(offsets, [](const Value &v) { return v.name; });
  return w.define(type, boundOf(w.plan(view)),
                  "tile.load " + view.name + "[" + llvm::join(names, ", ") +
                      "] : " + view.type + " -> " + type.spell());
}

Value Generator::load(const Type &type) {
  std::optional<Memory> view;
  if (rng.percent(40))
    for (const Memory &input : inputs)
      if (w.plan(input).declared.element == factsOf(type.kind).stored &&
          w.plan(input).declared.rank == int(type.rank()) && rng.percent(50))
        view = input;
  if (!view) {
    std::vector<int64_t> shape;
    for (size_t axis = 0; axis < type.rank(); ++axis) {
      int64_t size = type.shape[axis].size;
      int64_t cover = size * instances[axis];
      int64_t extent = rng.of({cover, cover, size, cover + 8, 2 * size});
      if (rng.percent(35))
        extent -= rng.below(std::max<int64_t>(size, 1));
      if (rng.percent(4))
        extent = rng.below(2);
      shape.push_back(std::max<int64_t>(extent, 0));
    }
    view = inputView(type.kind, shape);
  }
  std::vector<Value> offsets;
  for (size_t axis = 0; axis < type.rank(); ++axis)
    offsets.push_back(offset(type.shape[axis].size, axis));
  return loadFrom(*view, type, offsets);
}

bool Generator::loadSomething() {
  Kind kind = rng.percent(70)
                  ? mainKind
                  : rng.of({Kind::F32, Kind::F16, Kind::BF16, Kind::I32,
                            Kind::I8, Kind::E4M3, Kind::E5M2, Kind::I16});
  Type type{kind, randomShape(size_t(rng.weighted({0, 3, 7})))};
  if (auto seen = pick([](const Value &v) { return v.type.isTile(); });
      seen && rng.percent(50))
    type.shape = seen->type.shape;
  if (type.rank() > 2 || !factsOf(kind).stored || !afford(type.elements()))
    return false;
  load(type);
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Writes `value` to a view of its own. Inside loops the last iteration's
/// stays.
bool Generator::store(const Value &value) {
  Value result = value;
  Kind kind = value.type.kind;
  if (kind == Kind::I1 || kind == Kind::Index) {
    const char *op = kind == Kind::I1 ? "arith.extui " : "arith.index_cast ";
    Type to = value.type.with(Kind::I32);
    result = w.define(to, value.bound,
                      op + value.name + " : " + value.type.spell() + " to " +
                          to.spell());
  } else if (kind == Kind::TF32) {
    result = *castFloat(value, Kind::F32);
  }
  if (!result.type.isTile())
    result = splatOf(result, {result.type.kind, {{8, ""}}});
  Type type = result.type;
  if (type.rank() > 2 || !afford(type.elements()))
    return false;

  ArgumentPlan plan;
  plan.declared.element = *factsOf(type.kind).stored;
  plan.declared.written = true;
  plan.declared.order = chooseOrder(rng, type.rank());
  plan.tolerance = result.bound.error;
  std::vector<std::string> offsets;
  for (size_t axis = 0; axis < type.rank(); ++axis) {
    int64_t size = type.shape[axis].size, parts = instances[axis];
    Value part = instance[axis];
    if (type.rank() == 1) { // both axes of instances in one of the view
      parts *= instances[1];
      part = indexBinary("arith.muli", part, index(instances[1]));
      part = indexBinary("arith.addi", part, instance[1]);
    }
    int64_t extent = parts * size;
    if (rng.percent(40))
      extent -= rng.below(size);
    if (rng.percent(2))
      extent = rng.below(2);
    plan.shape.push_back(std::max<int64_t>(extent, 0));
    offsets.push_back(indexBinary("arith.muli", part, index(size)).name);
  }
  plan.pitch =
      choosePitch(rng, plan.shape[size_t(plan.declared.order[0])], type.kind);
  Memory view = w.addArgument(plan);
  w.line("tile.store " + result.name + ", " + view.name + "[" +
         llvm::join(offsets, ", ") + "] : " + type.spell() + ", " + view.type);
  return true;
}

bool Generator::storeEarly() {
  auto x =
      pick([&](const Value &v) { return v.type.isTile() && !w.isUsed(v); });
  if (!x)
    x = pickTile([](Kind) { return true; });
  return x && x->type.rank() <= 2 && store(*x);
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

bool Generator::gather() {
  Kind kind = rng.of({Kind::F16, Kind::F32, Kind::I32, Kind::BF16});
  Type type{kind, {randomExtent()}};
  if (!afford(6 * type.elements()))
    return false;
  ArgumentPlan plan;
  plan.declared.kind = ArgumentKind::Pointer;
  plan.declared.element = *factsOf(kind).stored;
  plan.shape = {std::max<int64_t>(1, type.elements() - rng.below(8))};
  chooseFill(rng, plan, kind);
  int64_t count = plan.shape[0];
  Memory memory = w.addArgument(plan);
  Type indexType = type.with(Kind::I32);
  // Some are outside, where the mask keeps them from being read.
  Value where = counting(indexType);
  Value low = splat(indexType, 0), high = splat(indexType, double(count));
  std::string i32 = indexType.spell(), i1 = type.with(Kind::I1).spell();
  Value above =
      w.define(type.with(Kind::I1), {0, 1},
               "arith.cmpi sge, " + where.name + ", " + low.name + " : " + i32);
  Value below = w.define(type.with(Kind::I1), {0, 1},
                         "arith.cmpi slt, " + where.name + ", " + high.name +
                             " : " + i32);
  Value inside =
      w.define(type.with(Kind::I1), {0, 1},
               "arith.andi " + above.name + ", " + below.name + " : " + i1);
  std::string base = w.fresh(), pointers = w.fresh();
  std::string tile = spellPointers(type);
  w.line(base + " = tile.splat " + memory.name + " : " + memory.type + " -> " +
         tile);
  w.line(pointers + " = tile.ptr_add " + base + ", " + where.name + " : " +
         tile + ", " + i32);
  Bound bound = boundOf(plan);
  std::string other;
  if (rng.percent(50)) {
    Value instead = smallConstant(type);
    bound = join(bound, instead.bound);
    other = " other " + instead.name + " : " + type.spell();
  }
  w.define(type, bound,
           "tile.gather " + pointers + " mask " + inside.name + " : " + i1 +
               other + " : " + tile + " -> " + type.spell());
  return true;
}

/// The addresses base + number of the instance * extent + 0, 1, 2, ...
static std::string addressesOf(Writer &w, const Memory &memory,
                               const Type &type, const Value &start,
                               const Value &places) {
  std::string moved = w.fresh(), base = w.fresh(), pointers = w.fresh();
  std::string tile = spellPointers(type);
  w.line(moved + " = tile.ptr_add " + memory.name + ", " + start.name + " : " +
         memory.type + ", index");
  w.line(base + " = tile.splat " + moved + " : " + memory.type + " -> " + tile);
  w.line(pointers + " = tile.ptr_add " + base + ", " + places.name + " : " +
         tile + ", " + places.type.spell());
  return pointers;
}

bool Generator::scatter() {
  auto x = pick([](const Value &v) {
    return v.type.rank() == 1 && factsOf(v.type.kind).stored;
  });
  if (!x || !afford(4 * x->type.elements()))
    return false;
  int64_t size = x->type.elements();
  ArgumentPlan plan;
  plan.declared.kind = ArgumentKind::Pointer;
  plan.declared.element = *factsOf(x->type.kind).stored;
  plan.declared.written = true;
  plan.tolerance = x->bound.error;
  plan.shape = {instances[0] * instances[1] * size};
  Memory memory = w.addArgument(plan);
  Value number = indexBinary("arith.muli", instance[0], index(instances[1]));
  number = indexBinary("arith.addi", number, instance[1]);
  Value start = indexBinary("arith.muli", number, index(size));
  Type places = x->type.with(Kind::I32);
  Value where =
      w.define(places, {0, double(size - 1)}, "tile.iota : " + places.spell());
  std::string mask;
  if (rng.percent(50)) {
    Value value = leaf(x->type.with(Kind::I1));
    mask = " mask " + value.name + " : " + value.type.spell();
  }
  std::string pointers = addressesOf(w, memory, x->type, start, where);
  w.line("tile.scatter " + x->name + ", " + pointers + mask + " : " +
         x->type.spell() + ", " + spellPointers(x->type));
  return true;
}

/// All instances update the same few numbers, in an order that does not
/// matter.
bool Generator::atomicUpdate() {
  auto x = pick([](const Value &v) {
    return v.type.rank() == 1 && v.bound.isExact() &&
           (v.type.kind == Kind::I32 || v.type.kind == Kind::F32);
  });
  if (!x || !afford(4 * x->type.elements()))
    return false;
  bool real = x->type.kind == Kind::F32;
  if (real && !sum(Kind::F32, {}, x->bound, repetitions * x->type.elements())
                   .value_or(Bound{0, 0, 0, 1})
                   .isExact())
    return false;
  ArgumentPlan plan;
  plan.declared.kind = ArgumentKind::Pointer;
  plan.declared.element = *factsOf(x->type.kind).stored;
  plan.declared.written = true;
  plan.filled = true;
  plan.low = plan.high = 0;
  int64_t cells = rng.of({1, 8, 64});
  plan.shape = {cells};
  Memory memory = w.addArgument(plan);
  Type places = x->type.with(Kind::I32);
  Value count = w.define(places, {0, double(x->type.elements() - 1)},
                         "tile.iota : " + places.spell());
  Value wrapped =
      w.define(places, {0, double(cells - 1)},
               "arith.remui " + count.name + ", " +
                   splat(places, double(cells)).name + " : " + places.spell());
  std::string pointers = addressesOf(w, memory, x->type, index(0), wrapped);
  const char *kind =
      real ? "fadd" : rng.of({"add", "max", "umin", "xor", "and", "or"});
  w.line(w.fresh() + " = tile.atomic_rmw " + kind + ", relaxed, gpu, " +
         pointers + ", " + x->name + " : " + spellPointers(x->type) + ", " +
         x->type.spell() + " -> " + x->type.spell());
  return true;
}

bool Generator::viewRows() {
  auto rows = pick([](const Value &v) {
    return v.type.rank() == 1 && v.type.kind == Kind::I32 &&
           v.type.shape[0].size >= 8 && v.bound.magnitude() < 0x1p20;
  });
  if (!rows)
    return false;
  Type type{rng.of({Kind::F16, Kind::F32, Kind::BF16}),
            {rows->type.shape[0], randomExtent()}};
  if (!afford(type.elements()))
    return false;
  Memory view = inputView(
      type.kind, {rng.between(1, 100), type.shape[1].size * instances[1]});
  Value column = offset(type.shape[1].size, 1);
  w.define(type, boundOf(w.plan(view)),
           "tile.view_gather " + view.name + "[" + rows->name + ", " +
               column.name + "] : " + view.type + ", " + rows->type.spell() +
               " -> " + type.spell());
  return true;
}

/// Instances add to overlapping tiles of one view.
bool Generator::viewReduce() {
  auto x = pick([](const Value &v) {
    return v.type.rank() == 2 && v.bound.isExact() &&
           (v.type.kind == Kind::I32 || v.type.kind == Kind::F32);
  });
  if (!x || !afford(2 * x->type.elements()))
    return false;
  bool real = x->type.kind == Kind::F32;
  if (real && !sum(Kind::F32, {}, x->bound, repetitions)
                   .value_or(Bound{0, 0, 0, 1})
                   .isExact())
    return false;
  ArgumentPlan plan;
  plan.declared.element = *factsOf(x->type.kind).stored;
  plan.declared.order = chooseOrder(rng, 2);
  plan.declared.written = true;
  plan.filled = true;
  for (const Extent &extent : x->type.shape)
    plan.shape.push_back(
        std::max<int64_t>(1, extent.size - rng.below(extent.size)));
  plan.pitch = plan.shape[size_t(plan.declared.order[0])];
  Memory view = w.addArgument(plan);
  Value zero = index(0);
  w.line(std::string("tile.view_reduce ") +
         (real ? "fadd, " : rng.of({"add, ", "max, ", "umin, "})) + x->name +
         ", " + view.name + "[" + zero.name + ", " + zero.name +
         "] : " + x->type.spell() + ", " + view.type);
  return true;
}
