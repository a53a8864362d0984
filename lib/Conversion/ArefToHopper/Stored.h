//===- Stored.h - What goes to a view: a store or a reduction ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile.store or tile.view_reduce. Out: the tile, the view and the
// offsets, which both have. The copy engine serves both by the same path
// through shared memory, so what plans and emits that path asks here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_STORED_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_STORED_H

#include "heddle/Dialect/Tile/Tile.h"

namespace heddle::areftohopper {

class Stored {
public:
  Stored(tile::StoreOp op) : op(op) {}
  Stored(tile::ViewReduceOp op) : op(op) {}
  /// `op` is one of the two.
  explicit Stored(mlir::Operation *op) : op(op) {
    assert((llvm::isa<tile::StoreOp, tile::ViewReduceOp>(op)));
  }

  operator mlir::Operation *() const { return op; }
  mlir::Location getLoc() const { return op->getLoc(); }
  /// Whether it updates what stands in the view.
  bool reduces() const { return llvm::isa<tile::ViewReduceOp>(op); }

  mlir::Value getValue() const {
    return reduces() ? llvm::cast<tile::ViewReduceOp>(op).getValue()
                     : llvm::cast<tile::StoreOp>(op).getValue();
  }
  mlir::TypedValue<tile::ViewType> getView() const {
    return reduces() ? llvm::cast<tile::ViewReduceOp>(op).getView()
                     : llvm::cast<tile::StoreOp>(op).getView();
  }
  mlir::OperandRange getOffsets() const {
    return reduces() ? llvm::cast<tile::ViewReduceOp>(op).getOffsets()
                     : llvm::cast<tile::StoreOp>(op).getOffsets();
  }

private:
  mlir::Operation *op;
};

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_STORED_H
