//===- ConvertCompute.cpp - Values from values -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TTIR's operations that compute values: constants, combiners,
// element-wise functions. Each becomes operations of tile, arith or
// math with the same meaning. An option without an equal there, such as another
// precision of inputs, is refused and never approximated.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "heddle/Dialect/Tile/Assembly.h"
#include "heddle/Dialect/Tile/Exact.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

LogicalResult Converter::convert(arith::ConstantOp op) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return convertArith(op);
  if (!dense.isSplat())
    return report(op, diag::ttir_use)
           << "a constant tile of different elements is not imported";
  auto element = cast<TypedAttr>(dense.getSplatValue<Attribute>());
  Value scalar = arith::ConstantOp::create(builder, op.getLoc(), element);
  return make<tile::SplatOp>(op, scalar);
}

LogicalResult Converter::convert(MakeRangeOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Value numbers = tile::IotaOp::create(builder, loc, type);
  if (int32_t start = op.getStart()) {
    Value first = arith::ConstantIntOp::create(builder, loc, start, 32);
    Value firsts = tile::SplatOp::create(builder, loc, type, first);
    numbers = arith::AddIOp::create(builder, loc, numbers, firsts);
  }
  bind(op, numbers);
  return success();
}

//===----------------------------------------------------------------------===//
// Combiners
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertCombiner(Region &from, Region &to) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&to);
  for (BlockArgument argument : from.front().getArguments())
    bind(argument, block->addArgument(convertType(argument.getType()),
                                      argument.getLoc()));
  if (failed(convertBlock(from.front())))
    return failure();
  Operation *end = from.front().getTerminator();
  tile::YieldOp::create(builder, end->getLoc(), get(end->getOperands()));
  return success();
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertScalarMath(Operation *op) {
  SmallVector<Value> in = get(op->getOperands());
  if (isa<PreciseSqrtOp, PreciseDivFOp>(op)) {
    Operation *made;
    if (isa<PreciseSqrtOp>(op))
      made = math::SqrtOp::create(builder, op->getLoc(), in[0]);
    else
      made = arith::DivFOp::create(builder, op->getLoc(), in[0], in[1]);
    made->setAttr(tile::kExactAttr, builder.getUnitAttr());
    bind(op->getResult(0), made->getResult(0));
    return success();
  }
  auto product =
      arith::MulUIExtendedOp::create(builder, op->getLoc(), in[0], in[1]);
  bind(op->getResult(0), product.getHigh());
  return success();
}

/// The condition that `number` says by 0 where it does not hold.
static Value conditionIn(Value number) {
  if (auto wide = number.getDefiningOp<arith::ExtUIOp>())
    return wide.getIn();
  APInt holds;
  auto choice = number.getDefiningOp<arith::SelectOp>();
  bool isCondition = choice && matchPattern(choice.getFalseValue(), m_Zero()) &&
                     matchPattern(choice.getTrueValue(), m_ConstantInt(&holds));
  return isCondition && !holds.isZero() ? choice.getCondition() : Value();
}

/// `where(c, 1, 0).to(int1)` is c, which masks are read for.
LogicalResult Converter::convert(arith::CmpIOp op) {
  if (op.getPredicate() == arith::CmpIPredicate::ne &&
      matchPattern(op.getRhs(), m_Zero()))
    if (Value condition = conditionIn(op.getLhs());
        condition && condition.getType() == op.getType()) {
      bind(op.getResult(), get(condition));
      return success();
    }
  return convertArith(op);
}

LogicalResult Converter::convert(ClampFOp op) {
  Location loc = op.getLoc();
  Value x = get(op.getX()), low = get(op.getMin()), high = get(op.getMax());
  if (op.getPropagateNan() == "all") {
    x = arith::MaximumFOp::create(builder, loc, x, low);
    bind(op, arith::MinimumFOp::create(builder, loc, x, high));
  } else {
    x = arith::MaxNumFOp::create(builder, loc, x, low);
    bind(op, arith::MinNumFOp::create(builder, loc, x, high));
  }
  return success();
}

LogicalResult Converter::convert(FpToFpOp op) {
  StringRef rounding = op.getRounding().value_or("rtne");
  if (rounding == "rtne")
    return make<tile::CastOp>(op, get(op.getSrc()));
  auto made = arith::TruncFOp::create(
      builder, op.getLoc(), convertType(op.getType()), get(op.getSrc()));
  made.setRoundingmode(arith::RoundingMode::toward_zero);
  bind(op, made);
  return success();
}

LogicalResult Converter::convert(InlineAsmOp op) {
  SmallVector<Type> types =
      llvm::map_to_vector(op.getResultTypes(), convertType);
  SmallVector<Value> operands = get(op.getValues());
  std::string reason =
      op.getPure() ? tile::whyNotInlined(op.getText(), op.getConstraints(),
                                         op.getPackedElement(),
                                         ValueRange(operands).getTypes(), types)
                   : "it has effects besides its results";
  if (!reason.empty())
    return report(op, diag::ttir_use)
           << "inline assembly is not imported where " << reason;
  auto made = tile::InlineAsmOp::create(builder, op.getLoc(), types, operands,
                                        op.getText(), op.getConstraints(),
                                        op.getPackedElement());
  for (auto [from, to] : llvm::zip(op.getResults(), made.getResults()))
    bind(from, to);
  return success();
}
