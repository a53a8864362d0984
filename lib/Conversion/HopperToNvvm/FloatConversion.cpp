//===- FloatConversion.cpp - Between floating-point formats -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatConversion.h"

#include "heddle/Dialect/Tile/EightBitFloat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace heddle::tonvvm {

using Values = SmallVector<Value>;

bool isConvertible(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
         tile::isEightBitFloat(type);
}

/// One value after the other.
template <typename F> static Values forEach(ArrayRef<Value> values, F f) {
  Values results;
  for (Value value : values)
    results.push_back(f(value));
  return results;
}

/// Two values at a time; an odd one goes twice.
template <typename F> static Values forPairs(ArrayRef<Value> values, F f) {
  Values results;
  for (size_t i = 0; i < values.size(); i += 2) {
    Value second = values[std::min(i + 1, values.size() - 1)];
    results.append(f(values[i], second));
  }
  results.truncate(values.size());
  return results;
}

static Values extend(Code &code, ArrayRef<Value> values, Type to) {
  return forEach(values, [&](Value value) -> Value {
    return arith::ExtFOp::create(code.builder, code.loc, to, value);
  });
}

static Values truncate(Code &code, ArrayRef<Value> values, Type to) {
  // One cvt makes two 16-bit numbers of f32.
  if (values.front().getType().isF32())
    return forPairs(values, [&](Value low, Value high) {
      return code.unpack(code.truncatePair(low, high, to));
    });
  return forEach(values, [&](Value value) -> Value {
    return arith::TruncFOp::create(code.builder, code.loc, to, value);
  });
}

static Values truncateTowardZero(Code &code, ArrayRef<Value> values, Type to) {
  Type from = values.front().getType();
  if (from.isF64() && to.isF32())
    return forEach(values, [&](Value value) {
      return code.intrinsic("llvm.nvvm.d2f.rz", to, {value});
    });
  if (!from.isF32() || (!to.isF16() && !to.isBF16()))
    return {};
  StringRef name =
      to.isF16() ? "llvm.nvvm.ff2f16x2.rz" : "llvm.nvvm.ff2bf16x2.rz";
  return forPairs(values, [&](Value low, Value high) {
    return code.unpack(
        code.intrinsic(name, VectorType::get(2, to), {high, low}));
  });
}

/// f64 to f32 such that another rounding gives what rounding once does: toward
/// zero, and the last bit set where that lost something.
static Value roundToOdd(Code &code, Value value) {
  Type f32 = code.builder.getF32Type();
  Value cut = code.intrinsic("llvm.nvvm.d2f.rz", f32, {value});
  Value back =
      arith::ExtFOp::create(code.builder, code.loc, value.getType(), cut);
  Value isExact = arith::CmpFOp::create(code.builder, code.loc,
                                        arith::CmpFPredicate::UEQ, back, value);
  Value bits = code.packInt({cut});
  Value odd = code.select(isExact, bits, code.bitOr(bits, 1));
  return code.unpackInt(odd, f32, 1)[0];
}

/// Both 8-bit formats are exact in f16.
static Values extendEightBit(Code &code, ArrayRef<Value> values, Type from) {
  StringRef name = isa<Float8E4M3FNType>(from) ? "llvm.nvvm.e4m3x2.to.f16x2.rn"
                                               : "llvm.nvvm.e5m2x2.to.f16x2.rn";
  auto pair = VectorType::get(2, code.builder.getF16Type());
  return forPairs(values, [&](Value low, Value high) {
    return code.unpack(code.intrinsic(name, pair, {code.packInt({low, high})}));
  });
}

/// From f16 or f32.
static Values truncateToEightBit(Code &code, ArrayRef<Value> values, Type to) {
  bool e4m3 = isa<Float8E4M3FNType>(to);
  Type i8 = code.builder.getI8Type(), i16 = code.builder.getI16Type();
  return forPairs(values, [&](Value low, Value high) {
    Value bits = low.getType().isF16()
                     ? code.intrinsic(e4m3 ? "llvm.nvvm.f16x2.to.e4m3x2.rn"
                                           : "llvm.nvvm.f16x2.to.e5m2x2.rn",
                                      i16, {code.pack({low, high})})
                     : code.intrinsic(e4m3 ? "llvm.nvvm.ff.to.e4m3x2.rn"
                                           : "llvm.nvvm.ff.to.e5m2x2.rn",
                                      i16, {high, low});
    return code.unpackInt(bits, i8, 2);
  });
}

static Values roundOnce(Code &code, ArrayRef<Value> values, Type from,
                        Type to) {
  Type f32 = code.builder.getF32Type(), f16 = code.builder.getF16Type();
  if (tile::isEightBitFloat(from)) {
    Values halves = extendEightBit(code, values, from);
    return convertFloats(code, halves, f16, to);
  }
  if (tile::isEightBitFloat(to)) {
    if (from.isF16() || from.isF32())
      return truncateToEightBit(code, values, to);
    Values singles = from.isBF16() ? extend(code, values, f32)
                                   : forEach(values, [&](Value value) {
                                       return roundToOdd(code, value);
                                     });
    return truncateToEightBit(code, singles, to);
  }
  unsigned fromBits = from.getIntOrFloatBitWidth(),
           toBits = to.getIntOrFloatBitWidth();
  if (fromBits == toBits) // f16 and bf16, both exact in f32
    return truncate(code, extend(code, values, f32), to);
  return fromBits > toBits ? truncate(code, values, to)
                           : extend(code, values, to);
}

SmallVector<Value> convertFloats(Code &code, ArrayRef<Value> values, Type from,
                                 Type to, bool towardZero) {
  if (from == to)
    return Values(values);
  return towardZero ? truncateTowardZero(code, values, to)
                    : roundOnce(code, values, from, to);
}

} // namespace heddle::tonvvm
