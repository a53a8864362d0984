//===- MovedTiles.h - Tiles that iterations move by numbers of their own ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop with products that carries tiles of places or addresses, to which
// an iteration adds one number that it makes itself, such as the distance to
// the next block of a list. Out: what the tile began with, plus the sum of
// these numbers, which is carried in its place: a box whose place is a number,
// where tiles of addresses take two registers an element. Tiles that move by
// multiples of one number share its sum.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_MOVEDTILES_H
#define HEDDLE_LIB_TRANSFORMS_MOVEDTILES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle {

/// Writes the loop's tiles so, in a loop that takes its place.
void sumMoves(mlir::scf::ForOp loop);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_MOVEDTILES_H
