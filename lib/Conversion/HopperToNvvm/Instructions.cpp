//===- Instructions.cpp - Scalars, vectors and structured control flow ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace heddle::tonvvm {

Type registerType(Type type) {
  if (type.isIndex())
    return IntegerType::get(type.getContext(), 32);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8)
    return IntegerType::get(type.getContext(), 8);
  return type;
}

static Value makeConstant(Code &code, TypedAttr value) {
  return arith::ConstantOp::create(code.builder, code.loc, value);
}

Value Code::i32(int64_t value) {
  return makeConstant(*this, builder.getI32IntegerAttr(int32_t(value)));
}
Value Code::i64(int64_t value) {
  return makeConstant(*this, builder.getI64IntegerAttr(value));
}
Value Code::i1(bool value) {
  return makeConstant(*this, builder.getBoolAttr(value));
}
Value Code::f32(double value) {
  return makeConstant(*this, builder.getF32FloatAttr(float(value)));
}
Value Code::constant(Attribute value, Type type) {
  if (auto number = dyn_cast<IntegerAttr>(value))
    return makeConstant(
        *this, builder.getIntegerAttr(type, number.getValue().trunc(
                                                type.getIntOrFloatBitWidth())));
  auto number = cast<FloatAttr>(value);
  if (number.getType() == type)
    return makeConstant(*this, number);
  return makeConstant(
      *this, builder.getIntegerAttr(type, number.getValue().bitcastToAPInt()));
}
Value Code::zero(Type type) {
  return makeConstant(*this, builder.getZeroAttr(type));
}

/// A constant of the width of `like`.
static Value integerLike(Code &code, Value like, int64_t value) {
  return makeConstant(code, code.builder.getIntegerAttr(like.getType(), value));
}

Value Code::add(Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b);
}
Value Code::add(Value a, int64_t b) {
  return b ? add(a, integerLike(*this, a, b)) : a;
}
Value Code::sub(Value a, Value b) {
  return arith::SubIOp::create(builder, loc, a, b);
}
Value Code::sub(Value a, int64_t b) {
  return b ? Value(arith::SubIOp::create(builder, loc, a,
                                         integerLike(*this, a, b)))
           : a;
}
Value Code::mul(Value a, Value b) {
  return arith::MulIOp::create(builder, loc, a, b);
}
Value Code::mul(Value a, int64_t b) {
  return b == 1 ? a : mul(a, integerLike(*this, a, b));
}
Value Code::bitAnd(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}
Value Code::bitAnd(Value a, int64_t b) {
  return bitAnd(a, integerLike(*this, a, b));
}
Value Code::bitOr(Value a, int64_t b) {
  return arith::OrIOp::create(builder, loc, a, integerLike(*this, a, b));
}
Value Code::bitXor(Value a, Value b) {
  return arith::XOrIOp::create(builder, loc, a, b);
}
Value Code::bitXor(Value a, int64_t b) {
  return b ? bitXor(a, integerLike(*this, a, b)) : a;
}
Value Code::shiftRight(Value a, int64_t bits) {
  return bits ? Value(arith::ShRUIOp::create(builder, loc, a,
                                             integerLike(*this, a, bits)))
              : a;
}
Value Code::divide(Value a, Value b) {
  return arith::DivUIOp::create(builder, loc, a, b);
}
Value Code::divide(Value a, int64_t b) {
  return b == 1 ? a
                : Value(arith::DivUIOp::create(builder, loc, a,
                                               integerLike(*this, a, b)));
}
Value Code::remainder(Value a, int64_t b) {
  return arith::RemUIOp::create(builder, loc, a, integerLike(*this, a, b));
}
Value Code::isEqual(Value a, int64_t b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a,
                               integerLike(*this, a, b));
}
Value Code::isMultiple(Value a, int64_t of) {
  return isEqual(bitAnd(a, of - 1), 0);
}
Value Code::isBelow(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
}
Value Code::isBelow(Value a, int64_t b) {
  return isBelow(a, integerLike(*this, a, b));
}
Value Code::isNotNegative(Value a) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, a,
                               integerLike(*this, a, 0));
}
Value Code::logicalNot(Value a) { return bitXor(a, i1(true)); }
Value Code::signExtend(Value a) {
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), a);
}
Value Code::resize(Value a, Type to, bool isSigned) {
  unsigned from = a.getType().getIntOrFloatBitWidth(),
           width = to.getIntOrFloatBitWidth();
  if (from == width)
    return a;
  if (from > width)
    return arith::TruncIOp::create(builder, loc, to, a);
  if (isSigned)
    return arith::ExtSIOp::create(builder, loc, to, a);
  return arith::ExtUIOp::create(builder, loc, to, a);
}
Value Code::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}
Value Code::fadd(Value a, Value b) {
  return arith::AddFOp::create(builder, loc, a, b);
}
Value Code::fsub(Value a, Value b) {
  return arith::SubFOp::create(builder, loc, a, b);
}
Value Code::fmul(Value a, Value b) {
  return arith::MulFOp::create(builder, loc, a, b);
}
Value Code::fma(Value a, Value b, Value c) {
  return math::FmaOp::create(builder, loc, a, b, c);
}
Value Code::extend(Value a) {
  if (a.getType().isF32())
    return a;
  return arith::ExtFOp::create(builder, loc, builder.getF32Type(), a);
}

