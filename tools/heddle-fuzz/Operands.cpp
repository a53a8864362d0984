//===- Operands.cpp - Values in scope, and new ones out of nothing --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wanted type goes in; a value comes out, one in scope or a new one from a
// load, a constant or an iota. All statements draw from here, so the preference
// for recent values makes every program deep: a result of one statement is
// likely an operand of the next.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace heddle::fuzz;
using llvm::formatv;

/// Young values are likelier, so that programs become deep rather than wide.
std::optional<Value> Generator::pick(const Filter &filter) {
  std::vector<Value> found;
  for (const Value &value : w.values())
    if (filter(value))
      found.push_back(value);
  if (found.empty())
    return std::nullopt;
  size_t young = std::min<size_t>(found.size(), 4);
  if (rng.percent(70))
    return found[found.size() - 1 - size_t(rng.below(int64_t(young)))];
  return rng.of(found);
}

std::optional<Value> Generator::pickTile(const std::function<bool(Kind)> &kinds,
                                         bool exact) {
  return pick([&](const Value &value) {
    return value.type.isTile() && kinds(value.type.kind) &&
           (!exact || value.bound.isExact());
  });
}

Value Generator::like(const Type &type, bool exact) {
  if (rng.percent(75))
    if (auto found = pick([&](const Value &value) {
          return value.type == type && (!exact || value.bound.isExact());
        }))
      return *found;
  return leaf(type);
}

//===----------------------------------------------------------------------===//
// New values
//===----------------------------------------------------------------------===//

Value Generator::constant(Kind kind, double value) {
  std::string text = isFloat(kind) ? formatv("{0:e6}", value).str()
                                   : std::to_string(int64_t(value));
  if (kind == Kind::I1)
    text = value != 0 ? "true" : "false";
  std::string type = kind == Kind::I1 ? "" : " : " + Type{kind, {}}.spell();
  int quantum = value == 0 || isInteger(kind) ? 0 : std::ilogb(value) - 3;
  return w.define({kind, {}}, {value, value, quantum},
                  "arith.constant " + text + type);
}

Value Generator::index(int64_t number) { return constant(Kind::Index, number); }

Value Generator::splatOf(const Value &scalar, const Type &type) {
  return w.define(type, scalar.bound,
                  "tile.splat " + scalar.name + " : " + scalar.type.spell() +
                      " -> " + type.spell());
}

Value Generator::splat(const Type &type, double value) {
  Value scalar = constant(type.kind, value);
  return type.isTile() ? splatOf(scalar, type) : scalar;
}

/// Values with few bits, exact in every format.
Value Generator::smallConstant(const Type &type) {
  if (type.kind == Kind::I1)
    return splat(type, double(rng.below(2)));
  if (isFloat(type.kind))
    return splat(type, rng.of({0.0, 1.0, -1.0, 0.5, 2.0, -0.25, 1.5, 3.0}));
  return splat(type, double(rng.between(-4, 7)));
}

/// 0, 1, 2, ... along an axis, perhaps shifted.
Value Generator::counting(const Type &type) {
  size_t axis = size_t(rng.below(int64_t(type.rank())));
  Type line{type.kind, {type.shape[axis]}};
  double last = double(type.shape[axis].size - 1);
  Bound bound{0, last};
  if (last > highestOf(type.kind))
    bound = {lowestOf(type.kind), highestOf(type.kind)};
  Value value = w.define(line, bound, "tile.iota : " + line.spell());
  if (rng.percent(30)) {
    Value shift = splat(line, double(rng.between(-8, 8)));
    value = w.define(line, *roundTo(type.kind, add(value.bound, shift.bound)),
                     "arith.addi " + value.name + ", " + shift.name + " : " +
                         line.spell());
  }
  Type from = line;
  for (size_t other = 0; other < type.rank(); ++other) {
    if (other == axis)
      continue;
    Type to = from;
    to.shape.insert(to.shape.begin() + long(other), Extent{1, ""});
    value = w.define(to, value.bound,
                     formatv("tile.expand_dims {0}, {1} : {2} -> {3}",
                             value.name, other, from.spell(), to.spell()));
    from = to;
  }
  if (from == type)
    return value;
  return w.define(type, value.bound,
                  "tile.broadcast " + value.name + " : " + from.spell() +
                      " -> " + type.spell());
}

Value Generator::leaf(const Type &type) {
  if (!type.isTile() || !afford(type.elements()))
    return smallConstant(type);
  if (type.kind == Kind::I1) {
    Value x = leaf(type.with(Kind::I32)), y = leaf(type.with(Kind::I32));
    return w.define(type, {0, 1},
                    formatv("arith.cmpi {0}, {1}, {2} : {3}",
                            rng.of({"slt", "eq", "uge", "ne", "sgt"}), x.name,
                            y.name, x.type.spell()));
  }
  if (type.kind == Kind::TF32 && type.rank() <= 2) {
    Value x = load(type.with(Kind::F32));
    return w.define(type, *castTo(Kind::TF32, x.bound),
                    "tile.cast " + x.name + " : " + x.type.spell() + " -> " +
                        type.spell());
  }
  if (isInteger(type.kind) && rng.percent(40))
    return counting(type);
  if (factsOf(type.kind).stored && type.rank() <= 2 && rng.percent(70))
    return load(type);
  return smallConstant(type);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Extent Generator::randomExtent() {
  switch (rng.weighted({6, 3, 1, 2})) {
  case 0:
    return {int64_t(1) << rng.between(3, 7), ""};
  case 1:
    return {8 * rng.between(1, 13), ""};
  case 2:
    return {int64_t(1) << rng.between(0, 2), ""};
  default:
    return rng.of(std::vector<Extent>{rows, columns, depth});
  }
}

Shape Generator::randomShape(size_t rank) {
  Shape shape;
  for (size_t axis = 0; axis < rank; ++axis)
    shape.push_back(randomExtent());
  return shape;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Value Generator::indexBinary(const char *op, const Value &a, const Value &b) {
  Bound bound{lowestOf(Kind::Index), highestOf(Kind::Index)};
  if (llvm::StringRef(op) == "arith.addi")
    bound = add(a.bound, b.bound);
  if (llvm::StringRef(op) == "arith.muli")
    bound = multiply(a.bound, b.bound);
  return w.define({Kind::Index, {}}, bound,
                  std::string(op) + " " + a.name + ", " + b.name + " : index");
}

bool Generator::elementwise(const std::string &op,
                            std::initializer_list<Value> operands,
                            std::optional<Bound> bound) {
  const Type &type = operands.begin()->type;
  if (!bound || !afford(type.elements()))
    return false;
  auto names = llvm::map_range(operands, [](const Value &v) { return v.name; });
  w.define(type, *bound,
           op + " " + llvm::join(names, ", ") + " : " + type.spell());
  return true;
}

std::optional<Value> Generator::castFloat(const Value &value, Kind kind) {
  if (value.type.kind == kind)
    return value;
  std::optional<Bound> bound = castTo(kind, value.bound);
  if (!bound)
    return std::nullopt;
  Type to = value.type.with(kind);
  return w.define(to, *bound,
                  "tile.cast " + value.name + " : " + value.type.spell() +
                      " -> " + to.spell());
}
