//===- ViewOps.cpp - Tiles of views ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewAccess.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

static LogicalResult runDim(Interpreter &interpreter, tile::DimOp op) {
  interpreter.setInteger(op.getResult(), interpreter.get(op.getView()).view->shape[op.getAxis()]);
  return success();
}

static LogicalResult runLoad(Interpreter &interpreter, tile::LoadOp op) {
  ViewAccess access(interpreter, op, op.getView());
  Shape offsets = interpreter.getIntegers(op.getOffsets());
  Datum result = interpreter.make(op.getResult());
  access.forEachInside(result.shape, offsets, [&](int64_t index, void *address) {
    if (result.isFloat())
      result.floats[index] = result.element.loadFloat(address);
    else
      result.integers[index] = result.element.loadInteger(address);
  });
  interpreter.set(op.getResult(), std::move(result));
  return access.finish();
}

static LogicalResult runStore(Interpreter &interpreter, tile::StoreOp op) {
  ViewAccess access(interpreter, op, op.getView());
  Shape offsets = interpreter.getIntegers(op.getOffsets());
  const Datum &value = interpreter.get(op.getValue());
  access.forEachInside(value.shape, offsets, [&](int64_t index, void *address) {
    if (value.isFloat())
      value.element.storeFloat(value.floats[index], address);
    else
      value.element.storeInteger(value.integers[index], address);
  });
  return access.finish();
}

void heddle::interp::addViewOps(Handlers &handlers) {
  handlers.add<tile::DimOp>(runDim);
  handlers.add<tile::LoadOp>(runLoad);
  handlers.add<tile::StoreOp>(runStore);
}
