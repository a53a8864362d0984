//===- LaunchExpr.cpp - Numbers that a launch computes ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchExpr.h"

#include "heddle/Conversion/HostExpr.h"

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

Expr LaunchExpr::dim(std::string argument, int64_t axis) {
  Expr expr;
  expr.op = Expr::Op::Dim;
  expr.argument = std::move(argument);
  expr.axis = int(axis);
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

static int depthOf(const Expr &expr) {
  int depth = 0;
  for (const Expr &operand : expr.operands)
    depth = std::max(depth, 1 + depthOf(operand));
  return depth;
}

/// Whose operands may change places.
static bool isCommutative(Expr::Op op) {
  return op == Expr::Op::Add || op == Expr::Op::Mul || op == Expr::Op::Min ||
         op == Expr::Op::Max;
}

Expr LaunchExpr::make(Expr::Op op, Expr a, Expr b) {
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
  // The JSON library copies an array's first element when it reads the second.
  if (isCommutative(op) && depthOf(a) > depthOf(b))
    std::swap(a, b);
  Expr expr;
  expr.op = op;
  expr.operands.reserve(2);
  expr.operands.push_back(std::move(a));
  expr.operands.push_back(std::move(b));
  return expr;
}

Expr LaunchExpr::folded(const Expr &expr) {
  if (expr.operands.empty())
    return expr;
  return make(expr.op, folded(expr.operands[0]), folded(expr.operands[1]));
}

std::optional<Expr> LaunchExpr::of(tile::KernelOp kernel, Value value) {
  auto nameOf = [&](BlockArgument argument) -> std::optional<std::string> {
    bool isPassed = argument.getOwner() == &kernel.getEntry();
    bool isKnown = argument.getType().isIntOrIndex() ||
                   isa<tile::ViewType>(argument.getType());
    if (!isPassed || !isKnown)
      return std::nullopt;
    return kernel.getArgName(argument.getArgNumber());
  };
  Operation *culprit = nullptr;
  auto expr = findHostExpr(value, nameOf, culprit);
  return expr ? std::optional(folded(*expr)) : std::nullopt;
}
