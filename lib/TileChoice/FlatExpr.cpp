//===- FlatExpr.cpp - An estimate, evaluated for many launches ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlatExpr.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
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

/// As std::floor, which is a call in code for all x86-64 processors; most of
/// the time here would go into it.
static double floorOf(double value) {
  constexpr double kWhole = 0x1p52; // from here on all numbers are
  if (!(std::abs(value) < kWhole))
    return value;
  double cut = double(int64_t(value));
  return cut > value ? cut - 1 : cut;
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
    return -floorOf(-(left / right));
  case Expr::Op::FloorDiv:
    return floorOf(left / right);
  case Expr::Op::Mod:
    return left - floorOf(left / right) * right;
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

std::vector<double>
FlatExpr::evaluate(llvm::ArrayRef<std::vector<double>> values,
                   size_t launches) const {
  // A step does a block of launches, which the caches hold.
  using Block = std::array<double, 256>;
  std::vector<Block> stack(steps.size());
  std::vector<double> results;
  for (size_t begin = 0; begin < launches; begin += Block().size()) {
    size_t count = std::min(Block().size(), launches - begin);
    Block *top = stack.data() - 1;
    for (const Step &step : steps) {
      if (step.op == Expr::Op::Constant) {
        (++top)->fill(step.constant);
      } else if (step.op == Expr::Op::Dim || step.op == Expr::Op::Scalar) {
        std::copy_n(values[step.leaf].begin() + begin, count, (++top)->begin());
      } else {
        Block &right = *top--;
        for (size_t i = 0; i < count; ++i)
          (*top)[i] = apply(step.op, (*top)[i], right[i]);
      }
    }
    results.insert(results.end(), top->begin(), top->begin() + count);
  }
  return results;
}
