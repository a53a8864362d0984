//===- ApproximateMath.cpp - Functions the hardware only approximates -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApproximateMath.h"
#include "ApproximateParts.h"

#include "heddle/Dialect/Tile/Exact.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;

namespace heddle::tonvvm {

static constexpr double kLog10Of2 = 0.30102999566398120;

Value unary(Code &code, StringRef name, Value x) {
  return code.intrinsic(name, code.builder.getF32Type(), {x});
}
Value exp2(Code &code, Value x) {
  return unary(code, "llvm.nvvm.ex2.approx.ftz.f32", x);
}
static Value exp(Code &code, Value x) {
  return exp2(code, code.fmul(x, code.f32(kLog2E)));
}
Value log2(Code &code, Value x) {
  return unary(code, "llvm.nvvm.lg2.approx.ftz.f", x);
}
Value sqrt(Code &code, Value x) {
  return unary(code, "llvm.nvvm.sqrt.approx.ftz.f", x);
}
Value reciprocal(Code &code, Value x) {
  return unary(code, "llvm.nvvm.rcp.approx.ftz.f", x);
}
Value absolute(Code &code, Value x) {
  return math::AbsFOp::create(code.builder, code.loc, x);
}
Value copySign(Code &code, Value magnitude, Value sign) {
  return math::CopySignOp::create(code.builder, code.loc, magnitude, sign);
}
Value roundEven(Code &code, Value x) {
  return math::RoundEvenOp::create(code.builder, code.loc, x);
}
Value isLess(Code &code, Value a, Value b) {
  return arith::CmpFOp::create(code.builder, code.loc,
                               arith::CmpFPredicate::OLT, a, b);
}
Value isLess(Code &code, Value a, double b) {
  return isLess(code, a, code.f32(b));
}
Value divide(Code &code, Value a, Value b) {
  return code.intrinsic("llvm.nvvm.div.full", code.builder.getF32Type(),
                        {a, b});
}

Value polynomial(Code &code, Value x, ArrayRef<double> coefficients) {
  Value sum = code.f32(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = code.fma(sum, x, code.f32(coefficient));
  return sum;
}

Value oddSeries(Code &code, Value x, ArrayRef<double> coefficients) {
  Value square = code.fmul(x, x);
  Value rest = polynomial(code, square, coefficients);
  return code.fma(code.fmul(x, square), rest, x);
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
Value log1p(Code &code, Value x) {
  Value far = code.fmul(log2(code, code.fadd(x, code.f32(1))), code.f32(kLn2));
  Value s = divide(code, x, code.fadd(x, code.f32(2)));
  Value series = polynomial(code, code.fmul(s, s),
                            {2.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9});
  return code.select(isLess(code, absolute(code, x), 0.375),
                     code.fmul(s, series), far);
}

// x times a quotient of polynomials in x^2 of least largest relative error
// where f32 has something else than 1. So erf keeps its digits near zero, and
// its sign there.
static Value erf(Code &code, Value x) {
  constexpr double end = 3.75;
  Value square = code.fmul(x, x);
  Value above = polynomial(code, square,
                           {1.1283791065216064, 0.1847185641527176,
                            0.052160173654556274, 0.0035615067463368177,
                            0.0002875416539609432, 2.1945488697383553e-06});
  Value below = polynomial(code, square,
                           {1.0, 0.49703559279441833, 0.11190591752529144,
                            0.01456084568053484, 0.0011260788887739182,
                            3.971154728787951e-05});
  Value near = code.fmul(code.fmul(x, above), reciprocal(code, below));
  return code.select(isLess(code, code.f32(end), absolute(code, x)),
                     copySign(code, code.f32(1), x), near);
}

// One step of Newton's from 2^(log2 |x| / 3), where the step is finite: of zero
// and infinity it is not.
static Value cbrt(Code &code, Value x) {
  Value magnitude = absolute(code, x);
  Value root = exp2(code, code.fmul(log2(code, magnitude), code.f32(1.0 / 3)));
  Value inverse = reciprocal(code, root);
  Value step =
      code.fsub(code.fmul(code.fmul(magnitude, inverse), inverse), root);
  Value isFinite = isLess(code, absolute(code, step),
                          std::numeric_limits<double>::infinity());
  Value refined = code.fma(step, code.f32(1.0 / 3), root);
  return copySign(code, code.select(isFinite, refined, root), x);
}

/// As C has it: what is below zero, -0 included, gives the magnitude with a
/// sign where y is odd; only a whole y has a power of a negative number that is
/// neither 0 nor infinite. 1 and whatever else to the power of 0 is 1, and -1
/// has two powers, though y is infinite.
static Value power(Code &code, Value x, Value y) {
  using Predicate = arith::CmpFPredicate;
  OpBuilder &builder = code.builder;
  auto compare = [&](Predicate predicate, Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, code.loc, predicate, a, b);
  };
  auto isWhole = [&](Value value) {
    return compare(Predicate::OEQ, value,
                   math::FloorOp::create(builder, code.loc, value));
  };
  Value distance = absolute(code, x);
  Value magnitude = exp2(code, code.fmul(y, log2(code, distance)));
  magnitude = code.select(compare(Predicate::OEQ, distance, code.f32(1)),
                          code.f32(1), magnitude);
  Value whole = isWhole(y), even = isWhole(code.fmul(y, code.f32(0.5)));
  Value negated = code.fmul(magnitude, code.f32(-1));
  Value signedPower = code.select(even, magnitude, negated);
  // 0 and infinity have powers that are not whole, without a sign.
  Value grown = code.fmul(distance, code.f32(0.5));
  Value isEnd = compare(Predicate::OEQ, grown, distance);
  Value broken = code.select(
      isEnd, magnitude, code.f32(std::numeric_limits<double>::quiet_NaN()));
  signedPower = code.select(whole, signedPower, broken);
  Value negative = isLess(code, copySign(code, code.f32(1), x), 0.0);
  Value result = code.select(negative, signedPower, magnitude);
  return code.select(compare(Predicate::OEQ, y, code.f32(0)), code.f32(1),
                     result);
}

static Value log(Code &code, Value x) {
  return code.fmul(log2(code, x), code.f32(kLn2));
}

static Value log10(Code &code, Value x) {
  return code.fmul(log2(code, x), code.f32(kLog10Of2));
}

static Value rsqrt(Code &code, Value x) {
  return unary(code, "llvm.nvvm.rsqrt.approx.ftz.f", x);
}

namespace {
/// A function of one number.
struct Function {
  StringLiteral name;
  Value (*emit)(Code &code, Value x);
};
} // namespace

static const Function *find(Operation *op) {
  static constexpr Function functions[] = {
      {math::Exp2Op::getOperationName(), exp2},
      {math::ExpOp::getOperationName(), exp},
      {math::ExpM1Op::getOperationName(), expm1},
      {math::Log2Op::getOperationName(), log2},
      {math::LogOp::getOperationName(), log},
      {math::Log10Op::getOperationName(), log10},
      {math::Log1pOp::getOperationName(), log1p},
      {math::RsqrtOp::getOperationName(), rsqrt},
      {math::SqrtOp::getOperationName(), sqrt},
      {math::CbrtOp::getOperationName(), cbrt},
      {math::ErfOp::getOperationName(), erf},
      {math::TanhOp::getOperationName(), tanh},
      {math::SinhOp::getOperationName(), sinh},
      {math::CoshOp::getOperationName(), cosh},
      {math::AsinhOp::getOperationName(), asinh},
      {math::AcoshOp::getOperationName(), acosh},
      {math::AtanhOp::getOperationName(), atanh},
      {math::SinOp::getOperationName(), sin},
      {math::CosOp::getOperationName(), cos},
      {math::TanOp::getOperationName(), tan},
      {math::AsinOp::getOperationName(), asin},
      {math::AcosOp::getOperationName(), acos},
      {math::AtanOp::getOperationName(), atan},
  };
  StringRef name = op->getName().getStringRef();
  const Function *found = llvm::find_if(
      functions, [&](const Function &one) { return one.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

bool isApproximated(Operation *op) {
  if (op->hasAttr(tile::kExactAttr))
    return false;
  return isa<arith::DivFOp, math::PowFOp, math::Atan2Op>(op) || find(op);
}

Value approximate(Code &code, Operation *op, ValueRange operands) {
  if (const Function *function = find(op))
    return function->emit(code, operands[0]);
  if (isa<arith::DivFOp>(op))
    return divide(code, operands[0], operands[1]);
  if (isa<math::PowFOp>(op))
    return power(code, operands[0], operands[1]);
  return atan2(code, operands[0], operands[1]);
}

} // namespace heddle::tonvvm
