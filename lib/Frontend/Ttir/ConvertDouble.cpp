//===- ConvertDouble.cpp - Functions of f64 -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The unit of functions has none of f64, so each is a series of additions and
// multiplications behind a reduction of its argument. Most results are within
// some units of their last place; pow loses as many bits as y log x has. Sines
// of more than 2^50 are NaN.
//
//===----------------------------------------------------------------------===//

#include "LibraryFunctions.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn2 = 0.6931471805599453, kLn2Rest = 2.3190468138462996e-17;
constexpr double kLog2E = 1.4426950408889634;
constexpr double kPi = 3.141592653589793, kPiRest = 1.2246467991473532e-16;

class DoubleFormula : public Formula {
public:
  DoubleFormula(OpBuilder &builder, Location loc, Type type)
      : Formula(builder, loc, type), integers(of(builder.getI64Type())) {}

  Value exp(Value x) {
    x = within(x, 760);
    Value n = make("math.roundeven", multiply(x, number(kLog2E)));
    return powerOfE(subtractTimes(x, n, {kLn2, kLn2Rest}), n);
  }

  Value exp2(Value x) {
    x = within(x, 1100);
    Value n = make("math.roundeven", x);
    Value rest = subtract(x, n);
    return powerOfE(fma(rest, number(kLn2), multiply(rest, number(kLn2Rest))),
                    n);
  }

  Value exp10(Value x) {
    x = within(x, 330);
    Value n = make("math.roundeven", multiply(x, number(3.321928094887362)));
    Value rest = subtractTimes(
        x, n, {0.3010299956639812, -2.8037281277851704e-18}); // log10 2
    return powerOfE(fma(rest, number(2.302585092994046),
                        multiply(rest, number(-2.1707562233822494e-16))),
                    n);
  }

  /// Near 0 its series, where e^x - 1 cancels.
  Value expm1(Value x) {
    Value near = multiply(x, polynomial(x, inverseFactorials(1)));
    return select(isLess(absolute(x), 0.35), near, subtract(exp(x), number(1)));
  }

  Value log(Value x) {
    Parts parts = split(x);
    Value rest = fma(parts.exponent, number(kLn2Rest), parts.rest);
    return special(x,
                   fma(parts.exponent, number(kLn2), add(parts.first, rest)));
  }
  Value log2(Value x) {
    Parts parts = split(x);
    return special(
        x, fma(add(parts.first, parts.rest), number(kLog2E), parts.exponent));
  }
  Value log10(Value x) {
    Parts parts = split(x);
    return special(x, fma(parts.exponent, number(0.3010299956639812),
                          multiply(add(parts.first, parts.rest),
                                   number(0.4342944819032518))));
  }

  /// What 1 + x loses of x is added again.
  Value log1p(Value x) {
    Value sum = add(x, number(1));
    Value lost = divide(subtract(x, subtract(sum, number(1))), sum);
    Value found = add(log(sum), lost);
    found = select(isEqual(sum, 1), x, found);
    found = select(isEqual(sum, kInfinity), sum, found);
    return select(isEqual(sum, 0), number(-kInfinity), found);
  }

  Value tanh(Value x) {
    Value size = make("arith.minimumf", {absolute(x), number(22)});
    Value grown = expm1(add(size, size));
    return signedAs(divide(grown, add(grown, number(2))), x);
  }
  Value sinh(Value x) {
    Value size = absolute(x), grown = expm1(size);
    Value near =
        multiply(add(grown, divide(grown, add(grown, number(1)))), number(0.5));
    return signedAs(select(isLess(size, 40), near, halfOfExp(size)), x);
  }
  Value cosh(Value x) {
    Value size = absolute(x), grown = exp(size);
    Value near = multiply(add(grown, divide(number(1), grown)), number(0.5));
    return select(isLess(size, 40), near, halfOfExp(size));
  }
  Value asinh(Value x) {
    Value size = absolute(x), square = multiply(size, size);
    Value root = make("math.sqrt", add(square, number(1)));
    Value near = log1p(add(size, divide(square, add(root, number(1)))));
    return signedAs(
        select(isLess(size, 0x1p28), near, add(log(size), number(kLn2))), x);
  }
  Value acosh(Value x) {
    Value beyond = subtract(x, number(1));
    Value root = make("math.sqrt", multiply(beyond, add(beyond, number(2))));
    Value found = select(isLess(x, 0x1p28), log1p(add(beyond, root)),
                         add(log(x), number(kLn2)));
    return select(isLess(x, 1), number(kNan), found);
  }
  Value atanh(Value x) {
    Value size = absolute(x);
    Value ratio = divide(add(size, size), subtract(number(1), size));
    return signedAs(multiply(log1p(ratio), number(0.5)), x);
  }

