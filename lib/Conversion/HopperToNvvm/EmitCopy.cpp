//===- EmitCopy.cpp - A tile of a view to shared memory, without TMA --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neighbouring threads take neighbouring elements of the view's fastest axis,
// so accesses coalesce whatever the alignment. Elements are numbered along the
// tile's own order, thread t of n takes t, t + n, ...; a batch of loads is
// under way before its first store, to hide latency.
//
// Where n and the fastest extent divide each other, a thread goes down columns
// by a constant number of rows: one addition gives the next address, and places
// in shared memory repeat with the swizzle's period. That is the common case,
// and what lets a copy come near the tensor core.
//
//===----------------------------------------------------------------------===//

#include "ChunkCopy.h"
#include "RowCopy.h"
#include "SharedPlaces.h"
#include "WholeTiles.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using heddle::machine::Coord;
using heddle::machine::SharedLayout;

namespace heddle::tonvvm {

/// Where a process has fewer registers, places of all columns of all tiles,
/// held along all loops, would take what a batch needs: they are computed for
/// each tile again.
static bool holdsPlaces(int64_t registers,
                        const machine::Costs::ThreadCopy &costs) {
  return !registers || registers >= int64_t(costs.holdPlaces);
}

/// Elements of a column that a thread has under way at once: as many as its
/// process has registers for besides what it needs anyway; all of them where
/// nothing limits it.
static int64_t columnBatch(int64_t registers,
                           const machine::Costs::ThreadCopy &costs) {
  int64_t most = int64_t(costs.columnBatch),
          least = std::min(int64_t(costs.leastBatch), most),
          others = int64_t(holdsPlaces(registers, costs) ? costs.held
                                                         : costs.computed);
  return registers ? std::clamp(registers - others, least, most) : most;
}

namespace {

/// The elements that one thread copies of one column, `rowStep` rows apart.
class ColumnCopy {
public:
  ColumnCopy(Code &code, const GlobalView &view, const SharedLayout &shape,
             ArrayRef<Value> offsets, Value base, Type element,
             int64_t threadCount, int64_t mostAtOnce)
      : code(code), view(view), shape(shape), offsets(offsets), base(base),
        element(element), threadCount(threadCount), mostAtOnce(mostAtOnce),
        width(shape.shape[shape.fastest()]),
        rowStep(std::max<int64_t>(1, threadCount / width)) {}

  static bool covers(const SharedLayout &shape, int64_t threadCount) {
    int64_t width = shape.shape[shape.fastest()],
            rows = shape.shape[shape.order[1]];
    int64_t rowStep = std::max<int64_t>(1, threadCount / width);
    return shape.rank == 2 &&
           (threadCount % width == 0 || width % threadCount == 0) &&
           rows % rowStep == 0;
  }

  /// Copies all columns of this thread, in batches of rows of equal size.
  void copyAll(Value thread) {
    int64_t rows = shape.shape[slow()] / rowStep,
            batch = std::min(mostAtOnce, rows);
    while (rows % batch)
      --batch;
    for (int64_t column = 0; column < width; column += threadCount)
      code.forLoop(code.add(thread, column), width * shape.shape[slow()],
                   batch * rowStep * width,
                   [&](Value first) { copy(first, batch); });
  }

private:
  /// Copies `count` elements from element `first` of the tile on.
  void copy(Value first, int64_t count) {
    SmallVector<Value> local = unrank(code, first, shape);
    SmallVector<Value> coords = view.locate(code, offsets, local);
    int slowest = view.rank - 2 + slow(); // axis of the view
    Value inColumn;
    for (int axis = 0; axis < view.rank; ++axis)
      if (axis != slowest) {
        Value below = code.isBelow(coords[axis], view.dims[axis]);
        inColumn = inColumn ? code.bitAnd(inColumn, below) : below;
      }
    Value pointer = view.address(code, coords);
    // Down the view's fastest axis where the tile is turned.
    int64_t bytes = rowStep * view.elementBytes;
    Value step = view.strides[slowest] ? code.mul(view.strides[slowest], bytes)
                                       : code.i64(bytes);
    SmallVector<Value> values;
    for (int64_t i = 0; i < count; ++i) {
      Value row = code.add(coords[slowest], i * rowStep);
      Value inside =
          code.bitAnd(inColumn, code.isBelow(row, view.dims[slowest]));
      values.push_back(code.loadGlobalIf(inside, element, pointer));
      pointer = code.advance(pointer, step);
    }
    storeColumn(local, values);
  }

  int slow() const { return shape.order[1]; }

  /// Rows of equal swizzle phase lie a constant distance apart.
  void storeColumn(SmallVector<Value> local, ArrayRef<Value> values) {
    int64_t rowsOfPattern = shape.swizzle ? 8 : 1;
    int64_t period = rowsOfPattern / std::gcd(rowsOfPattern, rowStep);
    Value firstRow = local[slow()];
    SmallVector<Value> starts;
    for (int64_t i = 0; i < std::min<int64_t>(period, values.size()); ++i) {
      local[slow()] = code.add(firstRow, i * rowStep);
      starts.push_back(code.advance(base, sharedOffset(code, local, shape)));
    }
    for (auto [i, value] : llvm::enumerate(values)) {
      int64_t rows = int64_t(i) / period * period * rowStep;
      code.store(value,
                 code.advance(starts[i % period], rows * shape.rowBytes()),
                 shape.elementBytes);
    }
  }

