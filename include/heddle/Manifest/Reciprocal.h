//===- Reciprocal.h - Divisions by a number of the host ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread takes about a hundred cycles to divide by a number that is known at
// the launch only. Multiplied by its reciprocal, which the host computes once,
// the quotient takes about fifteen. (Granlund and Montgomery, "Division by
// Invariant Integers using Multiplication", PLDI 1994.)
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MANIFEST_RECIPROCAL_H
#define HEDDLE_MANIFEST_RECIPROCAL_H

#include <cstdint>
#include <optional>

namespace heddle::manifest {

/// A multiplier m in the lower 32 bits and a shift s, from 0 to 31, above:
/// n / divisor is (n * m) >> (31 + s) for each n from 0 to 2^31 - 1, exactly.
/// Nothing for divisors outside 1 to 2^31 - 1.
constexpr std::optional<uint64_t> reciprocalOf(int64_t divisor) {
  if (divisor < 1 || divisor > INT32_MAX)
    return std::nullopt;
  // 2^(s-1) < divisor <= 2^s, so m is from 2^31 to 2^32 - 1. Rounding up makes
  // n * m / 2^(31+s) too large by less than n / 2^(31+s) < 1 / divisor, the
  // least distance of a fraction n / divisor to the next whole number.
  uint64_t shift = 0;
  while ((int64_t(1) << shift) < divisor)
    ++shift;
  auto unsignedDivisor = static_cast<uint64_t>(divisor);
  uint64_t multiplier =
      ((uint64_t(1) << (31 + shift)) + unsignedDivisor - 1) / unsignedDivisor;
  return shift << 32 | multiplier;
}

} // namespace heddle::manifest

#endif // HEDDLE_MANIFEST_RECIPROCAL_H
