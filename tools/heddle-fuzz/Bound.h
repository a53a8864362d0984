//===- Bound.h - What is known of a generated value -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every value that the generator makes carries what the oracle's number can be
// and how far the kernel's may be from it, so that each output has a tolerance
// that follows from its own program:
//
//   - Both sides round each operation once. Where the operands are equal the
//     results are, so the error stays 0, rounded or not.
//   - The order of a sum is free. It does not matter where every partial sum is
//     exact: the terms are multiples of 2^quantum and their magnitudes add up
//     to at most 2^precision quanta. Else each addition may be off by an ulp.
//   - Functions that the hardware approximates are off by twice the largest
//     error that lib/Conversion/HopperToNvvm/ApproximateMath.h states.
//   - An error that is there passes through each operation by its derivative.
//     Operations with jumps (compare, floor, to integer) take exact values
//     only.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_BOUND_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_BOUND_H

#include "Kind.h"

#include <optional>

namespace heddle::fuzz {

/// The oracle's value is in [low, high] and a multiple of 2^quantum; the
/// kernel's is at most `error` away. Integers wrap, so theirs have no error.
struct Bound {
  double low = 0, high = 0;
  int quantum = 0;
  double error = 0;

  double magnitude() const;
  bool isExact() const { return error == 0; }
};

/// Nothing is known about the low bits.
inline constexpr int kNoQuantum = -1074;

/// What remains of `exact` in an element of `kind`; none where a float may
/// leave the finite range, or where the error would swamp the value.
std::optional<Bound> roundTo(Kind kind, Bound exact);
/// Like roundTo, but tile.cast: 8-bit formats saturate.
std::optional<Bound> castTo(Kind kind, Bound exact);

// Exact results, to be rounded by the caller.
Bound add(const Bound &a, const Bound &b);
Bound subtract(const Bound &a, const Bound &b);
Bound multiply(const Bound &a, const Bound &b);
Bound negate(const Bound &a);
Bound absolute(const Bound &a);
Bound maximum(const Bound &a, const Bound &b);
Bound minimum(const Bound &a, const Bound &b);
/// One of the two.
Bound join(const Bound &a, const Bound &b);
/// The nearest integer in some direction; of exact values.
Bound toInteger(const Bound &a);

/// The sum of `start` and `count` terms in any order, rounded to `kind` after
/// each.
std::optional<Bound> sum(Kind kind, const Bound &start, const Bound &term,
                         int64_t count);

/// Approximate functions of f32; none where they leave their domain.
std::optional<Bound> exponential(const Bound &a, bool base2);
std::optional<Bound> logarithm(const Bound &a, bool base2);
std::optional<Bound> squareRoot(const Bound &a);
std::optional<Bound> inverseRoot(const Bound &a);
std::optional<Bound> divide(const Bound &a, const Bound &b);
/// tanh, erf, sin, cos: into [-1, 1], of slope at most 2 / sqrt(pi).
Bound bounded(const Bound &a);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_BOUND_H
