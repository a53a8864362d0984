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
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

/// Whether one of an operation's tiles is kept along one axis. What the others
/// make of shapes that do not fit, the tile rung's verifier says.
static bool hasFlat(Operation *op) {
  auto isFlatTile = [](Value value) { return isFlat(shapeOf(value)); };
  return llvm::any_of(op->getOperands(), isFlatTile) ||
         llvm::any_of(op->getResults(), isFlatTile);
}

static LogicalResult reportShapes(Operation *op) {
  return report(op, diag::ttir_use)
         << "'" << op->getName() << "' has tiles of shapes that do not fit";
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

/// The axes before `axis`, it, and those behind, of tiles that are alike;
/// nothing where they are not.
static SmallVector<int64_t> aroundAxis(Operation *op, uint64_t axis) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  bool isAlike = llvm::all_of(op->getOperands(), [&](Value operand) {
    return shapeOf(operand) == shape;
  });
  if (!isAlike || axis >= shape.size() ||
      op->getNumOperands() != op->getNumResults())
    return {};
  return {llvm::product_of(shape.take_front(axis)), shape[axis],
          llvm::product_of(shape.drop_front(axis + 1))};
}

LogicalResult Converter::convert(ReduceOp op) {
  Location loc = op.getLoc();
  if (!hasFlat(op)) {
    auto types = llvm::map_to_vector(op.getResultTypes(), convertType);
    auto made = tile::ReduceOp::create(builder, loc, types, get(op.getSrcs()),
                                       op.getAxis());
    values.map(op.getResults(), made.getResults());
    return convertCombiner(op.getCombiner(), made.getCombiner());
  }
  if (op.getSrcs().empty())
    return reportShapes(op);
  SmallVector<int64_t> around = aroundAxis(op, op.getAxis());
  if (around.empty())
    return reportShapes(op);
  SmallVector<Value> sources;
  SmallVector<Type> types;
  for (Value source : op.getSrcs()) {
    sources.push_back(reshape(loc, get(source), around));
    types.push_back(
        RankedTensorType::get({around[0], around[2]},
                              getElementTypeOrSelf(sources.back().getType())));
  }
  auto made = tile::ReduceOp::create(builder, loc, types, sources, 1);
  for (auto [from, to] : llvm::zip(op.getResults(), made.getResults()))
    bindShaped(from, to);
  return convertCombiner(op.getCombiner(), made.getCombiner());
}

LogicalResult Converter::convert(ScanOp op) {
  Location loc = op.getLoc();
  if (!hasFlat(op)) {
    auto types = llvm::map_to_vector(op.getResultTypes(), convertType);
    auto made = tile::ScanOp::create(builder, loc, types, get(op.getSrcs()),
                                     op.getAxis(), op.getReverse());
    values.map(op.getResults(), made.getResults());
    return convertCombiner(op.getCombiner(), made.getCombiner());
  }
  if (op.getSrcs().empty())
    return reportShapes(op);
  SmallVector<int64_t> around = aroundAxis(op, op.getAxis());
  if (around.empty())
    return reportShapes(op);
  SmallVector<Value> sources = llvm::map_to_vector(
      op.getSrcs(), [&](Value v) { return reshape(loc, get(v), around); });
  SmallVector<Type> types(ValueRange(sources).getTypes());
  auto made =
      tile::ScanOp::create(builder, loc, types, sources, 1, op.getReverse());
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
  if (!hasFlat(op))
    return make<tile::BroadcastOp>(op, get(op.getSrc()));
  if (from.size() != to.size())
    return reportShapes(op);
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
  if (!hasFlat(op))
    return make<tile::TransOp>(op, get(op.getSrc()),
                               builder.getDenseI64ArrayAttr(order));
  SmallVector<int64_t> axes = llvm::to_vector(order);
  llvm::sort(axes);
  if (!llvm::equal(axes, llvm::seq<int64_t>(0, shape.size())))
    return reportShapes(op);
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
  if (hasFlat(op))
    return reportRank(op);
  return make<tile::TakeOp>(op, get(op.getSrc()), get(op.getIndices()),
                            op.getAxis());
}

/// The pair is the last axis, so the others are one.
LogicalResult Converter::convert(JoinOp op) {
  Location loc = op.getLoc();
  Value a = get(op.getLhs()), b = get(op.getRhs());
  if (!hasFlat(op))
    return make<tile::JoinOp>(op, a, b);
  auto type = cast<RankedTensorType>(a.getType());
  int64_t count = type.getNumElements();
  a = reshape(loc, a, count);
  b = reshape(loc, b, count);
  bindShaped(op.getResult(),
             tile::JoinOp::create(builder, loc, type.clone({count, 2}), a, b));
  return success();
}

LogicalResult Converter::convert(SplitOp op) {
  Location loc = op.getLoc();
  Value value = get(op.getSrc());
  Type half = convertType(op.getLhs().getType());
  if (hasFlat(op)) {
    auto type = cast<RankedTensorType>(value.getType());
    if (shapeOf(op.getSrc()).empty() || shapeOf(op.getSrc()).back() != 2)
      return reportShapes(op);
    int64_t count = type.getNumElements() / 2;
    value = reshape(loc, value, {count, 2});
    half = type.clone(count);
  }
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
        if (!hasFlat(op))
          return make<tile::ExpandDimsOp>(op, get(op.getSrc()), op.getAxis());
        if (llvm::product_of(shapeOf(op.getSrc())) !=
            llvm::product_of(shapeOf(op.getResult())))
          return reportShapes(op);
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
