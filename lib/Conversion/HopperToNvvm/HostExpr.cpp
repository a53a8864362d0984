//===- HostExpr.cpp - Scalar arithmetic as the host evaluates it ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/HostExpr.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using heddle::manifest::Expr;

namespace heddle {

static std::optional<Expr::Op> getOperator(Operation *op) {
  using Result = std::optional<Expr::Op>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([](Operation *) { return Expr::Op::Add; })
      .Case<arith::SubIOp>([](Operation *) { return Expr::Op::Sub; })
      .Case<arith::MulIOp>([](Operation *) { return Expr::Op::Mul; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [](Operation *) { return Expr::Op::CeilDiv; })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [](Operation *) { return Expr::Op::FloorDiv; })
      .Case<arith::RemUIOp, arith::RemSIOp>(
          [](Operation *) { return Expr::Op::Mod; })
      .Case<arith::MinUIOp, arith::MinSIOp>(
          [](Operation *) { return Expr::Op::Min; })
      .Case<arith::MaxUIOp, arith::MaxSIOp>(
          [](Operation *) { return Expr::Op::Max; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Expr> findHostExpr(Value value, ArgumentNames names,
                                 Operation *&culprit) {
  Expr expr;
  auto refuse = [&](Operation *op) {
    culprit = op;
    return std::nullopt;
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::optional<std::string> name = names(argument);
    if (!name)
      return refuse(nullptr);
    expr.op = Expr::Op::Scalar;
    expr.argument = *name;
    return expr;
  }
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    if (auto made = dim.getView().getDefiningOp<tile::MakeViewOp>())
      return findHostExpr(made.getExtents()[dim.getAxis()], names, culprit);
    auto view = dyn_cast<BlockArgument>(dim.getView());
    std::optional<std::string> name = view ? names(view) : std::nullopt;
    if (!name)
      return refuse(op);
    expr.op = Expr::Op::Dim;
    expr.argument = *name;
    expr.axis = int(dim.getAxis());
    return expr;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue())) {
      expr.constant = integer.getInt();
      return expr;
    }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(op))
    return findHostExpr(op->getOperand(0), names, culprit);
  std::optional<Expr::Op> kind = getOperator(op);
  if (!kind)
    return refuse(op);
  expr.op = *kind;
  for (Value operand : op->getOperands()) {
    std::optional<Expr> child = findHostExpr(operand, names, culprit);
    if (!child)
      return std::nullopt;
    expr.operands.push_back(*child);
  }
  return expr;
}

FailureOr<Expr> buildHostExpr(hopper::KernelOp kernel, Value value) {
  auto nameOf = [&](BlockArgument argument) {
    return std::optional(kernel.getArgName(argument.getArgNumber()));
  };
  Operation *culprit = nullptr;
  if (std::optional<Expr> expr = findHostExpr(value, nameOf, culprit))
    return *expr;
  return reportOp(culprit, diag::grid_rule)
         << "decides how many blocks to launch, but a host cannot evaluate it: "
            "only dims, "
            "scalars, constants, +, -, *, divisions, min and max";
}

} // namespace heddle
