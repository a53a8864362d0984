//===- DividedPlaces.h - Rewrite: divisions of places, once a tile *- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: places that are divided by a constant, as where axes of an array were
// joined: `x / 768` is the row and `x % 768` the column. Where a tile's places
// follow one another from a multiple of their number on, and the divisor is a
// multiple of that, too, all of them have one quotient, and their remainders
// follow one another. So one number is divided instead of a tile, and what is
// left is a place again. The same goes for a tile of equal numbers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_DIVIDEDPLACES_H
#define HEDDLE_LIB_TRANSFORMS_DIVIDEDPLACES_H

#include "AddressForms.h"
#include "LaunchValues.h"
#include "Signs.h"

namespace heddle {

/// `operand / by` or `operand % by`, however it is spelled.
struct Division {
  int64_t by = 0;
  bool isQuotient = false;
  bool isOfAnySign = false; ///< rounds down for negative numbers, too
};

/// `by` is 0 of what is no such division.
Division divisionOf(mlir::Operation *op);

/// 0, 1, 2, ... along one axis of a tile.
mlir::Value countAlong(mlir::OpBuilder &builder, mlir::RankedTensorType type,
                       int64_t axis);

void divideOncePerTile(AddressForms &forms, Signs &signs, LaunchValues &values,
                       tile::ParallelOp parallel);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_DIVIDEDPLACES_H
