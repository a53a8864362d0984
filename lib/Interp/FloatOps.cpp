//===- FloatOps.cpp - arith on floating point -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// arith's operations on floating point as functions of doubles; Elementwise.h
// rounds them once to the element type. Minimum and maximum are written out
// after IEEE 754-2019, because std::fmax neither hands on a NaN nor orders
// signed zeros.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace heddle::interp;

/// IEEE 754-2019 maximum: NaN if either is, and +0 beats -0.
static double maximum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::nan("");
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

/// maximumNumber: the other one if one is NaN.
static double maximumNumber(double x, double y) {
  if (std::isnan(x))
    return y;
  return std::isnan(y) ? x : maximum(x, y);
}

static bool compare(arith::CmpFPredicate predicate, double x, double y) {
  bool unordered = std::isnan(x) || std::isnan(y);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return !unordered && x == y;
  case arith::CmpFPredicate::OGT:
    return !unordered && x > y;
  case arith::CmpFPredicate::OGE:
    return !unordered && x >= y;
  case arith::CmpFPredicate::OLT:
    return !unordered && x < y;
  case arith::CmpFPredicate::OLE:
    return !unordered && x <= y;
  case arith::CmpFPredicate::ONE:
    return !unordered && x != y;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || x == y;
  case arith::CmpFPredicate::UGT:
    return unordered || x > y;
  case arith::CmpFPredicate::UGE:
    return unordered || x >= y;
  case arith::CmpFPredicate::ULT:
    return unordered || x < y;
  case arith::CmpFPredicate::ULE:
    return unordered || x <= y;
  case arith::CmpFPredicate::UNE:
    return unordered || x != y;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  llvm_unreachable("unknown predicate");
}

static LogicalResult runCmpF(Interpreter &interpreter, arith::CmpFOp op) {
  const Datum &x = interpreter.get(op.getLhs());
  const Datum &y = interpreter.get(op.getRhs());
  Datum result = interpreter.make(op.getResult());
  for (size_t i = 0; i < x.size(); ++i)
    result.integers[i] = compare(op.getPredicate(), x.floats[i], y.floats[i]);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

void heddle::interp::addFloatOps(Handlers &handlers) {
  addFloatBinary<arith::AddFOp>(handlers,
                                [](double x, double y) { return x + y; });
  addFloatBinary<arith::SubFOp>(handlers,
                                [](double x, double y) { return x - y; });
  addFloatBinary<arith::MulFOp>(handlers,
                                [](double x, double y) { return x * y; });
  addFloatBinary<arith::DivFOp>(handlers,
                                [](double x, double y) { return x / y; });
  addFloatBinary<arith::RemFOp>(
      handlers, [](double x, double y) { return std::fmod(x, y); });
  addFloatUnary<arith::NegFOp>(handlers, [](double x) { return -x; });
  addFloatBinary<arith::MaximumFOp>(handlers, maximum);
  addFloatBinary<arith::MaxNumFOp>(handlers, maximumNumber);
  addFloatBinary<arith::MinimumFOp>(
      handlers, [](double x, double y) { return -maximum(-x, -y); });
  addFloatBinary<arith::MinNumFOp>(
      handlers, [](double x, double y) { return -maximumNumber(-x, -y); });
  handlers.add<arith::CmpFOp>(runCmpF);
}
