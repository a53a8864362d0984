//===- Generator.cpp - Writes one random tile program ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace heddle::fuzz;
using llvm::formatv;

/// Element operations that a program may do in all, so that it runs in a
/// fraction of a second on the oracle and on the emulator.
static constexpr int64_t kAffordable = 6'000'000;

const std::vector<Generator::Weighted> &Generator::statements() {
  using G = Generator;
  //                              Product Chain Rowwise Free
  static const std::vector<Weighted> table = {
      {&G::floatUnary, {6, 6, 8, 6}},
      {&G::floatBinary, {14, 14, 14, 8}},
      {&G::fusedMultiplyAdd, {2, 2, 2, 2}},
      {&G::floatFunction, {6, 6, 6, 3}},
      {&G::cast, {5, 5, 4, 4}},
      {&G::integerBinary, {2, 2, 2, 8}},
      {&G::compare, {3, 3, 3, 4}},
      {&G::select, {4, 4, 4, 4}},
      {&G::convert, {1, 1, 2, 4}},
      {&G::scalarArithmetic, {2, 2, 2, 2}},
      {&G::loadSomething, {4, 2, 8, 8}},
      {&G::loadMapped, {2, 0, 4, 4}},
      {&G::unfold, {0, 0, 1, 2}},
      {&G::repeatAlongAxis, {4, 6, 10, 5}},
      {&G::reduce, {3, 5, 12, 5}},
      {&G::transpose, {1, 0, 1, 3}},
      {&G::reshape, {0, 0, 1, 3}},
      {&G::concatenate, {0, 0, 0, 2}},
      {&G::joinAndSplit, {0, 0, 0, 2}},
      {&G::take, {0, 0, 0, 2}},
      {&G::scan, {0, 0, 1, 2}},
      {&G::argMax, {0, 0, 1, 2}},
      {&G::histogram, {0, 0, 0, 2}},
      {&G::gather, {0, 0, 1, 3}},
      {&G::scatter, {0, 0, 1, 3}},
      {&G::atomicUpdate, {0, 0, 1, 2}},
      {&G::viewRows, {0, 0, 0, 2}},
      {&G::viewReduce, {0, 0, 0, 2}},
      {&G::storeEarly, {1, 1, 2, 3}},
      {&G::dot, {1, 2, 0, 3}},
      {&G::dotLoop, {0, 0, 0, 3}},
      {&G::chainLoop, {0, 0, 0, 1}},
      {&G::loop, {1, 1, 3, 4}},
      {&G::branch, {1, 1, 2, 4}},
      {&G::whileLoop, {0, 0, 0, 1}},
  };
  return table;
}

Generator::Generator(uint64_t seed, std::optional<Flavour> chosen)
    : rng(seed), flavour(Flavour(rng.weighted({40, 18, 18, 24}))) {
  if (chosen)
    flavour = *chosen;
  mainKind = rng.of({Kind::F16, Kind::F16, Kind::BF16, Kind::BF16, Kind::E4M3,
                     Kind::E5M2, Kind::TF32});
  if (flavour == Flavour::Rowwise)
    mainKind = rng.of({Kind::F16, Kind::BF16, Kind::F32, Kind::F32, Kind::I32});
  approximate = rng.percent(40);
  named = rng.percent(30);
  rows = {64 * rng.of({1, 1, 2, 2, 3}), ""};
  columns = {rng.percent(70) ? int64_t(1) << rng.between(4, 7)
                             : 8 * rng.between(1, 20),
             ""};
  depth = {rng.of({16, 32, 32, 64, 64, 128, 48}), ""};
  if (flavour != Flavour::Product && flavour != Flavour::Chain &&
      rng.percent(50))
    rows = {8 * rng.between(1, 16), ""};
}

bool Generator::afford(int64_t operations) {
  int64_t cost = operations * repetitions;
  if (spent + cost > kAffordable)
    return false;
  spent += cost;
  return true;
}

bool Generator::statement() {
  std::vector<int> weights;
  for (const Weighted &one : statements())
    weights.push_back(one.weights[size_t(flavour)]);
  size_t chosen = rng.weighted(weights);
  return (this->*statements()[chosen].statement)();
}

void Generator::statementsFor(int64_t count) {
  for (int64_t tries = 4 * count; count > 0 && tries > 0; --tries)
    count -= statement();
}

