//===- KnownSign.cpp - Which numbers are not negative ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/KnownSign.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::tile {

/// Deeper arithmetic is not looked through.
static constexpr int kSearchDepth = 16;

/// The two values that `index`, a result of `op`, can be.
static std::array<Value, 2> branchesOf(scf::IfOp op, Value index) {
  unsigned number = cast<OpResult>(index).getResultNumber();
  return {op.thenYield().getOperand(number), op.elseYield().getOperand(number)};
}

/// Bits of a number, or of each of a tile.
static unsigned bitsOf(Value number) {
  Type type = getElementTypeOrSelf(number.getType());
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// Few bits wrap in programs that mean it.
static bool isTakenNotToWrap(Operation *op) {
  return bitsOf(op->getResult(0)) >= 32;
}

static bool isNotNegative(Value index, int depth) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return !constant.isNegative();
  if (depth-- == 0)
    return false;
  auto holds = [&](Value value) { return isNotNegative(value, depth); };
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && index == loop.getInductionVar() &&
           holds(loop.getLowerBound()) && holds(loop.getStep());
  }
  return TypeSwitch<Operation *, bool>(index.getDefiningOp())
      .Case<DimOp, WorkerIdOp, WorkerCountOp>([](auto) { return true; })
      .Case([](IotaOp iota) {
        auto type = cast<RankedTensorType>(iota.getResult().getType());
        return bitsOf(iota) >= 64 ||
               type.getDimSize(0) <= int64_t(1) << (bitsOf(iota) - 1);
      })
      .Case<SplatOp, ExpandDimsOp, BroadcastOp>(
          [&](auto op) { return holds(op.getValue()); })
      // A quotient or remainder of what is not negative, by anything.
      .Case<arith::DivUIOp, arith::RemUIOp, arith::RemSIOp>(
          [&](auto op) { return holds(op.getLhs()); })
      .Case<arith::MinUIOp, arith::MaxSIOp>(
          [&](auto op) { return holds(op.getLhs()) || holds(op.getRhs()); })
      .Case<arith::AddIOp, arith::MulIOp, arith::IndexCastOp>(
          [&](Operation *op) {
            return isTakenNotToWrap(op) &&
                   llvm::all_of(op->getOperands(), holds);
          })
      .Case<arith::DivSIOp, arith::MinSIOp, arith::MaxUIOp, arith::CeilDivUIOp,
            arith::CeilDivSIOp, arith::ExtSIOp>(
          [&](Operation *op) { return llvm::all_of(op->getOperands(), holds); })
      .Case<arith::ExtUIOp>([](auto) { return true; })
      .Case([&](arith::SelectOp op) {
        return holds(op.getTrueValue()) && holds(op.getFalseValue());
      })
      .Case([&](scf::IfOp op) {
        return llvm::all_of(branchesOf(op, index), holds);
      })
      .Default(false);
}

bool knownNotNegative(Value number) {
  return isNotNegative(number, kSearchDepth);
}

} // namespace heddle::tile
