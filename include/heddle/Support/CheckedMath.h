//===- CheckedMath.h - Sizes that do not wrap --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and products of numbers that a user wrote: extents, depths, strides,
// counts of warps. In: 64-bit numbers of any size; out: the exact result, or
// the nearest number that 64 bits hold. What saturates compares as larger than
// every limit, so a size is computed first and checked once, behind it: no
// place needs a test of its own for overflow. Here and nowhere else, because
// 8 x a depth of 2^61 is zero where one place forgets.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_CHECKEDMATH_H
#define HEDDLE_SUPPORT_CHECKEDMATH_H

#include <cstdint>
#include <string>

namespace heddle {

inline int64_t satAdd(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum))
    return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

inline int64_t satSub(int64_t a, int64_t b) {
  int64_t difference;
  if (!__builtin_sub_overflow(a, b, &difference))
    return difference;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

inline int64_t satMul(int64_t a, int64_t b) {
  int64_t product;
  if (!__builtin_mul_overflow(a, b, &product))
    return product;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

/// An unsigned number as one that the functions above take.
inline int64_t satSigned(uint64_t value) {
  return value > uint64_t(INT64_MAX) ? INT64_MAX : int64_t(value);
}

/// 1 for no factor. A factor of zero makes the product zero, whatever the
/// others are: a view without elements has no bytes.
template <typename Range> int64_t satProduct(const Range &factors) {
  int64_t product = 1;
  bool isZero = false;
  for (int64_t factor : factors) {
    isZero |= factor == 0;
    product = satMul(product, factor);
  }
  return isZero ? 0 : product;
}

/// `value` rounded up to a multiple of `alignment`, which is at least 1.
inline int64_t satAlign(int64_t value, int64_t alignment) {
  int64_t above = satAdd(value, alignment - 1);
  return above - above % alignment;
}

/// For messages: "more than 9223372036854775806" for what saturated.
inline std::string spellSize(int64_t value) {
  if (value == INT64_MAX)
    return "more than " + std::to_string(INT64_MAX - 1);
  return std::to_string(value);
}

} // namespace heddle

#endif // HEDDLE_SUPPORT_CHECKEDMATH_H
