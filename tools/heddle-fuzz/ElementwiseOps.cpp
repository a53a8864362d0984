//===- ElementwiseOps.cpp - Random arithmetic -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator's statements of element-wise arithmetic, on floats, integers
// and masks, with casts and conversions. Each result gets the bound that its
// operands imply. Operations that jump, such as a comparison, take exact
// operands only: an operand that is off by an ulp could give any result.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace heddle::fuzz;
using llvm::formatv;

/// Arithmetic on the 8-bit formats and tf32 is what casts are for.
static bool computesIn(Kind kind) {
  return kind == Kind::F16 || kind == Kind::BF16 || kind == Kind::F32;
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

bool Generator::floatUnary() {
  auto x = pickTile(computesIn);
  if (!x)
    return false;
  switch (rng.weighted({3, 3, x->bound.isExact() ? 2 : 0})) {
  case 0:
    return elementwise("arith.negf", {*x}, negate(x->bound));
  case 1:
    return elementwise("math.absf", {*x}, absolute(x->bound));
  default:
    return elementwise(
        rng.of({"math.floor", "math.ceil", "math.roundeven", "math.trunc"}),
        {*x}, roundTo(x->type.kind, toInteger(x->bound)));
  }
}

bool Generator::floatBinary() {
  auto x = pickTile(computesIn);
  if (!x)
    return false;
  Value y = like(x->type);
  Kind kind = x->type.kind;
  switch (rng.weighted({4, 3, 3, 2, 2})) {
  case 0:
    return elementwise("arith.addf", {*x, y},
                       roundTo(kind, add(x->bound, y.bound)));
  case 1:
    return elementwise("arith.subf", {*x, y},
                       roundTo(kind, subtract(x->bound, y.bound)));
  case 2:
    return elementwise("arith.mulf", {*x, y},
                       roundTo(kind, multiply(x->bound, y.bound)));
  case 3:
    return elementwise(rng.of({"arith.maximumf", "arith.maxnumf"}), {*x, y},
                       maximum(x->bound, y.bound));
  default:
    return elementwise(rng.of({"arith.minimumf", "arith.minnumf"}), {*x, y},
                       minimum(x->bound, y.bound));
  }
}

bool Generator::fusedMultiplyAdd() {
  auto x = pickTile([](Kind kind) { return kind == Kind::F32; });
  if (!x)
    return false;
  Value y = like(x->type), z = like(x->type);
  return elementwise(
      "math.fma", {*x, y, z},
      roundTo(Kind::F32, add(multiply(x->bound, y.bound), z.bound)));
}

bool Generator::floatFunction() {
  if (!approximate)
    return false;
  auto x = pickTile(computesIn);
  if (!x)
    return false;
  Kind kind = x->type.kind;
  auto write = [&](const char *op, std::optional<Bound> bound) {
    return elementwise(op, {*x}, bound ? roundTo(kind, *bound) : std::nullopt);
  };
  switch (rng.below(9)) {
  case 0:
    return write("math.exp", exponential(x->bound, /*base2=*/false));
  case 1:
    return write("math.exp2", exponential(x->bound, /*base2=*/true));
  case 2:
    return write("math.log", logarithm(x->bound, /*base2=*/false));
  case 3:
    return write("math.log2", logarithm(x->bound, /*base2=*/true));
  case 4:
    return write("math.sqrt", squareRoot(x->bound));
  case 5:
    return write("math.rsqrt", inverseRoot(x->bound));
  case 6:
    return write(rng.of({"math.tanh", "math.erf"}), bounded(x->bound));
  case 7:
    if (x->bound.magnitude() > 100)
      return false;
    return write(rng.of({"math.sin", "math.cos"}), bounded(x->bound));
  default:
    Value y = like(x->type);
    std::optional<Bound> bound = divide(x->bound, y.bound);
    return elementwise("arith.divf", {*x, y},
                       bound ? roundTo(kind, *bound) : std::nullopt);
  }
}

bool Generator::cast() {
  auto x = pickTile([](Kind kind) { return isFloat(kind); });
  if (!x)
    return false;
  Kind to = rng.percent(60)
                ? rng.of({Kind::F16, Kind::BF16, Kind::F32})
                : rng.of({Kind::E4M3, Kind::E5M2, Kind::TF32, Kind::F32});
  return to != x->type.kind && afford(x->type.elements()) &&
         castFloat(*x, to).has_value();
}

//===----------------------------------------------------------------------===//
// Integers and masks
//===----------------------------------------------------------------------===//

/// The bound of an integer result of which nothing is known.
static Bound anything(Kind kind) { return {lowestOf(kind), highestOf(kind)}; }

bool Generator::integerBinary() {
  auto x = pickTile([](Kind kind) { return isInteger(kind); });
  if (!x)
    return false;
  Kind kind = x->type.kind;
  Value y = like(x->type);
  if (kind == Kind::I1)
    return elementwise(rng.of({"arith.andi", "arith.ori", "arith.xori"}),
                       {*x, y}, Bound{0, 1});
  switch (rng.below(8)) {
  case 0:
    return elementwise("arith.addi", {*x, y},
                       roundTo(kind, add(x->bound, y.bound)));
  case 1:
    return elementwise("arith.subi", {*x, y},
                       roundTo(kind, subtract(x->bound, y.bound)));
  case 2:
    return elementwise("arith.muli", {*x, y},
                       roundTo(kind, multiply(x->bound, y.bound)));
  case 3:
    return elementwise(rng.of({"arith.andi", "arith.ori", "arith.xori"}),
                       {*x, y}, anything(kind));
  case 4:
    return elementwise(rng.of({"arith.maxsi", "arith.minsi"}), {*x, y},
                       join(x->bound, y.bound));
  case 5:
    return elementwise(rng.of({"arith.maxui", "arith.minui"}), {*x, y},
                       anything(kind));
  case 6: {
    // A shift by the width or more leaves no bit; try it now and then.
    Value by = splat(x->type, double(rng.below(factsOf(kind).bits + 1)));
    return elementwise(rng.of({"arith.shli", "arith.shrsi", "arith.shrui"}),
                       {*x, by}, anything(kind));
  }
  default: {
    Value by = splat(x->type, double(rng.of({1, 2, 3, 5, 7, 16, -3})));
    return elementwise(
        rng.of({"arith.divsi", "arith.remsi", "arith.divui", "arith.remui",
                "arith.floordivsi", "arith.ceildivsi"}),
        {*x, by}, anything(kind));
  }
  }
}

bool Generator::compare() {
  auto x = pickTile(
      [](Kind k) { return k != Kind::I1 && (isInteger(k) || computesIn(k)); },
      /*exact=*/true);
  if (!x)
    return false;
  Value y = like(x->type, /*exact=*/true);
  if (!y.bound.isExact() || !afford(x->type.elements()))
    return false;
  bool real = isFloat(x->type.kind);
  const char *predicate =
      real ? rng.of({"oeq", "olt", "ole", "ogt", "une", "ult"})
           : rng.of({"eq", "ne", "slt", "sle", "sgt", "ult", "uge"});
  w.define(x->type.with(Kind::I1), {0, 1},
           formatv("arith.{0} {1}, {2}, {3} : {4}", real ? "cmpf" : "cmpi",
                   predicate, x->name, y.name, x->type.spell()));
  return true;
}

bool Generator::select() {
  auto x = pickTile([](Kind) { return true; });
  if (!x || !afford(2 * x->type.elements()))
    return false;
  Value mask = like(x->type.with(Kind::I1)), y = like(x->type);
  w.define(x->type, join(x->bound, y.bound),
           formatv("arith.select {0}, {1}, {2} : {3}, {4}", mask.name, x->name,
                   y.name, mask.type.spell(), x->type.spell()));
  return true;
}

/// Between integers and floats, and among integers.
bool Generator::convert() {
  auto x = pickTile([](Kind k) { return isInteger(k) || computesIn(k); },
                    /*exact=*/true);
  if (!x)
    return false;
  Kind from = x->type.kind;
  std::string op;
  Kind to;
  Bound bound = x->bound;
  if (isFloat(from)) {
    to = rng.of({Kind::I32, Kind::I32, Kind::I8, Kind::I16});
    op = "arith.fptosi";
    bound = toInteger(bound);
    bound.low = std::max(bound.low, lowestOf(to));
    bound.high = std::min(bound.high, highestOf(to));
  } else if (rng.percent(50)) {
    to = rng.of({Kind::F32, Kind::F16, Kind::BF16});
    op = from == Kind::I1 || rng.percent(20) ? "arith.uitofp" : "arith.sitofp";
    if (op == "arith.uitofp" && bound.low < 0)
      bound = {0, std::ldexp(1.0, factsOf(from).bits)};
  } else {
    to = rng.of({Kind::I8, Kind::I16, Kind::I32, Kind::I64});
    bool narrower = factsOf(to).bits < factsOf(from).bits;
    if (factsOf(to).bits == factsOf(from).bits || from == Kind::Index)
      return false;
    op = narrower || from != Kind::I1
             ? (narrower ? "arith.trunci" : "arith.extsi")
             : "arith.extui";
  }
  std::optional<Bound> rounded = roundTo(to, bound);
  if (!rounded || !afford(x->type.elements()))
    return false;
  w.define(x->type.with(to), *rounded,
           op + " " + x->name + " : " + x->type.spell() + " to " +
               x->type.with(to).spell());
  return true;
}

/// On scalars, which each process of a kernel may have to repeat.
bool Generator::scalarArithmetic() {
  auto x = pick([](const Value &v) {
    return !v.type.isTile() && v.type.kind == Kind::Index &&
           v.bound.magnitude() < 0x1p20;
  });
  if (!x)
    return false;
  Value number = w.define({Kind::I32, {}}, x->bound,
                          "arith.index_cast " + x->name + " : index to i32");
  if (rng.percent(50))
    number = w.define({Kind::F32, {}}, number.bound,
                      "arith.sitofp " + number.name + " : i32 to f32");
  auto tile = pickTile([&](Kind kind) { return kind == number.type.kind; });
  if (tile && afford(tile->type.elements()))
    splatOf(number, tile->type);
  return true;
}
