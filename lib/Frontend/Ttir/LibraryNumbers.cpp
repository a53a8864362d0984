//===- LibraryNumbers.cpp - libdevice's exact functions of floats ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exponents, words and neighbours are read from a number's bits, since an
// addition may take what is below the least normal number for zero. Remainders
// are exact; norms are rounded at the end. Those of f32 are computed in f64,
// which holds every square and every product of two of them.
//
//===----------------------------------------------------------------------===//

#include "LibraryFunctions.h"

#include "heddle/Dialect/Tile/Exact.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Where a float of some width keeps its exponent.
struct Layout {
  unsigned width, fraction;
  int64_t bias;
  int64_t exponents() const { return 2 * bias + 1; } ///< that of infinity
  int64_t infinity() const { return exponents() << fraction; }
};

Layout layoutOf(Type element) {
  return element.isF64() ? Layout{64, 52, 1023} : Layout{32, 23, 127};
}

/// Of floats of one type, and of integers as wide.
class BitFormula : public Formula {
public:
  BitFormula(const Formula &formula, Type element)
      : Formula(formula.in(element)), layout(layoutOf(element)),
        integers(of(IntegerType::get(element.getContext(), layout.width))),
        words(of(IntegerType::get(element.getContext(), 32))) {}

  Value whole(StringRef name, Value a, Value b) {
    return make(name, integers, {a, b});
  }
  Value constant(int64_t value) { return integer(integers, value); }
  Value bitsOf(Value x) { return make("arith.bitcast", integers, x); }
  Value fromBits(Value bits) { return make("arith.bitcast", bits); }
  Value isAt(Value a, int64_t b) {
    return compare(arith::CmpIPredicate::eq, a, constant(b));
  }

  /// Of |x|.
  Value magnitude(Value x) {
    int64_t sign = layout.width == 64 ? std::numeric_limits<int64_t>::max()
                                      : std::numeric_limits<int32_t>::max();
    return whole("arith.andi", bitsOf(x), constant(sign));
  }

  /// The exponent of a number that is neither zero nor infinite.
  Value exponent(Value magnitude) {
    Value normal =
        whole("arith.subi",
              whole("arith.shrui", magnitude, constant(layout.fraction)),
              constant(layout.bias));
    // Its highest bit is the first of the fraction.
    int64_t least = layout.width - 1 - layout.bias - layout.fraction + 1;
    Value tiny = whole("arith.subi", constant(least),
                       make("math.ctlz", integers, magnitude));
    Value isTiny = compare(arith::CmpIPredicate::slt, magnitude,
                           constant(int64_t(1) << layout.fraction));
    return select(isTiny, tiny, normal);
  }

  Value ilogb(Value x) {
    Value size = magnitude(x), found = exponent(size);
    if (layout.width == 64)
      found = make("arith.trunci", words, found);
    int64_t most = std::numeric_limits<int32_t>::max();
    found = select(isAt(size, layout.infinity()), integer(words, most), found);
    Value isNone =
        make("arith.ori", of(Type(IntegerType::get(builder.getContext(), 1))),
             {isAt(size, 0), compare(arith::CmpIPredicate::sgt, size,
                                     constant(layout.infinity()))});
    return select(isNone, integer(words, -most - 1), found);
  }

  Value logb(Value x) {
    Value size = magnitude(x);
    Value found = make("arith.sitofp", exponent(size));
    Value isNumber =
        compare(arith::CmpIPredicate::slt, size, constant(layout.infinity()));
    // Infinity without its sign, and NaN.
    found = select(isNumber, found, multiply(x, x));
    return select(isAt(size, 0), number(-kInfinity), found);
  }

  /// The neighbour of x on the way to y.
  Value nextAfter(Value x, Value y) {
    Value bits = bitsOf(x), size = magnitude(x);
    Value up = compare(arith::CmpFPredicate::OLT, x, y),
          isNegative = compare(arith::CmpIPredicate::slt, bits, constant(0));
    Value isAway = make("arith.xori", up.getType(), {up, isNegative});
    Value step = select(isAway, constant(1), constant(-1));
    Value found = fromBits(whole("arith.addi", bits, step));
    Value least = make("math.copysign", {fromBits(constant(1)), y});
    found = select(isAt(size, 0), least, found);
    found = select(compare(arith::CmpFPredicate::OEQ, x, y), y, found);
    return select(compare(arith::CmpFPredicate::UNO, x, y), add(x, y), found);
  }

