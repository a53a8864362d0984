//===- NarrowGathers.cpp - What an axis shares is read once -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: gathers that stayed gathers, since no view has their elements. Out: those
// whose addresses are the same all along an axis, as those of a scale for 64
// weights, gather one element there and repeat it. A quotient of numbers that
// lie in one group counts as the same, too: (64 * step + i) / 64 for i below
// 64.
//
//===----------------------------------------------------------------------===//

#include "AddressForms.h"
#include "Multiples.h"
#include "Signs.h"

#include "heddle/Dialect/Tile/Elementwise.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace heddle {
#define GEN_PASS_DEF_NARROWGATHERS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

static RankedTensorType tileType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static RankedTensorType narrowed(RankedTensorType type, int64_t axis) {
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = 1;
  return type.clone(shape);
}

/// The axis of an operand of expand_dims along an axis of its result.
static int64_t axisBehind(tile::ExpandDimsOp op, int64_t axis) {
  return axis - (axis > int64_t(op.getAxis()));
}

namespace {

class Narrower {
public:
  explicit Narrower(tile::KernelOp kernel) : forms(kernel), signs(forms) {}

  void narrow(tile::GatherOp gather);

private:
  bool isShared(Value value, int64_t axis);
  bool isInOneGroup(Operation *quotient, int64_t axis);
  bool hasFirst(Value value, int64_t axis);
  Value firstOf(Value value, int64_t axis);
  Value makeFirst(Value value, int64_t axis);

  using AxisOf = std::pair<Value, int64_t>;

  AddressForms forms;
  Signs signs;
  /// What was looked at for one axis of a gather: of these values it is known,
  /// or another one fails it.
  llvm::DenseSet<AxisOf> shared, whole;
  llvm::DenseMap<AxisOf, Value> firsts;
};

} // namespace

/// Whether one tile is made of operands' elements, so that its own are the same
/// where those of all operands are.
static bool isMadeByElement(Operation *op) {
  return tile::isElementwise(op) && isMemoryEffectFree(op) &&
         op->getNumResults() == 1 && op->getNumRegions() == 0;
}

static bool isOfOneScalar(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return constant ? cast<DenseElementsAttr>(constant.getValue()).isSplat()
                  : isa<tile::SplatOp>(op);
}

/// Whether all elements along the axis are equal.
bool Narrower::isShared(Value value, int64_t axis) {
  RankedTensorType type = tileType(value);
  if (!type || type.getDimSize(axis) == 1 ||
      !shared.insert({value, axis}).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isOfOneScalar(op))
    return true;
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
    return isShared(expand.getValue(), axisBehind(expand, axis));
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op))
    return isShared(broadcast.getValue(), axis);
  if (!isMadeByElement(op))
    return false;
  return isInOneGroup(op, axis) ||
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isShared(operand, axis); });
}

/// Whether numbers u + f * i, for i along the axis, have one quotient: u is a
/// multiple of some g that divides the divisor, and all f * i are below it.
bool Narrower::isInOneGroup(Operation *quotient, int64_t axis) {
  if (!isa<arith::DivSIOp>(quotient))
    return false;
  Value divisor = quotient->getOperand(1);
  if (auto splat = divisor.getDefiningOp<tile::SplatOp>())
    divisor = splat.getValue();
  APInt by;
  std::optional<Form> form = forms.formOf(quotient->getOperand(0));
  if (!matchPattern(divisor, m_ConstantInt(&by)) || !by.isStrictlyPositive() ||
      by.getActiveBits() > 31 || !form || form->base || !form->wraps.empty() ||
      !form->start.isExact())
    return false;
  RankedTensorType type = tileType(quotient->getResult(0));
  int64_t whole = by.getSExtValue();
  int64_t most = 0, reach = 0; // along the axis, and along all
  for (auto [i, factor] : llvm::enumerate(form->factors)) {
    std::optional<int64_t> constant = factor.asConstant();
    int64_t along = 0;
    if (!constant || *constant < 0 ||
        llvm::MulOverflow(*constant, type.getDimSize(i) - 1, along) ||
        llvm::AddOverflow(reach, along, reach))
      return false;
    if (int64_t(i) == axis)
      most = along;
  }
  // Along other axes numbers may get so large that they wrap, and are negative.
  std::optional<int64_t> first = form->start.asConstant();
  if (most >= whole ||
      (reach != most && (!first || llvm::AddOverflow(reach, *first, reach) ||
                         !llvm::isIntN(type.getElementTypeBitWidth(), reach))))
    return false;
  auto divides = [&](int64_t group) {
    return isMultiple(forms, form->start, group) &&
           llvm::all_of(llvm::enumerate(form->factors), [&](auto factor) {
             return int64_t(factor.index()) == axis ||
                    isMultiple(forms, factor.value(), group);
           });
  };
  bool isFound = divides(whole);
  for (int64_t group = int64_t(llvm::bit_ceil(uint64_t(most + 1)));
       !isFound && group <= whole; group *= 2)
    isFound = whole % group == 0 && divides(group);
  // Quotients of negative numbers round to zero.
  std::vector<Signs::Demand> demands;
  return isFound && signs.isNotNegative(form->start, demands) &&
         demands.empty();
}