void Code::ifThen(Value condition, llvm::function_ref<void()> body) {
  auto op =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  body();
}

void Code::ifElse(Value condition, llvm::function_ref<void()> body,
                  llvm::function_ref<void()> otherwise) {
  auto op = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  body();
  builder.setInsertionPointToStart(op.elseBlock());
  otherwise();
}

void Code::forLoop(Value from, int64_t below, int64_t step,
                   llvm::function_ref<void(Value)> body) {
  auto op = scf::ForOp::create(builder, loc, from, i32(below), i32(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.getBody());
  body(op.getInductionVar());
}

void Code::waitBarrier(Value pointer, Value parity,
                       llvm::function_ref<void()> whileWaiting) {
  auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&loop.getBefore());
  Value done = tryWait(pointer, parity);
  scf::ConditionOp::create(builder, loc, logicalNot(done), ValueRange());
  builder.createBlock(&loop.getAfter());
  if (whileWaiting)
    whileWaiting();
  scf::YieldOp::create(builder, loc);
}

void Code::awaitCount(Value pointer, Value count) {
  auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&loop.getBefore());
    Value seen = freshAsm("ld.acquire.gpu.global.b32 $0, [$1];",
                          {builder.getI32Type()}, {pointer})[0];
    Value isOther = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne, seen, count);
    scf::ConditionOp::create(builder, loc, isOther, ValueRange());
    builder.createBlock(&loop.getAfter());
    // Others may have the issue slots meanwhile.
    plainAsm("nanosleep.u32 32;");
    scf::YieldOp::create(builder, loc);
  }
  plainAsm("fence.proxy.async.global;");
}

void Code::raiseCount(Value pointer) {
  freshAsm("fence.proxy.async.global;\n\t"
           "red.release.gpu.global.add.u32 [$0], 1;",
           {}, {pointer});
}

Value Code::isAfter(Value to, Value from, int64_t distance) {
  Value passed = arith::SubIOp::create(builder, loc, to, from);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, passed,
                               i64(distance));
}

Value Code::sharedDistance(Value pointer, Value from) {
  // In the pointers' own width LLVM sees that the base cancels.
  Value distance = arith::SubIOp::create(builder, loc, pointerToInt(pointer),
                                         pointerToInt(from));
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(), distance);
}

Value Code::truncatePair(Value low, Value high, Type to) {
  Value pair = pack({low, high});
  return arith::TruncFOp::create(builder, loc, VectorType::get(2, to), pair);
}

} // namespace heddle::tonvvm