void Generator::body() {
  switch (flavour) {
  case Flavour::Product:
    for (int tries = 0; tries < 4 && !dotLoop(); ++tries)
      ;
    statementsFor(rng.percent(25) ? 0 : rng.between(1, 6));
    return;
  case Flavour::Chain:
    for (int tries = 0; tries < 4 && !chainLoop(); ++tries)
      ;
    statementsFor(rng.between(0, 3));
    return;
  case Flavour::Rowwise:
    loadSomething();
    statementsFor(rng.between(2, 10));
    return;
  case Flavour::Free:
    loadSomething();
    statementsFor(rng.between(3, 14));
    return;
  }
}

/// What nothing has read yet, the youngest first, so that what was computed is
/// needed.
void Generator::storeResults() {
  std::vector<Value> values, others;
  for (const Value &value : w.values())
    if (value.type.isTile() && value.type.rank() <= 2)
      (w.isUsed(value) ? others : values).push_back(value);
  std::reverse(values.begin(), values.end());
  values.insert(values.end(), others.rbegin(), others.rend());
  int64_t count = rng.of({1, 2, 2, 3, 4});
  spent = 0; // results are always affordable
  bool stored = false;
  for (const Value &value : values)
    if (count > 0 && store(value)) {
      stored = true;
      --count;
    }
  if (!stored)
    store(smallConstant({Kind::F32, {rows, columns}}));
}

/// How many instances there are: what a view's extents say, what an argument
/// says, or a constant.
std::vector<Value> Generator::chooseBounds() {
  size_t form = rng.weighted({6, 2, 2});
  if (form < 2 && rng.percent(3))
    instances[rng.below(2)] = 0;
  std::vector<Value> bounds;
  if (form > 0) {
    for (int64_t count : instances) {
      if (form == 2) {
        bounds.push_back(index(count));
        continue;
      }
      Value given = w.addScalar(Kind::I32, double(count));
      bounds.push_back(
          w.define({Kind::Index, {}}, given.bound,
                   "arith.index_cast " + given.name + " : i32 to index"));
    }
    return bounds;
  }
  Extent tile[] = {rows, columns};
  std::vector<int64_t> shape;
  for (size_t axis : {0, 1}) {
    shape.push_back(instances[axis] * tile[axis].size);
    if (shape.back() && rng.percent(50))
      shape.back() -= rng.below(tile[axis].size);
  }
  Kind kind = mainKind == Kind::TF32 ? Kind::F32 : mainKind;
  Memory view = inputView(kind, shape);
  for (size_t axis : {0, 1}) {
    Value extent = w.define(
        {Kind::Index, {}}, {0, double(shape[axis])},
        formatv("tile.dim {0}, {1} : {2}", view.name, axis, view.type));
    bounds.push_back(
        indexBinary("arith.ceildivui", extent, index(tile[axis].size)));
  }
  return bounds;
}

Program Generator::run() {
  if (named) {
    auto legal = [](Extent extent) {
      return std::vector<int64_t>{extent.size, 2 * extent.size};
    };
    rows = w.addParameter(rows.size, legal(rows));
    columns = w.addParameter(columns.size, legal(columns));
  }
  for (size_t axis : {0, 1}) {
    instances[axis] = rng.of({1, 1, 2, 2, 3});
    if (flavour == Flavour::Chain && axis == 1)
      instances[axis] = 1; // each would compute the same
    instance[axis] = {axis ? "%j" : "%i",
                      {Kind::Index, {}},
                      {0, double(std::max<int64_t>(0, instances[axis] - 1))}};
  }
  std::vector<Value> bounds = chooseBounds();
  repetitions = std::max<int64_t>(1, instances[0] * instances[1]);
  w.line("tile.parallel (%i, %j) to (" + bounds[0].name + ", " +
         bounds[1].name + ") {");
  w.open();
  w.bring(instance[0]);
  w.bring(instance[1]);
  body();
  storeResults();
  w.close(0);
  w.line("}");
  const char *names[] = {"product", "chain", "rowwise", "free"};
  return w.finish(formatv("A {0} program.", names[size_t(flavour)]));
}

Program heddle::fuzz::generate(uint64_t seed, std::optional<Flavour> flavour) {
  return Generator(seed, flavour).run();
}
