//===- GlobalTile.cpp - Addresses and bounds of a tile of a view ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalTile.h"

#include "LinearIndex.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"

using namespace mlir;
using heddle::machine::Coord;

namespace heddle::tonvvm {

/// What a coordinate of a view of a view is in the view behind it.
SmallVector<Value> GlobalView::toSource(Code &code,
                                        ArrayRef<Value> coords) const {
  SmallVector<Value> result(coords);
  if (window) {
    Value place = code.mul(coords[window->position], window->dilation);
    result.erase(result.begin() + window->position);
    Value &number = result[window->axis];
    number = code.sub(code.add(code.mul(number, window->stride), place),
                      window->low);
    return result;
  }
  // Whoever asks behind an empty extent gets nothing, but may ask.
  int64_t first = merge->first;
  Value rest = coords[first];
  for (int64_t axis = merge->last; axis > first; --axis) {
    Value extent = source->dims[axis];
    extent = code.select(code.isEqual(extent, 0), code.i32(1), extent);
    Value quotient = code.divide(rest, extent);
    result.insert(result.begin() + first + 1,
                  code.sub(rest, code.mul(quotient, extent)));
    rest = quotient;
  }
  result[first] = rest;
  return result;
}

/// `known` are the axes along which the element is known to be inside. The
/// extent of merged axes is never multiplied out, since it may have 93 bits.
Value GlobalView::isInside(Code &code, ArrayRef<Value> coords,
                           llvm::SmallBitVector known) const {
  Value all;
  auto require = [&](Value one) {
    if (one)
      all = all ? code.bitAnd(all, one) : one;
  };
  for (int axis = 0; axis < rank; ++axis) {
    if (known.test(axis))
      continue;
    if (!merge || axis != merge->first) {
      require(code.isBelow(coords[axis], dims[axis]));
      continue;
    }
    require(code.isNotNegative(coords[axis]));
    // Nothing is inside of an axis of no elements.
    for (int64_t part = merge->first + 1; part <= merge->last; ++part)
      require(code.logicalNot(code.isEqual(source->dims[part], 0)));
  }
  if (!source)
    return all;
  llvm::SmallBitVector behind(source->rank, true);
  if (window)
    behind.reset(window->axis);
  else if (!known.test(merge->first))
    behind.reset(merge->first);
  require(source->isInside(code, toSource(code, coords), behind));
  return all;
}

Value GlobalView::address(Code &code, ArrayRef<Value> coords) const {
  if (source)
    return source->address(code, toSource(code, coords));
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
  return isInside(code, coords, llvm::SmallBitVector(rank));
}

Value GlobalView::bytesOfAccess(Code &code, int axis, Value coord) const {
  Value left = code.sub(dims[axis], coord);
  return code.select(code.isBelow(left, hopper::kAccessBytes / elementBytes),
                     code.mul(left, elementBytes),
                     code.i32(hopper::kAccessBytes));
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

SmallVector<Value> GlobalAccess::at(const Coord &coord) {
  SmallVector<Value> coords(own);
  for (int axis = 0; axis < view.rank; ++axis)
    coords[axis] = code.add(own[axis], distance(coord, axis));
  return coords;
}

Value GlobalAccess::pointer(const Coord &coord) {
  if (view.source)
    return view.address(code, at(coord));
  int fastest = int(view.order.front());
  Coord row = coord;
  if (fastest >= missing)
    row[fastest - missing] = 0;
  Value &start = rows[row];
  if (!start)
    start = view.address(code, at(row));
  return code.advance(start, distance(coord, fastest) * view.elementBytes);
}

Value GlobalAccess::isInside(const Coord &coord) {
  if (view.source)
    return view.isInside(code, at(coord));
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
