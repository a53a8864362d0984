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
  result = add(expr, leaves, multiprocessors);
}

size_t FlatExpr::add(const Step &step) {
  auto [known, isNew] = numbers.try_emplace(step, steps.size());
  if (isNew)
    steps.push_back(step);
  return known->second;
}

size_t FlatExpr::add(const Expr &expr, llvm::ArrayRef<Expr> leaves,
                     int multiprocessors) {
  switch (expr.op) {
  case Expr::Op::Constant:
    return add({Expr::Op::Constant, double(expr.constant)});
  case Expr::Op::SmCount:
    return add({Expr::Op::Constant, double(multiprocessors)});
  case Expr::Op::Dim:
  case Expr::Op::Scalar: {
    const Expr *leaf = llvm::find(leaves, expr);
    assert(leaf != leaves.end() && "leaves are collected from expressions");
    return add({expr.op, 0, size_t(leaf - leaves.begin())});
  }
  default:
    break;
  }
  size_t value = add(expr.operands.front(), leaves, multiprocessors);
  for (const Expr &operand : llvm::drop_begin(expr.operands)) {
    size_t right = add(operand, leaves, multiprocessors);
    value = add({expr.op, 0, 0, value, right});
  }
  return value;
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

/// `result[i]` becomes `left[i] op right[i]`.
static void apply(Expr::Op op, llvm::MutableArrayRef<double> result,
                  const double *left, const double *right) {
  auto each = [&](auto operation) {
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = operation(left[i], right[i]);
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
    return each([](double a, double) { return a; });
  default:
    return each([](double a, double b) { return a < b ? b : a; });
  }
}

std::vector<double>
FlatExpr::evaluate(llvm::ArrayRef<std::vector<double>> values,
                   size_t launches) const {
  // A step does a block of launches, which the caches hold.
  using Block = std::array<double, 256>;
  std::vector<Block> blocks(steps.size());
  for (auto [block, step] : llvm::zip(blocks, steps))
    if (step.op == Expr::Op::Constant)
      block.fill(step.constant);
  std::vector<double> results;
  std::vector<const double *> made(steps.size()); // of each step
  for (size_t begin = 0; begin < launches; begin += Block().size()) {
    size_t count = std::min(Block().size(), launches - begin);
    for (size_t number = 0; number < steps.size(); ++number) {
      const Step &step = steps[number];
      Block &block = blocks[number];
      made[number] = block.data();
      if (step.op == Expr::Op::Dim || step.op == Expr::Op::Scalar)
        made[number] = values[step.leaf].data() + begin;
      else if (step.op != Expr::Op::Constant)
        apply(step.op, llvm::MutableArrayRef(block).take_front(count),
              made[step.left], made[step.right]);
    }
    const double *last = made[result];
    results.insert(results.end(), last, last + count);
  }
  return results;
}
