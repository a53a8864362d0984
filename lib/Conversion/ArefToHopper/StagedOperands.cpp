//===- StagedOperands.cpp - Decide: operands that a dot must put into shared
// memory ===//
//
//  Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
//  SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagedOperands.h"

#include "SharedPlan.h"
#include "SharedTile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::SmemType;

/// Wide enough elements may lie in any order: that of the view they come from.
/// Others must have stride 1 along K, `contraction`.
static SmemType chooseTile(Value operand, int64_t contraction) {
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> order = {1, 0};
  if (auto load = operand.getDefiningOp<tile::LoadOp>())
    order = load.getView().getType().getTileOrder(type.getRank());
  if (type.getElementTypeBitWidth() != 16)
    order = {contraction, 1 - contraction};
  int64_t rowBytes =
      type.getDimSize(order.front()) * type.getElementTypeBitWidth() / 8;
  return SmemType::get(type.getContext(), type.getShape(),
                       type.getElementType(), order, widestSwizzle(rowBytes));
}

StagedOperands heddle::areftohopper::stageOperands(tile::DotOp dot,
                                                   const KernelFacts &facts) {
  StagedOperands staged;
  if (isByThreads(dot))
    return staged;
  int64_t aBits =
      cast<RankedTensorType>(dot.getA().getType()).getElementTypeBitWidth();
  // What threads make while products are in flight has a place, unless the
  // schedule counts on registers.
  bool inRegisters =
      aBits == 16 || (aBits == 8 && isa<aref::StartOp>(dot->getParentOp()));
  if (!facts.homeOf(dot.getA()) && !inRegisters) {
    staged.a = chooseTile(dot.getA(), 1);
    staged.bytes = staged.a.getSizeBytes();
  }
  if (!facts.homeOf(dot.getB())) {
    staged.b = chooseTile(dot.getB(), 0);
    staged.offsetOfB = llvm::alignTo(staged.bytes, kSwizzledAlignment);
    staged.bytes = staged.offsetOfB + staged.b.getSizeBytes();
  }
  return staged;
}
