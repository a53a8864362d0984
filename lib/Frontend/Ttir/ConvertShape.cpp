//===- ConvertShape.cpp - Reductions, and moves of elements ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What knows axes. Triton's sort, top-k and flip reshape a row of 2^n elements
// to n axes of 2, and a tile has five at most: a tile of more is kept along one
// axis, in row-major order, and an operation that goes along some of its axes
// sees the others joined to one on each side.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

Value Converter::reshape(Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return tile::ReshapeOp::create(builder, loc, type.clone(shape), value);
}

void Converter::bindShaped(Value from, Value to) {
  if (auto type = dyn_cast<RankedTensorType>(convertType(from.getType())))
    to = reshape(from.getLoc(), to, type.getShape());
  bind(from, to);
}

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

/// The axes before `axis`, it, and those behind, where a tile has too many.
static SmallVector<int64_t> aroundAxis(ArrayRef<int64_t> shape, int64_t axis) {
  if (!isFlat(shape))
    return SmallVector<int64_t>(shape);
  return {llvm::product_of(shape.take_front(axis)), shape[axis],
          llvm::product_of(shape.drop_front(axis + 1))};
}

LogicalResult Converter::convert(ReduceOp op) {
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = shapeOf(op.getSrcs().front());
  SmallVector<int64_t> around = aroundAxis(shape, op.getAxis());
  int64_t axis = isFlat(shape) ? 1 : op.getAxis();
  SmallVector<int64_t> left = around;
  left.erase(left.begin() + axis);
  SmallVector<Value> values;
  SmallVector<Type> types;
  for (Value source : op.getSrcs()) {
    values.push_back(reshape(loc, get(source), around));
    Type element = getElementTypeOrSelf(values.back().getType());
    types.push_back(left.empty() ? element
                                 : RankedTensorType::get(left, element));
  }
  auto made = tile::ReduceOp::create(builder, loc, types, values, axis);
  for (auto [from, to] : llvm::zip(op.getResults(), made.getResults()))
    bindShaped(from, to);
  return convertCombiner(op.getCombiner(), made.getCombiner());
}

