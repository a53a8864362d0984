//===- DividedPlaces.cpp - Rewrite: divisions of places, once a tile ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DividedPlaces.h"

#include "Multiples.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;

/// The constant by which a tile or number is divided.
static std::optional<APInt> constantOf(Value divisor) {
  if (auto splat = divisor.getDefiningOp<tile::SplatOp>())
    divisor = splat.getValue();
  APInt number;
  if (!matchPattern(divisor, m_ConstantInt(&number)) ||
      number.getSignificantBits() > 31)
    return std::nullopt;
  return number;
}

Division heddle::divisionOf(Operation *op) {
  bool isQuotient =
      isa<arith::DivSIOp, arith::FloorDivSIOp, arith::ShRSIOp>(op);
  if (!isQuotient && !isa<arith::RemSIOp, arith::AndIOp>(op))
    return {};
  std::optional<APInt> number = constantOf(op->getOperand(1));
  if (!number)
    return {};
  int64_t by = number->getSExtValue();
  if (isa<arith::ShRSIOp>(op))
    by = by >= 0 && by < 31 ? int64_t(1) << by : 0;
  if (isa<arith::AndIOp>(op)) {
    by = by + 1;
    if (by & (by - 1))
      by = 0;
  }
  if (by < 2)
    return {};
  return {by, isQuotient, !isa<arith::DivSIOp, arith::RemSIOp>(op)};
}

Value heddle::countAlong(OpBuilder &builder, RankedTensorType type,
                         int64_t axis) {
  Location loc = builder.getUnknownLoc();
  Value count = tile::IotaOp::create(
      builder, loc,
      RankedTensorType::get({type.getDimSize(axis)}, type.getElementType()));
  for (int64_t other = 0; other < type.getRank(); ++other) {
    if (other == axis)
      continue;
    auto now = cast<RankedTensorType>(count.getType());
    SmallVector<int64_t> shape(now.getShape());
    shape.insert(shape.begin() + other, 1);
    count = tile::ExpandDimsOp::create(builder, loc, now.clone(shape), count,
                                       other);
  }
  return count.getType() == type
             ? count
             : tile::BroadcastOp::create(builder, loc, type, count);
}

namespace {

/// The numbers that a tile has: `start`, and those that follow it along `axis`.
struct Run {
  Polynomial start;
  std::optional<int64_t> axis; ///< none of a tile of equal numbers
};

class Divider {
public:
  Divider(AddressForms &forms, Signs &signs, LaunchValues &values)
      : forms(forms), signs(signs), values(values) {}

  void rewrite(Operation *op);

private:
  std::optional<Run> runOf(Value tile);
  bool isOneGroup(const Run &run, RankedTensorType type,
                  const Division &division);

  AddressForms &forms;
  Signs &signs;
  LaunchValues &values;
};

} // namespace

std::optional<Run> Divider::runOf(Value tile) {
  std::optional<Form> form = forms.formOf(tile);
  if (!form || form->base || !form->wraps.empty())
    return std::nullopt;
  std::optional<int64_t> axis = form->runAxis();
  if (!axis && !form->isUniform())
    return std::nullopt;
  return Run{form->start, axis};
}

/// Whether all numbers of the run have one quotient: no launch is asked.
bool Divider::isOneGroup(const Run &run, RankedTensorType type,
                         const Division &division) {
  int64_t count = type.getDimSize(*run.axis);
  std::vector<Signs::Demand> demands;
  return division.by % count == 0 && isMultiple(forms, run.start, count) &&
         (division.isOfAnySign ||
          (signs.isNotNegative(run.start, demands) && demands.empty()));
}

void Divider::rewrite(Operation *op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type)
    return;
  Division division = divisionOf(op);
  std::optional<Run> run =
      division.by ? runOf(op->getOperand(0)) : std::nullopt;
  if (!run || (run->axis && !isOneGroup(*run, type, division)))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type element = type.getElementType();
  Value first = values.build(builder, loc, run->start, /*isAtLaunch=*/false);
  if (!element.isIndex())
    first = arith::IndexCastOp::create(builder, loc, element, first);
  Value number = arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(element, *constantOf(op->getOperand(1))));
  IRMapping mapping;
  mapping.map(op->getOperand(0), first);
  mapping.map(op->getOperand(1), number);
  Operation *once = builder.clone(*op, mapping);
  once->getResult(0).setType(element);
  Value result = tile::SplatOp::create(builder, loc, type, once->getResult(0));
  if (run->axis && !division.isQuotient)
    result = arith::AddIOp::create(builder, loc, result,
                                   countAlong(builder, type, *run->axis));
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

void heddle::divideOncePerTile(AddressForms &forms, Signs &signs,
                               LaunchValues &values,
                               tile::ParallelOp parallel) {
  SmallVector<Operation *> divisions;
  parallel.walk([&](Operation *op) {
    if (divisionOf(op).by)
      divisions.push_back(op);
  });
  Divider divider(forms, signs, values);
  for (Operation *op : divisions)
    divider.rewrite(op);
}
