//===- StreamedTiles.h - Decide: which tiles a loop reads its way along -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop streams along an axis of an array if the tile that it loads begins, in
// each iteration, where that of the one before ends. Then the tiles of several
// iterations are one tile, longer along that axis, and so is what is computed
// from them element by element; a product that sums along the axis sums more.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_STREAMEDTILES_H
#define HEDDLE_LIB_TRANSFORMS_STREAMEDTILES_H

#include "AddressForms.h"
#include "Signs.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <string>

namespace heddle {

class StreamedTiles {
public:
  StreamedTiles(mlir::scf::ForOp loop, AddressForms &forms)
      : loop(loop), forms(forms) {}

  /// Empty, or why the tiles of several iterations cannot be one; `culprit` is
  /// the operation because of which.
  std::string find(mlir::Operation *&culprit);

  /// Empty, or why `count` iterations cannot be one. The last of them may be
  /// beyond the loop's end, if what it loads is beyond its array's.
  std::string checkEnds(int64_t count, mlir::Operation *&culprit);

  /// The axis along which a value of the body gets longer.
  std::optional<int64_t> axisOf(mlir::Value value) const;
  /// The tiles of one scalar that the body combines with longer ones.
  bool isUniform(mlir::Value value) const;
  /// The extent along the streamed axis, and how often it may be repeated.
  int64_t extent() const { return length; }
  int64_t mostProducts() const { return limit; }

private:
  using Axis = std::optional<int64_t>;

  std::string visit(mlir::Operation &op);
  std::string visitLoad(tile::LoadOp load);
  std::string visitDot(tile::DotOp dot);
  std::string visitElementwise(mlir::Operation &op);
  std::string checkCarried(mlir::Operation *&culprit);
  bool isInvariant(mlir::Value value);
  std::optional<Polynomial> slopeOf(mlir::Value number);
  bool endsWithLoop(tile::LoadOp load);
  bool isAtLeast(const Polynomial &place, mlir::Value end);
  bool isNotNegative(const Polynomial &number);
  tile::LoadOp zeroSource(mlir::Value value);
  void stream(mlir::Value value, int64_t axis);

  mlir::scf::ForOp loop;
  AddressForms &forms;
  llvm::MapVector<mlir::Value, int64_t> axes;
  llvm::SmallVector<tile::DotOp> sums;
  llvm::SmallPtrSet<mlir::Operation *, 4> carriers; ///< of sums, dot by dot
  llvm::DenseMap<mlir::Value, bool> invariant;
  int64_t length = 0;
  int64_t limit = 0;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_STREAMEDTILES_H
