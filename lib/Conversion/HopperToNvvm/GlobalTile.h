//===- GlobalTile.h - Addresses and bounds of a tile of a view ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the parameters of a view and the layout of a tile. Out: the address of
// each register's element, and whether it lies in the view. Addresses of rows
// and comparisons of an axis are made once and shared: a thread holds many
// elements of few rows, and 64-bit arithmetic for each would fill its
// registers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_GLOBALTILE_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_GLOBALTILE_H

#include "Emitter.h"

#include "llvm/ADT/SmallBitVector.h"

#include <map>

namespace heddle::tonvvm {

/// A view in global memory as one thread sees it. Coordinates are i32, and an
/// unsigned comparison with the extent rejects negative ones too; addresses are
/// 64 bits wide.
///
/// A view of a view has a source instead of a pointer and strides: coordinates
/// go from view to view, down to one in memory.
struct GlobalView {
  int rank = 0;
  llvm::SmallVector<int64_t> order;
  int64_t elementBytes = 2;
  mlir::Value pointer;
  llvm::SmallVector<mlir::Value> dims; ///< by axis, i32
  llvm::SmallVector<mlir::Value>
      strides; ///< by axis, i64; null for the fastest

  /// As tile.window and tile.merge have it.
  struct Window {
    int64_t axis = 0, position = 0, stride = 1, dilation = 1;
    mlir::Value low; ///< i32
  };
  struct Merge {
    int64_t first = 0, last = 0;
  };
  std::shared_ptr<const GlobalView> source;
  std::optional<Window> window; ///< with a source: this
  std::optional<Merge> merge;   ///< or that

  mlir::Value address(Code &code, llvm::ArrayRef<mlir::Value> coords) const;
  mlir::Value isInside(Code &code, llvm::ArrayRef<mlir::Value> coords) const;
  /// Of the widest access from `coord` on along the view's fastest axis `axis`,
  /// the bytes up to the end of the row, if it begins in the row; i32.
  mlir::Value bytesOfAccess(Code &code, int axis, mlir::Value coord) const;
  /// The coordinates of an element of a tile that lies at `offsets`: the tile
  /// covers the last axes.
  llvm::SmallVector<mlir::Value>
  locate(Code &code, llvm::ArrayRef<mlir::Value> offsets,
         llvm::ArrayRef<mlir::Value> inTile) const;

private:
  llvm::SmallVector<mlir::Value>
  toSource(Code &code, llvm::ArrayRef<mlir::Value> coords) const;
  mlir::Value isInside(Code &code, llvm::ArrayRef<mlir::Value> coords,
                       llvm::SmallBitVector known) const;
};

/// Elements around one thread's own coordinate, at constant distances along the
/// tile's axes: addresses of rows and the comparisons of an axis are shared by
/// all that need them.
class GlobalAccess {
public:
  GlobalAccess(Code &code, GlobalView view, llvm::SmallVector<mlir::Value> own,
               int tileRank)
      : code(code), view(std::move(view)), own(std::move(own)),
        missing(this->view.rank - tileRank) {}

  mlir::Value pointer(const machine::Coord &coord);
  mlir::Value isInside(const machine::Coord &coord);

private:
  llvm::SmallVector<mlir::Value> at(const machine::Coord &coord);
  int64_t distance(const machine::Coord &coord, int axis) const {
    return axis < missing ? 0 : coord[axis - missing];
  }

  Code &code;
  GlobalView view;
  llvm::SmallVector<mlir::Value> own;
  int missing; ///< leading axes of the view that the tile lacks
  std::map<machine::Coord, mlir::Value> rows;
  std::map<std::pair<int, int64_t>, mlir::Value> inside;
  std::map<machine::Coord, mlir::Value> rowsInside;
};

/// The coordinate in the view of register 0 of this thread, for a tile at
/// `offsets`.
llvm::SmallVector<mlir::Value>
ownCoordinates(Code &code, const GlobalView &view,
               const machine::Layout &layout, const Threads &threads,
               llvm::ArrayRef<mlir::Value> offsets);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_GLOBALTILE_H
