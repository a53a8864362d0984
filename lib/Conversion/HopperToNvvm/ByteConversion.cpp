//===- ByteConversion.cpp - 8-bit integers to floating point --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteConversion.h"

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

} // namespace heddle::tonvvm
