//===- ApproximateMath.cpp - Functions the hardware only approximates -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApproximateMath.h"

#include "heddle/Dialect/Tile/Exact.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;

namespace heddle::tonvvm {

static constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;
static constexpr double kTwoPi = 6.283185307179586;

bool isApproximated(Operation *op) {
  if (op->hasAttr(tile::kExactAttr))
    return false;
  return isa<arith::DivFOp, math::Exp2Op, math::ExpOp, math::ExpM1Op,
             math::Log2Op, math::LogOp, math::Log1pOp, math::RsqrtOp,
             math::SqrtOp, math::TanhOp, math::ErfOp, math::SinOp, math::CosOp,
             math::PowFOp>(op);
}

static Value unary(Code &code, StringRef name, Value x) {
  return code.intrinsic(name, code.builder.getF32Type(), {x});
}
static Value exp2(Code &code, Value x) {
  return unary(code, "llvm.nvvm.ex2.approx.ftz.f32", x);
}
static Value exp(Code &code, Value x) {
  return exp2(code, code.fmul(x, code.f32(kLog2E)));
}
static Value log2(Code &code, Value x) {
  return unary(code, "llvm.nvvm.lg2.approx.ftz.f", x);
}
static Value reciprocal(Code &code, Value x) {
  return unary(code, "llvm.nvvm.rcp.approx.ftz.f", x);
}
static Value absolute(Code &code, Value x) {
  return math::AbsFOp::create(code.builder, code.loc, x);
}
static Value copySign(Code &code, Value magnitude, Value sign) {
  return math::CopySignOp::create(code.builder, code.loc, magnitude, sign);
}
static Value isLess(Code &code, Value a, double b) {
  return arith::CmpFOp::create(code.builder, code.loc,
                               arith::CmpFPredicate::OLT, a, code.f32(b));
}
static Value divide(Code &code, Value a, Value b) {
  return code.intrinsic("llvm.nvvm.div.full", code.builder.getF32Type(),
                        {a, b});
}

/// c[0] + x (c[1] + x (c[2] + ...)).
static Value polynomial(Code &code, Value x, ArrayRef<double> coefficients) {
  Value sum = code.f32(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = code.fma(sum, x, code.f32(coefficient));
  return sum;
}

// 1 - 2 / (e^2x + 1) cancels near zero, where the Taylor series takes over.
static Value tanh(Code &code, Value x) {
  Value magnitude = absolute(code, x);
  Value grown = exp2(code, code.fmul(magnitude, code.f32(2 * kLog2E)));
  Value far = code.fma(reciprocal(code, code.fadd(grown, code.f32(1))),
                       code.f32(-2), code.f32(1));
  Value square = code.fmul(x, x);
  Value series = polynomial(
      code, square,
      {1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835, -1382.0 / 155925});
  Value near = code.fmul(x, series);
  return code.select(isLess(code, magnitude, 0.4), near,
                     copySign(code, far, x));
}

// exp(x) - 1 cancels near zero, where the Taylor series takes over.
static Value expm1(Code &code, Value x) {
  Value series = polynomial(code, x,
                            {1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120,
                             1.0 / 720, 1.0 / 5040, 1.0 / 40320});
  return code.select(isLess(code, absolute(code, x), 0.5), code.fmul(x, series),
                     code.fsub(exp(code, x), code.f32(1)));
}

// Near zero 2 artanh(s), where s = x / (2 + x), by its Taylor series.
static Value log1p(Code &code, Value x) {
  Value far = code.fmul(log2(code, code.fadd(x, code.f32(1))), code.f32(kLn2));
  Value s = divide(code, x, code.fadd(x, code.f32(2)));
  Value series = polynomial(code, code.fmul(s, s),
                            {2.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9});
  return code.select(isLess(code, absolute(code, x), 0.375),
                     code.fmul(s, series), far);
}

// Abramowitz and Stegun, 7.1.26.
static Value erf(Code &code, Value x) {
  Value magnitude = absolute(code, x);
  Value t =
      reciprocal(code, code.fma(magnitude, code.f32(0.3275911), code.f32(1)));
  Value sum = polynomial(
      code, t,
      {0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429});
  Value decay =
      exp(code, code.fmul(code.fmul(magnitude, code.f32(-1)), magnitude));
  Value tail = code.fmul(code.fmul(sum, t), decay);
  return copySign(code, code.fsub(code.f32(1), tail), x);
}

/// x minus the nearest multiple of 2 pi, which is split in three for precision.
static Value reduceAngle(Code &code, Value x) {
  Value turns = code.fmul(x, code.f32(1 / kTwoPi));
  turns = math::RoundEvenOp::create(code.builder, code.loc, turns);
  double rest = kTwoPi;
  for (double part : {6.28125, 0.00193500518798828125}) {
    x = code.fma(turns, code.f32(-part), x);
    rest -= part;
  }
  return code.fma(turns, code.f32(-rest), x);
}

/// Of a negative number the magnitude, with its sign where y is odd; only a
/// whole y has a power of it. Everything to the power of 0 is 1.
static Value power(Code &code, Value x, Value y) {
  OpBuilder &builder = code.builder;
  auto compare = [&](arith::CmpFPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpFOp::create(builder, code.loc, predicate, a, b);
  };
  auto isWhole = [&](Value value) {
    return compare(arith::CmpFPredicate::OEQ, value,
                   math::FloorOp::create(builder, code.loc, value));
  };
  using Predicate = arith::CmpFPredicate;
  Value magnitude = exp2(code, code.fmul(y, log2(code, absolute(code, x))));
  Value whole = isWhole(y), even = isWhole(code.fmul(y, code.f32(0.5)));
  Value negative = isLess(code, x, 0);
  Value signedPower =
      code.select(even, magnitude, code.fmul(magnitude, code.f32(-1)));
  signedPower = code.select(whole, signedPower,
                            code.f32(std::numeric_limits<double>::quiet_NaN()));
  Value result = code.select(negative, signedPower, magnitude);
  return code.select(compare(Predicate::OEQ, y, code.f32(0)), code.f32(1),
                     result);
}

Value approximate(Code &code, Operation *op, ValueRange operands) {
  Value x = operands[0];
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::DivFOp) { return divide(code, x, operands[1]); })
      .Case([&](math::Exp2Op) { return exp2(code, x); })
      .Case([&](math::ExpOp) { return exp(code, x); })
      .Case([&](math::ExpM1Op) { return expm1(code, x); })
      .Case([&](math::Log2Op) { return log2(code, x); })
      .Case(
          [&](math::LogOp) { return code.fmul(log2(code, x), code.f32(kLn2)); })
      .Case([&](math::Log1pOp) { return log1p(code, x); })
      .Case([&](math::RsqrtOp) {
        return unary(code, "llvm.nvvm.rsqrt.approx.ftz.f", x);
      })
      .Case([&](math::SqrtOp) {
        return unary(code, "llvm.nvvm.sqrt.approx.ftz.f", x);
      })
      .Case([&](math::TanhOp) { return tanh(code, x); })
      .Case([&](math::ErfOp) { return erf(code, x); })
      .Case([&](math::SinOp) {
        return unary(code, "llvm.nvvm.sin.approx.ftz.f", reduceAngle(code, x));
      })
      .Case([&](math::CosOp) {
        return unary(code, "llvm.nvvm.cos.approx.ftz.f", reduceAngle(code, x));
      })
      .Case([&](math::PowFOp) { return power(code, x, operands[1]); });
}

} // namespace heddle::tonvvm
