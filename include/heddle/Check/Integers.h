//===- Integers.h - Arithmetic as the checker knows it ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operation makes of numbers, and what can be known of its result from
// what is known of its operands. Numbers are two's-complement of 1 to 64 bits,
// each given as the integer that its bits are with a sign: one bit is 0 or -1.
// The checker has this on its own; it shares no code with what it checks.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CHECK_INTEGERS_H
#define HEDDLE_CHECK_INTEGERS_H

#include "heddle/Check/Protocol.h"

#include <optional>

namespace heddle::check {

/// All integers from low to high.
struct Range {
  int64_t low = INT64_MIN, high = INT64_MAX;
  bool operator==(const Range &) const = default;
  auto operator<=>(const Range &) const = default;
};

/// What a number of so many bits can be.
Range rangeOfBits(int bits);

/// The number that the lowest bits of another are.
int64_t wrapTo(int bits, uint64_t number);

/// An operation on numbers of `from` bits whose result has `bits`. Nothing
/// where the program has no value: a division by zero, the least number by -1,
/// a shift by the width or more; and for Other.
std::optional<int64_t> evaluate(Arith arith, int from, int bits,
                                const std::vector<int64_t> &of);

/// Every result for operands in these ranges is in this one.
Range rangeOf(Arith arith, int from, int bits, const std::vector<Range> &of);

const char *nameOf(Arith arith);

} // namespace heddle::check

#endif // HEDDLE_CHECK_INTEGERS_H
