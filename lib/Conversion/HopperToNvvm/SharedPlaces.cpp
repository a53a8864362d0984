//===- SharedPlaces.cpp - Where a tile's elements lie in a slot -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedPlaces.h"

using namespace mlir;
using heddle::machine::SharedLayout;

namespace heddle::tonvvm {

SmallVector<Value> unrank(Code &code, Value number, const SharedLayout &shape) {
  SmallVector<Value> coords(shape.rank);
  for (int i = 0; i < shape.rank; ++i) {
    int axis = shape.order[i];
    bool last = i + 1 == shape.rank;
    coords[axis] = last ? number : code.remainder(number, shape.shape[axis]);
    if (!last)
      number = code.divide(number, shape.shape[axis]);
  }
  return coords;
}

Value sharedOffset(Code &code, ArrayRef<Value> coords,
                   const SharedLayout &shape) {
  Value column = coords[shape.fastest()];
  Value row = code.i32(0);
  for (int i = shape.rank - 1; i >= 1; --i)
    row = code.add(code.mul(row, shape.shape[shape.order[i]]),
                   coords[shape.order[i]]);
  Value box = code.divide(column, shape.boxWidth());
  Value inRow =
      code.mul(code.remainder(column, shape.boxWidth()), shape.elementBytes);
  if (shape.swizzle) {
    Value phase = code.remainder(code.divide(row, 128 / shape.swizzle),
                                 shape.swizzle / 16);
    inRow = code.bitXor(inRow, code.mul(phase, 16));
  }
  return code.add(code.add(code.mul(box, shape.boxBytes()),
                           code.mul(row, shape.rowBytes())),
                  inRow);
}

} // namespace heddle::tonvvm
