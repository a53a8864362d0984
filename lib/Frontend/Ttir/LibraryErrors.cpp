//===- LibraryErrors.cpp - The error function and its kin in f64 ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All are made of erfcx, which is e^(x^2) erfc(x) and falls slowly: (1 + 2 x)
// erfcx(x) is a polynomial in (x - 4) / (x + 4) for all x that are not
// negative. It and that of erf near 0 are Chebyshev interpolations in 40
// digits, rounded. Results are within a few units of their last place, and
// libdevice's within four or five.
//
//===----------------------------------------------------------------------===//

#include "LibraryFunctions.h"

#include <limits>

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTwoOverRootPi = 1.1283791670955126;

class ErrorFormula : public Formula {
public:
  explicit ErrorFormula(const Formula &formula) : Formula(formula) {}

  Value erf(Value x) {
    Value square = multiply(x, x);
    Value near = multiply(
        x,
        polynomial(square, {1.1283791670955126, -0.37612638903183543,
                            0.1128379167094513, -0.026866170643256995,
                            0.005223977607269946, -0.0008548325982543225,
                            0.00012055295112667001, -1.4924740785377576e-05,
                            1.6447471190594618e-06, -1.6208829856810202e-07,
                            1.3721520406351094e-08, -7.798543850549947e-10}));
    Value size = absolute(x);
    Value far = make("math.copysign", {subtract(number(1), tail(size)), x});
    return select(isLess(size, 1), near, far);
  }

  Value erfc(Value x) {
    Value found = tail(absolute(x));
    return select(isLess(x, 0), subtract(number(2), found), found);
  }

  Value erfcx(Value x) {
    Value found = scaledTail(absolute(x));
    // e^(x^2), whose square is split so that the part that was lost counts.
    Value size = within(x, 30);
    Value square = fma(size, size, number(0));
    Value lost = fma(size, size, negative(square));
    Value grown = exp(square);
    Value exact =
        select(isLess(grown, kInfinity), fma(grown, lost, grown), grown);
    return select(isLess(x, 0), subtract(add(exact, exact), found), found);
  }

  /// Half of erfc(-x / sqrt 2), the argument in two parts.
  Value normcdf(Value x) {
    x = within(x, 40);
    Value scale = number(-0.7071067811865476),
          scaleRest = number(4.833646656726457e-17);
    Value first = fma(x, scale, number(0));
    Value rest = fma(x, scaleRest, fma(x, scale, negative(first)));
    Value slope = multiply(expOfMinusSquare(absolute(first)), rest);
    Value found = fma(slope, number(-kTwoOverRootPi), erfc(first));
    return multiply(found, number(0.5));
  }

private:
  Value negative(Value x) { return make("arith.negf", x); }
  Value exp(Value x) { return writeDouble(builder, loc, "math.exp", x); }
  /// NaN stays.
  Value within(Value x, double limit) {
    return make("arith.maximumf",
                {make("arith.minimumf", {x, number(limit)}), number(-limit)});
  }

  /// erfcx of what is not negative.
  Value scaledTail(Value x) {
    // Beyond, the polynomial is that of its end; the divisor still grows.
    Value inside = within(x, 0x1p900);
    Value t = divide(subtract(inside, number(4)), add(inside, number(4)));
    Value found =
        polynomial(t, {1.2329951186255526,      -0.1396211168405623,
                       0.015379652102619604,    0.06809705425466908,
                       -0.10103906603630056,    0.0937328349990944,
                       -0.06633036581218697,    0.03716751552655567,
                       -0.016197734059799265,   0.005031970067657489,
                       -0.0007577732613730956,  -0.00019925714661091188,
                       0.0001506214900124047,   -2.4397746422436416e-05,
                       -1.1221287012353486e-05, 5.706604414895734e-06,
                       2.919733377963012e-07,   -8.210939042560568e-07,
                       7.746992727017941e-08,   1.0633855618594884e-07,
                       -2.05606492756992e-08,   -1.234686604382353e-08,
                       3.1695881915648173e-09,  9.311744978232572e-10,
                       -2.6595996902426897e-10});
    return divide(found, fma(x, number(2), number(1)));
  }

  Value expOfMinusSquare(Value x) {
    x = within(x, 40);
    Value square = fma(x, x, number(0));
    Value lost = fma(x, x, negative(square));
    Value shrunk = exp(negative(square));
    return fma(negative(shrunk), lost, shrunk);
  }

  /// erfc of what is not negative.
  Value tail(Value x) { return multiply(expOfMinusSquare(x), scaledTail(x)); }
};

} // namespace

Value heddle::ttir::writeErrorFunction(Formula &f, StringRef name,
                                       ValueRange in, Type to) {
  if (in.size() != 1 || in[0].getType() != f.of(to) ||
      !(to.isF32() || to.isF64()))
    return {};
  // Those of f32 that have no formula of their own are rounded from f64.
  bool isSingle = to.isF32();
  if (isSingle && name != "erfcxf")
    return {};
  if (isSingle)
    name.consume_back("f");
  ErrorFormula wide(f.in(Float64Type::get(to.getContext())));
  Value x = isSingle ? wide.make("tile.cast", in[0]) : in[0];
  Value made = name == "erf"       ? wide.erf(x)
               : name == "erfc"    ? wide.erfc(x)
               : name == "erfcx"   ? wide.erfcx(x)
               : name == "normcdf" ? wide.normcdf(x)
                                   : Value();
  return made && isSingle ? wide.make("tile.cast", f.of(to), made) : made;
}
