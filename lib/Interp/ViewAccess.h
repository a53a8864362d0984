//===- ViewAccess.h - The elements of a tile that lie inside a view -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the part of a tile that lies inside of a view. Elements outside are not
// visited, which makes them zero in a load and drops them in a store.
// Coordinates saturate and addresses have 128 bits, because a program may
// choose any offset and stride.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_INTERP_VIEWACCESS_H
#define HEDDLE_LIB_INTERP_VIEWACCESS_H

#include "Interpreter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Run.h"

namespace heddle::interp {

/// The view in memory that `view` is made of, and the coordinates in it; null
/// for what is outside of any view on the way.
const ViewData *toBase(const ViewData &view, Shape &coordinates);

class ViewAccess {
public:
  ViewAccess(Interpreter &interpreter, mlir::Operation *op, mlir::Value view)
      : op(op), memory(interpreter.getMemory()),
        view(*interpreter.get(view).view),
        elementBytes(interpreter.get(view).element.getSizeBytes()) {}

  /// Calls visit(index in the tile, address) for each element of a tile at
  /// `offsets` that is inside the view, in row-major order. The tile covers the
  /// view's last axes and is one element wide along the others.
  template <typename Visit>
  void forEachInside(llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> offsets, Visit visit) {
    size_t missing = offsets.size() - shape.size();
    forEachRow(shape, [&](llvm::ArrayRef<int64_t> coordinates, int64_t index) {
      Shape row(offsets.begin(), offsets.begin() + missing);
      for (size_t axis = 0; axis + 1 < shape.size(); ++axis)
        row.push_back(satAdd(offsets[missing + axis], coordinates[axis]));
      forEachInRow(
          row, offsets.back(), shape.back(),
          [&](int64_t i, void *address) { visit(index + i, address); });
    });
  }

  /// The part inside of `count` elements from `first` on along the last axis;
  /// `row` holds the coordinates along the others.
  template <typename Visit>
  void forEachInRow(llvm::ArrayRef<int64_t> row, int64_t first, int64_t count,
                    Visit visit) {
    if (view.step)
      return forEachMapped(row, first, count, visit);
    // Strides may be any numbers, and an address beyond 64 bits is outside.
    __int128 base = 0;
    for (auto [axis, coordinate] : llvm::enumerate(row)) {
      if (coordinate < 0 || coordinate >= view.shape[axis])
        return;
      base += __int128(coordinate) * view.strides[axis];
    }
    int64_t begin = std::max<int64_t>(0, satSub(0, first));
    int64_t end = std::min(count, satSub(view.shape.back(), first));
    for (int64_t i = begin; i < end; ++i) {
      __int128 element = base + __int128(first + i) * view.strides.back();
      visitElement(view, element, i, visit);
    }
  }

  /// From now on elements lie so many further in memory than the view has them.
  void displace(int64_t elements) { displacement = elements; }

  /// An error if the view itself reaches beyond the kernel's arguments.
  mlir::LogicalResult finish() const {
    if (outside == 0)
      return mlir::success();
    return report(op->getLoc(), diag::outside_arguments)
           << "'" << op->getName() << "' touches " << outside
           << " elements inside its view but outside every argument of the "
              "kernel";
  }

private:
  template <typename Visit>
  void visitElement(const ViewData &data, __int128 element, int64_t i,
                    Visit visit) {
    __int128 exact = data.base + (element + displacement) * elementBytes;
    int64_t address = int64_t(exact);
    if (data.checked &&
        (address != exact || !memory.contains(address, elementBytes))) {
      ++outside;
      return;
    }
    memory.note(address, elementBytes);
    visit(i, reinterpret_cast<void *>(address));
  }

  /// The same of a view that is made of another one, element by element.
  template <typename Visit>
  void forEachMapped(llvm::ArrayRef<int64_t> row, int64_t first, int64_t count,
                     Visit visit) {
    for (int64_t i = 0; i < count; ++i) {
      Shape coordinates(row.begin(), row.end());
      coordinates.push_back(satAdd(first, i));
      const ViewData *base = toBase(view, coordinates);
      if (!base)
        continue;
      __int128 element = 0;
      for (auto [axis, coordinate] : llvm::enumerate(coordinates))
        element += __int128(coordinate) * base->strides[axis];
      visitElement(*base, element, i, visit);
    }
  }

  mlir::Operation *op;
  const Memory &memory;
  const ViewData &view;
  int64_t elementBytes;
  int64_t displacement = 0;
  int64_t outside = 0;
};

} // namespace heddle::interp

#endif // HEDDLE_LIB_INTERP_VIEWACCESS_H
