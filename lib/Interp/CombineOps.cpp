//===- CombineOps.cpp - Reductions, scans and histograms ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions, scans and histograms, in order of the axis. A combiner of
// element-wise operations runs on a whole slice of the tile at once. To run it
// element by element is slow, and is done only for other operations and for
// values from outside.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

namespace {

/// A tile cut along an axis: slice r holds the elements with coordinate r
/// there, in row-major order of the other axes.
class Slices {
public:
  Slices(ArrayRef<int64_t> shape, size_t axis)
      : extent(shape[axis]), inner(countElements(shape.drop_front(axis + 1))),
        outer(countElements(shape.take_front(axis))) {}

  int64_t getExtent() const { return extent; }
  int64_t getSize() const { return outer * inner; }

  Datum get(const Datum &tile, int64_t r) const {
    Datum slice(tile.element, {getSize()});
    forEach(r, [&](int64_t inTile, int64_t inSlice) {
      copyElement(slice, inSlice, tile, inTile);
    });
    return slice;
  }
  void put(Datum &tile, int64_t r, const Datum &slice) const {
    forEach(r, [&](int64_t inTile, int64_t inSlice) {
      copyElement(tile, inTile, slice, inSlice);
    });
  }

private:
  template <typename Visit> void forEach(int64_t r, Visit visit) const {
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; ++i)
        visit((o * extent + r) * inner + i, o * inner + i);
  }

  int64_t extent, inner, outer;
};

/// Runs a combiner on slices: at once where all its ops are element-wise and
/// take nothing from outside, which has one element and not a slice's; else
/// element by element.
class Combiner {
public:
  Combiner(Interpreter &interpreter, Region &region)
      : interpreter(interpreter), block(region.front()) {
    auto isInside = [&](Value value) {
      return value.getParentBlock() == &block;
    };
    elementwise = llvm::all_of(block, [&](Operation &op) {
      bool isKnown =
          op.hasTrait<OpTrait::IsTerminator>() ||
          isa<arith::ArithDialect, math::MathDialect>(op.getDialect());
      return isKnown && llvm::all_of(op.getOperands(), isInside);
    });
  }

  /// first[i] = combine(first[i], second[i]) for each operand i.
  LogicalResult run(SmallVectorImpl<Datum> &first, ArrayRef<Datum> second) {
    auto size = int64_t(first[0].size());
    if (elementwise) {
      interpreter.setLanes(size);
      LogicalResult result = runOn(first, second, first);
      interpreter.setLanes(0);
      return result;
    }
    for (int64_t lane = 0; lane < size; ++lane) {
      SmallVector<Datum> x = pick(first, lane), y = pick(second, lane),
                         combined = pick(first, lane);
      if (failed(runOn(x, y, combined)))
        return failure();
      for (auto [to, from] : llvm::zip(first, combined))
        copyElement(to, lane, from, 0);
    }
    return success();
  }

private:
  static Datum copyOf(const Datum &datum) {
    Datum copy(datum.element, datum.shape);
    copy.floats = datum.floats;
    copy.integers = datum.integers;
    return copy;
  }

  static SmallVector<Datum> pick(ArrayRef<Datum> data, int64_t lane) {
    SmallVector<Datum> scalars;
    for (const Datum &datum : data) {
      Datum scalar(datum.element, {});
      copyElement(scalar, 0, datum, lane);
      scalars.push_back(std::move(scalar));
    }
    return scalars;
  }

  LogicalResult runOn(ArrayRef<Datum> first, ArrayRef<Datum> second,
                      MutableArrayRef<Datum> combined) {
    for (auto [i, datum] : llvm::enumerate(first))
      interpreter.set(block.getArgument(i), copyOf(datum));
    for (auto [i, datum] : llvm::enumerate(second))
      interpreter.set(block.getArgument(first.size() + i), copyOf(datum));
    if (failed(interpreter.runBlock(block)))
      return failure();
    for (auto [i, value] :
         llvm::enumerate(block.getTerminator()->getOperands()))
      combined[i] = copyOf(interpreter.get(value));
    return success();
  }

  Interpreter &interpreter;
  Block &block;
  bool elementwise;
};

SmallVector<Datum> sliceAll(Interpreter &interpreter, ValueRange values,
                            const Slices &slices, int64_t r) {
  return llvm::map_to_vector(values, [&](Value value) {
    return slices.get(interpreter.get(value), r);
  });
}

LogicalResult runReduce(Interpreter &interpreter, tile::ReduceOp op) {
  Slices slices(interpreter.get(op.getValues().front()).shape, op.getAxis());
  Combiner combiner(interpreter, op.getCombiner());
  SmallVector<Datum> sofar = sliceAll(interpreter, op.getValues(), slices, 0);
  for (int64_t r = 1; r < slices.getExtent(); ++r)
    if (failed(combiner.run(sofar,
                            sliceAll(interpreter, op.getValues(), slices, r))))
      return failure();
  for (auto [value, datum] : llvm::zip(op.getResults(), sofar)) {
    datum.shape = interpreter.getShape(value.getType());
    interpreter.set(value, std::move(datum));
  }
  return success();
}

LogicalResult runScan(Interpreter &interpreter, tile::ScanOp op) {
  Slices slices(interpreter.get(op.getValues().front()).shape, op.getAxis());
  Combiner combiner(interpreter, op.getCombiner());
  SmallVector<Datum> results = llvm::map_to_vector(
      op.getResults(), [&](Value value) { return interpreter.make(value); });
  SmallVector<Datum> sofar;
  for (int64_t step = 0; step < slices.getExtent(); ++step) {
    int64_t r = op.getReverse() ? slices.getExtent() - 1 - step : step;
    SmallVector<Datum> next = sliceAll(interpreter, op.getValues(), slices, r);
    if (step == 0)
      sofar = std::move(next);
    else if (failed(combiner.run(sofar, next)))
      return failure();
    for (auto [result, slice] : llvm::zip(results, sofar))
      slices.put(result, r, slice);
  }
  for (auto [value, datum] : llvm::zip(op.getResults(), results))
    interpreter.set(value, std::move(datum));
  return success();
}

LogicalResult runHistogram(Interpreter &interpreter, tile::HistogramOp op) {
  const Datum &numbers = interpreter.get(op.getValue());
  const Datum *mask = op.getMask() ? &interpreter.get(op.getMask()) : nullptr;
  Datum result = interpreter.make(op.getResult());
  for (auto [i, number] : llvm::enumerate(numbers.integers))
    if ((!mask || mask->integers[i]) && number >= 0 &&
        number < int64_t(result.size()))
      ++result.integers[number];
  result.element.wrap(result.integers);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

} // namespace

void heddle::interp::addCombineOps(Handlers &handlers) {
  handlers.add<tile::ReduceOp>(runReduce);
  handlers.add<tile::ScanOp>(runScan);
  handlers.add<tile::HistogramOp>(runHistogram);
}
