//===- WriteFunctions.cpp - Functions of statements as operations ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/WriteFunctions.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace heddle;

Value heddle::writeConstant(OpBuilder &builder, Location loc, Type type,
                            double value) {
  auto tile = dyn_cast<RankedTensorType>(type);
  Type element = tile ? tile.getElementType() : type;
  Value scalar = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(element, value));
  return tile ? Value(tile::SplatOp::create(builder, loc, tile, scalar))
              : scalar;
}

static Value write(OpBuilder &builder, Location loc, ScalarFunction function,
                   Value x) {
  auto number = [&](double value) {
    return writeConstant(builder, loc, x.getType(), value);
  };
  auto divide = [&](Value a, Value b) -> Value {
    return arith::DivFOp::create(builder, loc, a, b);
  };
  /// 1 + exp(-x).
  auto onePlusExp = [&]() -> Value {
    Value less = arith::NegFOp::create(builder, loc, x);
    Value power = math::ExpOp::create(builder, loc, less);
    return arith::AddFOp::create(builder, loc, number(1), power);
  };
  switch (function) {
  case ScalarFunction::Neg:
    return arith::NegFOp::create(builder, loc, x);
  case ScalarFunction::Abs:
    return math::AbsFOp::create(builder, loc, x);
  case ScalarFunction::Square:
    return arith::MulFOp::create(builder, loc, x, x);
  case ScalarFunction::Relu:
    return arith::MaximumFOp::create(builder, loc, x, number(0));
  case ScalarFunction::Exp:
    return math::ExpOp::create(builder, loc, x);
  case ScalarFunction::Log:
    return math::LogOp::create(builder, loc, x);
  case ScalarFunction::Sqrt:
    return math::SqrtOp::create(builder, loc, x);
  case ScalarFunction::Rsqrt:
    return divide(number(1), math::SqrtOp::create(builder, loc, x));
  case ScalarFunction::Reciprocal:
    return divide(number(1), x);
  case ScalarFunction::Tanh:
    return math::TanhOp::create(builder, loc, x);
  case ScalarFunction::Erf:
    return math::ErfOp::create(builder, loc, x);
  case ScalarFunction::Sigmoid:
    return divide(number(1), onePlusExp());
  case ScalarFunction::Gelu: {
    Value part = arith::MulFOp::create(builder, loc, x, number(M_SQRT1_2));
    Value share = arith::AddFOp::create(
        builder, loc, number(1), math::ErfOp::create(builder, loc, part));
    Value half = arith::MulFOp::create(builder, loc, x, number(0.5));
    return arith::MulFOp::create(builder, loc, half, share);
  }
  case ScalarFunction::Silu:
    return divide(x, onePlusExp());
  }
  llvm_unreachable("a function without operations");
}

Value heddle::writeFunctions(OpBuilder &builder, Location loc,
                             const std::vector<ScalarFunction> &functions,
                             Value value) {
  for (ScalarFunction function : functions)
    value = write(builder, loc, function, value);
  return value;
}