  /// x 2^n, rounded once where the result has fewer bits.
  Value scale(Value x, Value n) {
    // More than the least number is from the largest, and no sum wraps.
    n = make("arith.minsi", words, {n, integer(words, 4 * layout.bias)});
    n = make("arith.maxsi", words, {n, integer(words, -4 * layout.bias)});
    if (n.getType() != integers)
      n = make("arith.extsi", integers, n);
    // Below the normal numbers a factor makes one of it.
    int64_t spare = layout.fraction + 2;
    double shift = double(int64_t(1) << spare);
    Value isTiny = compare(arith::CmpIPredicate::slt, magnitude(x),
                           constant(int64_t(1) << layout.fraction));
    Value grown = select(isTiny, multiply(x, number(shift)), x);
    Value bits = bitsOf(grown);
    Value field = whole("arith.andi",
                        whole("arith.shrui", bits, constant(layout.fraction)),
                        constant(layout.exponents()));
    Value wanted = whole("arith.addi", field, n);
    wanted = whole("arith.subi", wanted,
                   select(isTiny, constant(spare), constant(0)));
    Value isSmall = compare(arith::CmpIPredicate::slt, wanted, constant(1)),
          isLarge = compare(arith::CmpIPredicate::sge, wanted,
                            constant(layout.exponents()));
    Value placed =
        select(isSmall, whole("arith.addi", wanted, constant(spare)), wanted);
    placed = whole("arith.maxsi", placed, constant(1));
    placed = whole("arith.minsi", placed, constant(layout.exponents() - 1));
    Value rest = whole("arith.andi", bits, constant(~layout.infinity()));
    Value found =
        fromBits(whole("arith.ori", rest,
                       whole("arith.shli", placed, constant(layout.fraction))));
    found = select(isSmall, multiply(found, number(1 / shift)), found);
    found =
        select(isLarge, make("math.copysign", {number(kInfinity), x}), found);
    Value isKept = make(
        "arith.ori", isTiny.getType(),
        {isAt(magnitude(x), 0), compare(arith::CmpIPredicate::sge, magnitude(x),
                                        constant(layout.infinity()))});
    return select(isKept, x, found);
  }

  Value fdim(Value x, Value y) {
    return select(compare(arith::CmpFPredicate::OLE, x, y), number(0),
                  subtract(x, y));
  }

  Layout layout;
  Type integers, words;
};

/// In f64, of f64 or f32.
class WideFormula : public BitFormula {
public:
  WideFormula(const Formula &formula, Type element)
      : BitFormula(formula, Float64Type::get(element.getContext())),
        element(element) {}

  Value widen(Value x) { return element.isF64() ? x : make("tile.cast", {x}); }
  Value narrow(Value x) {
    return element.isF64() ? x : make("tile.cast", of(element), {x});
  }

  /// x mod y, neither negative. A quotient of 53 bits is exact but for its
  /// last; what it leaves has no more bits than y, so a step loses nothing.
  /// Steps are as many as two numbers of f32 can be apart; of f64, whose
  /// quotient may have 2098 bits, it is NaN beyond 2^200.
  Value reduce(Value x, Value y) {
    Value rest = x;
    for (int64_t step = 0; step < (element.isF64() ? 4 : 6); ++step) {
      Value turns = make("math.trunc", divide(rest, y));
      rest = fma(subtract(number(0), turns), y, rest);
    }
    // The last quotient may have been rounded up.
    rest = select(isLess(rest, 0), add(rest, y), rest);
    Value isDone = compare(arith::CmpFPredicate::OLT, absolute(rest), y);
    Value none = number(std::numeric_limits<double>::quiet_NaN());
    rest = select(isDone, rest, none);
    return select(compare(arith::CmpFPredicate::OLT, x, y), x, rest);
  }

  Value fmod(Value x, Value y) {
    Value found = reduce(absolute(x), absolute(y));
    return make("math.copysign", {found, x});
  }

  /// The rest of the nearest whole quotient, the even one of two.
  Value remainder(Value x, Value y) {
    Value size = absolute(x), step = absolute(y);
    Value found = reduce(size, add(step, step));
    Value isMore =
        compare(arith::CmpFPredicate::OGT, found, subtract(step, found));
    // Of twice a large step only infinity is left, and x is below it.
    Value once = subtract(found, step);
    Value isStillMore =
        compare(arith::CmpFPredicate::OGE, once, subtract(step, once));
    Value reduced = select(isStillMore, subtract(once, step), once);
    found = select(isMore, reduced, found);
    Value isNegative =
        compare(arith::CmpIPredicate::slt, bitsOf(x), constant(0));
    found = select(isNegative, make("arith.negf", found), found);
    found = select(isEqual(found, 0), make("math.copysign", {found, x}), found);
    Value isNone = compare(arith::CmpFPredicate::OGE, size, number(kInfinity));
    return select(isNone, number(std::numeric_limits<double>::quiet_NaN()),
                  found);
  }

  /// The root of the sum of squares, or one over it. A power of two keeps the
  /// squares of f64 in range.
  Value norm(ValueRange in, bool isReciprocal) {
    SmallVector<Value> sizes;
    for (Value one : in)
      sizes.push_back(absolute(widen(one)));
    Value scale, inverse;
    if (element.isF64()) {
      Value most = sizes.front();
      for (Value one : ArrayRef(sizes).drop_front())
        most = make("arith.maximumf", {most, one});
      Value bits =
          whole("arith.andi", bitsOf(most), constant(layout.infinity()));
      bits = whole("arith.maxsi", bits, constant(int64_t(1) << 52));
      bits = whole("arith.minsi", bits, constant(int64_t(2045) << 52));
      scale = fromBits(bits);
      inverse =
          fromBits(whole("arith.subi", constant(int64_t(2046) << 52), bits));
    }
    Value sum;
    for (Value one : sizes) {
      Value scaled = inverse ? multiply(one, inverse) : one;
      sum = fma(scaled, scaled, sum ? sum : number(0));
    }
    Value found = make("math.sqrt", sum);
    if (isReciprocal) {
      found = refined(sum, divide(number(1), found));
      scale = inverse;
    }
    if (scale)
      found = multiply(found, scale);
    // Infinity counts more than NaN.
    for (Value one : sizes)
      found = select(isEqual(one, kInfinity),
                     number(isReciprocal ? 0 : kInfinity), found);
    return narrow(found);
  }

