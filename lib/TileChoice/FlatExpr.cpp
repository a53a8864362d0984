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

/// As std::floor, which is a call in code for all x86-64 processors, where this
/// is done for several numbers at a time: most of the time here goes into it.
static double floorOf(double value) {
  constexpr double kRounding = 0x1.8p52; // its last place is 1
  constexpr double kMost = 0x1p51;       // beyond, a half is no matter
  double nearest = (value + kRounding) - kRounding;
  double floor = nearest - (nearest > value ? 1.0 : 0.0);
  return std::abs(value) < kMost ? floor : value;
}

/// `left[i]` becomes `left[i] op right[i]`.
static void apply(Expr::Op op, llvm::MutableArrayRef<double> left,
                  llvm::ArrayRef<double> right) {
  auto each = [&](auto operation) {
    for (size_t i = 0; i < left.size(); ++i)
      left[i] = operation(left[i], right[i]);
  };
  switch (op) {
  case Expr::Op::Add:
    return each([](double a, double b) { return a + b; });
  case Expr::Op::Sub:
    return each([](double a, double b) { return a - b; });
  case Expr::Op::Mul:
    return each([](double a, double b) { return a * b; });
  case Expr::Op::CeilDiv:
    return each([](double a, double b) { return -floorOf(-(a / b)); });
  case Expr::Op::FloorDiv:
    return each([](double a, double b) { return floorOf(a / b); });
  case Expr::Op::Mod:
    return each([](double a, double b) { return a - floorOf(a / b) * b; });
  case Expr::Op::Min:
    return each([](double a, double b) { return b < a ? b : a; });
  case Expr::Op::TruncDiv:
    return each([](double a, double b) { return std::trunc(a / b); });
  case Expr::Op::Rem:
    return each([](double a, double b) { return std::fmod(a, b); });
  case Expr::Op::NoLess:
    return;
  default:
    return each([](double a, double b) { return a < b ? b : a; });
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
        apply(step.op, llvm::MutableArrayRef(*top).take_front(count), right);
      }
    }
    results.insert(results.end(), top->begin(), top->begin() + count);
  }
  return results;
}
