//===- ScalarOps.cpp - One arith or math op in one thread -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "ApproximateMath.h"
#include "FloatRemainder.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Exact.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::tonvvm {

/// The op on scalars in place of tiles.
static SmallVector<Value> cloneScalar(Code &code, Operation *op,
                                      ValueRange operands) {
  OperationState state(code.loc, op->getName());
  state.addOperands(operands);
  for (Type type : op->getResultTypes())
    state.addTypes(registerType(getElementTypeOrSelf(type)));
  state.addAttributes(op->getAttrDictionary().getValue());
  return SmallVector<Value>(code.builder.create(state)->getResults());
}

/// Functions of math that come down to instructions without a library.
static bool isExactFunction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp,
             math::TruncOp, math::RoundOp, math::RoundEvenOp, math::FmaOp,
             math::CopySignOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::CtPopOp, math::IsNaNOp,
             math::IsFiniteOp>(op);
}

static bool isEightBitFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
}

/// 8-bit floats are integers here: their signs can be changed, and no more.
static FailureOr<SmallVector<Value>> emitEightBit(Code &code, Operation *op,
                                                  ValueRange operands) {
  if (isa<math::AbsFOp>(op))
    return SmallVector<Value>{code.bitAnd(operands[0], 0x7f)};
  if (isa<arith::NegFOp>(op))
    return SmallVector<Value>{code.bitXor(
        operands[0], code.constant(code.builder.getI64IntegerAttr(0x80),
                                   operands[0].getType()))};
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  return reportOp(op, diag::no_expansion)
         << "computes with "
         << getElementTypeOrSelf(*llvm::find_if(types, isEightBitFloat))
         << ", for which sm_90a has no instruction; convert to f32 before, and "
            "what comes of it afterwards";
}

/// One instruction, which upstream would expand into comparisons that take -0
/// for +0. Of f64 the instruction passes over a NaN.
static Value emitExtremum(Code &code, Operation *op, ValueRange operands) {
  Type type = operands[0].getType();
  bool handsOnNan = isa<arith::MaximumFOp, arith::MinimumFOp>(op);
  bool isMost = isa<arith::MaximumFOp, arith::MaxNumFOp>(op);
  if (handsOnNan && !type.isF64())
    return code.intrinsic(isMost ? "llvm.maximum" : "llvm.minimum", type,
                          operands);
  Value number =
      code.intrinsic(isMost ? "llvm.maxnum" : "llvm.minnum", type, operands);
  if (!handsOnNan)
    return number;
  Value areNumbers =
      arith::CmpFOp::create(code.builder, code.loc, arith::CmpFPredicate::ORD,
                            operands[0], operands[1]);
  return code.select(areNumbers, number, code.fadd(operands[0], operands[1]));
}

/// A shift by the width or more leaves nothing; in LLVM it is undefined.
static Value emitShift(Code &code, Operation *op, ValueRange operands) {
  Value amount = operands[1];
  int64_t width = amount.getType().getIntOrFloatBitWidth();
  APInt known;
  if (matchPattern(amount, m_ConstantInt(&known)) && known.ult(width))
    return cloneScalar(code, op, operands).front();
  Value isInside = code.isBelow(amount, width);
  // Where a selection stands behind a shift, LLVM 22 leaves it to the
  // instruction, which takes 32 bits of the amount: 2^32 would shift by 0.
  if (width > 32) {
    Value outside = code.zero(operands[0].getType());
    if (isa<arith::ShRSIOp>(op)) // all bits are the sign
      outside = arith::ShRSIOp::create(
          code.builder, code.loc, operands[0],
          code.constant(code.builder.getI64IntegerAttr(width - 1),
                        operands[0].getType()));
    return cloneScalar(code, op,
                       {code.select(isInside, operands[0], outside),
                        code.bitAnd(amount, width - 1)})
        .front();
  }
  Value most = code.constant(code.builder.getI64IntegerAttr(width - 1),
                             amount.getType());
  Value safe = code.select(isInside, amount, most);
  Value shifted = cloneScalar(code, op, {operands[0], safe}).front();
  if (isa<arith::ShRSIOp>(op))
    return shifted;
  return code.select(isInside, shifted, code.zero(shifted.getType()));
}

