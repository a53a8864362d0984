//===- Evaluate.cpp - Expressions over launch arguments -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact integer arithmetic: divisions round as their names say for every sign
// and an overflow is an error, since a wrapped grid would be a wrong result.
//
//===----------------------------------------------------------------------===//

#include "ExprSpelling.h"
#include "Lookup.h"
#include "heddle/Manifest/LaunchPlan.h"

#include <algorithm>
#include <climits>

using namespace heddle::manifest;

static int64_t signExtend(uint64_t bits, int64_t bytes) {
  int shift = static_cast<int>(64 - 8 * bytes);
  return static_cast<int64_t>(bits << shift) >> shift;
}

/// `right` is not zero and the quotient does not overflow.
static int64_t floorDiv(int64_t left, int64_t right) {
  int64_t quotient = left / right;
  bool isInexact = left % right != 0;
  return isInexact && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}

static bool apply(Expr::Op op, int64_t left, int64_t right, int64_t &value,
                  std::string &error) {
  bool overflows = false;
  switch (op) {
  case Expr::Op::Add:
    overflows = __builtin_add_overflow(left, right, &value);
    break;
  case Expr::Op::Sub:
    overflows = __builtin_sub_overflow(left, right, &value);
    break;
  case Expr::Op::Mul:
    overflows = __builtin_mul_overflow(left, right, &value);
    break;
  case Expr::Op::Min:
    value = std::min(left, right);
    break;
  case Expr::Op::Max:
    value = std::max(left, right);
    break;
  case Expr::Op::NoLess:
    value = left;
    if (left < right)
      error = "the program has a number without a sign where " +
              std::to_string(left) + " is below " + std::to_string(right);
    return left >= right;
  default:
    if (right == 0) {
      error = std::to_string(left) + " is divided by zero (" +
              exprOpRow(op)->spelling + ")";
      return false;
    }
    // The one quotient that does not fit; its remainder does, but no host
    // instruction computes it.
    overflows = left == INT64_MIN && right == -1;
    if (overflows)
      break;
    if (op == Expr::Op::TruncDiv || op == Expr::Op::Rem) {
      value = op == Expr::Op::Rem ? left % right : left / right;
      break;
    }
    value = floorDiv(left, right);
    if (op == Expr::Op::CeilDiv)
      value += left % right != 0;
    else if (op == Expr::Op::Mod)
      value = left - value * right;
    break;
  }
  if (overflows)
    error = std::string(exprOpRow(op)->spelling) + " of " +
            std::to_string(left) + " and " + std::to_string(right) +
            " does not fit 64 bits";
  return !overflows;
}

bool heddle::manifest::evaluate(const Expr &expr, const Manifest &manifest,
                                const std::vector<ArgumentValue> &arguments,
                                int smCount, int64_t &value,
                                std::string &error) {
  switch (expr.op) {
  case Expr::Op::Constant:
    value = expr.constant;
    return true;
  case Expr::Op::SmCount:
    value = smCount;
    return true;
  case Expr::Op::Dim:
    value = arguments[argumentIndex(manifest, expr.argument)].shape[expr.axis];
    return true;
  case Expr::Op::Scalar: {
    int index = argumentIndex(manifest, expr.argument);
    value = signExtend(arguments[index].scalarBits,
                       elementBytes(argumentAt(manifest, index).element));
    return true;
  }
  default:
    break;
  }
  for (size_t i = 0; i < expr.operands.size(); ++i) {
    int64_t operand = 0;
    if (!evaluate(expr.operands[i], manifest, arguments, smCount, operand,
                  error))
      return false;
    if (i == 0)
      value = operand;
    else if (!apply(expr.op, value, operand, value, error))
      return false;
  }
  return true;
}
