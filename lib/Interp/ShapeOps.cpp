//===- ShapeOps.cpp - Ops that move elements ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

namespace {

void copyElement(Datum &to, int64_t toIndex, const Datum &from, int64_t fromIndex) {
  if (to.isFloat())
    to.floats[toIndex] = from.floats[fromIndex];
  else
    to.integers[toIndex] = from.integers[fromIndex];
}

LogicalResult runSplat(Interpreter &interpreter, tile::SplatOp op) {
  const Datum &value = interpreter.get(op.getValue());
  Datum result = interpreter.make(op.getResult());
  for (size_t i = 0; i < result.size(); ++i)
    copyElement(result, i, value, 0);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

/// The same elements in another shape.
template <typename Op> LogicalResult runReshaping(Interpreter &interpreter, Op op) {
  const Datum &value = interpreter.get(op.getValue());
  Datum result = interpreter.make(op.getResult());
  result.floats = value.floats;
  result.integers = value.integers;
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

LogicalResult runBroadcast(Interpreter &interpreter, tile::BroadcastOp op) {
  const Datum &value = interpreter.get(op.getValue());
  Datum result = interpreter.make(op.getResult());
  size_t rank = value.shape.size();
  Shape strides(rank, 0); // of the source; 0 along repeated axes
  int64_t stride = 1;
  for (size_t axis = rank; axis-- > 0; stride *= value.shape[axis])
    strides[axis] = value.shape[axis] == 1 ? 0 : stride;
  forEachRow(result.shape, [&](ArrayRef<int64_t> coordinates, int64_t index) {
    int64_t source = 0;
    for (size_t axis = 0; axis + 1 < rank; ++axis)
      source += coordinates[axis] * strides[axis];
    for (int64_t i = 0; i < result.shape.back(); ++i)
      copyElement(result, index + i, value, source + i * strides.back());
  });
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

} // namespace

void heddle::interp::addShapeOps(Handlers &handlers) {
  handlers.add<tile::SplatOp>(runSplat);
  handlers.add<tile::ExpandDimsOp>(runReshaping<tile::ExpandDimsOp>);
  handlers.add<tile::BroadcastOp>(runBroadcast);
}
