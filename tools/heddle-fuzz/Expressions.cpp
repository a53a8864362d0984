//===- Expressions.cpp - Programs of random integer expressions -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars and tiles of all integer widths and of index, from constants at the
// ends of their ranges and from data, through every operation that arith has
// for them. Each result is stored in full, in two halves that f64 holds, so
// that oracle, simulator and kernel are compared bit by bit. Division keeps
// away from what is an error: a divisor is odd, and a dividend of a signed
// division lost its last bit.
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"

#include "Choice.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace heddle::fuzz {

namespace {

/// `kExpressions` results of one program, half of them tiles.
constexpr int kExpressions = 48, kLanes = 32, kInputs = 4;

struct Number {
  std::string name;
  int width; ///< 64 for an index, too
  bool isIndex, isTile;
};

class Expressions {
public:
  // Neighbours' streams of numbers would be one stream, a step apart.
  explicit Expressions(uint64_t seed) : rng(Choice(seed).bits()) {}
  Program run();

private:
  void line(const std::string &text) { body += "    " + text + "\n"; }
  static std::string element(int width, bool isIndex) {
    return isIndex ? "index" : "i" + std::to_string(width);
  }
  static std::string typeOf(int width, bool isIndex, bool isTile) {
    std::string type = element(width, isIndex);
    return isTile ? formatv("tensor<{0}x{1}>", kLanes, type).str() : type;
  }
  static std::string typeOf(const Number &number) {
    return typeOf(number.width, number.isIndex, number.isTile);
  }
  Number define(const std::string &right, int width, bool isIndex,
                bool isTile) {
    Number made{"%v" + std::to_string(next++), width, isIndex, isTile};
    line(made.name + " = " + right);
    return made;
  }
  Number constant(int width, bool isIndex, bool isTile);
  /// One of the pool that is like it, or a constant.
  Number like(const Number &number);
  Number binary(const std::string &op, const Number &a, const Number &b) {
    return define("arith." + op + " " + a.name + ", " + b.name + " : " +
                      typeOf(a),
                  a.width, a.isIndex, a.isTile);
  }
  Number one(const Number &number); ///< of its type
  Number convert(const Number &number);
  Number step();
  void store(const Number &number, int place);

  Choice rng;
  std::string body;
  int next = 0;
  std::vector<Number> pool;
};

} // namespace

Number Expressions::constant(int width, bool isIndex, bool isTile) {
  std::string type = typeOf(width, isIndex, isTile);
  if (width == 1)
    return define(isTile ? formatv("arith.constant dense<{0}> : {1}",
                                   rng.percent(50) ? "true" : "false", type)
                               .str()
                         : formatv("arith.constant {0}",
                                   rng.percent(50) ? "true" : "false")
                               .str(),
                  width, isIndex, isTile);
  int64_t most = width == 64 ? INT64_MAX : (int64_t(1) << (width - 1)) - 1;
  int64_t number;
  switch (rng.below(4)) {
  case 0:
    number = rng.of({int64_t(0), int64_t(1), int64_t(-1), most, -most - 1});
    break;
  case 1:
    number = int64_t(uint64_t(1) << rng.below(width - 1)) - rng.below(3);
    break;
  case 2:
    number = rng.between(-100, 100);
    break;
  default:
    number = int64_t(rng.bits()) >> (64 - width);
  }
  return define(
      isTile ? formatv("arith.constant dense<{0}> : {1}", number, type).str()
             : formatv("arith.constant {0} : {1}", number, type).str(),
      width, isIndex, isTile);
}

Number Expressions::like(const Number &number) {
  std::vector<Number> alike;
  for (const Number &other : pool)
    if (other.width == number.width && other.isIndex == number.isIndex &&
        other.isTile == number.isTile)
      alike.push_back(other);
  if (alike.empty() || rng.percent(25))
    return constant(number.width, number.isIndex, number.isTile);
  return rng.of(alike);
}

Number Expressions::one(const Number &number) {
  const char *form = number.isTile ? "arith.constant dense<1> : {0}"
                                   : "arith.constant 1 : {0}";
  return define(formatv(form, typeOf(number)), number.width, number.isIndex,
                number.isTile);
}

