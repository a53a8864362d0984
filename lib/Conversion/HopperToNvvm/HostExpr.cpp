//===- HostExpr.cpp - Scalar arithmetic as the host evaluates it ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/HostExpr.h"

#include "heddle/Dialect/Hopper/HostScalar.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"
#include "heddle/Support/LaunchBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using heddle::manifest::Expr;

namespace heddle {

namespace {

__extension__ using Wide = __int128;

/// An expression, and between which numbers it lies.
struct Ranged {
  Expr expr;
  Wide lowest = 0, highest = 0;
};

/// A value as the number that its bits are with a sign; a truth value is 0
/// or 1. Where a number of fewer than 64 bits may wrap, the expression wraps,
/// too. What would wrap at 64 bits, or has no sign there, is refused when it is
/// evaluated.
class Translation {
public:
  explicit Translation(ArgumentNames names) : names(names) {}

  std::optional<Ranged> translate(Value value);

  /// What is not the host's; null for an argument.
  Operation *culprit = nullptr;

private:
  std::optional<Ranged> refuse(Operation *op) {
    culprit = op;
    return std::nullopt;
  }
  std::optional<Ranged> leaf(Value value);
  std::optional<Ranged> cast(Operation *op);
  std::optional<Ranged> arithmetic(Operation *op);

  ArgumentNames names;
  int64_t left = hopper::kMostHostOperations;
};

} // namespace

/// Bits of a number; an index has 64.
static int bitsOf(Type type) {
  return type.isIndex() ? 64 : int(type.getIntOrFloatBitWidth());
}

static Expr constant(int64_t number) {
  Expr expr;
  expr.constant = number;
  return expr;
}

static Expr binary(Expr::Op op, Expr left, Expr right) {
  Expr expr;
  expr.op = op;
  expr.operands = {std::move(left), std::move(right)};
  return expr;
}

/// The number that is left of it in `bits` bits.
static Ranged fitted(Ranged number, int bits) {
  Wide half = Wide(1) << (bits - 1);
  if (number.lowest >= -half && number.highest < half)
    return number;
  if (bits < 64) {
    auto middle = int64_t(half);
    number.expr = binary(
        Expr::Op::Sub,
        binary(Expr::Op::Mod,
               binary(Expr::Op::Add, std::move(number.expr), constant(middle)),
               constant(2 * middle)),
        constant(middle));
  }
  return {std::move(number.expr), -half, half - 1};
}

/// Its bits without a sign.
static Ranged unsignedOf(Ranged number, int bits) {
  if (number.lowest >= 0)
    return number;
  if (bits == 64)
    return {binary(Expr::Op::NoLess, std::move(number.expr), constant(0)), 0,
            std::max<Wide>(number.highest, 0)};
  return {binary(Expr::Op::Mod, std::move(number.expr),
                 constant(int64_t(1) << bits)),
          0, (Wide(1) << bits) - 1};
}

std::optional<Ranged> Translation::leaf(Value value) {
  Ranged result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::optional<std::string> name = names(argument);
    if (!name)
      return refuse(nullptr);
    result.expr.op = Expr::Op::Scalar;
    result.expr.argument = *name;
    // An index is passed in 32 bits.
    int bits = value.getType().isIndex() ? 32 : bitsOf(value.getType());
    Wide half = Wide(1) << (bits - 1);
    return Ranged{result.expr, bits == 1 ? 0 : -half, bits == 1 ? 1 : half - 1};
  }
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    if (auto made = dim.getView().getDefiningOp<tile::MakeViewOp>())
      return translate(made.getExtents()[dim.getAxis()]);
    auto view = dyn_cast<BlockArgument>(dim.getView());
    std::optional<std::string> name = view ? names(view) : std::nullopt;
    if (!name)
      return refuse(op);
    result.expr.op = Expr::Op::Dim;
    result.expr.argument = *name;
    result.expr.axis = int(dim.getAxis());
    result.highest = kMaxExtent;
    return result;
  }
  if (auto known = dyn_cast<arith::ConstantOp>(op))
    if (auto integer = dyn_cast<IntegerAttr>(known.getValue());
        integer && integer.getValue().getBitWidth() <= 64) {
      int64_t number = bitsOf(value.getType()) == 1
                           ? int64_t(integer.getValue().getZExtValue())
                           : integer.getInt();
      return Ranged{constant(number), number, number};
    }
  return refuse(op);
}

