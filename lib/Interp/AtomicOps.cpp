//===- AtomicOps.cpp - Atomic updates, one after the other ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Atomic updates at tiles of addresses and of tiles in views. Elements are
// updated one after the other in row-major order, which is one of the orders
// that the rung allows. Each update is rounded or wrapped, as memory of the
// element type would do it.
//
//===----------------------------------------------------------------------===//

#include "PointerAccess.h"
#include "ViewAccess.h"

#include <cmath>

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

namespace {

double updateFloat(tile::RmwKind kind, double old, double value) {
  switch (kind) {
  case tile::RmwKind::FAdd:
    return old + value;
  case tile::RmwKind::Min:
    return std::fmin(old, value);
  case tile::RmwKind::Max:
    return std::fmax(old, value);
  default:
    return value;
  }
}

int64_t updateInteger(tile::RmwKind kind, const Element &element, int64_t old,
                      int64_t value) {
  switch (kind) {
  case tile::RmwKind::Add:
    return int64_t(uint64_t(old) + uint64_t(value));
  case tile::RmwKind::Min:
    return element.asSigned(old) < element.asSigned(value) ? old : value;
  case tile::RmwKind::Max:
    return element.asSigned(old) > element.asSigned(value) ? old : value;
  case tile::RmwKind::UMin:
    return element.asUnsigned(old) < element.asUnsigned(value) ? old : value;
  case tile::RmwKind::UMax:
    return element.asUnsigned(old) > element.asUnsigned(value) ? old : value;
  case tile::RmwKind::And:
    return old & value;
  case tile::RmwKind::Or:
    return old | value;
  case tile::RmwKind::Xor:
    return old ^ value;
  default:
    return value;
  }
}

/// Updates the element at an address with element `index` of `value`.
void update(tile::RmwKind kind, const Datum &value, int64_t index,
            void *address) {
  const Element &element = value.element;
  if (value.isFloat()) {
    double next =
        updateFloat(kind, element.loadFloat(address), value.floats[index]);
    element.storeFloat(element.round(next), address);
  } else {
    int64_t next = updateInteger(kind, element, element.loadInteger(address),
                                 value.integers[index]);
    element.storeInteger(element.wrap(next), address);
  }
}

LogicalResult runAtomicRmw(Interpreter &interpreter, tile::AtomicRmwOp op) {
  const Datum &value = interpreter.get(op.getValue());
  Datum result = interpreter.make(op.getResult());
  PointerAccess access(interpreter, op, op.getPtr(), op.getMask());
  if (failed(access.forEachActive([&](int64_t i, void *address) {
        loadElement(result, i, address);
        update(op.getKind(), value, i, address);
      })))
    return failure();
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

/// Compares bits, so that +0 is not -0 and a NaN is itself.
bool sameBits(const Datum &x, const Datum &y, int64_t index) {
  if (!x.isFloat())
    return x.integers[index] == y.integers[index];
  return x.element.toBits(x.floats[index]) == y.element.toBits(y.floats[index]);
}

LogicalResult runAtomicCas(Interpreter &interpreter, tile::AtomicCasOp op) {
  const Datum &expected = interpreter.get(op.getExpected());
  const Datum &value = interpreter.get(op.getValue());
  Datum result = interpreter.make(op.getResult());
  PointerAccess access(interpreter, op, op.getPtr(), op.getMask());
  if (failed(access.forEachActive([&](int64_t i, void *address) {
        loadElement(result, i, address);
        if (sameBits(result, expected, i))
          storeElement(value, i, address);
      })))
    return failure();
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

LogicalResult runViewReduce(Interpreter &interpreter, tile::ViewReduceOp op) {
  const Datum &value = interpreter.get(op.getValue());
  if (value.isSpare)
    return success();
  ViewAccess access(interpreter, op, op.getView());
  access.forEachInside(value.shape, interpreter.getIntegers(op.getOffsets()),
                       [&](int64_t i, void *address) {
                         update(op.getKind(), value, i, address);
                       });
  return access.finish();
}

} // namespace

void heddle::interp::addAtomicOps(Handlers &handlers) {
  handlers.add<tile::AtomicRmwOp>(runAtomicRmw);
  handlers.add<tile::AtomicCasOp>(runAtomicCas);
  handlers.add<tile::ViewReduceOp>(runViewReduce);
}
