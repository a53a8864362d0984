//===- Elementwise.cpp - Arithmetic on lanes ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation on tiles or scalars, and its operands as vectors. Out: the
// same on vectors. Where LLVM leaves a result open that the tile rung does not
// (shifts by the width, numbers out of an integer's range, divisions), it is
// closed here.
//
//===----------------------------------------------------------------------===//

#include "DenseKernel.h"

#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::dense;

/// All elements of `type`, a scalar or vector, are `value`.
static Value constantOf(OpBuilder &builder, Location loc, Type type,
                        int64_t value) {
  Attribute one = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(vector, one));
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(one));
}

static Value compare(OpBuilder &builder, Location loc,
                     arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}

/// Shifts by the width or more leave no bit.
static Value closeShift(OpBuilder &builder, Location loc, Operation *op,
                        Value value, Value amount) {
  Type type = value.getType();
  bool isIndex = getElementTypeOrSelf(type).isIndex();
  int64_t width =
      isIndex ? 64 : getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value most = constantOf(builder, loc, type, width - 1);
  Value isShort =
      compare(builder, loc, arith::CmpIPredicate::ule, amount, most);
  Value safe = arith::SelectOp::create(builder, loc, isShort, amount, most);
  if (isa<arith::ShRSIOp>(op)) // the sign, as often as one likes
    return arith::ShRSIOp::create(builder, loc, value, safe);
  Value shifted = isa<arith::ShLIOp>(op)
                      ? Value(arith::ShLIOp::create(builder, loc, value, safe))
                      : arith::ShRUIOp::create(builder, loc, value, safe);
  return arith::SelectOp::create(builder, loc, isShort, shifted,
                                 constantOf(builder, loc, type, 0));
}

/// The processor traps where a program divides by 0, and where the quotient
/// needs a bit more. The first is an error of the program, which the oracle
/// reports; here the divisor is 1 then.
static Value closeDivision(OpBuilder &builder, Location loc, bool isSigned,
                           bool isRest, Value a, Value b) {
  Type type = b.getType();
  Value zero = constantOf(builder, loc, type, 0);
  Value one = constantOf(builder, loc, type, 1);
  Value isZero = compare(builder, loc, arith::CmpIPredicate::eq, b, zero);
  Value divisor = arith::SelectOp::create(builder, loc, isZero, one, b);
  if (!isSigned)
    return isRest ? Value(arith::RemUIOp::create(builder, loc, a, divisor))
                  : Value(arith::DivUIOp::create(builder, loc, a, divisor));
  Value minus = constantOf(builder, loc, type, -1);
  Value isMinus = compare(builder, loc, arith::CmpIPredicate::eq, b, minus);
  divisor = arith::SelectOp::create(builder, loc, isMinus, one, divisor);
  if (isRest) // 0 for both
    return arith::RemSIOp::create(builder, loc, a, divisor);
  Value quotient = arith::DivSIOp::create(builder, loc, a, divisor);
  return arith::SelectOp::create(builder, loc, isMinus,
                                 arith::SubIOp::create(builder, loc, zero, a),
                                 quotient);
}

/// The quotient of a division rounded up or down, from the one towards 0.
static Value roundQuotient(OpBuilder &builder, Location loc, Operation *op,
                           Value a, Value b) {
  Type type = b.getType();
  Value zero = constantOf(builder, loc, type, 0);
  Value one = constantOf(builder, loc, type, 1);
  bool isSigned = !isa<arith::CeilDivUIOp>(op);
  Value quotient = closeDivision(builder, loc, isSigned, false, a, b);
  Value rest = arith::SubIOp::create(
      builder, loc, a, arith::MulIOp::create(builder, loc, quotient, b));
  Value isExact = compare(builder, loc, arith::CmpIPredicate::eq, rest, zero);
  Value isAway = isExact;
  bool isFloor = isa<arith::FloorDivSIOp>(op);
  Value moved = isFloor
                    ? Value(arith::SubIOp::create(builder, loc, quotient, one))
                    : Value(arith::AddIOp::create(builder, loc, quotient, one));
  if (isSigned) {
    Value product = arith::XOrIOp::create(builder, loc, a, b);
    Value differs =
        compare(builder, loc, arith::CmpIPredicate::slt, product, zero);
    Value keeps = isFloor ? compare(builder, loc, arith::CmpIPredicate::sge,
                                    product, zero)
                          : differs;
    isAway = arith::OrIOp::create(builder, loc, isExact, keeps);
  }
  return arith::SelectOp::create(builder, loc, isAway, quotient, moved);
}

/// What is out of the range of an integer becomes the end of it, NaN 0.
static Value saturate(OpBuilder &builder, Location loc, Operation *op,
                      Value value, Type to) {
  StringRef name =
      isa<arith::FPToSIOp>(op) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  return LLVM::CallIntrinsicOp::create(
             builder, loc, to, builder.getStringAttr(name), ValueRange{value})
      .getResult(0);
}

Value DenseKernel::makeElementwise(Operation *op, ValueRange operands,
                                   int64_t lanes) {
  SmallVector<Type> types;
  for (Type type : op->getResultTypes()) {
    Type element = elementType(type);
    if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 16) {
      refuse(*op) << " on elements of type " << element;
      return {};
    }
    types.push_back(isa<RankedTensorType>(type) ? vectorType(element, lanes)
                                                : element);
  }
  if (isa<tile::CastOp>(op))
    return castFloat(builder, loc, operands[0], types[0]);
  if (isa<tile::BitReverseOp>(op))
    return LLVM::BitReverseOp::create(builder, loc, types[0], operands[0]);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return closeShift(builder, loc, op, operands[0], operands[1]);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return closeDivision(builder, loc, isa<arith::DivSIOp, arith::RemSIOp>(op),
                         isa<arith::RemSIOp, arith::RemUIOp>(op), operands[0],
                         operands[1]);
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return roundQuotient(builder, loc, op, operands[0], operands[1]);
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return saturate(builder, loc, op, operands[0], types[0]);
  if (!isa_and_present<arith::ArithDialect, math::MathDialect>(
          op->getDialect())) {
    refuse(*op);
    return {};
  }
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.attributes = op->getAttrs();
  return builder.create(state)->getResult(0);
}
