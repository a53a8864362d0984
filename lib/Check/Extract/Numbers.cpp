//===- Numbers.cpp - Scalars of the hopper rung -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are taken as mathematical integers: extents and counters of a kernel
// that can be launched are far from overflow, and none is negative where the
// rung compares without a sign.
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::check {

Value Extractor::define(Definition definition) {
  process.values.push_back(std::move(definition));
  return Value(process.values.size()) - 1;
}

bool isNumber(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getNumElements() == 1 &&
                    tile.getElementType().isIntOrIndex()
              : type.isIntOrIndex();
}

/// A tile in shared memory that a loop carries is its slot's index here.
static bool isTracked(Type type) {
  return isNumber(type) || isa<hopper::FlightType, hopper::SmemType>(type);
}

Value Extractor::carry(mlir::Value value) {
  if (!isTracked(value.getType()))
    return kNoValue;
  Definition definition;
  definition.kind = Definition::Carried;
  return known[value] = define(definition);
}

std::vector<Value> Extractor::numbers(ValueRange values) {
  std::vector<Value> result;
  for (mlir::Value value : values)
    result.push_back(isTracked(value.getType()) ? number(value) : kNoValue);
  return result;
}

static std::optional<Arith> arithOf(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return Arith::Equal;
  case P::ne:
    return Arith::NotEqual;
  case P::slt:
  case P::ult:
    return Arith::Less;
  case P::sle:
  case P::ule:
    return Arith::LessEqual;
  case P::sgt:
  case P::ugt:
    return Arith::Greater;
  case P::sge:
  case P::uge:
    return Arith::GreaterEqual;
  }
  return std::nullopt;
}

static std::optional<Arith> arithOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Arith>>(op)
      .Case([](arith::AddIOp) { return Arith::Add; })
      .Case([](arith::SubIOp) { return Arith::Sub; })
      .Case([](arith::MulIOp) { return Arith::Mul; })
      .Case<arith::DivSIOp, arith::DivUIOp>([](auto) { return Arith::Div; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return Arith::Rem; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](auto) { return Arith::CeilDiv; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return Arith::Min; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return Arith::Max; })
      .Case([](arith::XOrIOp) { return Arith::Xor; })
      .Case([](arith::AndIOp) { return Arith::And; })
      .Case([](arith::OrIOp) { return Arith::Or; })
      .Case([](arith::SelectOp) { return Arith::Select; })
      .Case([](arith::CmpIOp op) { return arithOf(op.getPredicate()); })
      .Default([](Operation *) { return std::nullopt; });
}

static Definition symbol(std::string name) {
  Definition definition;
  definition.kind = Definition::Symbol;
  definition.name = std::move(name);
  return definition;
}

/// The name of a kernel's argument, or "".
static std::string nameOf(mlir::Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto kernel =
      argument ? dyn_cast<hopper::KernelOp>(argument.getOwner()->getParentOp())
               : nullptr;
  return kernel ? kernel.getArgName(argument.getArgNumber()) : "";
}

static Definition extentOf(const std::string &view, int64_t axis) {
  return symbol("dim(" + view + ", " + std::to_string(axis) + ")");
}

/// The number that a load finds; data where no launch can choose it.
Value Extractor::element(mlir::Value view, ValueRange offsets) {
  Definition element;
  auto type = cast<tile::ViewType>(view.getType());
  std::string name = nameOf(view);
  if (name.empty() || !(type.getElementType().isInteger(32) ||
                        type.getElementType().isInteger(64)))
    return define({});
  element.kind = Definition::Element;
  element.name = "each element of " + name;
  for (auto [axis, offset] : llvm::enumerate(offsets)) {
    Definition extent = extentOf(name, axis);
    if (!ShapedType::isDynamic(type.getShape()[axis])) {
      extent = {};
      extent.kind = Definition::Constant;
      extent.number = type.getShape()[axis];
    }
    element.operands.push_back(number(offset));
    element.operands.push_back(define(std::move(extent)));
  }
  return define(std::move(element));
}

/// The value of an operation with one result, a number.
Value Extractor::compute(Operation *op) {
  if (auto dim = dyn_cast<tile::DimOp>(op))
    if (std::string name = nameOf(dim->getOperand(0)); !name.empty())
      return define(extentOf(name, dim.getAxis()));
  if (isa<tile::WorkerIdOp>(op))
    return define(symbol("worker id"));
  if (isa<tile::WorkerCountOp>(op))
    return define(symbol("worker count"));
  if (auto load = dyn_cast<hopper::GlobalLoadOp>(op))
    return element(load.getView(), load.getOffsets());
  // The same number in another type, or as a tile of one element.
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, tile::SplatOp, tile::UnsplatOp, tile::ReshapeOp,
          tile::ExpandDimsOp, tile::BroadcastOp, hopper::ConvertLayoutOp>(op))
    return number(op->getOperand(0));
  Definition definition;
  bool isScalar = llvm::all_of(op->getOperandTypes(), isNumber);
  if (isScalar && op->getNumRegions() == 0 && isMemoryEffectFree(op)) {
    definition.kind = Definition::Compute;
    definition.arith = arithOf(op).value_or(Arith::Other);
    if (definition.arith == Arith::Other) {
      definition.name = op->getName().getStringRef();
      for (NamedAttribute attribute : op->getAttrs())
        definition.name += " " + attribute.getName().str();
    }
    for (mlir::Value operand : op->getOperands())
      definition.operands.push_back(number(operand));
  }
  if (definition.kind != Definition::Compute ||
      (definition.arith == Arith::Other && !op->getAttrs().empty()))
    return define({}); // data
  Value value = define(std::move(definition));
  Statement statement;
  statement.place = placeOf(op->getLoc());
  statement.value = value;
  bool isInside = op->getParentOfType<hopper::ProcessOp>() != nullptr;
  (isInside ? *current : prologue).push_back(std::move(statement));
  return value;
}

Value Extractor::number(mlir::Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Value result = kNoValue;
  IntegerAttr constant;
  Operation *op = value.getDefiningOp();
  if (matchPattern(value, m_Constant(&constant))) {
    Definition definition;
    definition.kind = Definition::Constant;
    definition.number = constant.getType().isInteger(1)
                            ? int64_t(constant.getValue().getBoolValue())
                            : constant.getInt();
    result = define(definition);
  } else if (auto slot = value.getDefiningOp<hopper::SlotOp>()) {
    result = number(slot.getSlot());
  } else if (auto trans = value.getDefiningOp<hopper::SharedTransOp>()) {
    result = number(trans.getTile());
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto kernel =
        dyn_cast<hopper::KernelOp>(argument.getOwner()->getParentOp());
    result = kernel ? define(symbol(kernel.getArgName(argument.getArgNumber())))
                    : define({});
  } else if (op && op->getNumResults() == 1 && isNumber(value.getType())) {
    result = compute(op);
  } else {
    result = define({});
  }
  return known[value] = result;
}

} // namespace heddle::check
