//===- EmitCopy.cpp - A tile of a view to shared memory, without TMA --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neighbouring threads take neighbouring elements of the view's fastest axis, so
// accesses coalesce whatever the alignment. Elements are numbered along the tile's
// own order, thread t of n takes t, t + n, ...; a batch of loads is under way
// before its first store, to hide latency.
//
//===----------------------------------------------------------------------===//

#include "GlobalTile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using heddle::machine::Coord;
using heddle::machine::SharedLayout;

namespace heddle::tonvvm {

static constexpr int64_t kBatch = 16;

/// The coordinates in the tile of element `number`, fastest axis first.
static SmallVector<Value> unrank(Code &code, Value number, const SharedLayout &shape) {
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

/// The byte offset of an element, swizzled.
static Value sharedOffset(Code &code, ArrayRef<Value> coords, const SharedLayout &shape) {
  Value column = coords[shape.fastest()];
  Value row = code.i32(0);
  for (int i = shape.rank - 1; i >= 1; --i)
    row = code.add(code.mul(row, shape.shape[shape.order[i]]), coords[shape.order[i]]);
  Value box = code.divide(column, shape.boxWidth());
  Value inRow = code.mul(code.remainder(column, shape.boxWidth()), shape.elementBytes);
  if (shape.swizzle) {
    Value phase = code.remainder(code.divide(row, 128 / shape.swizzle), shape.swizzle / 16);
    inRow = code.bitXor(inRow, code.mul(phase, 16));
  }
  return code.add(code.add(code.mul(box, shape.boxBytes()), code.mul(row, shape.rowBytes())), inRow);
}

LogicalResult Emitter::emitCopy(hopper::CopyOp op) {
  if (threads.isSingle())
    return op.emitError("needs all threads of a process, but this one runs elected");
  Code code(builder, op.getLoc());
  hopper::SmemType tile = op.getTile().getType();
  SharedLayout shape = hopper::getSharedLayout(tile);
  GlobalView view = globalView(code, op.getView());
  Registers offsets = flatten(op.getOffsets());
  Value base = scalar(op.getTile());
  int64_t threadCount = threads.process.getWarps() * 32;
  int64_t elements = shape.bytes() / shape.elementBytes;

  auto copyBatch = [&](Value first, int64_t count) {
    SmallVector<Value> values, targets, valid;
    for (int64_t i = 0; i < count; ++i) {
      Value number = code.add(first, i * threadCount);
      SmallVector<Value> coords = unrank(code, number, shape);
      targets.push_back(code.advance(base, sharedOffset(code, coords, shape)));
      for (auto [axis, coord] : llvm::enumerate(coords))
        coord = code.add(offsets[axis], coord);
      values.push_back(code.loadGlobalIf(view.isInside(code, coords), tile.getElementType(),
                                         view.address(code, coords)));
      valid.push_back(code.isBelow(number, elements));
    }
    for (auto [value, target, isElement] : llvm::zip(values, targets, valid)) {
      auto store = [&, value = value, target = target] {
        code.store(value, target, shape.elementBytes);
      };
      if (elements % threadCount)
        code.ifThen(isElement, store);
      else
        store();
    }
  };
  int64_t each = llvm::divideCeil(elements, threadCount);
  int64_t whole = each / kBatch * kBatch * threadCount;
  if (whole)
    code.forLoop(threads.thread, whole, kBatch * threadCount,
                 [&](Value first) { copyBatch(first, kBatch); });
  if (each % kBatch)
    copyBatch(code.add(threads.thread, whole), each % kBatch);
  return success();
}

} // namespace heddle::tonvvm
