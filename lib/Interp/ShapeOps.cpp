//===- ShapeOps.cpp - Ops that move elements ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that make tiles or move their elements. Each is index arithmetic
// over row-major data. Only `take` and `unfold` can fail in a run, by an index
// outside of their tile.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Turns.h"
#include "heddle/Support/Diagnostics/Run.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

namespace {

LogicalResult runSplat(Interpreter &interpreter, tile::SplatOp op) {
  const Datum &value = interpreter.get(op.getValue());
  Datum result = interpreter.make(op.getResult());
  for (size_t i = 0; i < result.size(); ++i)
    copyElement(result, i, value, 0);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

/// The same elements in another shape.
template <typename Op>
LogicalResult runReshaping(Interpreter &interpreter, Op op) {
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

Shape rowMajorStrides(ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

/// Calls visit(flat index, coordinates) for each element in row-major order.
template <typename Visit>
void forEachElement(ArrayRef<int64_t> shape, Visit visit) {
  forEachRow(shape, [&](ArrayRef<int64_t> row, int64_t index) {
    Shape coordinates(row.begin(), row.end());
    for (int64_t i = 0; i < shape.back(); ++i) {
      coordinates.back() = i;
      visit(index + i, ArrayRef<int64_t>(coordinates));
    }
  });
}

LogicalResult runIota(Interpreter &interpreter, tile::IotaOp op) {
  Datum result = interpreter.make(op.getResult());
  for (size_t i = 0; i < result.size(); ++i)
    result.integers[i] = result.element.wrap(int64_t(i));
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

LogicalResult runTrans(Interpreter &interpreter, tile::TransOp op) {
  const Datum &value = interpreter.get(op.getValue());
  Datum result = interpreter.make(op.getResult());
  Shape strides = rowMajorStrides(value.shape);
  forEachElement(
      result.shape, [&](int64_t index, ArrayRef<int64_t> coordinates) {
        int64_t source = 0;
        for (auto [axis, sourceAxis] : llvm::enumerate(op.getOrder()))
          source += coordinates[axis] * strides[sourceAxis];
        copyElement(result, index, value, source);
      });
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

/// The same elements under another name.
static Datum copyWhole(Interpreter &interpreter, Value from, Value to) {
  const Datum &value = interpreter.get(from);
  Datum result = interpreter.make(to);
  for (size_t i = 0; i < value.size(); ++i)
    copyElement(result, int64_t(i), value, int64_t(i));
  return result;
}

LogicalResult runStage(Interpreter &interpreter, tile::StageOp op) {
  interpreter.set(op.getResult(),
                  copyWhole(interpreter, op.getValue(), op.getResult()));
  return success();
}

LogicalResult runCat(Interpreter &interpreter, tile::CatOp op) {
  const Datum &a = interpreter.get(op.getA());
  const Datum &b = interpreter.get(op.getB());
  Datum result = interpreter.make(op.getResult());
  size_t axis = op.getAxis();
  Shape strides[] = {rowMajorStrides(a.shape), rowMajorStrides(b.shape)};
  forEachElement(result.shape, [&](int64_t index,
                                   ArrayRef<int64_t> coordinates) {
    bool second = coordinates[axis] >= a.shape[axis];
    int64_t source = second ? -a.shape[axis] * strides[1][axis] : 0;
    for (auto [coordinate, stride] : llvm::zip(coordinates, strides[second]))
      source += coordinate * stride;
    copyElement(result, index, second ? b : a, source);
  });
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

LogicalResult runJoin(Interpreter &interpreter, tile::JoinOp op) {
  const Datum &a = interpreter.get(op.getA());
  const Datum &b = interpreter.get(op.getB());
  Datum result = interpreter.make(op.getResult());
  for (size_t i = 0; i < a.size(); ++i) {
    copyElement(result, 2 * i, a, i);
    copyElement(result, 2 * i + 1, b, i);
  }
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

LogicalResult runSplit(Interpreter &interpreter, tile::SplitOp op) {
  const Datum &value = interpreter.get(op.getValue());
  Datum a = interpreter.make(op.getA()), b = interpreter.make(op.getB());
  for (size_t i = 0; i < a.size(); ++i) {
    copyElement(a, i, value, 2 * i);
    copyElement(b, i, value, 2 * i + 1);
  }
  interpreter.set(op.getA(), std::move(a));
  interpreter.set(op.getB(), std::move(b));
  return success();
}

LogicalResult runTake(Interpreter &interpreter, tile::TakeOp op) {
  const Datum &value = interpreter.get(op.getValue());
  const Datum &indices = interpreter.get(op.getIndices());
  Datum result = interpreter.make(op.getResult());
  size_t axis = op.getAxis();
  Shape strides = rowMajorStrides(value.shape);
  std::optional<int64_t> outside;
  forEachElement(
      result.shape, [&](int64_t index, ArrayRef<int64_t> coordinates) {
        int64_t chosen = indices.integers[index];
        if (chosen < 0 || chosen >= value.shape[axis]) {
          outside = chosen;
          return;
        }
        int64_t source = (chosen - coordinates[axis]) * strides[axis];
        for (auto [coordinate, stride] : llvm::zip(coordinates, strides))
          source += coordinate * stride;
        copyElement(result, index, value, source);
      });
  if (outside)
    return report(op.getLoc(), diag::index_range)
           << "the index " << *outside << " is outside [0, "
           << value.shape[axis] << "), the extent of axis " << axis;
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

LogicalResult runUnfold(Interpreter &interpreter, tile::UnfoldOp op) {
  const Datum &span = interpreter.get(op.getSpan());
  Datum result = interpreter.make(op.getResult());
  int64_t first = interpreter.getIntegers(op.getFirst())[0];
  int64_t size = op.getSize(), step = op.getStep();
  int64_t rows = result.shape[0], columns = result.shape[1];
  int64_t end = first + (rows - 1) * step + size;
  if (first < 0 || end > span.shape[0])
    return report(op.getLoc(), diag::index_range)
           << "windows go from " << first << " to " << end
           << ", outside of [0, " << span.shape[0]
           << "), the extent of the span";
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t place = 0; place < size; ++place)
      copyElement(result, row * columns + place, span,
                  first + row * step + place);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

/// Instances run in the order of their indices, and so do turns.
LogicalResult runInTurn(Interpreter &interpreter, tile::InTurnOp op) {
  interpreter.set(op.getResult(),
                  copyWhole(interpreter, op.getValue(), op.getResult()));
  return success();
}

/// A block adds its tile once, alone or with others. Blocks to spare have one
/// that is another block's.
LogicalResult runInCluster(Interpreter &interpreter, tile::InClusterOp op) {
  Datum result = copyWhole(interpreter, op.getValue(), op.getResult());
  if (op.getOwn()) {
    auto numbers = interpreter.getIntegers({op.getPart(), op.getOwn()});
    result.isSpare = numbers[0] >= numbers[1];
  }
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

} // namespace

void heddle::interp::addShapeOps(Handlers &handlers) {
  handlers.add<tile::SplatOp>(runSplat);
  handlers.add<tile::IotaOp>(runIota);
  handlers.add<tile::ExpandDimsOp>(runReshaping<tile::ExpandDimsOp>);
  handlers.add<tile::ReshapeOp>(runReshaping<tile::ReshapeOp>);
  handlers.add<tile::UnsplatOp>(runReshaping<tile::UnsplatOp>);
  handlers.add<tile::BroadcastOp>(runBroadcast);
  handlers.add<tile::TransOp>(runTrans);
  handlers.add<tile::InTurnOp>(runInTurn);
  handlers.add<tile::InClusterOp>(runInCluster);
  handlers.add<tile::StageOp>(runStage);
  handlers.add<tile::CatOp>(runCat);
  handlers.add<tile::JoinOp>(runJoin);
  handlers.add<tile::SplitOp>(runSplit);
  handlers.add<tile::TakeOp>(runTake);
  handlers.add<tile::UnfoldOp>(runUnfold);
}
