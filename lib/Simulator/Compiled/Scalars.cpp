//===- Scalars.cpp - Arithmetic of compiled processes ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace heddle::simulator;

using Function = double (*)(double);

/// The function that the interpreter calls for `op`; null for others.
static Function functionOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Function>(op)
      .Case([](math::ExpOp) { return +[](double x) { return std::exp(x); }; })
      .Case([](math::Exp2Op) { return +[](double x) { return std::exp2(x); }; })
      .Case(
          [](math::ExpM1Op) { return +[](double x) { return std::expm1(x); }; })
      .Case([](math::LogOp) { return +[](double x) { return std::log(x); }; })
      .Case([](math::Log2Op) { return +[](double x) { return std::log2(x); }; })
      .Case(
          [](math::Log1pOp) { return +[](double x) { return std::log1p(x); }; })
      .Case([](math::SqrtOp) { return +[](double x) { return std::sqrt(x); }; })
      .Case([](math::RsqrtOp) {
        return +[](double x) { return 1 / std::sqrt(x); };
      })
      .Case([](math::TanhOp) { return +[](double x) { return std::tanh(x); }; })
      .Case([](math::SinOp) { return +[](double x) { return std::sin(x); }; })
      .Case([](math::CosOp) { return +[](double x) { return std::cos(x); }; })
      .Case([](math::ErfOp) { return +[](double x) { return std::erf(x); }; })
      .Case(
          [](math::FloorOp) { return +[](double x) { return std::floor(x); }; })
      .Case([](math::CeilOp) { return +[](double x) { return std::ceil(x); }; })
      .Default([](Operation *) { return nullptr; });
}

bool heddle::simulator::isKnownScalarOp(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<IntegerAttr, FloatAttr>(constant.getValue());
  for (Type type : op->getOperandTypes())
    if (!type.isIntOrIndexOrFloat())
      return false;
  return functionOf(op) ||
         isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
             arith::RemUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
             arith::CmpIOp, arith::SelectOp, arith::MaxSIOp, arith::MinSIOp,
             arith::MaxUIOp, arith::MinUIOp, arith::ShLIOp, arith::ShRUIOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::IndexCastOp, arith::BitcastOp, arith::AddFOp, arith::SubFOp,
             arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::CmpFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::ExtFOp,
             arith::TruncFOp, math::AbsFOp, math::CountTrailingZerosOp>(op);
}

/// Calls a function of this process by its address.
static Value callFunction(OpBuilder &at, Operation *op, Function function) {
  Location loc = op->getLoc();
  Type wide = at.getF64Type(), type = op->getResult(0).getType();
  Value operand = op->getOperand(0);
  if (operand.getType() != wide)
    operand = arith::ExtFOp::create(at, loc, wide, operand);
  Value number = LLVM::ConstantOp::create(
      at, loc, at.getI64Type(),
      at.getI64IntegerAttr(int64_t(reinterpret_cast<intptr_t>(function))));
  Value address = LLVM::IntToPtrOp::create(
      at, loc, LLVM::LLVMPointerType::get(op->getContext()), number);
  auto callee = LLVM::LLVMFunctionType::get(wide, {wide});
  Value result =
      LLVM::CallOp::create(at, loc, callee, ValueRange{address, operand})
          .getResult();
  return type == wide ? result
                      : Value(arith::TruncFOp::create(at, loc, type, result));
}

/// Zero where a shift goes beyond the width.
static Value guardShift(OpBuilder &at, Operation *op) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(at, loc, at.getIntegerAttr(type, value));
  };
  int64_t width = type.isIndex() ? 64 : int64_t(type.getIntOrFloatBitWidth());
  Value isInside = arith::CmpIOp::create(at, loc, arith::CmpIPredicate::ult,
                                         op->getOperand(1), number(width));
  Operation *shift = at.clone(*op);
  shift->setOperand(1, arith::SelectOp::create(at, loc, isInside,
                                               op->getOperand(1), number(0)));
  shift->moveAfter(shift->getOperand(1).getDefiningOp());
  return arith::SelectOp::create(at, loc, isInside, shift->getResult(0),
                                 number(0));
}

bool heddle::simulator::replaceScalarOp(Operation *op) {
  OpBuilder at(op);
  Value result;
  if (Function function = functionOf(op))
    result = callFunction(at, op, function);
  else if (isa<arith::ShLIOp, arith::ShRUIOp>(op) &&
           !op->getResult(0).getType().isInteger(1))
    result = guardShift(at, op);
  if (!result)
    return false;
  op->getResult(0).replaceAllUsesWith(result);
  return true;
}
