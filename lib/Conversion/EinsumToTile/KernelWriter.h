//===- KernelWriter.h - What every sparse kernel is made of -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes operations of the tile rung: numbers, accesses through pointers by
// one element or by a tile of them, sums and products of a semiring on either.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_EINSUMTOTILE_KERNELWRITER_H
#define HEDDLE_LIB_CONVERSION_EINSUMTOTILE_KERNELWRITER_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Sparse/Statement.h"

#include "mlir/IR/Builders.h"

namespace heddle {

/// One number, or one for each lane: those from `scalar` on, or a tile.
struct Place {
  mlir::Value scalar; ///< index; null for a tile
  mlir::Value tile;   ///< tensor<Wxi64>; null for one number and for a run
  bool isRun = false; ///< scalar, scalar + 1, ...

  bool isOne() const { return scalar && !isRun; }
};

class KernelWriter {
public:
  KernelWriter(mlir::OpBuilder &builder, mlir::Location loc,
               const sparse::Statement &statement, int width);

  // Numbers of type index.
  mlir::Value number(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value isLess(mlir::Value a, mlir::Value b);
  mlir::Value isEqual(mlir::Value a, mlir::Value b);
  // Words of 64 bits.
  mlir::Value word(int64_t value);
  mlir::Value toWord(mlir::Value index);
  mlir::Value toIndex(mlir::Value word);

  /// parent * extent + coordinate.
  Place below(const Place &parent, mlir::Value extent, const Place &coordinate);

  /// The element at a place of an array, or a tile of them; elements that
  /// `mask` excludes are 0. Numbers shorter than sums become these, and are
  /// rounded when they are stored.
  mlir::Value load(mlir::Value array, const Place &place, mlir::Value mask);
  void store(mlir::Value value, mlir::Value array, const Place &place,
             mlir::Value mask);
  mlir::Value load(mlir::Value array, mlir::Value index) {
    return load(array, Place{index, {}, false}, {});
  }
  void store(mlir::Value value, mlir::Value array, mlir::Value index) {
    store(value, array, Place{index, {}, false}, {});
  }
  /// The same by coordinates of a view, as sums' type; the last may be a run.
  /// Outside of a view is 0, and nothing is written.
  mlir::Value loadView(mlir::Value view, llvm::ArrayRef<Place> places);
  void storeView(mlir::Value value, mlir::Value view,
                 llvm::ArrayRef<Place> places);
  /// An element of positions or coordinates as an index.
  mlir::Value loadIndex(mlir::Value array, mlir::Value index);
  /// A tile of coordinates, as 64-bit integers.
  mlir::Value loadIndices(mlir::Value array, const Place &place,
                          mlir::Value mask);

  /// The first `count` lanes.
  mlir::Value maskOf(mlir::Value count);

  /// Of sums.
  mlir::Type element() const { return elementType; }
  mlir::Value zero(bool isTile);
  /// acc + factor * factor * ...
  mlir::Value addProduct(mlir::Value acc, mlir::ValueRange factors);
  mlir::Value sum(mlir::Value a, mlir::Value b);
  /// The sum of a tile's elements.
  mlir::Value sumOfLanes(mlir::Value tile);
  /// `tile` where the mask is set, the semiring's zero elsewhere.
  mlir::Value orZero(mlir::Value tile, mlir::Value mask);
  mlir::Value product(mlir::ValueRange factors);

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  mlir::Value cast(mlir::Value value, mlir::Type element);
  mlir::Value widen(mlir::Value value);
  mlir::Value splat(mlir::Value scalar);
  mlir::Value iota();
  mlir::Value toTile(const Place &place);
  mlir::Value address(mlir::Value array, const Place &place);
  bool isTile(mlir::Value value);
  mlir::RankedTensorType boxType(llvm::ArrayRef<Place> places,
                                 mlir::Type element);
  /// Scalars beside tiles become tiles.
  llvm::SmallVector<mlir::Value> alike(mlir::ValueRange values);

  const sparse::Statement &statement;
  mlir::Type elementType;
  int width;
};

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_EINSUMTOTILE_KERNELWRITER_H