  Value rsqrt(Value x) { return divide(number(1), make("math.sqrt", x)); }

  /// One step of Newton's from e^(log |x| / 3), where the step is finite.
  Value cbrt(Value x) {
    Value size = absolute(x);
    Value root = exp(multiply(log(size), number(1.0 / 3)));
    Value step = subtract(divide(divide(size, root), root), root);
    Value refined = fma(step, number(1.0 / 3), root);
    return signedAs(select(isLess(absolute(step), kInfinity), refined, size),
                    x);
  }

  /// A step of Newton's, with what its products lose.
  Value rcbrt(Value x) {
    Value guess = divide(number(1), cbrt(x));
    Value square = fma(guess, guess, number(0)),
          squareLost = fma(guess, guess, subtract(number(0), square));
    Value part = fma(x, square, number(0)),
          partLost = fma(x, square, subtract(number(0), part));
    partLost = fma(x, squareLost, partLost);
    Value error = fma(subtract(number(0), part), guess, number(1));
    error = fma(subtract(number(0), partLost), guess, error);
    Value better = fma(multiply(guess, number(1.0 / 3)), error, guess);
    return select(isLess(absolute(error), 1), better, guess);
  }

  /// A sine `quarters` of a turn later.
  Value sine(Value x, int64_t quarters) {
    Value n = make("math.roundeven", multiply(x, number(2 / kPi)));
    Value angle = subtractTimes(
        x, n,
        {1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33});
    Value found = sineInQuarter(angle, n, quarters);
    return select(isLess(absolute(x), 0x1p50), found, number(kNan));
  }

  /// Of half turns, within one whole turn, which loses nothing.
  Value sineOfTurns(Value x, int64_t quarters) {
    Value turns = make("math.roundeven", multiply(x, number(0.5)));
    Value inside = fma(turns, number(-2), x);
    Value n = make("math.roundeven", add(inside, inside));
    Value rest = fma(n, number(-0.5), inside);
    Value angle = fma(rest, number(kPi), multiply(rest, number(kPiRest)));
    Value found = sineInQuarter(angle, n, quarters);
    if (quarters)
      return found;
    return select(isEqual(found, 0), signedAs(number(0), x), found);
  }

  /// The sine of an angle of up to an eighth of a turn, n quarters later.
  Value sineInQuarter(Value angle, Value n, int64_t quarters) {
    Value square = multiply(angle, angle);
    Value odd = polynomial(
        square, {-1.66666666666666324348e-01, 8.33333333332248946124e-03,
                 -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                 -2.50507602534068634195e-08, 1.58969099521155010221e-10});
    Value sin = fma(multiply(angle, square), odd, angle);
    Value even = polynomial(
        square, {4.16666666666666019037e-02, -1.38888888888741095749e-03,
                 2.48015872894767294178e-05, -2.75573143513906633035e-07,
                 2.08757232129817482790e-09, -1.13596475577881948265e-11});
    Value cos = fma(multiply(square, square), even,
                    fma(square, number(-0.5), number(1)));
    Value turn = whole("arith.addi", make("arith.fptosi", integers, n),
                       integer(integers, quarters));
    Value found = select(hasBit(turn, 1), cos, sin);
    return select(hasBit(turn, 2), subtract(number(0), found), found);
  }

  Value atan(Value x) {
    Value size = absolute(x);
    return signedAs(firstQuarter(size, number(1)), x);
  }
  Value asin(Value x) {
    Value size = absolute(x);
    Value across = make(
        "math.sqrt", multiply(subtract(number(1), size), add(number(1), size)));
    return signedAs(firstQuarter(size, across), x);
  }
  Value acos(Value x) {
    Value up = make("math.sqrt", subtract(number(1), x)),
          across = make("math.sqrt", add(number(1), x));
    Value half = firstQuarter(up, across);
    return add(half, half);
  }
  Value atan2(Value y, Value x) {
    Value angle = firstQuarter(absolute(y), absolute(x));
    Value isLeft = isLess(signedAs(number(1), x), 0);
    return signedAs(select(isLeft, subtract(number(kPi), angle), angle), y);
  }

