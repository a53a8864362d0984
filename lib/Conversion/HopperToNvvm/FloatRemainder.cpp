//===- FloatRemainder.cpp - What a division of floats leaves --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The remainder of two floats is a float, so nothing has to be rounded. LLVM's
// x - y trunc(x / y) rounds all the same: it is wrong from quotients of 2^24 on
// in f32, below zero where x / y rounds up to a whole number, and has no sign
// where x is -0. Here the divisor is first made larger, by powers of two, until
// the quotient has two bits less than a fraction. Then the quotient's whole
// part is at most one too large, and what a fused multiplication and addition
// leaves has no more bits than the divisor. Mostly that is one division, and
// the loops of a lane go round only where quotients are large.
//
//===----------------------------------------------------------------------===//

#include "FloatRemainder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace heddle::tonvvm {

namespace {

/// Of numbers that are finite, the divisor above zero, the other not below.
class Remainder {
public:
  Remainder(Code &code, Value number, Value divisor)
      : code(code), builder(code.builder), loc(code.loc), number(number),
        divisor(divisor), type(cast<FloatType>(divisor.getType())) {}

  Value emit() {
    // The quotient that a step may have, as a power of two.
    int bits = int(type.getFPMantissaWidth()) - 2;
    Value step = floatOf(std::ldexp(1.0, bits));
    Value back = floatOf(std::ldexp(1.0, -bits));
    auto reduce = scf::WhileOp::create(
        builder, loc, TypeRange{type, type}, ValueRange{number, grow(step)},
        [&](OpBuilder &, Location, ValueRange values) {
          Value left = leave(values[0], values[1]);
          scf::ConditionOp::create(
              builder, loc,
              compare(arith::CmpFPredicate::OGT, values[1], divisor),
              ValueRange{left, values[1]});
        },
        [&](OpBuilder &, Location, ValueRange values) {
          scf::YieldOp::create(
              builder, loc, ValueRange{values[0], code.fmul(values[1], back)});
        });
    return reduce.getResult(0);
  }

private:
  Value floatOf(double value) {
    return code.constant(builder.getFloatAttr(type, value), type);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }

  /// The divisor times the largest power of `step` that leaves it at most the
  /// number. An infinity is more than that.
  Value grow(Value step) {
    auto loop = scf::WhileOp::create(
        builder, loc, TypeRange{type}, ValueRange{divisor},
        [&](OpBuilder &, Location, ValueRange values) {
          scf::ConditionOp::create(builder, loc,
                                   compare(arith::CmpFPredicate::OLE,
                                           code.fmul(values[0], step), number),
                                   values);
        },
        [&](OpBuilder &, Location, ValueRange values) {
          scf::YieldOp::create(builder, loc, code.fmul(values[0], step));
        });
    return loop.getResult(0);
  }

  /// What the whole part of `left` / `part` leaves of `left`.
  Value leave(Value left, Value part) {
    Value quotient = math::TruncOp::create(
        builder, loc, arith::DivFOp::create(builder, loc, left, part));
    Value minus = arith::NegFOp::create(builder, loc, quotient);
    Value rest = code.fma(minus, part, left);
    Value isBelow = compare(arith::CmpFPredicate::OLT, rest, floatOf(0.0));
    return code.select(isBelow, code.fadd(rest, part), rest);
  }

  Code &code;
  OpBuilder &builder;
  Location loc;
  Value number, divisor;
  FloatType type;
};

} // namespace

Value floatRemainder(Code &code, Value number, Value divisor) {
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  auto type = cast<FloatType>(number.getType());
  auto constant = [&](APFloat value) {
    return code.constant(builder.getFloatAttr(type, value), type);
  };
  auto compare = [&](arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b).getResult();
  };
  const llvm::fltSemantics &format = type.getFloatSemantics();
  Value infinity = constant(APFloat::getInf(format));
  Value zero = constant(APFloat::getZero(format));
  Value size = math::AbsFOp::create(builder, loc, number);
  Value by = math::AbsFOp::create(builder, loc, divisor);
  Value isFinite = compare(arith::CmpFPredicate::OLT, size, infinity);
  Value isDivisor = compare(arith::CmpFPredicate::OGT, by, zero);
  Value hasRemainder = code.bitAnd(isFinite, isDivisor);
  // An infinite divisor leaves the number.
  Value isPlain = code.bitAnd(hasRemainder,
                              compare(arith::CmpFPredicate::OLT, by, infinity));
  Value one = constant(APFloat::getOne(format));
  Value rest = Remainder(code, code.select(isPlain, size, zero),
                         code.select(isPlain, by, one))
                   .emit();
  Value signedRest = math::CopySignOp::create(builder, loc, rest, number);
  Value nan = constant(APFloat::getQNaN(format));
  return code.select(isPlain, signedRest,
                     code.select(hasRemainder, number, nan));
}

} // namespace heddle::tonvvm