LogicalResult Converter::convert(ScanOp op) {
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = shapeOf(op.getSrcs().front());
  SmallVector<Value> values = llvm::map_to_vector(op.getSrcs(), [&](Value v) {
    return reshape(loc, get(v), aroundAxis(shape, op.getAxis()));
  });
  SmallVector<Type> types(ValueRange(values).getTypes());
  auto made =
      tile::ScanOp::create(builder, loc, types, values,
                           isFlat(shape) ? 1 : op.getAxis(), op.getReverse());
  for (auto [from, to] : llvm::zip(op.getResults(), made.getResults()))
    bindShaped(from, to);
  return convertCombiner(op.getCombiner(), made.getCombiner());
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

static LogicalResult reportRank(Operation *op) {
  return report(op, diag::ttir_use)
         << "a tile of " << shapeOf(op->getOperand(0)).size()
         << " axes takes part here, of which more than " << kMostAxes
         << " cannot be joined; use fewer";
}

/// Neighbouring axes that all repeat, or all do not, are one.
LogicalResult Converter::convert(BroadcastOp op) {
  ArrayRef<int64_t> from = shapeOf(op.getSrc()), to = shapeOf(op.getResult());
  if (!isFlat(from))
    return make<tile::BroadcastOp>(op, get(op.getSrc()));
  SmallVector<int64_t> before, after;
  bool repeats = false;
  for (auto [was, is] : llvm::zip(from, to)) {
    if (is == 1 && !before.empty())
      continue;
    if (before.empty() || repeats != (was != is)) {
      before.push_back(1);
      after.push_back(1);
    }
    repeats = was != is;
    before.back() *= was;
    after.back() *= is;
  }
  if (isFlat(before))
    return reportRank(op);
  Location loc = op.getLoc();
  Value value = reshape(loc, get(op.getSrc()), before);
  auto type = cast<RankedTensorType>(value.getType()).clone(after);
  bindShaped(op.getResult(),
             tile::BroadcastOp::create(builder, loc, type, value));
  return success();
}

/// Neighbouring axes that stay neighbours, in order, are one.
LogicalResult Converter::convert(TransOp op) {
  SmallVector<int64_t> order(op.getOrder().begin(), op.getOrder().end());
  ArrayRef<int64_t> shape = shapeOf(op.getSrc());
  Location loc = op.getLoc();
  if (!isFlat(shape))
    return make<tile::TransOp>(op, get(op.getSrc()),
                               builder.getDenseI64ArrayAttr(order));
  // The first axes of runs, as the result has them and as the source has.
  SmallVector<int64_t> runs, sorted, joined, moved;
  for (auto [place, axis] : llvm::enumerate(order))
    if (place == 0 || axis != order[place - 1] + 1)
      runs.push_back(axis);
  sorted = runs;
  llvm::sort(sorted);
  if (isFlat(runs))
    return reportRank(op);
  for (auto [i, first] : llvm::enumerate(sorted)) {
    int64_t end = i + 1 < sorted.size() ? sorted[i + 1] : shape.size();
    joined.push_back(llvm::product_of(shape.slice(first, end - first)));
  }
  SmallVector<int64_t> extents;
  for (int64_t first : runs) {
    moved.push_back(llvm::find(sorted, first) - sorted.begin());
    extents.push_back(joined[moved.back()]);
  }
  Value value = reshape(loc, get(op.getSrc()), joined);
  auto type = cast<RankedTensorType>(value.getType()).clone(extents);
  bindShaped(op.getResult(),
             tile::TransOp::create(builder, loc, type, value,
                                   builder.getDenseI64ArrayAttr(moved)));
  return success();
}

LogicalResult Converter::convert(GatherOp op) {
  if (isFlat(shapeOf(op.getSrc())))
    return reportRank(op);
  return make<tile::TakeOp>(op, get(op.getSrc()), get(op.getIndices()),
                            op.getAxis());
}

LogicalResult Converter::convert(JoinOp op) {
  Location loc = op.getLoc();
  Value a = get(op.getLhs()), b = get(op.getRhs());
  auto type = cast<RankedTensorType>(a.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(2);
  if (isFlat(shape)) {
    shape = {type.getNumElements(), 2};
    a = reshape(loc, a, shape[0]);
    b = reshape(loc, b, shape[0]);
  }
  bindShaped(op.getResult(),
             tile::JoinOp::create(builder, loc, type.clone(shape), a, b));
  return success();
}

LogicalResult Converter::convert(SplitOp op) {
  Location loc = op.getLoc();
  Value value = get(op.getSrc());
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(shapeOf(op.getSrc()));
  if (isFlat(shape))
    shape = {type.getNumElements() / 2, 2};
  value = reshape(loc, value, shape);
  Type half = type.clone(ArrayRef(shape).drop_back());
  auto made = tile::SplitOp::create(builder, loc, half, half, value);
  bindShaped(op.getLhs(), made.getA());
  bindShaped(op.getRhs(), made.getB());
  return success();
}

LogicalResult Converter::convertShape(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case(
          [&](SplatOp op) { return make<tile::SplatOp>(op, get(op.getSrc())); })
      .Case([&](ExpandDimsOp op) -> LogicalResult {
        if (!isFlat(shapeOf(op.getResult())))
          return make<tile::ExpandDimsOp>(op, get(op.getSrc()), op.getAxis());
        bindShaped(op.getResult(), get(op.getSrc()));
        return success();
      })
      .Case([&](ReshapeOp op) {
        return make<tile::ReshapeOp>(op, get(op.getSrc()));
      })
      .Case([&](UnsplatOp op) {
        return make<tile::UnsplatOp>(op, get(op.getSrc()));
      })
      .Case([&](CatOp op) {
        return make<tile::CatOp>(op, get(op.getLhs()), get(op.getRhs()), 0);
      })
      .Case([&](HistogramOp op) {
        return make<tile::HistogramOp>(
            op, get(op.getSrc()), op.getMask() ? get(op.getMask()) : Value());
      })
      .Case([&](AddPtrOp op) {
        return make<tile::PtrAddOp>(op, get(op.getPtr()), get(op.getOffset()));
      })
      .Case([&](IntToPtrOp op) {
        return make<tile::IntToPtrOp>(op, get(op.getSrc()));
      })
      .Case([&](PtrToIntOp op) {
        return make<tile::PtrToIntOp>(op, get(op.getSrc()));
      })
      .Default([&](Operation *op) { return refuse(op); });
}