  /// Of a negative number the size, with its sign where y is odd; only a whole
  /// y has a power of it. Everything to the power of 0 is 1, and 1 to any.
  Value power(Value x, Value y) {
    Value found = exp(multiply(y, log(absolute(x))));
    Value half = multiply(y, number(0.5));
    Value negative = select(isWhole(half), found, subtract(number(0), found));
    Value isEnd = compare(arith::CmpFPredicate::OEQ, add(x, x), x);
    Value none = select(isEnd, found, number(kNan));
    negative = select(isWhole(y), negative, none);
    // Of -0, too. No root is asked of 0 and infinity.
    found = select(isLess(signedAs(number(1), x), 0), negative, found);
    found = select(isEqual(y, 0), number(1), found);
    return select(isEqual(x, 1), number(1), found);
  }

private:
  /// x = 2^exponent e^(first + rest), x being a positive number.
  struct Parts {
    Value exponent, first, rest;
  };

  Value whole(StringRef name, Value a, Value b) {
    return make(name, integers, {a, b});
  }
  Value isWhole(Value a) {
    return compare(arith::CmpFPredicate::OEQ, a, make("math.floor", a));
  }
  Value hasBit(Value number, int64_t bit) {
    return arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne,
        whole("arith.andi", number, integer(integers, bit)),
        integer(integers, 0));
  }
  Value signedAs(Value size, Value sign) {
    return make("math.copysign", {size, sign});
  }
  /// NaN stays.
  Value within(Value x, double limit) {
    return make("arith.maximumf",
                {make("arith.minimumf", {x, number(limit)}), number(-limit)});
  }
  Value subtractTimes(Value x, Value n, ArrayRef<double> parts) {
    for (double part : parts)
      x = fma(n, number(-part), x);
    return x;
  }

  /// 1 / first!, ..., 1 / 14!.
  static SmallVector<double> inverseFactorials(int first) {
    SmallVector<double> found;
    double factorial = 1;
    for (int i = 1; i <= 14; ++i) {
      factorial *= i;
      if (i >= first)
        found.push_back(1 / factorial);
    }
    return found;
  }

  /// 2^n e^rest, with n in two parts, so that each is a number.
  Value powerOfE(Value rest, Value n) {
    SmallVector<double> series = inverseFactorials(1);
    series.insert(series.begin(), 1);
    Value half = make("math.floor", multiply(n, number(0.5)));
    return multiply(multiply(polynomial(rest, series), powerOfTwo(half)),
                    powerOfTwo(subtract(n, half)));
  }
  Value powerOfTwo(Value n) {
    Value biased = whole("arith.addi", make("arith.fptosi", integers, n),
                         integer(integers, 1023));
    return make("arith.bitcast",
                whole("arith.shli", biased, integer(integers, 52)));
  }

  /// e^x / 2, which is finite where e^x is not yet.
  Value halfOfExp(Value x) {
    Value root = exp(multiply(x, number(0.5)));
    return multiply(multiply(root, number(0.5)), root);
  }

  Parts split(Value x) {
    Value isTiny = isLess(x, 0x1p-1022);
    Value bits = make("arith.bitcast", integers,
                      select(isTiny, multiply(x, number(0x1p54)), x));
    auto constant = [&](int64_t value) { return integer(integers, value); };
    Value exponent =
        whole("arith.subi", whole("arith.shrui", bits, constant(52)),
              select(isTiny, constant(1023 + 54), constant(1023)));
    Value mantissa =
        make("arith.bitcast",
             whole("arith.ori",
                   whole("arith.andi", bits, constant((int64_t(1) << 52) - 1)),
                   constant(int64_t(1023) << 52)));
    Value isLarge = compare(arith::CmpFPredicate::OGT, mantissa,
                            number(1.4142135623730951));
    mantissa = select(isLarge, multiply(mantissa, number(0.5)), mantissa);
    exponent =
        select(isLarge, whole("arith.addi", exponent, constant(1)), exponent);
    // 2 artanh(s), where s = (m - 1) / (m + 1).
    Value beyond = subtract(mantissa, number(1));
    Value s = divide(beyond, add(beyond, number(2)));
    SmallVector<double> series;
    for (int i = 3; i <= 25; i += 2)
      series.push_back(2.0 / i);
    Value square = multiply(s, s);
    return {make("arith.sitofp", exponent), add(s, s),
            multiply(multiply(s, square), polynomial(square, series))};
  }

  /// What a logarithm is of numbers that are not positive and finite.
  Value special(Value x, Value found) {
    found = select(isLess(x, kInfinity), found, x);
    found = select(isEqual(x, 0), number(-kInfinity), found);
    return select(isLess(x, 0), number(kNan), found);
  }

  /// The angle up to `up` over `across`, neither of them negative. Of 0 / 0 the
  /// quotient counts as 0, and of inf / inf as 1; NaN stays.
  Value firstQuarter(Value up, Value across) {
    Value most = make("arith.maximumf", {up, across}),
          least = make("arith.minimumf", {up, across});
    Value quotient = select(compare(arith::CmpFPredicate::OLT, least, most),
                            divide(least, most), number(1));
    quotient = select(compare(arith::CmpFPredicate::OGT, most, number(0)),
                      quotient, most);
    // Beyond an eighth of a half turn, the rest of a quarter of it.
    Value isFar = compare(arith::CmpFPredicate::OGT, quotient,
                          number(0.41421356237309503));
    Value turned =
        divide(subtract(quotient, number(1)), add(quotient, number(1)));
    Value inner = select(isFar, turned, quotient);
    Value square = multiply(inner, inner);
    Value series = polynomial(
        square, {-3.33333333333329318027e-01, 1.99999999998764832476e-01,
                 -1.42857142725034663711e-01, 1.11111104054623557880e-01,
                 -9.09088713343650656196e-02, 7.69187620504482999495e-02,
                 -6.66107313738753120669e-02, 5.83357013379057348645e-02,
                 -4.97687799461593236017e-02, 3.65315727442169155270e-02,
                 -1.62858201153657823623e-02});
    Value angle = fma(multiply(inner, square), series, inner);
    angle = select(isFar, add(angle, number(kPi / 4)), angle);
    return select(compare(arith::CmpFPredicate::OGT, up, across),
                  subtract(number(kPi / 2), angle), angle);
  }

  Type integers;
};

