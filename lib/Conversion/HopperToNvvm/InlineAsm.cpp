//===- InlineAsm.cpp - A program's own instructions -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each instance of the text computes a few elements, which share registers of
// 32 bits where they are narrower. Which elements go together is free, so they
// are those that follow each other in the thread; where too few are left, the
// last one is computed again. A constraint says how wide a register is: bits
// beyond its elements are zero.
//
//===----------------------------------------------------------------------===//

#include "InlineAsm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace heddle::tonvvm {

static Type typeOf(OpBuilder &builder, char letter) {
  switch (letter) {
  case 'h':
    return builder.getI16Type();
  case 'l':
    return builder.getI64Type();
  case 'f':
    return builder.getF32Type();
  case 'd':
    return builder.getF64Type();
  default:
    return builder.getI32Type();
  }
}

static Value asFloat(Code &code, Value bits, Type type) {
  return bits.getType() == type
             ? bits
             : arith::BitcastOp::create(code.builder, code.loc, type, bits)
                   .getResult();
}

/// The bits of `elements` in a register of `type`.
static Value toRegister(Code &code, ValueRange elements, Type type) {
  Type bits = code.builder.getIntegerType(type.getIntOrFloatBitWidth());
  return asFloat(code,
                 code.resize(code.packInt(elements), bits, /*isSigned=*/false),
                 type);
}

static SmallVector<Value> fromRegister(Code &code, Value value, Type element,
                                       int64_t count) {
  OpBuilder &builder = code.builder;
  Type all = builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
  Type kept =
      builder.getIntegerType(element.getIntOrFloatBitWidth() * unsigned(count));
  Value bits = code.resize(asFloat(code, value, all), kept, /*isSigned=*/false);
  return code.unpackInt(bits, element, count);
}

static SmallVector<Value> call(Code &code, tile::InlineAsmOp op,
                               ArrayRef<Type> types, ValueRange operands) {
  OpBuilder &builder = code.builder;
  Type type =
      types.size() == 1
          ? types.front()
          : LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  Value made =
      LLVM::InlineAsmOp::create(
          builder, code.loc, TypeRange(type), operands, op.getTextAttr(),
          op.getConstraintsAttr(), UnitAttr(), UnitAttr(),
          LLVM::TailCallKindAttr::get(builder.getContext(),
                                      LLVM::tailcallkind::TailCallKind::None),
          LLVM::AsmDialectAttr(), ArrayAttr())
          ->getResult(0);
  if (types.size() == 1)
    return {made};
  SmallVector<Value> results;
  for (size_t i = 0; i < types.size(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(builder, code.loc, made,
                                                   ArrayRef<int64_t>(i)));
  return results;
}

SmallVector<SmallVector<Value>>
emitInlineAsm(Code &code, tile::InlineAsmOp op,
              ArrayRef<SmallVector<Value>> operands, size_t count) {
  int64_t pack = op.getPack();
  SmallVector<char> letters = tile::constraintLetters(op.getConstraints());
  auto held = [](Type type) {
    return registerType(getElementTypeOrSelf(type));
  };
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    for (int64_t i = 0; i < pack;
         i += tile::elementsOfRegister(held(type), pack))
      types.push_back(typeOf(code.builder, letters[types.size()]));
  SmallVector<SmallVector<Value>> results(op->getNumResults());
  for (size_t first = 0; first < count; first += size_t(pack)) {
    SmallVector<Value> taken;
    for (auto [operand, all] : llvm::zip(op.getOperands(), operands)) {
      int64_t each = tile::elementsOfRegister(held(operand.getType()), pack);
      for (int64_t i = 0; i < pack; i += each) {
        SmallVector<Value> some;
        for (int64_t j = i; j < i + each; ++j)
          some.push_back(
              all[all.size() == 1 ? 0 : std::min(first + j, count - 1)]);
        char letter = letters[types.size() + taken.size()];
        taken.push_back(toRegister(code, some, typeOf(code.builder, letter)));
      }
    }
    SmallVector<Value> made = call(code, op, types, taken);
    size_t next = 0;
    for (auto [result, all] : llvm::zip(op.getResults(), results)) {
      Type element = held(result.getType());
      int64_t each = tile::elementsOfRegister(element, pack);
      for (int64_t i = 0; i < pack; i += each)
        for (Value one : fromRegister(code, made[next++], element, each))
          if (all.size() < count)
            all.push_back(one);
    }
  }
  return results;
}

} // namespace heddle::tonvvm
