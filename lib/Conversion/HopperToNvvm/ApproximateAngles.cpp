//===- ApproximateAngles.cpp - Functions of angles, and their inverses ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The coefficients are least largest relative errors of the rest of each odd
// series, (f(x) / x - 1) / x^2, over the interval that its function names.
//
//===----------------------------------------------------------------------===//

#include "ApproximateParts.h"

#include <limits>

using namespace mlir;

namespace heddle::tonvvm {

/// x minus `turns` times the sum of `parts`.
static Value subtractTurns(Code &code, Value x, Value turns,
                           ArrayRef<double> parts) {
  for (double part : parts)
    x = code.fma(turns, code.f32(-part), x);
  return x;
}

/// `result`, or NaN for `most` turns and more: an angle has no digits there.
static Value onlyBelow(Code &code, Value turns, double most, Value result) {
  return code.select(isLess(code, absolute(code, turns), most), result,
                     code.f32(std::numeric_limits<double>::quiet_NaN()));
}

/// x minus a multiple of 2 pi close to it, which is split in three: the first
/// two subtractions are exact. The number of turns is rounded in f32, so that
/// far out it may not be the nearest one.
static Value reduceAngle(Code &code, Value x) {
  constexpr double first = 6.28125, second = 0.00193500518798828125;
  Value turns = roundEven(code, code.fmul(x, code.f32(1 / (2 * kPi))));
  Value angle =
      subtractTurns(code, x, turns, {first, second, 2 * kPi - first - second});
  return onlyBelow(code, turns, 0x1p21, angle);
}

Value sin(Code &code, Value x) {
  return unary(code, "llvm.nvvm.sin.approx.ftz.f", reduceAngle(code, x));
}

Value cos(Code &code, Value x) {
  return unary(code, "llvm.nvvm.cos.approx.ftz.f", reduceAngle(code, x));
}

// Within a quarter of pi of a multiple of pi / 2: the tangent of the distance,
// or -1 over it where the multiple is odd. The first part is pi / 2 in f32: the
// fma that subtracts its multiple is exact, so zeros and poles keep their
// relative precision.
Value tan(Code &code, Value x) {
  Value turns = roundEven(code, code.fmul(x, code.f32(2 / kPi)));
  Value angle = subtractTurns(
      code, x, turns,
      {1.5707963705062866, -4.371138828673793e-08, -1.715124499443e-15});
  Value tangent = oddSeries(code, angle,
                            {0.3333332416, 0.1333439088, 0.0537724006,
                             0.02317178349, 0.005078061104, 0.00826441143});
  Value half = code.fmul(turns, code.f32(0.5));
  Value isOdd = isLess(code, code.f32(0),
                       absolute(code, code.fsub(half, roundEven(code, half))));
  Value result = code.select(
      isOdd, code.fmul(reciprocal(code, tangent), code.f32(-1)), tangent);
  return onlyBelow(code, turns, 0x1p20, result);
}

/// For |x| <= 1/2.
static Value nearAsin(Code &code, Value x) {
  return oddSeries(code, x,
                   {0.1666667284, 0.07498807403, 0.04501073515, 0.02649492133,
                    0.03820420393});
}

/// asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2)): the second asin, for |x|.
static Value farAsin(Code &code, Value magnitude) {
  Value square = code.fma(magnitude, code.f32(-0.5), code.f32(0.5));
  return nearAsin(code, sqrt(code, square));
}

Value asin(Code &code, Value x) {
  Value magnitude = absolute(code, x);
  Value far =
      code.fma(farAsin(code, magnitude), code.f32(-2), code.f32(kPi / 2));
  return code.select(isLess(code, magnitude, 0.5), nearAsin(code, x),
                     copySign(code, far, x));
}

Value acos(Code &code, Value x) {
  Value magnitude = absolute(code, x);
  Value far = code.fmul(farAsin(code, magnitude), code.f32(2));
  far = code.select(isLess(code, x, 0.0), code.fsub(code.f32(kPi), far), far);
  return code.select(isLess(code, magnitude, 0.5),
                     code.fsub(code.f32(kPi / 2), nearAsin(code, x)), far);
}

/// For 0 <= x <= 1.
static Value nearAtan(Code &code, Value x) {
  return oddSeries(code, x,
                   {-0.3333332386, 0.1999875683, -0.1425822143, 0.1087263176,
                    -0.08028881787, 0.04919070436, -0.02022462223,
                    0.003922526253});
}

Value atan(Code &code, Value x) {
  Value magnitude = absolute(code, x);
  Value isNear = isLess(code, magnitude, 1);
  Value inner = nearAtan(
      code, code.select(isNear, magnitude, reciprocal(code, magnitude)));
  Value angle = code.select(isNear, inner, code.fsub(code.f32(kPi / 2), inner));
  return copySign(code, angle, x);
}

// Of 0 / 0 the quotient counts as 0, and of inf / inf as 1; NaN stays.
Value atan2(Code &code, Value y, Value x) {
  Type f32 = code.builder.getF32Type();
  Value across = absolute(code, x), up = absolute(code, y);
  Value most = code.intrinsic("llvm.maximum", f32, {across, up});
  Value least = code.intrinsic("llvm.minimum", f32, {across, up});
  Value quotient = code.select(isLess(code, least, most),
                               divide(code, least, most), code.f32(1));
  quotient = code.select(isLess(code, code.f32(0), most), quotient, most);
  Value angle = nearAtan(code, quotient);
  angle = code.select(isLess(code, across, up),
                      code.fsub(code.f32(kPi / 2), angle), angle);
  Value isLeft = isLess(code, copySign(code, code.f32(1), x), 0.0);
  angle = code.select(isLeft, code.fsub(code.f32(kPi), angle), angle);
  return copySign(code, angle, y);
}

} // namespace heddle::tonvvm
