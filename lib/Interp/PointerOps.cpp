//===- PointerOps.cpp - Addresses, gathers and scatters -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Address arithmetic, gathers and scatters. An address is the host's, as an
// integer, so conversions keep it. Arithmetic checks nothing and accesses do,
// because a program may compute an address that it never follows.
//
//===----------------------------------------------------------------------===//

#include "PointerAccess.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

static LogicalResult runPtrAdd(Interpreter &interpreter, tile::PtrAddOp op) {
  const Datum &address = interpreter.get(op.getPtr());
  const Datum &offset = interpreter.get(op.getOffset());
  Datum result = interpreter.make(op.getResult());
  int64_t elementBytes = getPointee(op.getPtr()).getSizeBytes();
  for (size_t i = 0; i < address.size(); ++i)
    result.integers[i] =
        int64_t(uint64_t(address.integers[i]) +
                uint64_t(offset.element.asSigned(offset.integers[i])) *
                    uint64_t(elementBytes));
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

/// Addresses are numbers, so conversions keep them.
template <typename Op>
static LogicalResult runConversion(Interpreter &interpreter, Op op) {
  Datum result = interpreter.make(op.getResult());
  result.integers = interpreter.get(op.getValue()).integers;
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

static LogicalResult runGather(Interpreter &interpreter, tile::GatherOp op) {
  Datum result = interpreter.make(op.getResult());
  if (op.getOther()) {
    const Datum &other = interpreter.get(op.getOther());
    result.floats = other.floats;
    result.integers = other.integers;
  }
  PointerAccess access(interpreter, op, op.getPtr(), op.getMask());
  if (failed(access.forEachActive(
          [&](int64_t i, void *address) { loadElement(result, i, address); })))
    return failure();
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

static LogicalResult runScatter(Interpreter &interpreter, tile::ScatterOp op) {
  const Datum &value = interpreter.get(op.getValue());
  PointerAccess access(interpreter, op, op.getPtr(), op.getMask());
  return access.forEachActive(
      [&](int64_t i, void *address) { storeElement(value, i, address); });
}

void heddle::interp::addPointerOps(Handlers &handlers) {
  handlers.add<tile::PtrAddOp>(runPtrAdd);
  handlers.add<tile::PtrCastOp>(runConversion<tile::PtrCastOp>);
  handlers.add<tile::IntToPtrOp>(runConversion<tile::IntToPtrOp>);
  handlers.add<tile::PtrToIntOp>(runConversion<tile::PtrToIntOp>);
  handlers.add<tile::GatherOp>(runGather);
  handlers.add<tile::ScatterOp>(runScatter);
}
