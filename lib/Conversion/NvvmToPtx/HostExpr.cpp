//===- HostExpr.cpp - Scalar arithmetic as the host evaluates it ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostExpr.h"

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
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>([](Operation *) { return Expr::Op::CeilDiv; })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [](Operation *) { return Expr::Op::FloorDiv; })
      .Case<arith::RemUIOp, arith::RemSIOp>([](Operation *) { return Expr::Op::Mod; })
      .Case<arith::MinUIOp, arith::MinSIOp>([](Operation *) { return Expr::Op::Min; })
      .Case<arith::MaxUIOp, arith::MaxSIOp>([](Operation *) { return Expr::Op::Max; })
      .Default([](Operation *) { return std::nullopt; });
}

FailureOr<Expr> buildHostExpr(hopper::KernelOp kernel, Value value) {
  Expr expr;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    expr.op = Expr::Op::Scalar;
    expr.argument = kernel.getArgName(argument.getArgNumber());
    return expr;
  }
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    expr.op = Expr::Op::Dim;
    expr.argument = kernel.getArgName(cast<BlockArgument>(dim.getView()).getArgNumber());
    expr.axis = int(dim.getAxis());
    return expr;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue())) {
      expr.constant = integer.getInt();
      return expr;
    }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(op))
    return buildHostExpr(kernel, op->getOperand(0));
  std::optional<Expr::Op> kind = getOperator(op);
  if (!kind)
    return reportOp(op, diag::grid_rule)
           << "decides how many blocks to launch, but a host cannot evaluate it: only dims, "
              "scalars, constants, +, -, *, divisions, min and max";
  expr.op = *kind;
  for (Value operand : op->getOperands()) {
    FailureOr<Expr> child = buildHostExpr(kernel, operand);
    if (failed(child))
      return failure();
    expr.operands.push_back(*child);
  }
  return expr;
}

} // namespace heddle
