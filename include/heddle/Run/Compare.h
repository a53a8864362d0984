//===- Compare.h - How wrong a result is ------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result, the oracle's reference and the scale of each element go in; the
// number of wrong elements and the largest errors come out. A relative
// tolerance alone would reject correct sums whose terms cancel, because a
// result near 0 keeps the rounding error of its large terms.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUN_COMPARE_H
#define HEDDLE_RUN_COMPARE_H

#include "heddle/Run/ArgumentData.h"

namespace heddle::tool {

/// What may differ: rounding to the output's type, plus the accumulator's.
///   |x - ref| <= output * eps * |ref| + accumulator * scale + floor * largest
/// `eps` belongs to the output's type. `scale` is the oracle's result for the
/// inputs' magnitudes, which is |A| . |B| for a product of matrices. It bounds
/// nothing where a program subtracts, as a normalisation does: there a result
/// near 0 has the error of the larger ones, `largest` in the whole output.
struct Tolerance {
  double output = 1;
  /// 2^-15: 256 roundings to f32, less than one product in 2^15 left out.
  double accumulator = 0x1p-15;

  /// Two roundings to f32.
  double floor = 0x1p-22;

  static Tolerance exact() { return {0, 0, 0}; }
};

struct Difference {
  double maxAbsolute = 0;
  /// max |x - ref| / scale in units of the output's eps.
  double maxEpsilons = 0;
  int64_t wrong = 0;      ///< elements beyond the tolerance
  int64_t firstWrong = 0; ///< position in memory of the first
};

/// `scale` has the shape of `reference`.
Difference compare(const ArgumentData &result, const ArgumentData &reference,
                   const ArgumentData &scale, const Tolerance &tolerance);

/// The number at a position in memory, a whole one with all of its digits.
std::string describeElement(const ArgumentData &data, int64_t position);

/// "[3, 17]" for a position in memory.
std::string describePosition(const ArgumentData &data, int64_t position);

} // namespace heddle::tool

#endif // HEDDLE_RUN_COMPARE_H
