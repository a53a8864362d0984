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

#include "Scalars.h"

#include "heddle/Dialect/Flow/Flow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace heddle;
using namespace heddle::flow;

/// NaN if one is; of two zeros the positive one.
static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::nan("");
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

ScalarCode::Function ScalarCode::functionOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Function>(op)
      .Case([](arith::AddFOp) {
        return [](double a, double b) { return a + b; };
      })
      .Case([](arith::SubFOp) {
        return [](double a, double b) { return a - b; };
      })
      .Case([](arith::MulFOp) {
        return [](double a, double b) { return a * b; };
      })
      .Case([](arith::DivFOp) {
        return [](double a, double b) { return a / b; };
      })
      .Case([](arith::NegFOp) { return [](double a, double) { return -a; }; })
      .Case([](arith::MaximumFOp) { return maximum; })
      .Case([](arith::MinimumFOp) {
        return [](double a, double b) { return -maximum(-a, -b); };
      })
      .Case([](math::AbsFOp) {
        return [](double a, double) { return std::fabs(a); };
      })
      .Case([](math::ErfOp) {
        return [](double a, double) { return std::erf(a); };
      })
      .Case([](math::LogOp) {
        return [](double a, double) { return std::log(a); };
      })
      .Case([](math::ExpOp) {
        return [](double a, double) { return std::exp(a); };
      })
      .Case([](math::SqrtOp) {
        return [](double a, double) { return std::sqrt(a); };
      })
      .Case([](math::RsqrtOp) {
        return [](double a, double) { return 1 / std::sqrt(a); };
      })
      .Case([](math::TanhOp) {
        return [](double a, double) { return std::tanh(a); };
      })
      .Default([](Operation *) { return nullptr; });
}

ScalarCode::ScalarCode(Block &block) {
  llvm::SmallDenseMap<Value, unsigned, 8> numbers;
  auto add = [&](Value value, double number) {
    numbers[value] = unsigned(values.size());
    values.push_back(number);
  };
  for (BlockArgument argument : block.getArguments())
    add(argument, 0);
  for (auto constant : block.getOps<arith::ConstantOp>()) {
    auto number = dyn_cast<FloatAttr>(constant.getValue());
    known &= bool(number);
    add(constant, number ? number.getValueAsDouble() : 0);
  }
  firstStep = unsigned(values.size());
  for (Operation &op : block) {
    if (auto yield = dyn_cast<YieldOp>(op)) {
      yielded = numbers.lookup(yield.getValue());
      continue;
    }
    if (isa<arith::ConstantOp>(op))
      continue;
    ++operations;
    Function function = functionOf(&op);
    if (!function) {
      known = false;
      return;
    }
    unsigned first = numbers.lookup(op.getOperand(0));
    unsigned second =
        op.getNumOperands() > 1 ? numbers.lookup(op.getOperand(1)) : first;
    steps.push_back(
        {function, first, second, op.getResult(0).getType().isF32()});
    add(op.getResult(0), 0);
  }
}

double ScalarCode::evaluate(ArrayRef<double> arguments) {
  std::copy(arguments.begin(), arguments.end(), values.begin());
  double *result = values.data() + firstStep;
  for (const Step &step : steps) {
    double made = step.function(values[step.first], values[step.second]);
    *result++ = step.isF32 ? double(float(made)) : made;
  }
  return values[yielded];
}
