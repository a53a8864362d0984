//===- FlatExpr.cpp - An estimate, evaluated for many launches ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlatExpr.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <cmath>

using namespace heddle::tilechoice;
using heddle::manifest::Expr;

FlatExpr::FlatExpr(const Expr &expr, llvm::ArrayRef<Expr> leaves,
                   int multiprocessors) {
  add(expr, leaves, multiprocessors);
}

void FlatExpr::add(const Expr &expr, llvm::ArrayRef<Expr> leaves,
                   int multiprocessors) {
  switch (expr.op) {
  case Expr::Op::Constant:
    steps.push_back({Expr::Op::Constant, double(expr.constant), 0});
    return;
  case Expr::Op::SmCount:
    steps.push_back({Expr::Op::Constant, double(multiprocessors), 0});
    return;
  case Expr::Op::Dim:
  case Expr::Op::Scalar: {
    const Expr *leaf = llvm::find(leaves, expr);
    assert(leaf != leaves.end() && "leaves are collected from expressions");
    steps.push_back({expr.op, 0, size_t(leaf - leaves.begin())});
    return;
  }
  default:
    break;
  }
  for (size_t i = 0; i < expr.operands.size(); ++i) {
    add(expr.operands[i], leaves, multiprocessors);
    if (i > 0)
      steps.push_back({expr.op, 0, 0});
  }
}

static double apply(Expr::Op op, double left, double right) {
  switch (op) {
  case Expr::Op::Add:
    return left + right;
  case Expr::Op::Sub:
    return left - right;
  case Expr::Op::Mul:
    return left * right;
  case Expr::Op::CeilDiv:
    return std::ceil(left / right);
  case Expr::Op::FloorDiv:
    return std::floor(left / right);
  case Expr::Op::Mod:
    return left - std::floor(left / right) * right;
  case Expr::Op::Min:
    return std::min(left, right);
  case Expr::Op::TruncDiv:
    return std::trunc(left / right);
  case Expr::Op::Rem:
    return std::fmod(left, right);
  case Expr::Op::NoLess:
    return left;
  default:
    return std::max(left, right);
  }
}

double FlatExpr::evaluate(llvm::ArrayRef<double> values) {
  stack.clear();
  for (const Step &step : steps) {
    if (step.op == Expr::Op::Constant) {
      stack.push_back(step.constant);
    } else if (step.op == Expr::Op::Dim || step.op == Expr::Op::Scalar) {
      stack.push_back(values[step.leaf]);
    } else {
      double right = stack.back();
      stack.pop_back();
      stack.back() = apply(step.op, stack.back(), right);
    }
  }
  return stack.back();
}
