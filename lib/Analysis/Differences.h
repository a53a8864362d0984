//===- Differences.h - One number minus another ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: numbers at which two operations of an instance access something. Out:
// their difference, a constant and what iterations add, any multiple of a
// number. What a program computes once in an instance is the same for both, and
// cancels. Numbers may wrap: their remainder by a power of two does not change
// by that, and a loop's own index does not wrap.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_ANALYSIS_DIFFERENCES_H
#define HEDDLE_LIB_ANALYSIS_DIFFERENCES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace heddle {

/// Of 32 bits.
std::optional<int64_t> constantOf(mlir::Value value);

/// One number minus another: `constant`, and any multiple of `grain`.
struct Difference {
  uint64_t constant = 0;
  uint64_t grain = 0;

  bool isConstant() const { return grain == 0; }
  /// Behind the last number that both may differ by and that is not above the
  /// constant.
  uint64_t rest() const {
    auto remainder = int64_t(constant) % int64_t(grain);
    return uint64_t(remainder < 0 ? remainder + int64_t(grain) : remainder);
  }
  /// Whether `low` places at 0 and `high` places at the difference have none in
  /// common.
  bool parts(uint64_t low, uint64_t high) const {
    return isConstant() ? constant >= low && -constant >= high
                        : rest() >= low && grain - rest() >= high;
  }
  /// Whether `extent` places at either end are the same ones, or all others.
  bool alignsBy(uint64_t extent) const {
    return isConstant() ? constant == 0 : rest() == 0 && grain >= extent;
  }
};

/// Takes numbers of two accesses apart.
class Subtraction {
public:
  explicit Subtraction(mlir::Operation *loop) : loop(loop) {}

  /// Whether iterations of the loops around both accesses may have others.
  bool mayDiffer(mlir::Value value) const;

  void add(mlir::Value value, uint64_t factor, unsigned depth = 0);
  Difference finish();

private:
  void addUnknown(mlir::Value value, uint64_t factor);

  static constexpr unsigned kDeepest = 16;
  mlir::Operation *loop;
  llvm::SmallMapVector<mlir::Value, uint64_t, 4> terms; ///< the same for both
  Difference result;
};

} // namespace heddle

#endif // HEDDLE_LIB_ANALYSIS_DIFFERENCES_H
