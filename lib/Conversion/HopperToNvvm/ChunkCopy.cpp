//===- ChunkCopy.cpp - A tile to shared memory without registers ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkCopy.h"

#include "SharedPlaces.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using heddle::hopper::kAccessBytes;
using heddle::machine::SharedLayout;

namespace heddle::tonvvm {

ChunkCopy::ChunkCopy(Code &code, const GlobalView &view,
                     const SharedLayout &shape, ArrayRef<Value> offsets,
                     Value base, int64_t threadCount, int64_t unrolled)
    : code(code), view(view), shape(shape), offsets(offsets), base(base),
      threadCount(threadCount), unrolled(unrolled),
      elements(kAccessBytes / shape.elementBytes),
      chunks(shape.shape[shape.fastest()] / elements),
      rowStep(threadCount / chunks) {}

Value ChunkCopy::isAligned() {
  Value column = offsets[along(shape.fastest())];
  Value isBehindFirst = code.isEqual(code.shiftRight(column, 31), 0);
  Value start = code.pointerToInt(view.address(code, offsets));
  Value step = code.mul(view.strides[along(slow())], view.elementBytes);
  return code.bitAnd(isBehindFirst,
                     code.bitAnd(code.isMultiple(start, kAccessBytes),
                                 code.isMultiple(step, kAccessBytes)));
}

/// Does the tile end in the view? The same for all threads.
Value ChunkCopy::isWhole() {
  Value whole;
  for (int axis = 0; axis < view.rank; ++axis) {
    Value places = view.dims[axis];
    if (int own = axis - along(0); own >= 0) {
      Value room = code.sub(places, shape.shape[own] - 1);
      places = code.select(code.isNotNegative(room), room, code.i32(0));
    }
    Value here = code.isBelow(offsets[axis], places);
    whole = whole ? code.bitAnd(whole, here) : here;
  }
  return whole;
}

void ChunkCopy::issueAll(Value thread) {
  code.ifElse(
      isWhole(), [&] { issueWhole(thread); },
      [&] { issueAll(thread, /*whole=*/false); });
}

void ChunkCopy::issueAll(Value thread, bool whole) {
  int64_t rows = shape.shape[slow()] / rowStep,
          batch = std::min(unrolled, rows);
  while (rows % batch)
    --batch;
  if (batch == rows)
    return issue(thread, batch, whole);
  code.forLoop(thread, rows * threadCount, batch * threadCount,
               [&](Value first) { issue(first, batch, whole); });
}

/// The bytes that are read of a chunk at `coords` whose row is in the view: up
/// to the end of the row.
Value ChunkCopy::bytesOf(ArrayRef<Value> coords) {
  int fast = along(shape.fastest());
  Value bytes = view.bytesOfAccess(code, fast, coords[fast]);
  Value inColumn;
  for (int axis = 0; axis < view.rank; ++axis)
    if (axis != along(slow())) {
      Value below = code.isBelow(coords[axis], view.dims[axis]);
      inColumn = inColumn ? code.bitAnd(inColumn, below) : below;
    }
  return code.select(inColumn, bytes, code.i32(0));
}

/// Copies `count` chunks from chunk `first` of the tile on, a row step apart;
/// where the tile is `whole` nothing is asked of each.
void ChunkCopy::issue(Value first, int64_t count, bool whole) {
  int slowest = along(slow());
  SmallVector<Value> local(2);
  local[slow()] = code.divide(first, chunks);
  local[shape.fastest()] = code.mul(code.remainder(first, chunks), elements);
  SmallVector<Value> coords = view.locate(code, offsets, local);
  Value bytes = whole ? Value() : bytesOf(coords);

  // Rows of equal swizzle phase lie a constant distance apart.
  int64_t rowsOfPattern = shape.swizzle ? 8 : 1;
  int64_t period = rowsOfPattern / std::gcd(rowsOfPattern, rowStep);
  Value firstRow = local[slow()];
  SmallVector<Value> starts;
  for (int64_t i = 0; i < std::min(period, count); ++i) {
    local[slow()] = code.add(firstRow, i * rowStep);
    starts.push_back(code.advance(base, sharedOffset(code, local, shape)));
  }

  Value pointer = view.address(code, coords);
  Value step = code.mul(view.strides[slowest], rowStep * view.elementBytes);
  for (int64_t i = 0; i < count; ++i) {
    Value size;
    if (!whole) {
      Value row = code.add(coords[slowest], i * rowStep);
      size = code.select(code.isBelow(row, view.dims[slowest]), bytes,
                         code.i32(0));
    }
    int64_t rows = i / period * period * rowStep;
    code.copyAsync(code.advance(starts[i % period], rows * shape.rowBytes()),
                   pointer, size);
    pointer = code.advance(pointer, step);
  }
}

} // namespace heddle::tonvvm