/// The number in another width, or as an index, or back.
Number Expressions::convert(const Number &number) {
  static const int widths[] = {1, 8, 16, 32, 64};
  auto cast = [&](const char *op, int width, bool isIndex) {
    return define(formatv("arith.{0} {1} : {2} to {3}", op, number.name,
                          typeOf(number),
                          typeOf(width, isIndex, number.isTile)),
                  width, isIndex, number.isTile);
  };
  int width = widths[rng.below(5)];
  if (number.isIndex)
    return cast(rng.percent(50) ? "index_cast" : "index_castui", width, false);
  if (!number.isTile && rng.percent(40))
    return cast(rng.percent(50) ? "index_cast" : "index_castui", 64, true);
  if (width == number.width)
    return number;
  if (width < number.width)
    return cast("trunci", width, false);
  return cast(rng.percent(50) ? "extsi" : "extui", width, false);
}

Number Expressions::step() {
  Number a = rng.of(pool);
  switch (rng.weighted({5, 3, 2, 2, 2, 2, 4})) {
  case 0:
    return binary(
        rng.of<std::string>({"addi", "subi", "muli", "andi", "ori", "xori"}), a,
        like(a));
  case 1:
    return binary(rng.of<std::string>({"minsi", "maxsi", "minui", "maxui"}), a,
                  like(a));
  case 2: // an amount of the width or more is legal
    return binary(rng.of<std::string>({"shli", "shrui", "shrsi"}), a, like(a));
  case 3: {
    static const char *ops[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                "sge", "ult", "ule", "ugt", "uge"};
    Number b = like(a);
    return define(formatv("arith.cmpi {0}, {1}, {2} : {3}", ops[rng.below(10)],
                          a.name, b.name, typeOf(a)),
                  1, false, a.isTile);
  }
  case 4: {
    Number b = like(a);
    Number condition = like({"", 1, false, a.isTile});
    return define(formatv("arith.select {0}, {1}, {2} : {3}{4}", condition.name,
                          a.name, b.name,
                          a.isTile ? typeOf(condition) + ", " : std::string(),
                          typeOf(a)),
                  a.width, a.isIndex, a.isTile);
  }
  case 5: {
    if (a.width == 1)
      return a;
    bool isSigned = rng.percent(50);
    Number divisor = like(a);
    divisor = binary("ori", divisor, one(divisor));
    if (isSigned)
      return binary(
          rng.of<std::string>({"divsi", "remsi", "ceildivsi", "floordivsi"}),
          binary("shrsi", a, one(a)), divisor);
    return binary(rng.of<std::string>({"divui", "remui", "ceildivui"}), a,
                  divisor);
  }
  default:
    return convert(a);
  }
}

/// All bits of it, as two halves: behind `place` of view %out.
void Expressions::store(const Number &number, int place) {
  Number wide = number;
  if (number.isIndex)
    wide = define("arith.index_cast " + number.name + " : index to i64", 64,
                  false, false);
  else if (number.width < 64)
    wide = define(formatv("arith.extsi {0} : {1} to {2}", number.name,
                          typeOf(number), typeOf(64, false, number.isTile)),
                  64, false, number.isTile);
  std::string tile = typeOf(64, false, true);
  std::string full = wide.name;
  if (!number.isTile) {
    full = "%v" + std::to_string(next++);
    line(formatv("{0} = tile.splat {1} : i64 -> {2}", full, wide.name, tile));
  }
  std::string half = formatv("tensor<{0}xi32>", kLanes);
  std::string shift = "%v" + std::to_string(next++);
  std::string high = "%v" + std::to_string(next++);
  line(formatv("{0} = arith.constant dense<32> : {1}", shift, tile));
  line(formatv("{0} = arith.shrui {1}, {2} : {3}", high, full, shift, tile));
  for (int part : {0, 1}) {
    std::string cut = "%v" + std::to_string(next++);
    std::string at = "%v" + std::to_string(next++);
    line(formatv("{0} = arith.trunci {1} : {2} to {3}", cut, part ? high : full,
                 tile, half));
    line(formatv("{0} = arith.constant {1} : index", at,
                 (2 * place + part) * kLanes));
    line(formatv("tile.store {0}, %out[{1}] : {2}, !tile.view<?xi32>", cut, at,
                 half));
  }
}