std::optional<Ranged> Translation::cast(Operation *op) {
  std::optional<Ranged> from = translate(op->getOperand(0));
  if (!from)
    return std::nullopt;
  int bits = bitsOf(op->getOperand(0).getType());
  bool hasSign = !isa<arith::IndexCastUIOp>(op);
  if (bits == 1 && hasSign)
    return Ranged{binary(Expr::Op::Sub, constant(0), std::move(from->expr)), -1,
                  0};
  if (!hasSign && bits < bitsOf(op->getResult(0).getType()))
    from = unsignedOf(std::move(*from), bits);
  return fitted(std::move(*from), bitsOf(op->getResult(0).getType()));
}

static std::optional<Expr::Op> getOperator(Operation *op) {
  using Result = std::optional<Expr::Op>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([](Operation *) { return Expr::Op::Add; })
      .Case<arith::SubIOp>([](Operation *) { return Expr::Op::Sub; })
      .Case<arith::MulIOp>([](Operation *) { return Expr::Op::Mul; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [](Operation *) { return Expr::Op::CeilDiv; })
      .Case<arith::DivUIOp, arith::FloorDivSIOp>(
          [](Operation *) { return Expr::Op::FloorDiv; })
      .Case<arith::DivSIOp>([](Operation *) { return Expr::Op::TruncDiv; })
      .Case<arith::RemUIOp>([](Operation *) { return Expr::Op::Mod; })
      .Case<arith::RemSIOp>([](Operation *) { return Expr::Op::Rem; })
      .Case<arith::MinUIOp, arith::MinSIOp>(
          [](Operation *) { return Expr::Op::Min; })
      .Case<arith::MaxUIOp, arith::MaxSIOp>(
          [](Operation *) { return Expr::Op::Max; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Between which numbers the result lies, where it has as many bits as needed.
static void setRange(Ranged &result, Expr::Op op, const Ranged &a,
                     const Ranged &b) {
  auto hull = [&](std::initializer_list<Wide> ends) {
    result.lowest = std::min(ends);
    result.highest = std::max(ends);
  };
  Wide far =
      std::max(std::max(a.highest, -a.lowest), std::max(b.highest, -b.lowest));
  switch (op) {
  case Expr::Op::Add:
    return hull({a.lowest + b.lowest, a.highest + b.highest});
  case Expr::Op::Sub:
    return hull({a.lowest - b.highest, a.highest - b.lowest});
  case Expr::Op::Mul:
    return hull({a.lowest * b.lowest, a.lowest * b.highest,
                 a.highest * b.lowest, a.highest * b.highest});
  case Expr::Op::Min:
    return hull({std::min(a.lowest, b.lowest), std::min(a.highest, b.highest)});
  case Expr::Op::Max:
    return hull({std::max(a.lowest, b.lowest), std::max(a.highest, b.highest)});
  default: // a division: no further from zero, and of its operands' sign
    return hull({a.lowest >= 0 && b.lowest >= 0 ? 0 : -far, far});
  }
}

std::optional<Ranged> Translation::arithmetic(Operation *op) {
  std::optional<Expr::Op> kind = getOperator(op);
  if (!kind || op->getResult(0).getType().isInteger(1))
    return refuse(op);
  std::optional<Ranged> a = translate(op->getOperand(0));
  std::optional<Ranged> b = a ? translate(op->getOperand(1)) : std::nullopt;
  if (!b)
    return std::nullopt;
  int bits = bitsOf(op->getResult(0).getType());
  if (isa<arith::CeilDivUIOp, arith::DivUIOp, arith::RemUIOp, arith::MinUIOp,
          arith::MaxUIOp>(op)) {
    a = unsignedOf(std::move(*a), bits);
    b = unsignedOf(std::move(*b), bits);
  }
  // Without a sign all roundings are one.
  bool areNatural = a->lowest >= 0 && b->lowest >= 0;
  if (areNatural && *kind == Expr::Op::TruncDiv)
    kind = Expr::Op::FloorDiv;
  if (areNatural && *kind == Expr::Op::Rem)
    kind = Expr::Op::Mod;
  Ranged result;
  setRange(result, *kind, *a, *b);
  result.expr = binary(*kind, std::move(a->expr), std::move(b->expr));
  return fitted(std::move(result), bits);
}

std::optional<Ranged> Translation::translate(Value value) {
  Operation *op = value.getDefiningOp();
  if (--left < 0)
    return refuse(op);
  if (!op || isa<tile::DimOp, arith::ConstantOp>(op))
    return leaf(value);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(op))
    return cast(op);
  return arithmetic(op);
}

std::optional<Expr> findHostExpr(Value value, ArgumentNames names,
                                 Operation *&culprit) {
  Translation translation(names);
  std::optional<Ranged> found = translation.translate(value);
  culprit = translation.culprit;
  return found ? std::optional(std::move(found->expr)) : std::nullopt;
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
            "only dims, scalars, constants, +, -, *, divisions, min and max, "
         << hopper::kMostHostOperations << " at most";
}

} // namespace heddle
