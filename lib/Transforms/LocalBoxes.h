//===- LocalBoxes.h - Decide: boxes whose ends only the device knows ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile of addresses with its mask, of which a launch cannot make a view:
// the length of a sequence is read from memory, no stride is 1, the place may
// be negative. Out: the view that begins at the tile's own first element and
// ends where its mask does, made where the access stands. It assumes nothing of
// signs, strides and ends. Threads copy it, into a ring where a loop with
// products reads it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_LOCALBOXES_H
#define HEDDLE_LIB_TRANSFORMS_LOCALBOXES_H

#include "Boxes.h"
#include "LaunchValues.h"

namespace heddle {

/// Its numbers are those of the scalars that the access itself is made of.
struct LocalBox {
  struct Axis {
    int64_t axis, extent; ///< of the tile
    Polynomial stride;
    /// Places in the tile that the mask includes: at or behind each of the one,
    /// below each of the other.
    std::vector<Polynomial> from, below;
  };
  mlir::Value base; ///< a scalar address
  Polynomial start; ///< of the tile's first element behind it
  std::vector<Axis> axes;
  /// Nothing is accessed unless all of these are above 0.
  std::vector<Polynomial> guards;
  std::optional<size_t> fastest; ///< of `axes`, the one of stride 1
  /// What RecoverViews asks of every box.
  llvm::SmallVector<int64_t> kept;
  bool needsSelect = false;
};

/// Else `reason` says which fact is missing.
std::optional<LocalBox> findLocalBox(AddressForms &forms, mlir::Value pointers,
                                     mlir::Value mask, bool isWrite,
                                     std::string &reason);

/// A view and the place of the box in it.
struct PlacedView {
  mlir::Value view;
  llvm::SmallVector<mlir::Value> offsets;
};

/// Makes the view where the builder stands.
PlacedView makeView(mlir::OpBuilder &builder, mlir::Location loc,
                    LaunchValues &values, const LocalBox &box);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_LOCALBOXES_H
