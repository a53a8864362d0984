//===- InstanceExpr.cpp - Numbers of one instance, as a launch knows ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstanceExpr.h"

#include "LaunchExpr.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using manifest::Expr;
using E = LaunchExpr;

static bool isZero(const Expr &expr) {
  return expr.op == Expr::Op::Constant && expr.constant == 0;
}

/// A launch of no instances divides by none.
static Expr divisor(const Expr &expr) { return E::max(expr, E::constant(1)); }

/// 1 where `a` is less than `b`, else 0.
static Expr isLess(const Expr &a, const Expr &b) {
  return E::min(E::max(E::sub(b, a), E::constant(0)), E::constant(1));
}

static Expr select(const Expr &condition, const Expr &a, const Expr &b) {
  if (condition.op == Expr::Op::Constant)
    return condition.constant ? a : b;
  return E::add(b, E::mul(condition, E::sub(a, b)));
}

static std::optional<Expr> compare(arith::CmpIPredicate predicate,
                                   const Expr &a, const Expr &b) {
  Expr one = E::constant(1);
  switch (predicate) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return isLess(a, b);
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return isLess(b, a);
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return E::sub(one, isLess(b, a));
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return E::sub(one, isLess(a, b));
  default:
    return std::nullopt;
  }
}

std::optional<Expr> InstanceExpr::compute(Operation *op) const {
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return std::nullopt;
  SmallVector<Expr> operands;
  for (Value operand : op->getOperands()) {
    std::optional<Expr> expr = of(operand);
    if (!expr)
      return std::nullopt;
    operands.push_back(std::move(*expr));
  }
  using Result = std::optional<Expr>;
  auto binary = [&](auto make) { return make(operands[0], operands[1]); };
  auto divide = [&](auto make) {
    return isZero(operands[0]) ? operands[0]
                               : make(operands[0], divisor(operands[1]));
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([&](auto) { return binary(E::add); })
      .Case<arith::SubIOp>([&](auto) {
        return operands[0] == operands[1] ? E::constant(0) : binary(E::sub);
      })
      .Case<arith::MulIOp>([&](auto) { return binary(E::mul); })
      .Case<arith::MinUIOp, arith::MinSIOp>(
          [&](auto) { return binary(E::min); })
      .Case<arith::MaxUIOp, arith::MaxSIOp>(
          [&](auto) { return binary(E::max); })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [&](auto) { return divide(E::ceilDiv); })
      .Case<arith::DivUIOp, arith::FloorDivSIOp>(
          [&](auto) { return divide(E::floorDiv); })
      .Case<arith::RemUIOp>([&](auto) { return divide(E::mod); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(
          [&](auto) { return operands[0]; })
      .Case([&](arith::CmpIOp cmp) {
        return compare(cmp.getPredicate(), operands[0], operands[1]);
      })
      .Case([&](arith::SelectOp) {
        return select(operands[0], operands[1], operands[2]);
      })
      .Default([](Operation *) { return Result(); });
}

std::optional<Expr> InstanceExpr::of(Value value) const {
  if (value == tiles.getInductionVar())
    return number;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tile::WorkerIdOp>(op))
    return number;
  if (isa_and_nonnull<tile::WorkerCountOp>(op))
    return instances;
  if (auto known = LaunchExpr::of(kernel, value))
    return known;
  return op ? compute(op) : std::nullopt;
}
