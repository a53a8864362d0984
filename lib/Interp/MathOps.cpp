//===- MathOps.cpp - The math dialect, in double and rounded once ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The math dialect as functions of doubles; Elementwise.h rounds them once to
// the element type. Two operations need more than that: a fused multiply-add
// rounds its sum to odd, so that the second rounding is that of the exact
// value, and isnormal depends on the operand's own format.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace heddle::interp;

namespace {

/// x * y + z whose rounding to any narrower format is the rounding of the exact
/// value: the sum in double, rounded to odd (Boldo and Melquiond 2008). The
/// product of two f32 is exact in double.
double fusedMultiplyAdd(double x, double y, double z) {
  double product = x * y;
  double sum = product + z;
  if (!std::isfinite(sum))
    return sum;
  double virtualZ = sum - product;
  double rest = (product - (sum - virtualZ)) + (z - virtualZ);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (rest == 0 || bits & 1)
    return sum;
  bool away = (rest > 0) == (sum > 0);
  return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}

LogicalResult runFma(Interpreter &interpreter, math::FmaOp op) {
  const Datum &x = interpreter.get(op.getA());
  const Datum &y = interpreter.get(op.getB());
  const Datum &z = interpreter.get(op.getC());
  Datum result = interpreter.make(op.getResult());
  bool wide = result.element.getKind() == Element::Kind::F64;
  for (size_t i = 0; i < x.size(); ++i)
    result.floats[i] =
        wide ? std::fma(x.floats[i], y.floats[i], z.floats[i])
             : fusedMultiplyAdd(x.floats[i], y.floats[i], z.floats[i]);
  result.element.round(result.floats);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

LogicalResult runClamp(Interpreter &interpreter, math::ClampFOp op) {
  const Datum &x = interpreter.get(op.getValue());
  const Datum &low = interpreter.get(op.getMin());
  const Datum &high = interpreter.get(op.getMax());
  Datum result = interpreter.make(op.getResult());
  for (size_t i = 0; i < x.size(); ++i)
    result.floats[i] =
        std::fmin(std::fmax(x.floats[i], low.floats[i]), high.floats[i]);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

template <typename Op, typename F>
void addClassification(Handlers &handlers, F f) {
  handlers.add<Op>([f](Interpreter &interpreter, Op op) {
    const Datum &x = interpreter.get(op.getOperand());
    Datum result = interpreter.make(op.getResult());
    for (size_t i = 0; i < x.size(); ++i)
      result.integers[i] = f(x, x.floats[i]);
    interpreter.set(op.getResult(), std::move(result));
    return success();
  });
}

/// Normal in the operand's own format: its exponent field is not all zeros.
bool isNormal(const Datum &x, double value) {
  if (!std::isfinite(value) || value == 0)
    return false;
  using Kind = Element::Kind;
  switch (x.element.getKind()) {
  case Kind::E4M3:
    return std::fabs(value) >= 0x1p-6;
  case Kind::E5M2:
  case Kind::F16:
    return std::fabs(value) >= 0x1p-14;
  case Kind::F64:
    return std::fabs(value) >= 0x1p-1022;
  default:
    return std::fabs(value) >= 0x1p-126;
  }
}

LogicalResult runFPowI(Interpreter &interpreter, math::FPowIOp op) {
  const Datum &x = interpreter.get(op.getLhs());
  const Datum &n = interpreter.get(op.getRhs());
  Datum result = interpreter.make(op.getResult());
  for (size_t i = 0; i < x.size(); ++i)
    result.floats[i] =
        std::pow(x.floats[i], double(n.element.asSigned(n.integers[i])));
  result.element.round(result.floats);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

LogicalResult runSincos(Interpreter &interpreter, math::SincosOp op) {
  const Datum &x = interpreter.get(op.getOperand());
  Datum sine = interpreter.make(op.getSin()),
        cosine = interpreter.make(op.getCos());
  for (size_t i = 0; i < x.size(); ++i) {
    sine.floats[i] = std::sin(x.floats[i]);
    cosine.floats[i] = std::cos(x.floats[i]);
  }
  sine.element.round(sine.floats);
  cosine.element.round(cosine.floats);
  interpreter.set(op.getSin(), std::move(sine));
  interpreter.set(op.getCos(), std::move(cosine));
  return success();
}

/// Negative powers are those of the exact quotient, truncated.
int64_t integerPower(const Element &element, int64_t base, int64_t exponent) {
  base = element.asSigned(base);
  exponent = element.asSigned(exponent);
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  uint64_t result = 1, factor = uint64_t(base);
  for (; exponent; exponent >>= 1, factor *= factor)
    if (exponent & 1)
      result *= factor;
  return int64_t(result);
}

void addRounding(Handlers &handlers) {
  addFloatUnary<math::CeilOp>(handlers, [](double x) { return std::ceil(x); });
  addFloatUnary<math::FloorOp>(handlers,
                               [](double x) { return std::floor(x); });
  addFloatUnary<math::RoundOp>(handlers,
                               [](double x) { return std::round(x); });
  addFloatUnary<math::RoundEvenOp>(handlers,
                                   [](double x) { return std::nearbyint(x); });
  addFloatUnary<math::TruncOp>(handlers,
                               [](double x) { return std::trunc(x); });
  addFloatUnary<math::AbsFOp>(handlers, [](double x) { return std::fabs(x); });
  addFloatBinary<math::CopySignOp>(
      handlers, [](double x, double y) { return std::copysign(x, y); });
}

void addPowers(Handlers &handlers) {
  addFloatUnary<math::ExpOp>(handlers, [](double x) { return std::exp(x); });
  addFloatUnary<math::Exp2Op>(handlers, [](double x) { return std::exp2(x); });
  addFloatUnary<math::ExpM1Op>(handlers,
                               [](double x) { return std::expm1(x); });
  addFloatUnary<math::LogOp>(handlers, [](double x) { return std::log(x); });
  addFloatUnary<math::Log2Op>(handlers, [](double x) { return std::log2(x); });
  addFloatUnary<math::Log10Op>(handlers,
                               [](double x) { return std::log10(x); });
  addFloatUnary<math::Log1pOp>(handlers,
                               [](double x) { return std::log1p(x); });
  addFloatUnary<math::SqrtOp>(handlers, [](double x) { return std::sqrt(x); });
  addFloatUnary<math::RsqrtOp>(handlers,
                               [](double x) { return 1 / std::sqrt(x); });
  addFloatUnary<math::CbrtOp>(handlers, [](double x) { return std::cbrt(x); });
  addFloatUnary<math::ErfOp>(handlers, [](double x) { return std::erf(x); });
  addFloatUnary<math::ErfcOp>(handlers, [](double x) { return std::erfc(x); });
  addFloatBinary<math::PowFOp>(
      handlers, [](double x, double y) { return std::pow(x, y); });
  handlers.add<math::FPowIOp>(runFPowI);
  addIntegerBinary<math::IPowIOp>(handlers, integerPower);
}

void addTrigonometry(Handlers &handlers) {
  addFloatUnary<math::SinOp>(handlers, [](double x) { return std::sin(x); });
  addFloatUnary<math::CosOp>(handlers, [](double x) { return std::cos(x); });
  addFloatUnary<math::TanOp>(handlers, [](double x) { return std::tan(x); });
  addFloatUnary<math::SinhOp>(handlers, [](double x) { return std::sinh(x); });
  addFloatUnary<math::CoshOp>(handlers, [](double x) { return std::cosh(x); });
  addFloatUnary<math::TanhOp>(handlers, [](double x) { return std::tanh(x); });
  addFloatUnary<math::AsinOp>(handlers, [](double x) { return std::asin(x); });
  addFloatUnary<math::AcosOp>(handlers, [](double x) { return std::acos(x); });
  addFloatUnary<math::AtanOp>(handlers, [](double x) { return std::atan(x); });
  addFloatUnary<math::AsinhOp>(handlers,
                               [](double x) { return std::asinh(x); });
  addFloatUnary<math::AcoshOp>(handlers,
                               [](double x) { return std::acosh(x); });
  addFloatUnary<math::AtanhOp>(handlers,
                               [](double x) { return std::atanh(x); });
  addFloatBinary<math::Atan2Op>(
      handlers, [](double x, double y) { return std::atan2(x, y); });
  handlers.add<math::SincosOp>(runSincos);
}

void addBits(Handlers &handlers) {
  using E = const Element &;
  addIntegerUnary<math::AbsIOp>(handlers, [](E e, int64_t x) {
    return e.asSigned(x) < 0 ? int64_t(0 - uint64_t(x)) : x;
  });
  addIntegerUnary<math::CountLeadingZerosOp>(handlers, [](E e, int64_t x) {
    return int64_t(std::countl_zero(e.asUnsigned(x))) -
           (64 - int64_t(e.getWidth()));
  });
  addIntegerUnary<math::CountTrailingZerosOp>(handlers, [](E e, int64_t x) {
    return std::min<int64_t>(std::countr_zero(e.asUnsigned(x)), e.getWidth());
  });
  addIntegerUnary<math::CtPopOp>(handlers, [](E e, int64_t x) {
    return int64_t(std::popcount(e.asUnsigned(x)));
  });
}

} // namespace

void heddle::interp::addMathOps(Handlers &handlers) {
  addRounding(handlers);
  addPowers(handlers);
  addTrigonometry(handlers);
  addBits(handlers);
  handlers.add<math::FmaOp>(runFma);
  handlers.add<math::ClampFOp>(runClamp);
  addClassification<math::IsNaNOp>(
      handlers, [](const Datum &, double v) { return std::isnan(v); });
  addClassification<math::IsInfOp>(
      handlers, [](const Datum &, double v) { return std::isinf(v); });
  addClassification<math::IsFiniteOp>(
      handlers, [](const Datum &, double v) { return std::isfinite(v); });
  addClassification<math::IsNormalOp>(handlers, isNormal);
}
