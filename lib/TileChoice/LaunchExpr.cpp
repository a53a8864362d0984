//===- LaunchExpr.cpp - Numbers that a launch computes ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchExpr.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using manifest::Expr;

Expr LaunchExpr::constant(double value) {
  Expr expr;
  expr.constant = std::llround(value);
  return expr;
}

Expr LaunchExpr::multiprocessors() {
  Expr expr;
  expr.op = Expr::Op::SmCount;
  return expr;
}

static bool isConstant(const Expr &expr, int64_t value) {
  return expr.op == Expr::Op::Constant && expr.constant == value;
}

static std::optional<int64_t> fold(Expr::Op op, int64_t a, int64_t b) {
  switch (op) {
  case Expr::Op::Add:
    return a + b;
  case Expr::Op::Sub:
    return a - b;
  case Expr::Op::Mul:
    return a * b;
  case Expr::Op::Min:
    return std::min(a, b);
  case Expr::Op::Max:
    return std::max(a, b);
  default: // a division, which the host checks
    return std::nullopt;
  }
}

Expr LaunchExpr::make(Expr::Op op, const Expr &a, const Expr &b) {
  if (a.op == Expr::Op::Constant && b.op == Expr::Op::Constant)
    if (auto value = fold(op, a.constant, b.constant))
      return constant(double(*value));
  bool isDivision = op == Expr::Op::CeilDiv || op == Expr::Op::FloorDiv;
  if ((op == Expr::Op::Mul || isDivision) && isConstant(b, 1))
    return a;
  if (op == Expr::Op::Mul && isConstant(a, 1))
    return b;
  if ((op == Expr::Op::Add || op == Expr::Op::Sub) && isConstant(b, 0))
    return a;
  if (op == Expr::Op::Add && isConstant(a, 0))
    return b;
  if (op == Expr::Op::Mul && (isConstant(a, 0) || isConstant(b, 0)))
    return constant(0);
  Expr expr;
  expr.op = op;
  expr.operands = {a, b};
  return expr;
}

static std::optional<Expr::Op> operatorOf(Operation *op) {
  using Result = std::optional<Expr::Op>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([](auto) { return Expr::Op::Add; })
      .Case<arith::SubIOp>([](auto) { return Expr::Op::Sub; })
      .Case<arith::MulIOp>([](auto) { return Expr::Op::Mul; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [](auto) { return Expr::Op::CeilDiv; })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [](auto) { return Expr::Op::FloorDiv; })
      .Case<arith::RemUIOp, arith::RemSIOp>([](auto) { return Expr::Op::Mod; })
      .Case<arith::MinUIOp, arith::MinSIOp>([](auto) { return Expr::Op::Min; })
      .Case<arith::MaxUIOp, arith::MaxSIOp>([](auto) { return Expr::Op::Max; })
      .Default([](Operation *) { return Result(); });
}

std::optional<Expr> LaunchExpr::of(tile::KernelOp kernel, Value value) {
  auto argumentOf = [&](Value known) -> std::optional<std::string> {
    auto argument = dyn_cast<BlockArgument>(known);
    if (!argument || argument.getOwner() != &kernel.getEntry())
      return std::nullopt;
    return kernel.getArgName(argument.getArgNumber());
  };
  Expr expr;
  if (isa<BlockArgument>(value)) {
    auto name = argumentOf(value);
    if (!name || !value.getType().isIntOrIndex())
      return std::nullopt;
    expr.op = Expr::Op::Scalar;
    expr.argument = *name;
    return expr;
  }
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    if (auto made = dim.getView().getDefiningOp<tile::MakeViewOp>())
      return of(kernel, made.getExtents()[dim.getAxis()]);
    auto name = argumentOf(dim.getView());
    if (!name)
      return std::nullopt;
    expr.op = Expr::Op::Dim;
    expr.argument = *name;
    expr.axis = int(dim.getAxis());
    return expr;
  }
  if (auto number = dyn_cast<arith::ConstantOp>(op))
    if (auto integer = dyn_cast<IntegerAttr>(number.getValue()))
      return constant(double(integer.getInt()));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(op))
    return of(kernel, op->getOperand(0));
  auto kind = operatorOf(op);
  if (!kind)
    return std::nullopt;
  auto a = of(kernel, op->getOperand(0)), b = of(kernel, op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  return make(*kind, *a, *b);
}
