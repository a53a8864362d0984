//===- IntegerModel.h - Integer instructions, by definition -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic happens on whole numbers without bounds, of which the result's
// bits are taken at the end; bit fields follow the pseudocode of the PTX ISA,
// bit by bit. Nothing here is shared with lib/Emulator.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_INTEGERMODEL_H
#define HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_INTEGERMODEL_H

#include "Natural.h"
#include "Opcode.h"

#include <array>

namespace heddle::emulator::model {

/// A whole number.
struct Whole {
  bool negative = false; ///< never with 0
  Natural magnitude;

  static Whole of(int64_t value);
  /// Two's complement, or unsigned.
  static Whole ofBits(uint64_t bits, int width, bool isSigned);
  /// The low bits of the two's complement.
  uint64_t bits(int width) const;
};
Whole operator+(const Whole &a, const Whole &b);
Whole operator-(const Whole &a, const Whole &b);
Whole operator*(const Whole &a, const Whole &b);
bool operator<(const Whole &a, const Whole &b);
/// Into the range of an integer type.
Whole clamped(const Whole &value, int width, bool isSigned);

/// Width and sign of `u8` to `s64` and `b16` to `b64`; of `s16x2` those of a
/// half.
int widthOf(const std::string &type);
bool isSignedType(const std::string &type);
bool isIntegerType(const std::string &type);

/// The result in the low bits; `d` is a fourth operand of bfi and lop3.
uint64_t evaluateInteger(const Opcode &opcode,
                         const std::array<uint64_t, 3> &operands,
                         uint64_t d = 0);

/// 0, the ends of the types, powers of two and their neighbours, patterns.
std::vector<uint64_t> specialIntegers(int width);

} // namespace heddle::emulator::model

#endif // HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_INTEGERMODEL_H