  /// A step of Newton's towards one over the root of `sum`.
  Value refined(Value sum, Value guess) {
    Value square = fma(guess, guess, number(0)),
          lost = fma(guess, guess, subtract(number(0), square));
    Value error = fma(subtract(number(0), sum), square, number(1));
    error = fma(subtract(number(0), sum), lost, error);
    Value better = fma(multiply(guess, number(0.5)), error, guess);
    return select(isEqual(sum, 0), guess, better);
  }

private:
  Type element;
};

} // namespace

/// Halves of a number and their places; null if `name` is none.
static Value writeWords(Formula &f, StringRef name, ValueRange in, Type to) {
  Type i32 = f.of(IntegerType::get(to.getContext(), 32)),
       i64 = f.of(IntegerType::get(to.getContext(), 64));
  auto high = [&](Value bits, int64_t places) {
    return f.make("arith.shrui", i64, {bits, f.integer(i64, places)});
  };
  Type from = getElementTypeOrSelf(in.front().getType());
  if (name == "hiloint2double" && in.size() == 2 && to.isF64() &&
      in[0].getType() == i32 && in[1].getType() == i32) {
    Value bits =
        f.make("arith.shli", i64,
               {f.make("arith.extui", i64, in[0]), f.integer(i64, 32)});
    bits = f.make("arith.ori", i64, {bits, f.make("arith.extui", i64, in[1])});
    return f.make("arith.bitcast", f.of(to), bits);
  }
  if (in.size() != 1 || !to.isInteger(32))
    return {};
  if (name == "ffsll" && from.isInteger(64)) {
    // Of 0 there is none: 64 + 1 becomes 0.
    Value place = f.make("arith.addi", i64,
                         {f.make("math.cttz", i64, in[0]), f.integer(i64, 1)});
    Value isNone =
        f.compare(arith::CmpIPredicate::eq, in[0], f.integer(i64, 0));
    return f.make("arith.trunci", i32,
                  f.select(isNone, f.integer(i64, 0), place));
  }
  int64_t first = llvm::StringSwitch<int64_t>(name)
                      .Case("double2loint", 0)
                      .Case("double2hiint", 32)
                      .Case("signbitd", 63)
                      .Default(-1);
  if (first < 0 || !from.isF64())
    return {};
  Value bits = f.make("arith.bitcast", i64, in[0]);
  return f.make("arith.trunci", i32, first ? high(bits, first) : bits);
}

Value heddle::ttir::writeExactNumber(Formula &f, StringRef name, ValueRange in,
                                     Type to) {
  if (Value made = writeWords(f, name, in, to))
    return made;
  Type element = getElementTypeOrSelf(in.front().getType());
  if (!element.isF32() && !element.isF64())
    return {};
  bool isSingle = element.isF32();
  // The names of f32 end in a letter more; `fdim` is no `f` of its own.
  if (isSingle && name != "frsqrt_rn" && !name.consume_back("f"))
    return {};
  BitFormula bits(f, element);
  WideFormula wide(f, element);
  Value x = in[0];
  if (in.size() == 1) {
    if (name == "ilogb" && to.isInteger(32))
      return bits.ilogb(x);
    if (to != element)
      return {};
    if (name == "logb")
      return bits.logb(x);
    if (name == "frsqrt_rn" && isSingle)
      return wide.narrow(
          wide.divide(wide.number(1), wide.make("math.sqrt", wide.widen(x))));
    return {};
  }
  if (to != element)
    return {};
  if (in.size() == 2 && (name == "ldexp" || name == "scalbn") &&
      getElementTypeOrSelf(in[1].getType()).isInteger(32))
    return bits.scale(x, in[1]);
  if (llvm::any_of(in, [&](Value operand) {
        return operand.getType() != f.of(element);
      }))
    return {};
  if (in.size() == 2) {
    if (name == "nextafter")
      return bits.nextAfter(x, in[1]);
    if (name == "fdim")
      return bits.fdim(x, in[1]);
    if (name == "fmod")
      return wide.narrow(wide.fmod(wide.widen(x), wide.widen(in[1])));
    if (name == "remainder")
      return wide.narrow(wide.remainder(wide.widen(x), wide.widen(in[1])));
  }
  size_t axes = llvm::StringSwitch<size_t>(name)
                    .Cases({"hypot", "rhypot"}, 2)
                    .Cases({"norm3d", "rnorm3d"}, 3)
                    .Cases({"norm4d", "rnorm4d"}, 4)
                    .Default(0);
  if (axes != in.size())
    return {};
  return wide.norm(in, name.starts_with("r"));
}
