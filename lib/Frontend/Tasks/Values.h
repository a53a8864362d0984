//===- Values.h - What the values of a variant stand for --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While the tree of instances is walked, each value of a variant stands for
// something of the kernel: an index for a number, a tensor for a box of a view
// or for a tile. These are plain data; Lowering.h walks.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_TASKS_VALUES_H
#define HEDDLE_LIB_FRONTEND_TASKS_VALUES_H

#include "heddle/Dialect/Task/Task.h"
#include "heddle/Dialect/Tile/Tile.h"

#include <optional>

namespace heddle::task {

/// A prange whose iterations become one: each does its part of whole tiles.
struct Fold {
  PrangeOp op;
  int64_t parts = 0;
};

/// An index. What is known of it is kept, so that the kernel says it as a
/// person would: a loop over blocks goes through the places where they begin.
struct Number {
  /// Null where one of the forms below makes it when it is wanted.
  mlir::Value value;
  /// Known at compile time: a number, or the name of a parameter.
  std::optional<tile::Extent> known;
  /// The number of blocks of extent `unit` that cover `covered`.
  mlir::Value covered;
  /// `multiple` over `unit`, without a rest.
  mlir::Value multiple;
  tile::Extent unit;
  /// Less than this; -1 where that is not known.
  int64_t below = -1;
  /// The index of a prange that is folded.
  const Fold *fold = nullptr;

  bool isNumber() const { return known && !known->name; }
};

/// A tensor along one axis.
struct Axis {
  /// Of the piece; unknown (dynamic, without a name) where only a launch knows.
  tile::Extent extent;
  /// Where it begins in the view; null for 0.
  mlir::Value offset;
  /// The piece is one of `fold->parts` that make up `extent`.
  const Fold *fold = nullptr;

  bool isKnown() const {
    return extent.name || !mlir::ShapedType::isDynamic(extent.size);
  }
};

/// A tile that launches read and write.
struct Cell {
  mlir::Value value; ///< null: undefined
  llvm::SmallVector<tile::Extent> extents;
  mlir::Type elementType;
  mlir::Location place;
  /// Of the kernel's arguments that which it was loaded from, until something
  /// is written to it; -1 for what is computed.
  int64_t source = -1;
  /// A copy of a piece in global memory, which may reach beyond an edge. There
  /// the piece reads as zero for ever, and a tile as what was written.
  bool isPiece = false, isWritten = false;
};

/// A tensor, or a piece of one.
struct Tensor {
  /// In global memory: the view.
  mlir::Value view;
  /// Below: the tile.
  Cell *cell = nullptr;
  llvm::SmallVector<Axis> axes;
  /// In global memory: it is there only if this holds; null for always.
  mlir::Value condition;

  bool isGlobal() const { return bool(view); }
};

} // namespace heddle::task

#endif // HEDDLE_LIB_FRONTEND_TASKS_VALUES_H
