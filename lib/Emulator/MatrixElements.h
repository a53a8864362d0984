//===- MatrixElements.h - Elements of matrix operands ------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are turned into doubles, in which every product is exact, and summed
// there; one rounding to the accumulator's format ends an instruction. The
// hardware's own order and width of the sum are unspecified.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_MATRIXELEMENTS_H
#define HEDDLE_LIB_EMULATOR_MATRIXELEMENTS_H

#include "FloatFormats.h"
#include "Type.h"

namespace heddle::emulator {

/// An element's value from its low bits.
inline double elementValue(Type type, uint32_t bits) {
  switch (type) {
  case Type::F16:
    return floatFromHalf(uint16_t(bits));
  case Type::BF16:
    return floatFromBfloat(uint16_t(bits));
  case Type::TF32: // the unit ignores the low 13 bits
    return std::bit_cast<float>(bits & 0xFFFFE000);
  case Type::E4M3:
    return decode(bits & 0xFF, kE4M3);
  case Type::E5M2:
    return decode(bits & 0xFF, kE5M2);
  case Type::S8:
    return int8_t(bits);
  case Type::U8:
    return uint8_t(bits);
  default:
    return NAN;
  }
}

inline double accumulatorValue(Type type, uint32_t bits) {
  switch (type) {
  case Type::F32:
    return std::bit_cast<float>(bits);
  case Type::F16:
    return floatFromHalf(uint16_t(bits));
  default:
    return int32_t(bits);
  }
}

inline uint32_t accumulatorBits(Type type, double value, bool saturates) {
  switch (type) {
  case Type::F32:
    return bitsOfFloat(float(value));
  case Type::F16:
    return halfFromDouble(value);
  default:
    if (saturates)
      value = value > INT32_MAX   ? INT32_MAX
              : value < INT32_MIN ? INT32_MIN
                                  : value;
    return uint32_t(int64_t(value));
  }
}

/// Row and column of a lane's value in an accumulator of 16 rows and any number
/// of columns. `index` counts single values, not registers.
struct FragmentPlace {
  int row;
  int column;
};
inline FragmentPlace accumulatorPlace(int lane, int index) {
  return {lane / 4 + (index & 2 ? 8 : 0),
          index / 4 * 8 + lane % 4 * 2 + (index & 1)};
}

/// Row and first k of register `index` of an A fragment of 16 rows, whose
/// registers hold `perRegister` neighbours along k.
inline FragmentPlace operandPlace(int lane, int index, int perRegister) {
  return {lane / 4 + (index & 1 ? 8 : 0),
          lane % 4 * perRegister + index / 2 * 4 * perRegister};
}

/// out[m][n] += a[m][k] * b[k][n], row-major.
void multiplyAccumulate(const double *a, const double *b, double *out, int m,
                        int n, int k);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_MATRIXELEMENTS_H
