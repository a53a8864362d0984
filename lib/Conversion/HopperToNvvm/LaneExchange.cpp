//===- LaneExchange.cpp - Values of any type from other lanes ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneExchange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace heddle::tonvvm {

SmallVector<Value> toWords(Code &code, Value value) {
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
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 32)
    bits = arith::TruncIOp::create(code.builder, code.loc,
                                   code.builder.getIntegerType(width), bits);
  return code.unpackInt(bits, type, 1)[0];
}

Value shuffleXor(Code &code, Value value, int64_t laneMask) {
  Type type = value.getType();
  if (type.isF32() || type.isInteger(32))
    return code.shuffleXor(value, laneMask);
  SmallVector<Value> words = toWords(code, value);
  for (Value &word : words)
    word = code.shuffleXor(word, laneMask);
  return fromWords(code, words, type);
}

} // namespace heddle::tonvvm
