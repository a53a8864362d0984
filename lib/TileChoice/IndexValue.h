//===- IndexValue.h - Scalar arithmetic at given extents --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a scalar of the kernel, and extents. Out: its value as a floating-point
// number. The kernel's own arithmetic says how often its loops run, so the
// estimate needs no description of the program; in fractions it favours no tile
// for dividing a size that nobody has given.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_INDEXVALUE_H
#define HEDDLE_LIB_TILECHOICE_INDEXVALUE_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/TileChoice/TileChoice.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace heddle::tilechoice {

/// What a loop counts.
struct Iterations {
  double from = 0, step = 1;
  double number = 0; ///< of iterations; of a ragged last one, its share

  double whole() const;
};

/// Evaluates a kernel's bounds. In fractions, a division that rounds up does
/// not: 4096 rows are 21.3 tiles of 192.
class IndexEvaluator {
public:
  IndexEvaluator(tile::KernelOp kernel, const Extents &extents,
                 bool inFractions);

  /// From now on `value` is `number`, and what was computed is forgotten.
  void bind(mlir::Value value, double number);
  /// From now on the kernel is seen by worker `id` of `count`.
  void bindWorker(double id, double count);
  /// Nothing if it depends on memory or on a float.
  std::optional<double> evaluate(mlir::Value value);
  /// Nothing where one of its bounds has no value, or where it makes no way.
  std::optional<Iterations> iterationsOf(mlir::scf::ForOp loop);

private:
  std::optional<double> compute(mlir::Value value);
  std::optional<double> computeArgument(mlir::BlockArgument argument);
  std::optional<double> computeExtent(mlir::Value view, int64_t axis);

  tile::KernelOp kernel;
  const Extents &extents;
  bool inFractions;
  llvm::SmallVector<mlir::Value> workerIds, workerCounts;
  llvm::DenseMap<mlir::Value, double> bound;
  llvm::DenseMap<mlir::Value, std::optional<double>> known;
};

/// Is `value` made of `other`?
bool dependsOn(mlir::Value value, mlir::Value other);

/// Are all extents of the kernel's views given?
bool areAllGiven(tile::KernelOp kernel, const Extents &extents);

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_INDEXVALUE_H