  Code &code;
  const GlobalView &view;
  const SharedLayout &shape;
  ArrayRef<Value> offsets;
  Value base;
  Type element;
  int64_t threadCount, mostAtOnce, width, rowStep;
};

} // namespace

/// The thread's number among those that copy: what hangs on it alone is held
/// along loops, or computed for each tile again.
Value Emitter::placeOfThread(Code &code) {
  if (holdsPlaces(threads.process.getRegisters(), costs.threadCopy))
    return threads.thread;
  return code.sub(code.threadIndexHere(), threads.process.getFirstWarp() * 32);
}

LogicalResult Emitter::emitCopy(hopper::CopyOp op) {
  if (threads.isSingle())
    return reportOp(op, diag::hopper_move)
           << "needs all threads of a process, but this one runs elected";
  Code code(builder, op.getLoc());
  hopper::SmemType tile = op.getTile().getType();
  SharedLayout shape = hopper::getSharedLayout(tile);
  GlobalView view = globalView(code, op.getView());
  Registers offsets = flatten(op.getOffsets());
  Value base = scalar(op.getTile());
  int64_t threadCount = threads.process.getWarps() * 32;
  if (op.getRows())
    return emitRowCopy(op, code, view, offsets);
  if (!op.getUnderWay())
    return copyElements(op, code, view, offsets, base);
  if (view.source ||
      !hopper::copiesInChunks(op.getView().getType(), tile, threadCount)) {
    bind(op.getUnderWay(), {code.i1(false)});
    return copyElements(op, code, view, offsets, base);
  }
  ChunkCopy copy(code, view, shape, offsets, base, threadCount,
                 int64_t(costs.threadCopy.unrolled));
  if (op->hasAttr(kWholeAttr)) {
    bind(op.getUnderWay(), {code.i1(true)});
    copy.issueWhole(placeOfThread(code));
    return success();
  }
  Value aligned = copy.isAligned();
  bind(op.getUnderWay(), {aligned});
  LogicalResult result = success();
  code.ifElse(
      aligned, [&] { copy.issueAll(placeOfThread(code)); },
      [&] { result = copyElements(op, code, view, offsets, base); });
  return result;
}

/// The verifier of uses has seen that the tile can be copied so.
LogicalResult Emitter::emitRowCopy(hopper::CopyOp op, Code &code,
                                   const GlobalView &view,
                                   ArrayRef<Value> offsets) {
  RowCopy copy(code, view, op.getTile().getType(), threads, offsets,
               scalar(op.getTile()), registers(op.getRows()));
  Value aligned = copy.isAligned();
  bind(op.getUnderWay(), {aligned});
  code.ifElse(aligned, [&] { copy.issueAll(); }, [&] { copy.copyElements(); });
  return success();
}

LogicalResult Emitter::copyElements(hopper::CopyOp op, Code &code,
                                    const GlobalView &view,
                                    ArrayRef<Value> offsets, Value base) {
  hopper::SmemType tile = op.getTile().getType();
  SharedLayout shape = hopper::getSharedLayout(tile);
  int64_t threadCount = threads.process.getWarps() * 32;
  int64_t elements = shape.bytes() / shape.elementBytes;

  if (!view.source && ColumnCopy::covers(shape, threadCount)) {
    ColumnCopy(code, view, shape, offsets, base,
               registerType(tile.getElementType()), threadCount,
               columnBatch(threads.process.getRegisters(), costs.threadCopy))
        .copyAll(placeOfThread(code));
    return success();
  }
  // Where a thread stays in its column, what the column says is computed once:
  // a view of views divides there.
  int64_t width = shape.shape[shape.fastest()];
  bool staysInColumn = shape.rank == 2 && threadCount % width == 0;
  auto placeOf = [&](Value first, Value number, int64_t i) {
    if (!staysInColumn)
      return unrank(code, number, shape);
    SmallVector<Value> coords(2);
    coords[shape.fastest()] = code.remainder(threads.thread, width);
    coords[shape.order[1]] =
        code.add(code.divide(first, width), i * threadCount / width);
    return coords;
  };
  auto copyBatch = [&](Value first, int64_t count) {
    SmallVector<Value> values, targets, valid;
    for (int64_t i = 0; i < count; ++i) {
      Value number = code.add(first, i * threadCount);
      SmallVector<Value> coords = placeOf(first, number, i);
      targets.push_back(code.advance(base, sharedOffset(code, coords, shape)));
      coords = view.locate(code, offsets, coords);
      values.push_back(code.loadGlobalIf(view.isInside(code, coords),
                                         registerType(tile.getElementType()),
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
  // Each holds a register, and an address and a mask while its load is issued.
  int64_t batch = int64_t(costs.threadCopy.batch);
  int64_t whole = each / batch * batch * threadCount;
  if (whole)
    code.forLoop(threads.thread, whole, batch * threadCount,
                 [&](Value first) { copyBatch(first, batch); });
  if (each % batch)
    copyBatch(code.add(threads.thread, whole), each % batch);
  return success();
}

} // namespace heddle::tonvvm