/// In f32, where the type of `op` is narrower: a remainder is not rounded.
static Value emitRemainder(Code &code, ValueRange operands, Type type) {
  if (type.isF32() || type.isF64())
    return floatRemainder(code, operands[0], operands[1]);
  return arith::TruncFOp::create(
      code.builder, code.loc, type,
      floatRemainder(code, code.extend(operands[0]), code.extend(operands[1])));
}

/// Rounded once. In f32, where the type of `op` is narrower: twice the bits and
/// two more, so that the second rounding changes nothing.
static Value emitExact(Code &code, Operation *op, ValueRange operands,
                       Type type) {
  if (type.isF32() || type.isF64())
    return cloneScalar(code, op, operands).front();
  OperationState state(code.loc, op->getName());
  for (Value operand : operands)
    state.addOperands(code.extend(operand));
  state.addTypes(code.builder.getF32Type());
  return arith::TruncFOp::create(code.builder, code.loc, type,
                                 code.builder.create(state)->getResult(0));
}

/// In f32 and rounded, where the type of `op` is narrower.
static Value emitApproximation(Code &code, Operation *op, ValueRange operands,
                               Type type) {
  if (type.isF32())
    return approximate(code, op, operands);
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(code.extend(operand));
  return arith::TruncFOp::create(code.builder, code.loc, type,
                                 approximate(code, op, wide));
}

FailureOr<SmallVector<Value>> emitScalar(Code &code, Operation *op,
                                         ValueRange operands) {
  using Values = SmallVector<Value>;
  // Of addresses, too.
  if (isa<arith::SelectOp>(op))
    return Values{code.select(operands[0], operands[1], operands[2])};
  Type type = registerType(getElementTypeOrSelf(op->getResult(0).getType()));
  if (!isa<arith::BitcastOp>(op) &&
      (llvm::any_of(op->getOperandTypes(), isEightBitFloat) ||
       llvm::any_of(op->getResultTypes(), isEightBitFloat)))
    return emitEightBit(code, op, operands);
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(op))
    return Values{emitExtremum(code, op, operands)};
  if (isa<arith::RemFOp>(op))
    return Values{emitRemainder(code, operands, type)};
  // Beyond its 32 bits here, an index has its sign; a narrower number has none
  // where the cast says so.
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    bool isFromIndex = getElementTypeOrSelf(op->getOperand(0)).isIndex();
    return Values{code.resize(operands[0], type,
                              isFromIndex || isa<arith::IndexCastOp>(op))};
  }
  if (isa<tile::BitReverseOp>(op))
    return Values{code.intrinsic("llvm.bitreverse", type, operands)};
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return Values{emitShift(code, op, operands)};
  // The nearest end of the range; NaN gives 0.
  if (isa<arith::FPToSIOp>(op))
    return Values{code.intrinsic("llvm.fptosi.sat", type, operands)};
  if (isa<arith::FPToUIOp>(op))
    return Values{code.intrinsic("llvm.fptoui.sat", type, operands)};
  if (isa<arith::BitcastOp>(op) && operands[0].getType() == type)
    return Values{operands[0]};
  if (isa<math::IsInfOp>(op)) {
    Value magnitude = math::AbsFOp::create(code.builder, code.loc, operands[0]);
    auto infinity = code.builder.getFloatAttr(
        magnitude.getType(),
        APFloat::getInf(
            cast<FloatType>(magnitude.getType()).getFloatSemantics()));
    return Values{arith::CmpFOp::create(
        code.builder, code.loc, arith::CmpFPredicate::OEQ, magnitude,
        code.constant(infinity, magnitude.getType()))};
  }
  if (op->hasAttr(tile::kExactAttr) && isa<arith::DivFOp, math::SqrtOp>(op))
    return Values{emitExact(code, op, operands, type)};
  if (isa<math::MathDialect>(op->getDialect()) && !isApproximated(op) &&
      !isExactFunction(op))
    return reportOp(op, diag::no_expansion)
           << "has no instruction on sm_90a; write it with "
           << "exp2, log2, sin, cos, tanh, erf, sqrt and arithmetic";
  if (!isApproximated(op))
    return cloneScalar(code, op, operands);
  if (!type.isF64())
    return Values{emitApproximation(code, op, operands, type)};
  // Division and square root exist in double precision.
  if (isa<arith::DivFOp, math::SqrtOp>(op))
    return cloneScalar(code, op, operands);
  return reportOp(op, diag::no_expansion)
         << "has no instruction for f64 on sm_90a; cast its operand to f32";
}

} // namespace heddle::tonvvm
