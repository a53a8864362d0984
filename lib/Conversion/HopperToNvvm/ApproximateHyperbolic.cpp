//===- ApproximateHyperbolic.cpp - sinh, cosh and their inverses ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is its formula in e^x or log x, of |x| where the function is odd, and a
// series or another form of the formula where terms would cancel.
//
//===----------------------------------------------------------------------===//

#include "ApproximateParts.h"

#include <limits>

using namespace mlir;

namespace heddle::tonvvm {

/// e^x / 4, which is finite where sinh and cosh are. The whole part of
/// x log2 e is apart from the rest, which keeps its precision so.
static Value quarterExp(Code &code, Value magnitude) {
  // Infinity has no rest; 128 is beyond what is finite, too.
  Value x = code.intrinsic("llvm.minimum", code.builder.getF32Type(),
                           {magnitude, code.f32(128)});
  constexpr double high = 1.44269502162933349609375; // log2 e in f32
  Value whole = roundEven(code, code.fmul(x, code.f32(high)));
  Value negative = code.fmul(whole, code.f32(-1));
  Value rest = code.fma(x, code.f32(high), negative);
  rest = code.fma(x, code.f32(kLog2E - high), rest);
  return code.fmul(exp2(code, rest),
                   exp2(code, code.fadd(whole, code.f32(-2))));
}

// The halves of e^x and e^-x cancel near zero, where the Taylor series takes
// over.
Value sinh(Code &code, Value x) {
  Value magnitude = absolute(code, x);
  Value quarter = quarterExp(code, magnitude);
  Value shrunk = code.fmul(reciprocal(code, quarter), code.f32(-0.125));
  Value far = code.fma(quarter, code.f32(2), shrunk);
  Value near =
      oddSeries(code, x, {1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880});
  return code.select(isLess(code, magnitude, 1), near, copySign(code, far, x));
}

Value cosh(Code &code, Value x) {
  Value quarter = quarterExp(code, absolute(code, x));
  Value shrunk = code.fmul(reciprocal(code, quarter), code.f32(0.125));
  return code.fma(quarter, code.f32(2), shrunk);
}

/// log(2 x), for an x whose square may overflow.
static Value logTwice(Code &code, Value x) {
  return code.fma(log2(code, x), code.f32(kLn2), code.f32(kLn2));
}

/// From here on x^2 + 1 and x^2 - 1 are x^2 in f32.
static constexpr double kLarge = 8192;

// log(a + sqrt(a^2 + 1)), written so that nothing cancels near zero.
Value asinh(Code &code, Value x) {
  Value magnitude = absolute(code, x), square = code.fmul(x, x);
  Value root = sqrt(code, code.fadd(square, code.f32(1)));
  Value rest = divide(code, square, code.fadd(root, code.f32(1)));
  Value near = log1p(code, code.fadd(magnitude, rest));
  Value angle = code.select(isLess(code, magnitude, kLarge), near,
                            logTwice(code, magnitude));
  return copySign(code, angle, x);
}

// log(x + sqrt(x^2 - 1)), written so that nothing cancels near one.
Value acosh(Code &code, Value x) {
  Value beyond = code.fadd(x, code.f32(-1));
  Value root = sqrt(code, code.fmul(beyond, code.fadd(beyond, code.f32(2))));
  Value near = log1p(code, code.fadd(beyond, root));
  Value angle = code.select(isLess(code, x, kLarge), near, logTwice(code, x));
  return code.select(isLess(code, x, 1),
                     code.f32(std::numeric_limits<double>::quiet_NaN()), angle);
}

// Half of log((1 + x) / (1 - x)), near zero its series.
Value atanh(Code &code, Value x) {
  Value magnitude = absolute(code, x), one = code.f32(1);
  Value quotient =
      divide(code, code.fadd(one, magnitude), code.fsub(one, magnitude));
  Value far = code.fmul(log2(code, quotient), code.f32(kLn2 / 2));
  Value near =
      oddSeries(code, x, {1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11});
  return code.select(isLess(code, magnitude, 0.3), near,
                     copySign(code, far, x));
}

} // namespace heddle::tonvvm
