//===- Runs.h - Which neighbours in a tile are neighbours in memory *- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a number or an address, or a tile of them. Out: by powers of two, how
// many neighbours along an axis follow one another, how many are equal, and
// what divides them. Who chooses how wide threads access memory asks, and who
// verifies it.
//
// Places that are divided, `x % 768` and `x / 768`, are no line any more, but
// go in runs: the groups of 256 whose first `x` is a multiple of 256 lie within
// a row each.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_RUNS_H
#define HEDDLE_DIALECT_TILE_RUNS_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace heddle::tile {

/// A launch may be asked whether a number is a multiple of this, or an address
/// a multiple of this many bytes.
inline constexpr int64_t kArgumentMultiple = 16;

/// Of a tile along an axis, cut into groups that begin at multiples of their
/// length. Each field is a power of two, at most kMost.
struct Run {
  static constexpr int64_t kMost = 1 << 16;

  /// Each group of this length holds consecutive numbers, and its first number
  /// is a multiple of the length, so that a sum with a smaller number does not
  /// wrap within it. Of addresses: those of consecutive elements; the first may
  /// be anywhere.
  int64_t length = 1;
  /// Each group of this length holds equal numbers or addresses.
  int64_t same = 1;
  /// Divides the first of each group of `length`; in bytes of addresses.
  int64_t divisor = 1;

  bool operator==(const Run &) const = default;
};

/// Arithmetic may wrap: powers of two divide what is left, and groups end where
/// numbers do. Only the sign of what is divided rests on numbers that do not
/// (KnownSign.h).
class RunFinder {
public:
  /// Whether a launch makes sure that an argument of the kernel is a multiple
  /// of kArgumentMultiple.
  using IsMultiple = std::function<bool(mlir::BlockArgument)>;

  explicit RunFinder(IsMultiple isMultiple = {})
      : isMultiple(std::move(isMultiple)) {}

  /// Of a scalar, along any axis: equal everywhere.
  Run along(mlir::Value value, int64_t axis);

  /// How many elements along `axis` a gather or scatter can access at once, in
  /// no more than `bytes`: they follow one another from a multiple of their
  /// size on, and a mask excludes all or none.
  int64_t elementsAtOnce(mlir::Operation *access, int64_t axis, int64_t bytes);

  /// How many neighbours along `axis` a gather reads at one place, or none of
  /// them.
  int64_t elementsAtOnePlace(mlir::Operation *access, int64_t axis);

private:
  Run compute(mlir::Value value, int64_t axis);
  Run ofArgument(mlir::BlockArgument argument);
  Run ofOp(mlir::Operation *op, mlir::Value result, int64_t axis);
  Run ofSum(const Run &a, const Run &b) const;
  Run ofDifference(const Run &a, const Run &b) const;
  Run ofAddresses(mlir::Value pointers, mlir::Value offsets, int64_t axis);
  Run ofQuotient(mlir::Operation *op, int64_t axis);
  Run ofRemainder(mlir::Operation *op, int64_t axis);
  Run ofBits(mlir::Operation *op, int64_t axis);
  Run ofComparison(mlir::Operation *op, int64_t axis);
  Run ofElements(mlir::Operation *op, int64_t axis);
  int64_t divisorOfAll(mlir::Value value);

  IsMultiple isMultiple;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Run> known;
  int depth = 0;
};

/// The largest power of two that is known to divide an index, at most
/// Run::kMost. It holds for arithmetic that wraps, too.
int64_t knownDivisor(mlir::Value index);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_RUNS_H