Program Expressions::run() {
  Program program;
  auto addView = [&](const char *name, manifest::ElementType element,
                     int64_t extent) -> ArgumentPlan & {
    ArgumentPlan &plan = program.arguments.emplace_back();
    plan.declared.name = name;
    plan.declared.element = element;
    plan.declared.rank = 1;
    plan.declared.order = {0};
    plan.shape = {extent};
    return plan;
  };
  ArgumentPlan &data =
      addView("data", manifest::ElementType::I32, 2 * kInputs * kLanes);
  data.filled = true;
  bool isSmall = rng.percent(30);
  data.low = isSmall ? -3 : INT32_MIN;
  data.high = isSmall ? 3 : INT32_MAX;
  data.seed = rng.bits() % 10000000;
  ArgumentPlan &out =
      addView("out", manifest::ElementType::I32, 2 * kExpressions * kLanes);
  out.declared.written = true;

  // 64 bits of data from two words of 32, which f64 holds.
  std::string words = formatv("tensor<{0}xi32>", kLanes);
  for (int input = 0; input < kInputs; ++input) {
    std::string halves[2];
    for (int part : {0, 1}) {
      std::string at = "%v" + std::to_string(next++);
      std::string word = "%v" + std::to_string(next++);
      halves[part] = "%v" + std::to_string(next++);
      line(formatv("{0} = arith.constant {1} : index", at,
                   (2 * input + part) * kLanes));
      line(formatv("{0} = tile.load %data[{1}] : !tile.view<?xi32> -> {2}",
                   word, at, words));
      line(formatv("{0} = arith.extui {1} : {2} to {3}", halves[part], word,
                   words, typeOf(64, false, true)));
    }
    Number low{halves[0], 64, false, true}, high{halves[1], 64, false, true};
    Number shift =
        define(formatv("arith.constant dense<32> : {0}", typeOf(low)), 64,
               false, true);
    pool.push_back(binary("ori", low, binary("shli", high, shift)));
  }
  // A scalar of the data, and what the launch knows.
  std::string one = "tensor<1xi32>";
  for (int i = 0; i < kInputs; ++i) {
    std::string at = "%v" + std::to_string(next++);
    std::string word = "%v" + std::to_string(next++);
    line(formatv("{0} = arith.constant {1} : index", at, i));
    line(formatv("{0} = tile.load %data[{1}] : !tile.view<?xi32> -> {2}", word,
                 at, one));
    std::string scalar = "%v" + std::to_string(next++);
    line(formatv("{0} = tile.unsplat {1} : {2} -> i32", scalar, word, one));
    pool.push_back({scalar, 32, false, false});
  }
  pool.push_back(
      define("tile.dim %out, 0 : !tile.view<?xi32>", 64, true, false));
  for (int width : {1, 8, 16, 32, 64})
    for (bool isTile : {false, true})
      pool.push_back(constant(width, false, isTile));
  pool.push_back(constant(64, true, false));

  for (int i = 0; i < kExpressions; ++i) {
    Number result = pool.back();
    for (int depth = 0; depth < 5; ++depth)
      pool.push_back(result = step());
    store(result, i);
  }
  std::string text = "// A program of integer expressions.\n";
  for (const ArgumentPlan &plan : program.arguments)
    text += print(plan) + "\n";
  text += "tile.kernel @generated(%data: !tile.view<?xi32>, %out: "
          "!tile.view<?xi32>) {\n"
          "  %one = arith.constant 1 : index\n"
          "  tile.parallel (%i) to (%one) {\n" +
          body + "  }\n}\n";
  program.text = std::move(text);
  return program;
}

Program generateExpressions(uint64_t seed) { return Expressions(seed).run(); }

} // namespace heddle::fuzz