/// A function of one number.
struct Function {
  StringLiteral name;
  Value (DoubleFormula::*write)(Value x);
};

} // namespace

Value heddle::ttir::writeDouble(OpBuilder &builder, Location loc,
                                StringRef function, ValueRange operands) {
  static constexpr Function functions[] = {
      {"math.exp", &DoubleFormula::exp},
      {"math.exp2", &DoubleFormula::exp2},
      {"exp10", &DoubleFormula::exp10},
      {"math.expm1", &DoubleFormula::expm1},
      {"math.log", &DoubleFormula::log},
      {"math.log2", &DoubleFormula::log2},
      {"math.log10", &DoubleFormula::log10},
      {"math.log1p", &DoubleFormula::log1p},
      {"math.tanh", &DoubleFormula::tanh},
      {"math.sinh", &DoubleFormula::sinh},
      {"math.cosh", &DoubleFormula::cosh},
      {"math.asinh", &DoubleFormula::asinh},
      {"math.acosh", &DoubleFormula::acosh},
      {"math.atanh", &DoubleFormula::atanh},
      {"math.rsqrt", &DoubleFormula::rsqrt},
      {"math.cbrt", &DoubleFormula::cbrt},
      {"rcbrt", &DoubleFormula::rcbrt},
      {"math.atan", &DoubleFormula::atan},
      {"math.asin", &DoubleFormula::asin},
      {"math.acos", &DoubleFormula::acos},
  };
  DoubleFormula formula(builder, loc, operands.front().getType());
  for (const Function &one : functions)
    if (one.name == function)
      return (formula.*one.write)(operands[0]);
  if (function == "math.sin" || function == "math.cos")
    return formula.sine(operands[0], function == "math.cos");
  if (function == "sinpi" || function == "cospi")
    return formula.sineOfTurns(operands[0], function == "cospi");
  if (function == "math.erf")
    return writeErrorFunction(formula, "erf", operands, builder.getF64Type());
  if (function == "math.tan")
    return formula.divide(formula.sine(operands[0], 0),
                          formula.sine(operands[0], 1));
  if (function == "math.atan2")
    return formula.atan2(operands[0], operands[1]);
  if (function == "math.powf")
    return formula.power(operands[0], operands[1]);
  return {};
}
