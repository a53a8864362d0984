//===- RowCopy.cpp - Rows that memory names to shared memory --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowCopy.h"

#include "SharedAccess.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"

#include <limits>

using namespace mlir;
using heddle::hopper::kAccessBytes;
using heddle::machine::Coord;
using heddle::machine::Layout;

namespace heddle::tonvvm {

static int64_t threadsOf(hopper::ProcessOp process) {
  return process.getWarps() * 32;
}

/// The register of `rows` that holds row `row` of the thread.
static int findRow(const Layout &rows, int axis, int64_t row) {
  for (int index = 0; index < rows.registerCount(); ++index)
    if (rows.registerCoordinate(index)[axis] == row)
      return index;
  llvm_unreachable("bug in heddle: a thread copies a row without its place");
}

RowPlace::RowPlace(Code &code, const Layout &rows, ArrayRef<Value> places,
                   int axis, int64_t row)
    : elements(places[findRow(rows, axis, row)]),
      exists(code.logicalNot(
          code.isEqual(elements, std::numeric_limits<int64_t>::min()))) {}

RowCopy::RowCopy(Code &code, const GlobalView &view, hopper::SmemType tile,
                 const Threads &threads, ArrayRef<Value> offsets, Value base,
                 ArrayRef<Value> places)
    : code(code), view(view), shape(hopper::getSharedLayout(tile)),
      element(registerType(tile.getElementType())) {
  int64_t threadCount = threadsOf(threads.process);
  Layout layout = hopper::chunkLayout(tile, threadCount),
         rows = hopper::rowsLayout(tile, threadCount);
  SharedAccess shared(code, layout, shape, threads, base);
  int slow = shape.order[1];
  int64_t elements = kAccessBytes / shape.elementBytes;
  SmallVector<Value> own = ownCoordinates(code, view, layout, threads, offsets);
  auto along = [&](int axis) { return view.rank - 2 + axis; };
  for (int first = 0; first < layout.registerCount(); first += elements) {
    Chunk chunk;
    Coord coord = layout.registerCoordinate(first);
    chunk.target = shared.pointer(coord);
    SmallVector<Value> at = own;
    for (int axis = 0; axis < 2; ++axis)
      at[along(axis)] = code.add(at[along(axis)], coord[axis]);
    RowPlace place(code, rows, places, slow, coord[slow]);
    chunk.exists = place.exists;
    for (int axis = 0; axis < view.rank; ++axis)
      if (axis != along(shape.fastest()))
        chunk.exists =
            code.bitAnd(chunk.exists, code.isBelow(at[axis], view.dims[axis]));
    chunk.pointer = code.advance(view.address(code, at),
                                 code.mul(place.elements, view.elementBytes));
    chunk.column = at[along(shape.fastest())];
    chunks.push_back(chunk);
  }
}

Value RowCopy::isAligned() {
  Value all;
  for (const Chunk &chunk : chunks) {
    Value start = code.pointerToInt(chunk.pointer);
    Value one = code.bitAnd(code.isMultiple(start, kAccessBytes),
                            code.isEqual(code.shiftRight(chunk.column, 31), 0));
    all = all ? code.bitAnd(all, one) : one;
  }
  return all;
}

void RowCopy::issueAll() {
  int fast = view.rank - 2 + shape.fastest();
  for (const Chunk &chunk : chunks) {
    Value bytes = view.bytesOfAccess(code, fast, chunk.column);
    Value isThere =
        code.bitAnd(chunk.exists, code.isBelow(chunk.column, view.dims[fast]));
    code.copyAsync(chunk.target, chunk.pointer,
                   code.select(isThere, bytes, code.i32(0)));
  }
}

void RowCopy::copyElements() {
  int64_t elements = kAccessBytes / shape.elementBytes;
  Value end = view.dims[view.rank - 2 + shape.fastest()];
  code.forLoop(code.i32(0), elements, 1, [&](Value number) {
    Value bytes = code.mul(number, shape.elementBytes);
    SmallVector<Value> values;
    for (const Chunk &chunk : chunks) {
      Value isInside = code.bitAnd(
          chunk.exists, code.isBelow(code.add(chunk.column, number), end));
      values.push_back(code.loadGlobalIf(isInside, element,
                                         code.advance(chunk.pointer, bytes)));
    }
    for (auto [value, chunk] : llvm::zip(values, chunks))
      code.store(value, code.advance(chunk.target, bytes), shape.elementBytes);
  });
}

} // namespace heddle::tonvvm
