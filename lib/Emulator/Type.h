//===- Type.h - The fundamental types of PTX ---------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers are 64-bit slots whatever their declared type; the type of an
// instruction says how the low bits are read. Narrow values keep the high bits
// of the slot zero.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_TYPE_H
#define HEDDLE_LIB_EMULATOR_TYPE_H

#include <cstdint>
#include <string_view>

namespace heddle::emulator {

enum class Type : uint8_t {
  None,
  Pred,
  B1, // bits of a predicate-like matrix operand; never executed
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  F16x2,
  BF16x2,
  F32,
  F64,
  TF32,
  E4M3,
  E5M2,
  E4M3x2,
  E5M2x2,
};

/// The type that PTX spells `name` (without the dot), or None.
Type typeNamed(std::string_view name);
int bitsOf(Type type);
bool isSigned(Type type);
bool isFloat(Type type);

/// The low `bits` of a slot set.
inline uint64_t lowBits(int bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

/// `value`'s low `bits` bits as a signed number.
inline int64_t signExtend(uint64_t value, int bits) {
  if (bits >= 64)
    return int64_t(value);
  return int64_t(value << (64 - bits)) >> (64 - bits);
}

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_TYPE_H
