//===- Scalars.cpp - The regions of streams, number by number -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar operations in double, rounded once each to the type of their result,
// as the oracle of the tile rung has it.
//
//===----------------------------------------------------------------------===//

#include "heddle/Flow/Interpret.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace heddle;

/// NaN if one is; of two zeros the positive one.
static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::nan("");
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

/// The result of `op` on numbers, before rounding.
static std::optional<double> apply(Operation *op, ArrayRef<double> x) {
  using Result = std::optional<double>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddFOp) { return x[0] + x[1]; })
      .Case([&](arith::SubFOp) { return x[0] - x[1]; })
      .Case([&](arith::MulFOp) { return x[0] * x[1]; })
      .Case([&](arith::DivFOp) { return x[0] / x[1]; })
      .Case([&](arith::NegFOp) { return -x[0]; })
      .Case([&](arith::MaximumFOp) { return maximum(x[0], x[1]); })
      .Case([&](arith::MinimumFOp) { return -maximum(-x[0], -x[1]); })
      .Case([&](math::AbsFOp) { return std::fabs(x[0]); })
      .Case([&](math::ErfOp) { return std::erf(x[0]); })
      .Case([&](math::LogOp) { return std::log(x[0]); })
      .Case([&](math::ExpOp) { return std::exp(x[0]); })
      .Case([&](math::SqrtOp) { return std::sqrt(x[0]); })
      .Case([&](math::RsqrtOp) { return 1 / std::sqrt(x[0]); })
      .Case([&](math::TanhOp) { return std::tanh(x[0]); })
      .Case([&](arith::ConstantOp constant) -> Result {
        if (auto value = dyn_cast<FloatAttr>(constant.getValue()))
          return value.getValueAsDouble();
        return std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<double> heddle::flow::evaluateScalars(Block &block,
                                                    ArrayRef<double> values) {
  llvm::SmallDenseMap<Value, double, 8> known;
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), values))
    known[argument] = value;
  for (Operation &op : block) {
    if (auto yield = dyn_cast<YieldOp>(op))
      return known.lookup(yield.getValue());
    SmallVector<double, 2> operands;
    for (Value operand : op.getOperands())
      operands.push_back(known.lookup(operand));
    std::optional<double> result = apply(&op, operands);
    if (!result || op.getNumResults() != 1)
      return std::nullopt;
    known[op.getResult(0)] =
        op.getResult(0).getType().isF32() ? double(float(*result)) : *result;
  }
  return std::nullopt;
}
