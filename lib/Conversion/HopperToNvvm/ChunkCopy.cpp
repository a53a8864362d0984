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

void ChunkCopy::issueAll(Value thread) {
  int64_t rows = shape.shape[slow()] / rowStep,
          batch = std::min(unrolled, rows);
  while (rows % batch)
    --batch;
  if (batch == rows)
    return issue(thread, batch);
  code.forLoop(thread, rows * threadCount, batch * threadCount,
               [&](Value first) { issue(first, batch); });
}

/// Copies `count` chunks from chunk `first` of the tile on, a row step apart.
void ChunkCopy::issue(Value first, int64_t count) {
  int fast = along(shape.fastest()), slowest = along(slow());
  SmallVector<Value> local(2);
  local[slow()] = code.divide(first, chunks);
  local[shape.fastest()] = code.mul(code.remainder(first, chunks), elements);
  SmallVector<Value> coords = view.locate(code, offsets, local);

  // Of a chunk that begins inside, the bytes up to the end of the row.
  Value left = code.add(view.dims[fast], code.mul(coords[fast], -1));
  Value bytes =
      code.select(code.isBelow(left, elements),
                  code.mul(left, shape.elementBytes), code.i32(kAccessBytes));
  Value inColumn;
  for (int axis = 0; axis < view.rank; ++axis)
    if (axis != slowest) {
      Value below = code.isBelow(coords[axis], view.dims[axis]);
      inColumn = inColumn ? code.bitAnd(inColumn, below) : below;
    }
  bytes = code.select(inColumn, bytes, code.i32(0));

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
    Value row = code.add(coords[slowest], i * rowStep);
    Value size =
        code.select(code.isBelow(row, view.dims[slowest]), bytes, code.i32(0));
    int64_t rows = i / period * period * rowStep;
    code.copyAsync(code.advance(starts[i % period], rows * shape.rowBytes()),
                   pointer, size);
    pointer = code.advance(pointer, step);
  }
}

} // namespace heddle::tonvvm
