//===- HostDivisor.cpp - Divisions by numbers of the host -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/HostDivisor.h"

#include "heddle/Conversion/HostExpr.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using heddle::manifest::Expr;

namespace heddle {

static Expr binary(Expr::Op op, Expr left, int64_t right) {
  Expr constant, expr;
  constant.constant = right;
  expr.op = op;
  expr.operands = {std::move(left), std::move(constant)};
  return expr;
}

static std::optional<Expr> countOfWorkers(hopper::KernelOp kernel) {
  FailureOr<Expr> grid = buildGridExpr(kernel);
  if (failed(grid))
    return std::nullopt;
  int64_t teams = kernel.getTeams();
  return teams > 1 ? binary(Expr::Op::Mul, *grid, teams) : *grid;
}

static std::optional<Expr> numberOfHost(hopper::KernelOp kernel, Value value) {
  auto nameOf = [&](BlockArgument argument) {
    return argument.getOwner() == &kernel.getEntry()
               ? std::optional(kernel.getArgName(argument.getArgNumber()))
               : std::nullopt;
  };
  Operation *culprit = nullptr;
  return findHostExpr(value, nameOf, culprit);
}

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// Of `number` = quotient * c the constant c. A quotient of indices fits 31
/// bits, so the product does not wrap.
static std::optional<int64_t> factorOf(Value number) {
  auto product = number.getDefiningOp<arith::MulIOp>();
  if (!product)
    return std::nullopt;
  for (int side : {0, 1})
    if (product->getOperand(side).getDefiningOp<arith::DivUIOp>())
      return constantOf(product->getOperand(1 - side));
  return std::nullopt;
}

/// Numbers are often cut into groups of c, the last of which has what is left
/// of a total: min(c, total - c * group). Where that is less than c and more
/// than 0, it is total mod c.
static std::optional<HostDivisor> findSizeOfGroup(hopper::KernelOp kernel,
                                                  Value divisor) {
  Operation *least = divisor.getDefiningOp();
  if (!isa_and_present<arith::MinUIOp, arith::MinSIOp>(least))
    return std::nullopt;
  for (int side : {0, 1}) {
    std::optional<int64_t> size = constantOf(least->getOperand(side));
    auto left = least->getOperand(1 - side).getDefiningOp<arith::SubIOp>();
    if (!size || *size < 1 || *size > INT32_MAX || !left ||
        factorOf(left.getRhs()) != size)
      continue;
    if (std::optional<Expr> total = numberOfHost(kernel, left.getLhs()))
      return HostDivisor{binary(Expr::Op::Mod, *total, *size), *size};
  }
  return std::nullopt;
}

std::optional<HostDivisor> findHostDivisor(hopper::KernelOp kernel,
                                           Operation *op) {
  auto process = op->getParentOfType<hopper::ProcessOp>();
  if (!isa<arith::DivUIOp, arith::RemUIOp>(op) || !process ||
      !process.getElected() || !op->getResult(0).getType().isIndex())
    return std::nullopt;
  Value divisor = op->getOperand(1);
  if (constantOf(divisor))
    return std::nullopt;
  if (divisor.getDefiningOp<tile::WorkerCountOp>()) {
    std::optional<Expr> workers = countOfWorkers(kernel);
    return workers ? std::optional(HostDivisor{std::move(*workers), 0, true})
                   : std::nullopt;
  }
  if (std::optional<Expr> expr = numberOfHost(kernel, divisor))
    return HostDivisor{std::move(*expr)};
  return findSizeOfGroup(kernel, divisor);
}

} // namespace heddle