/// The tile of the first element along the axis.
Value Narrower::firstOf(Value value, int64_t axis) {
  RankedTensorType type = tileType(value);
  if (!type || type.getDimSize(axis) == 1)
    return value;
  if (Value known = firsts.lookup({value, axis}))
    return known;
  Value made = makeFirst(value, axis);
  firsts[{value, axis}] = made;
  return made;
}

Value Narrower::makeFirst(Value value, int64_t axis) {
  RankedTensorType type = tileType(value);
  Operation *op = value.getDefiningOp();
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  RankedTensorType narrow = narrowed(type, axis);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return arith::ConstantOp::create(
        builder, loc,
        cast<DenseElementsAttr>(constant.getValue()).resizeSplat(narrow));
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return tile::SplatOp::create(builder, loc, narrow, splat.getValue());
  if (isa<tile::IotaOp>(op))
    return tile::SplatOp::create(
        builder, loc, narrow,
        arith::ConstantOp::create(builder, loc,
                                  builder.getZeroAttr(type.getElementType())));
  IRMapping mapping;
  int64_t behind = axis;
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
    behind = axisBehind(expand, axis);
  for (Value operand : op->getOperands())
    mapping.map(operand, firstOf(operand, behind));
  // What the operand has already needs no broadcast.
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(op);
      broadcast && mapping.lookup(broadcast.getValue()).getType() == narrow)
    return mapping.lookup(broadcast.getValue());
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(narrow);
  return copy->getResult(0);
}

/// Whether `firstOf` knows what the value is made of.
bool Narrower::hasFirst(Value value, int64_t axis) {
  RankedTensorType type = tileType(value);
  if (!type || type.getDimSize(axis) == 1 ||
      !whole.insert({value, axis}).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isOfOneScalar(op) || isa<tile::IotaOp>(op))
    return true;
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
    return hasFirst(expand.getValue(), axisBehind(expand, axis));
  return (isa<tile::BroadcastOp>(op) || isMadeByElement(op)) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return hasFirst(operand, axis); });
}

void Narrower::narrow(tile::GatherOp gather) {
  RankedTensorType type = tileType(gather.getResult());
  if (!type || type.getRank() < 2)
    return;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    shared.clear();
    whole.clear();
    bool isNarrow = type.getDimSize(axis) > 1 &&
                    llvm::all_of(gather->getOperands(), [&](Value operand) {
                      return isShared(operand, axis) && hasFirst(operand, axis);
                    });
    if (!isNarrow || type.getNumElements() == type.getDimSize(axis))
      continue;
    IRMapping mapping;
    for (Value operand : gather->getOperands())
      mapping.map(operand, firstOf(operand, axis));
    OpBuilder builder(gather);
    auto once = cast<tile::GatherOp>(builder.clone(*gather, mapping));
    once.getResult().setType(narrowed(type, axis));
    Value repeated = tile::BroadcastOp::create(builder, gather.getLoc(),
                                               gather.getResult().getType(),
                                               once.getResult());
    gather.getResult().replaceAllUsesWith(repeated);
    gather.erase();
    gather = once;
    type = tileType(once.getResult());
  }
}

namespace {

struct NarrowGathersPass : heddle::impl::NarrowGathersBase<NarrowGathersPass> {
  void runOnOperation() override {
    getOperation().walk([](tile::KernelOp kernel) {
      SmallVector<tile::GatherOp> gathers;
      kernel.walk([&](tile::GatherOp gather) { gathers.push_back(gather); });
      Narrower narrower(kernel);
      for (tile::GatherOp gather : gathers)
        narrower.narrow(gather);
    });
  }
};

} // namespace
