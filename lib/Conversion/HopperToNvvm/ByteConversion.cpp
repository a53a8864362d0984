//===- ByteConversion.cpp - 8-bit integers, four at a time ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace heddle::tonvvm {

using Values = SmallVector<Value>;

/// 2^10 in each half: a unit in the last place is 1.
static constexpr int64_t kHalves = 0x64006400;
/// 2^23, likewise.
static constexpr int64_t kSingle = 0x4b000000;

static Value permute(Code &code, Value a, int64_t b, int64_t selector) {
  return code.intrinsic("llvm.nvvm.prmt", code.builder.getI32Type(),
                        {a, code.i32(b), code.i32(selector)});
}

/// Four f16 of four bytes without a sign.
static Values toHalves(Code &code, Value bytes, double bias) {
  Type f16 = code.builder.getF16Type();
  Value number = code.constant(code.builder.getF16FloatAttr(float(bias)), f16);
  Value away = code.pack({number, number});
  Values results;
  for (int64_t selector : {0x5150, 0x5352}) {
    Value pair = code.pack(
        code.unpackInt(permute(code, bytes, kHalves, selector), f16, 2));
    results.append(code.unpack(code.fsub(pair, away)));
  }
  return results;
}

static Values toSingles(Code &code, Value bytes, double bias) {
  Type f32 = code.builder.getF32Type();
  Values results;
  for (int64_t byte = 0; byte < 4; ++byte) {
    Value word = permute(code, bytes, kSingle, 0x7650 | byte);
    results.push_back(
        code.fsub(code.unpackInt(word, f32, 1)[0], code.f32(bias)));
  }
  return results;
}

SmallVector<Value> convertBytes(Code &code, ArrayRef<Value> values, Type to,
                                bool isSigned) {
  bool isKnown = to.isF16() || to.isBF16() || to.isF32();
  if (!isKnown || values.size() % 4)
    return {};
  double units = isSigned ? 128 : 0; // added to make them positive
  Values results;
  for (size_t first = 0; first < values.size(); first += 4) {
    Value bytes = code.packInt(values.slice(first, 4));
    if (isSigned)
      bytes = code.bitXor(bytes, int64_t(0x80808080));
    if (to.isF16()) {
      results.append(toHalves(code, bytes, 1024 + units));
      continue;
    }
    Values singles = toSingles(code, bytes, 8388608 + units);
    if (to.isF32()) {
      results.append(singles);
      continue;
    }
    for (size_t i = 0; i < 4; i += 2) // one cvt for two
      results.append(
          code.unpack(code.truncatePair(singles[i], singles[i + 1], to)));
  }
  return results;
}

/// All of `values` are this constant.
static std::optional<int64_t> sameConstant(ArrayRef<Value> values) {
  std::optional<int64_t> all;
  for (Value value : values) {
    APInt number;
    if (!matchPattern(value, m_ConstantInt(&number)) ||
        (all && *all != number.getSExtValue()))
      return std::nullopt;
    all = number.getSExtValue();
  }
  return all;
}

/// Each byte of a word is `byte`.
static int64_t repeat(int64_t byte) { return (byte & 0xff) * 0x01010101; }

/// Each byte of `word` moved by `bits`, those of neighbours taken away.
static Value shiftBytes(Code &code, Operation *op, Value word, int64_t bits) {
  if (isa<arith::ShLIOp>(op))
    return code.bitAnd(
        arith::ShLIOp::create(code.builder, code.loc, word, code.i32(bits)),
        repeat(0xff << bits));
  Value low = code.bitAnd(code.shiftRight(word, bits), repeat(0xff >> bits));
  if (isa<arith::ShRUIOp>(op) || bits == 0)
    return low;
  // Where the sign is set, all bits above it: they make no carry.
  int64_t sign = 0x80 >> bits, above = 0xff & ~(0xff >> bits);
  Value signs = code.bitAnd(low, repeat(sign));
  return code.add(low, code.mul(signs, above / sign));
}

SmallVector<Value> combineBytes(Code &code, Operation *op, ArrayRef<Value> a,
                                ArrayRef<Value> b) {
  bool isShift = isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
  if (a.size() % 4 || a.size() != b.size() ||
      !(isShift || isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)))
    return {};
  std::optional<int64_t> same = sameConstant(b);
  if (isShift && (!same || *same < 0 || *same > 7))
    return {};
  Values results;
  for (size_t first = 0; first < a.size(); first += 4) {
    Value word = code.packInt(a.slice(first, 4));
    if (isShift) {
      word = shiftBytes(code, op, word, *same);
    } else {
      Value other =
          same ? code.i32(repeat(*same)) : code.packInt(b.slice(first, 4));
      OperationState state(code.loc, op->getName());
      state.addOperands({word, other});
      state.addTypes(word.getType());
      word = code.builder.create(state)->getResult(0);
    }
    results.append(code.unpackInt(word, code.builder.getI8Type(), 4));
  }
  return results;
}

} // namespace heddle::tonvvm
