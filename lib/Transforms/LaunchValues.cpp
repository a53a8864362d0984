//===- LaunchValues.cpp - Numbers computed before the instances ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace heddle;

Value LaunchValues::before(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() == &kernel.getEntry())
    return value;
  if (Value copy = copies.lookup(value))
    return copy;
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, before(operand));
  OpBuilder builder(parallel);
  return copies[value] = builder.clone(*op, operands)->getResult(0);
}

/// Sign-extended, or as an index.
static Value convert(OpBuilder &builder, Location loc, Value number,
                     Type type) {
  if (type.isIndex() || number.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, type, number);
  return arith::ExtSIOp::create(builder, loc, type, number);
}

Value LaunchValues::build(OpBuilder &builder, Location loc,
                          const Polynomial &polynomial, bool isAtLaunch,
                          Type type) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, number));
  };
  Value sum;
  for (const auto &[product, coefficient] : polynomial.terms()) {
    Value term;
    for (unsigned unknown : product) {
      Value factor = forms.valueOf(unknown);
      if (isAtLaunch)
        factor = before(factor);
      if (factor.getType() != type)
        factor = convert(builder, loc, factor, type);
      term = term
                 ? arith::MulIOp::create(builder, loc, term, factor).getResult()
                 : factor;
    }
    if (!term)
      term = constant(coefficient);
    else if (coefficient != 1)
      term = arith::MulIOp::create(builder, loc, term, constant(coefficient));
    sum =
        sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
  }
  return sum ? sum : constant(0);
}
