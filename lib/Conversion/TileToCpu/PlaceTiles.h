//===- PlaceTiles.h - Which tiles of a kernel are in memory -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with tiles of static shape. Out: the tiles that have a place in
// the worker's memory, and where; all others are computed, some lanes at a
// time, where they are used. The one decision about memory: whoever writes code
// asks here.
//
// A tile has a place if it is used more than once, or elsewhere than where it
// is made, or if a loop carries it, a product adds to it, or a reduction or a
// permutation reads or makes it. Tiles that a product or a loop replaces, and
// that nobody else reads, share the place with what takes their place.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_TILETOCPU_PLACETILES_H
#define HEDDLE_LIB_CONVERSION_TILETOCPU_PLACETILES_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Processor.h"

namespace heddle::dense {

/// The tile of accumulators that stays in registers while a product is summed.
struct RegisterTile {
  int64_t rows = 1, vectors = 1;
};

/// The fastest for tiles of rows x columns elements by the processor's figures.
RegisterTile chooseRegisterTile(int64_t rows, int64_t columns, int64_t lanes,
                                const machine::Processor &processor);

/// A tile in memory: its first byte, and the distance of neighbours by axis.
struct Place {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// Packed operands of a product.
struct DotPlaces {
  RegisterTile registers;
  int64_t a = 0, b = 0; ///< offsets
  int64_t aRow = 0;     ///< elements of a row of the left operand
};

struct TilePlan {
  llvm::DenseMap<mlir::Value, unsigned> placeOf;
  llvm::SmallVector<Place> places;
  llvm::DenseMap<mlir::Operation *, DotPlaces> dots;
  /// Where a row is put together whose elements lie in several runs: by loads
  /// and stores.
  llvm::DenseMap<mlir::Operation *, int64_t> rows;
  /// Where loops keep what they carry on while other tiles take its place.
  llvm::DenseMap<mlir::OpOperand *, Place> copies;
  int64_t bytes = 0;

  const Place *find(mlir::Value tile) const {
    auto found = placeOf.find(tile);
    return found == placeOf.end() ? nullptr : &places[found->second];
  }
  bool shareAPlace(mlir::Value a, mlir::Value b) const {
    auto first = placeOf.find(a), second = placeOf.find(b);
    return first != placeOf.end() && second != placeOf.end() &&
           first->second == second->second;
  }
};

TilePlan placeTiles(tile::KernelOp kernel, const machine::Processor &processor);

/// Lanes of a vector of elements of this type: as many as of its arithmetic.
int64_t lanesOf(mlir::Type element, const machine::Processor &processor);

/// Each element is made of those at its place in the operands.
bool goesByElement(mlir::Operation *op);

/// A result whose elements are those of the operand, in other places or
/// repeated, which needs no memory of its own.
bool isAnotherName(mlir::Operation *op);

/// The argument that a view or an address leads to; null if it is not clear.
mlir::Value originOf(mlir::Value address);

} // namespace heddle::dense

#endif // HEDDLE_LIB_CONVERSION_TILETOCPU_PLACETILES_H
