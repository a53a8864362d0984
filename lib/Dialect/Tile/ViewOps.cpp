//===- ViewOps.cpp - Views of views ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of window and merge, and the rewrites that undo them: axes that
// were one before they were split, merges of merges, and axes that lie behind
// one another in memory. Extents of such views are numbers of the program, so
// that nobody behind this rung asks for them.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

static constexpr int64_t kMostAxes = 8;
/// Places of windows are computed in 32 bits.
static constexpr int64_t kMostDistance = (1 << 16) - 1;

bool heddle::tile::isMapped(Value view) {
  return isa_and_present<WindowOp, MergeOp>(view.getDefiningOp());
}

/// The number that a value is, or is made of by a cast.
static std::optional<int64_t> constantOf(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// Whether a window ends before the next one begins, as the text says.
static bool areApart(WindowOp window) {
  std::optional<int64_t> places = constantOf(window.getWindowExtent());
  return places && satMul(satSub(*places, 1), int64_t(window.getDilation())) <
                       int64_t(window.getStride());
}

LogicalResult heddle::tile::verifyWritten(Operation *op, Value view) {
  while (isMapped(view)) {
    if (auto window = view.getDefiningOp<WindowOp>();
        window && !areApart(window))
      return reportOp(op, diag::window_store)
             << "writes to a view of windows, which may overlap";
    view = view.getDefiningOp()->getOperand(0);
  }
  return success();
}

/// "the result is ..., not ..." unless it is.
static LogicalResult verifyView(Operation *op, ViewType actual,
                                ViewType expected) {
  if (actual == expected)
    return success();
  return reportOp(op, diag::view_map)
         << "makes a view of type " << expected << ", not " << actual;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// `axes` with `position` inserted as a new axis behind `axis` (as slow as the
/// order allows without making any other pair change).
static SmallVector<int64_t> windowOrder(ArrayRef<int64_t> order, int64_t axis,
                                        int64_t position) {
  SmallVector<int64_t> result;
  for (int64_t one : order) {
    result.push_back(one < position ? one : one + 1);
    if (one == axis)
      result.push_back(position);
  }
  return result;
}

LogicalResult WindowOp::verify() {
  ViewType view = getView().getType(), result = getResult().getType();
  int64_t rank = view.getRank();
  int64_t axis = getAxis(), position = getWindow();
  if (axis < 0 || axis >= rank)
    return reportOp(*this, diag::axis_range)
           << "slides windows along axis " << axis << " of a view with " << rank
           << " axes";
  if (position < 0 || position > rank)
    return reportOp(*this, diag::axis_range)
           << "puts the place in a window at axis " << position
           << " of a view that then has " << rank + 1 << " axes";
  if (rank + 1 > kMostAxes)
    return reportOp(*this, diag::view_map)
           << "makes a view of " << rank + 1 << " axes; " << kMostAxes
           << " are possible";
  for (auto [name, value] : {std::pair("stride", int64_t(getStride())),
                             std::pair("dilation", int64_t(getDilation()))})
    if (value < 1 || value > kMostDistance)
      return reportOp(*this, diag::view_map)
             << "has a " << name << " of " << value << "; it is from 1 to "
             << kMostDistance;
  // Both own extents are as the program says: numbers, or known at run time.
  SmallVector<int64_t> shape(view.getShape());
  int64_t moved = axis < position ? axis : axis + 1;
  shape.insert(shape.begin() + position, ShapedType::kDynamic);
  shape[moved] = ShapedType::kDynamic;
  if (result.getRank() == rank + 1)
    for (auto [own, operand] : {std::pair(moved, getExtent()),
                                std::pair(position, getWindowExtent())}) {
      shape[own] = result.getShape()[own];
      APInt number;
      if (!ShapedType::isDynamic(shape[own]) &&
          matchPattern(operand, m_ConstantInt(&number)) &&
          number.getSExtValue() != shape[own])
        return reportOp(*this, diag::view_map)
               << "has the extent " << number.getSExtValue() << " along axis "
               << own << ", which its type says is " << shape[own];
    }
  return verifyView(
      *this, result,
      ViewType::get(getContext(), shape, view.getElementType(),
                    windowOrder(view.getOrder(), axis, position)));
}

//===----------------------------------------------------------------------===//
// Merged axes
//===----------------------------------------------------------------------===//

/// The type that merging axes `first` to `last` makes.
static ViewType mergedType(ViewType view, int64_t first, int64_t last) {
  SmallVector<int64_t> shape, order;
  int64_t product = 1;
  for (int64_t axis = 0; axis < view.getRank(); ++axis) {
    int64_t extent = view.getShape()[axis];
    if (axis < first || axis > last) {
      shape.push_back(extent);
      continue;
    }
    product = ShapedType::isDynamic(extent) || ShapedType::isDynamic(product)
                  ? ShapedType::kDynamic
                  : satMul(product, extent);
    if (axis == last)
      shape.push_back(product);
  }
  bool isNamed = false;
  for (int64_t axis : view.getOrder()) {
    if (axis >= first && axis <= last) {
      if (!isNamed)
        order.push_back(first);
      isNamed = true;
      continue;
    }
    order.push_back(axis < first ? axis : axis - (last - first));
  }
  return ViewType::get(view.getContext(), shape, view.getElementType(), order);
}

LogicalResult MergeOp::verify() {
  ViewType view = getView().getType();
  int64_t first = getFirst(), last = getLast();
  if (first < 0 || last < first || last >= view.getRank())
    return reportOp(*this, diag::axis_range)
           << "merges axes " << first << " to " << last << " of a view with "
           << view.getRank() << " axes";
  if (view.getRank() > kMostAxes)
    return reportOp(*this, diag::view_map)
           << "merges axes of a view of " << view.getRank() << " axes; "
           << kMostAxes << " are possible";
  return verifyView(*this, getResult().getType(),
                    mergedType(view, first, last));
}

/// The axis that `window` split into parts that lie behind one another again,
/// if the merge of the two is that axis.
static Value unsplit(MergeOp merge) {
  auto window = merge.getView().getDefiningOp<WindowOp>();
  if (!window || merge.getLast() != merge.getFirst() + 1 ||
      merge.getLast() != window.getWindow() ||
      merge.getFirst() != window.getAxis() || window.getDilation() != 1 ||
      !matchPattern(window.getLow(), m_Zero()))
    return {};
  ArrayRef<int64_t> whole = window.getView().getType().getShape(),
                    parts = window.getResult().getType().getShape();
  int64_t count = parts[merge.getFirst()], length = parts[merge.getLast()];
  bool isKnown = !ShapedType::isDynamic(count) &&
                 !ShapedType::isDynamic(length) &&
                 length == int64_t(window.getStride());
  return isKnown && whole[window.getAxis()] == satMul(count, length)
             ? window.getView()
             : Value();
}

OpFoldResult MergeOp::fold(FoldAdaptor) {
  if (getFirst() == getLast())
    return getView();
  Value whole = unsplit(*this);
  return whole && whole.getType() == getResult().getType() ? whole : Value();
}

/// Is `outer` the stride of whatever lies around `extent` elements that are
/// `inner` apart?
static bool isBehind(Value outer, Value extent, Value inner) {
  auto isOne = [](Value value) { return matchPattern(value, m_One()); };
  if (isOne(inner))
    return outer == extent;
  APInt a, b, c;
  if (matchPattern(outer, m_ConstantInt(&a)) &&
      matchPattern(extent, m_ConstantInt(&b)) &&
      matchPattern(inner, m_ConstantInt(&c)))
    return a.getSExtValue() == satMul(b.getSExtValue(), c.getSExtValue());
  auto product = outer.getDefiningOp<arith::MulIOp>();
  return product &&
         ((product.getLhs() == extent && product.getRhs() == inner) ||
          (product.getRhs() == extent && product.getLhs() == inner));
}

LogicalResult MergeOp::canonicalize(MergeOp op, PatternRewriter &rewriter) {
  int64_t first = op.getFirst(), last = op.getLast();
  // A merge of what was merged.
  if (auto inner = op.getView().getDefiningOp<MergeOp>()) {
    int64_t own = inner.getFirst(), more = inner.getLast() - own;
    if (own < first || own > last)
      return failure();
    rewriter.replaceOpWithNewOp<MergeOp>(op, op.getResult().getType(),
                                         inner.getView(), first, last + more);
    return success();
  }
  // Axes that lie behind one another in memory.
  auto made = op.getView().getDefiningOp<MakeViewOp>();
  if (!made)
    return failure();
  for (int64_t axis = first; axis < last; ++axis)
    if (!isBehind(made.getStrides()[axis], made.getExtents()[axis + 1],
                  made.getStrides()[axis + 1]))
      return failure();
  SmallVector<Value> extents, strides;
  for (int64_t axis = 0; axis < int64_t(made.getExtents().size()); ++axis) {
    if (axis > first && axis <= last) {
      extents.back() = arith::MulIOp::create(
          rewriter, op.getLoc(), extents.back(), made.getExtents()[axis]);
      strides.back() = made.getStrides()[axis];
      continue;
    }
    extents.push_back(made.getExtents()[axis]);
    strides.push_back(made.getStrides()[axis]);
  }
  ViewType type = op.getResult().getType();
  // The order of the axes that were need not be that of their strides.
  if (!matchPattern(strides[type.getOrder().front()], m_One()))
    return failure();
  rewriter.replaceOpWithNewOp<MakeViewOp>(op, type, made.getPtr(), extents,
                                          strides);
  return success();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

LogicalResult DimOp::canonicalize(DimOp op, PatternRewriter &rewriter) {
  int64_t axis = op.getAxis();
  auto dimOf = [&](Value view, int64_t axis) -> Value {
    return DimOp::create(rewriter, op.getLoc(), rewriter.getIndexType(), view,
                         axis);
  };
  if (int64_t extent = op.getView().getType().getShape()[axis];
      isMapped(op.getView()) && !ShapedType::isDynamic(extent)) {
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, extent);
    return success();
  }
  if (auto window = op.getView().getDefiningOp<WindowOp>()) {
    int64_t position = window.getWindow();
    if (axis == position) {
      rewriter.replaceOp(op, window.getWindowExtent());
      return success();
    }
    int64_t source = axis < position ? axis : axis - 1;
    rewriter.replaceOp(op, source == int64_t(window.getAxis())
                               ? window.getExtent()
                               : dimOf(window.getView(), source));
    return success();
  }
  auto merge = op.getView().getDefiningOp<MergeOp>();
  if (!merge)
    return failure();
  int64_t first = merge.getFirst(), last = merge.getLast();
  if (axis != first) {
    rewriter.replaceOp(
        op, dimOf(merge.getView(), axis < first ? axis : axis + last - first));
    return success();
  }
  Value product;
  for (int64_t part = first; part <= last; ++part) {
    Value extent = dimOf(merge.getView(), part);
    product =
        product ? arith::MulIOp::create(rewriter, op.getLoc(), product, extent)
                      .getResult()
                : extent;
  }
  rewriter.replaceOp(op, product);
  return success();
}
