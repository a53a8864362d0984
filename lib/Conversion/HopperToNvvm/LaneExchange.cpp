//===- LaneExchange.cpp - Values of any type from other lanes ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneExchange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace heddle::tonvvm {

SmallVector<Value> toWords(Code &code, Value value) {
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    value = code.pointerToInt(value);
  Value bits = code.packInt({value});
  Type i32 = code.builder.getI32Type();
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  if (width == 64)
    return code.unpackInt(bits, i32, 2);
  if (width < 32)
    bits = arith::ExtUIOp::create(code.builder, code.loc, i32, bits);
  return {bits};
}

Value fromWords(Code &code, ValueRange words, Type type) {
  Value bits = code.packInt(words);
  if (isa<LLVM::LLVMPointerType>(type))
    return code.intToPointer(bits);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 32)
    bits = arith::TruncIOp::create(code.builder, code.loc,
                                   code.builder.getIntegerType(width), bits);
  return code.unpackInt(bits, type, 1)[0];
}

/// Shuffles each word of a value.
static Value shuffle(Code &code, Value value,
                     llvm::function_ref<Value(Value)> move) {
  Type type = value.getType();
  if (type.isF32() || type.isInteger(32))
    return move(value);
  SmallVector<Value> words = toWords(code, value);
  for (Value &word : words)
    word = move(word);
  return fromWords(code, words, type);
}

Value shuffleXor(Code &code, Value value, int64_t laneMask) {
  return shuffle(code, value,
                 [&](Value word) { return code.shuffleXor(word, laneMask); });
}

Value shuffleFrom(Code &code, Value value, Value lane) {
  return shuffle(code, value,
                 [&](Value word) { return code.shuffleFrom(word, lane); });
}

} // namespace heddle::tonvvm
