//===- GlobalTile.cpp - Addresses and bounds of a tile of a view ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalTile.h"

#include "LinearIndex.h"

using namespace mlir;
using heddle::machine::Coord;

namespace heddle::tonvvm {

Value GlobalView::address(Code &code, ArrayRef<Value> coords) const {
  // The row's address on its own: loops along rows keep it.
  Value row;
  for (int64_t axis : ArrayRef<int64_t>(order).drop_front()) {
    Value term = code.mul(code.signExtend(coords[axis]), strides[axis]);
    row = row ? code.add(row, term) : term;
  }
  Value start =
      row ? code.advance(pointer, code.mul(row, elementBytes)) : pointer;
  return code.advance(
      start, code.mul(code.signExtend(coords[order.front()]), elementBytes));
}

Value GlobalView::isInside(Code &code, ArrayRef<Value> coords) const {
  Value all;
  for (int axis = 0; axis < rank; ++axis) {
    Value one = code.isBelow(coords[axis], dims[axis]);
    all = all ? code.bitAnd(all, one) : one;
  }
  return all;
}

SmallVector<Value> GlobalView::locate(Code &code, ArrayRef<Value> offsets,
                                      ArrayRef<Value> inTile) const {
  SmallVector<Value> coords(offsets);
  for (auto [axis, value] : llvm::enumerate(inTile)) {
    Value &coord = coords[offsets.size() - inTile.size() + axis];
    coord = code.add(coord, value);
  }
  return coords;
}

Value GlobalAccess::pointer(const Coord &coord) {
  int fastest = int(view.order.front());
  Coord row = coord;
  if (fastest >= missing)
    row[fastest - missing] = 0;
  Value &start = rows[row];
  if (!start) {
    SmallVector<Value> coords(own);
    for (int axis = 0; axis < view.rank; ++axis)
      coords[axis] = code.add(own[axis], distance(row, axis));
    start = view.address(code, coords);
  }
  return code.advance(start, distance(coord, fastest) * view.elementBytes);
}

Value GlobalAccess::isInside(const Coord &coord) {
  int fastest = int(view.order.front());
  auto below = [&](int axis) {
    int64_t away = distance(coord, axis);
    Value &known = inside[{axis, away}];
    if (!known)
      known = code.isBelow(code.add(own[axis], away), view.dims[axis]);
    return known;
  };
  Coord row = coord;
  if (fastest >= missing)
    row[fastest - missing] = 0;
  Value &rowInside = rowsInside[row];
  if (!rowInside && view.rank > 1)
    for (int axis = 0; axis < view.rank; ++axis)
      if (axis != fastest)
        rowInside =
            rowInside ? code.bitAnd(rowInside, below(axis)) : below(axis);
  Value column = below(fastest);
  return rowInside ? code.bitAnd(rowInside, column) : column;
}

SmallVector<Value> ownCoordinates(Code &code, const GlobalView &view,
                                  const machine::Layout &layout,
                                  const Threads &threads,
                                  ArrayRef<Value> offsets) {
  SmallVector<Value> inTile;
  for (int axis = 0; axis < layout.rank; ++axis)
    inTile.push_back(
        emitThreadSum(code, layout, threads,
                      [&](const Coord &vector) { return vector[axis]; }));
  return view.locate(code, offsets, inTile);
}

} // namespace heddle::tonvvm
