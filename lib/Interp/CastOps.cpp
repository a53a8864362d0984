//===- CastOps.cpp - Conversions between element types --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between element types, each rounded once. An integer reaches a
// narrow format through a double rounded to odd, because two roundings to
// nearest can give another number than one. Integers that a float does not fit
// saturate, as PTX converts.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/NumberFormat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cfenv>

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

namespace {

//===----------------------------------------------------------------------===//
// Floating point to floating point
//===----------------------------------------------------------------------===//

/// To 8 bits what is too large becomes the largest finite value, as the
/// hardware's only conversion has it; to the others infinity.
LogicalResult runTileCast(Interpreter &interpreter, tile::CastOp op) {
  const Datum &x = interpreter.get(op.getValue());
  Datum result = interpreter.make(op.getResult());
  result.floats = x.floats;
  for (double &value : result.floats) {
    if (result.element.getKind() == Element::Kind::E4M3)
      value = roundTo<kFloat8E4M3>(value, Overflow::Saturate);
    else if (result.element.getKind() == Element::Kind::E5M2)
      value = roundTo<kFloat8E5M2>(value, Overflow::Saturate);
  }
  result.element.round(result.floats);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

std::optional<int> toFenvMode(std::optional<arith::RoundingMode> mode) {
  if (!mode)
    return FE_TONEAREST;
  switch (*mode) {
  case arith::RoundingMode::to_nearest_even:
    return FE_TONEAREST;
  case arith::RoundingMode::downward:
    return FE_DOWNWARD;
  case arith::RoundingMode::upward:
    return FE_UPWARD;
  case arith::RoundingMode::toward_zero:
    return FE_TOWARDZERO;
  case arith::RoundingMode::to_nearest_away:
    return std::nullopt;
  }
  return std::nullopt;
}

LogicalResult runTruncF(Interpreter &interpreter, arith::TruncFOp op) {
  std::optional<int> mode = toFenvMode(op.getRoundingmode());
  if (!mode)
    return report(op.getLoc(), diag::oracle_unsupported)
           << "the oracle cannot round ties away from zero";
  const Datum &x = interpreter.get(op.getIn());
  Datum result = interpreter.make(op.getOut());
  for (size_t i = 0; i < x.size(); ++i)
    result.floats[i] = result.element.round(x.floats[i], *mode);
  interpreter.set(op.getOut(), std::move(result));
  return success();
}

LogicalResult runExtF(Interpreter &interpreter, arith::ExtFOp op) {
  Datum result = interpreter.make(op.getOut());
  result.floats = interpreter.get(op.getIn()).floats;
  interpreter.set(op.getOut(), std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Integers and floating point
//===----------------------------------------------------------------------===//

__extension__ using int128 = __int128;

/// The number in double, rounded to odd, so that rounding it again is exact.
double toDouble(int128 exact) {
  double nearest = double(exact);
  int128 rest = exact - int128(nearest);
  uint64_t bits = std::bit_cast<uint64_t>(nearest);
  if (rest == 0 || bits & 1)
    return nearest;
  bool away = (rest > 0) == (nearest > 0);
  return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}

/// Toward zero; out of range gives the nearest end of the range, NaN gives 0.
int64_t toInteger(double value, double low, double high) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  if (value < low)
    value = low;
  if (value < high)
    return value < 0 ? int64_t(value) : int64_t(uint64_t(value));
  return high == 0x1p64 ? int64_t(-1) : int64_t(uint64_t(high) - 1);
}

template <typename Op, typename F> void addIntToFloat(Handlers &handlers, F f) {
  handlers.add<Op>([f](Interpreter &interpreter, Op op) {
    const Datum &x = interpreter.get(op.getIn());
    Datum result = interpreter.make(op.getOut());
    bool wide = result.element.getKind() == Element::Kind::F64;
    for (size_t i = 0; i < x.size(); ++i) {
      int128 exact = f(x.element, x.integers[i]);
      result.floats[i] = wide ? double(exact) : toDouble(exact);
    }
    result.element.round(result.floats);
    interpreter.set(op.getOut(), std::move(result));
    return success();
  });
}

template <typename Op> void addFloatToInt(Handlers &handlers, bool isSigned) {
  handlers.add<Op>([isSigned](Interpreter &interpreter, Op op) {
    const Datum &x = interpreter.get(op.getIn());
    Datum result = interpreter.make(op.getOut());
    unsigned width = result.element.getWidth();
    double low = isSigned ? -std::ldexp(1.0, int(width) - 1) : 0.0;
    double high = std::ldexp(1.0, isSigned ? int(width) - 1 : int(width));
    for (size_t i = 0; i < x.size(); ++i)
      result.integers[i] = toInteger(x.floats[i], low, high);
    result.element.wrap(result.integers);
    interpreter.set(op.getOut(), std::move(result));
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

LogicalResult runBitcast(Interpreter &interpreter, arith::BitcastOp op) {
  const Datum &x = interpreter.get(op.getIn());
  Datum result = interpreter.make(op.getOut());
  for (size_t i = 0; i < x.size(); ++i) {
    uint64_t bits = x.isFloat() ? x.element.toBits(x.floats[i])
                                : x.element.asUnsigned(x.integers[i]);
    if (result.isFloat())
      result.floats[i] = result.element.fromBits(bits);
    else
      result.integers[i] = result.element.wrap(int64_t(bits));
  }
  interpreter.set(op.getOut(), std::move(result));
  return success();
}

} // namespace

void heddle::interp::addCastOps(Handlers &handlers) {
  using E = const Element &;
  auto toSigned = [](E e, int64_t x) { return e.asSigned(x); };
  auto toUnsigned = [](E e, int64_t x) { return int64_t(e.asUnsigned(x)); };
  addIntegerUnary<arith::ExtSIOp>(handlers, toSigned);
  addIntegerUnary<arith::IndexCastOp>(handlers, toSigned);
  addIntegerUnary<arith::ExtUIOp>(handlers, toUnsigned);
  addIntegerUnary<arith::IndexCastUIOp>(handlers, toUnsigned);
  addIntegerUnary<arith::TruncIOp>(handlers, toSigned);
  addIntToFloat<arith::SIToFPOp>(
      handlers, [](E e, int64_t x) { return int128(e.asSigned(x)); });
  addIntToFloat<arith::UIToFPOp>(
      handlers, [](E e, int64_t x) { return int128(e.asUnsigned(x)); });
  addFloatToInt<arith::FPToSIOp>(handlers, /*isSigned=*/true);
  addFloatToInt<arith::FPToUIOp>(handlers, /*isSigned=*/false);
  handlers.add<tile::CastOp>(runTileCast);
  handlers.add<arith::TruncFOp>(runTruncF);
  handlers.add<arith::ExtFOp>(runExtF);
  handlers.add<arith::BitcastOp>(runBitcast);
}
