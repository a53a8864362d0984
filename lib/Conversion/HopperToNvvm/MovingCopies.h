//===- MovingCopies.h - Copies whose tiles move along a loop ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a copy under way of a view that is made in a loop. Out: how the address
// of its tile moves, and what must be so for the tile to end in the view.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_MOVINGCOPIES_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_MOVINGCOPIES_H

#include "LoopMotion.h"

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::tonvvm {

/// A copy in a loop, and how the address of its tile's first element moves
/// while the tile is whole.
struct MovingCopy {
  hopper::CopyOp copy;
  tile::MakeViewOp view;
  Motion motion;

  int64_t elementBytes();
};

/// Of a view along an axis, in elements: the 64 bits that an index was made of,
/// if there are some.
mlir::Value strideOf(tile::MakeViewOp view, int64_t axis);

/// Finds what a loop's copies need to be whole.
class MovingCopies {
public:
  MovingCopies(mlir::scf::ForOp loop, int64_t threads)
      : threads(threads), numbers(loop) {}

  std::optional<MovingCopy> find(hopper::CopyOp copy);
  const Claim &claim(unsigned number) const { return numbers.claim(number); }
  /// How much a number grows under nothing but `claims`, if that is a constant.
  std::optional<int64_t> findStep(mlir::Value number,
                                  llvm::ArrayRef<unsigned> claims);

private:
  bool needsInside(Motion &motion, mlir::Value offset, mlir::Value extent,
                   int64_t length);
  bool addDistance(Motion &motion, mlir::Value offset, mlir::Value stride);

  int64_t threads; ///< that copy
  LoopMotion numbers;
};

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_MOVINGCOPIES_H
