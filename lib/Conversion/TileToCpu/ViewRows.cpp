//===- ViewRows.cpp - Where a row of a tile lies in a view ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a view, of memory or of other views, and the coordinates of a row of a
// tile. Out: an address, and the columns that are inside of the view. Along a
// row one digit of the view's map counts, so that columns inside are
// neighbours. Where the row's axis has several digits, a row is several such
// runs: a load puts them together in memory first, a store takes them from
// there.
//
//===----------------------------------------------------------------------===//

#include "DenseKernel.h"

#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::dense;

Value DenseKernel::extentOf(const ViewMap::Extent &extent) {
  if (extent.value)
    return scalars.lookup(extent.value);
  return views.at(extent.view).extents[extent.axis];
}

Value DenseKernel::sumOf(const ViewMap::Sum &sum, ValueRange digits) {
  Value total = number(0);
  for (const ViewMap::Term &term : sum.terms)
    total = add(total, term.factor == 1
                           ? digits[term.digit]
                           : mul(digits[term.digit], number(term.factor)));
  for (auto [low, times] : sum.lows) {
    Value value = scalars.lookup(low);
    total = sub(total, times == 1 ? value : mul(value, number(times)));
  }
  return total;
}

static Value both(OpBuilder &builder, Location loc, Value a, Value b) {
  return a ? Value(arith::AndIOp::create(builder, loc, a, b)) : b;
}

/// 0 <= value < end, in one comparison.
static Value isWithin(OpBuilder &builder, Location loc, Value value,
                      Value end) {
  // An extent is no negative number, so that a negative value, as a number
  // without sign, is behind all of them.
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value,
                               end);
}

void DenseKernel::decode(const ViewMap &map, ArrayRef<unsigned> digits,
                         Value coordinate, SmallVectorImpl<Value> &values,
                         Value &isInside) {
  Value rest = coordinate;
  for (unsigned digit : llvm::reverse(digits.drop_front())) {
    Value extent = most(extentOf(map.digits[digit].extent), number(1));
    values[digit] = arith::RemUIOp::create(builder, loc, rest, extent);
    rest = arith::DivUIOp::create(builder, loc, rest, extent);
  }
  values[digits.front()] = rest;
  isInside = both(builder, loc, isInside,
                  isWithin(builder, loc, rest,
                           extentOf(map.digits[digits.front()].extent)));
  // With an axis of no elements there is none.
  for (unsigned digit : digits.drop_front())
    isInside = both(builder, loc, isInside,
                    isLess(number(0), extentOf(map.digits[digit].extent)));
}

/// How a sum grows with a digit; 0 if it does not.
static int64_t factorOf(const ViewMap::Sum &sum, unsigned digit) {
  int64_t factor = 0;
  for (const ViewMap::Term &term : sum.terms)
    if (term.digit == digit)
      factor += term.factor;
  return factor;
}

Row DenseKernel::rowOfMap(const ViewMap &map, ValueRange digits,
                          unsigned moving, Value isInside, Value count) {
  const ViewValue &base = views.at(map.base);
  Row row;
  row.first = number(0);
  // The moving digit is below its own extent.
  row.end = sub(extentOf(map.digits[moving].extent), digits[moving]);
  row.first = most(row.first, sub(number(0), digits[moving]));
  auto bound = [&](const ViewMap::Sum &sum, Value value, Value extent) {
    int64_t factor = factorOf(sum, moving);
    if (factor == 0) {
      isInside =
          both(builder, loc, isInside, isWithin(builder, loc, value, extent));
      return;
    }
    Value step = number(factor);
    Value before = most(sub(number(0), value), number(0));
    row.first =
        most(row.first, factor == 1 ? before : ceilDivide(before, step));
    Value room = most(sub(extent, value), number(0));
    row.end = least(row.end, factor == 1 ? room : ceilDivide(room, step));
  };
  for (const ViewMap::Bound &one : map.bounds)
    bound(one.sum, sumOf(one.sum, digits), extentOf(one.extent));
  Value offset = number(0), stride;
  bool isSideBySide = false;
  auto type = cast<tile::ViewType>(map.base.getType());
  for (auto [axis, sum] : llvm::enumerate(map.axes)) {
    Value value = sumOf(sum, digits);
    bound(sum, value, base.extents[axis]);
    bool isFastest = int64_t(axis) == type.getOrder().front();
    offset = add(offset, isFastest ? value : mul(value, base.strides[axis]));
    int64_t factor = factorOf(sum, moving);
    if (factor == 0)
      continue;
    isSideBySide = !stride && isFastest && factor == 1;
    Value far =
        isFastest ? number(factor) : mul(base.strides[axis], number(factor));
    stride = stride ? add(stride, far) : far;
  }
  row.stride = isSideBySide ? Value() : stride;
  Type element = inMemory(elementType(type.getElementType()));
  row.address = gep(element, base.address, toI64(offset));
  row.end = least(row.end, count);
  if (isInside)
    row.end =
        arith::SelectOp::create(builder, loc, isInside, row.end, number(0));
  return row;
}

void DenseKernel::forEachRun(const ViewMap &map, SmallVector<Value> digits,
                             Value isInside, Value start, int64_t extent,
                             RunBody body) {
  ArrayRef<unsigned> along = map.digitsOf.back();
  Value total = number(1);
  for (unsigned digit : along)
    total = mul(total, extentOf(map.digits[digit].extent));
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange{builder.getIndexType()}, ValueRange{number(0)},
      [&](OpBuilder &, Location, ValueRange values) {
        scf::ConditionOp::create(builder, loc,
                                 isLess(values[0], number(extent)), values);
      },
      [&](OpBuilder &, Location, ValueRange values) {
        Value column = values[0];
        Value coordinate = add(start, column);
        Value room = sub(number(extent), column);
        // Outside all the rest is one run, and so is what lies in front.
        Value isBefore = isLess(coordinate, number(0));
        Value inView = isWithin(builder, loc, coordinate, total);
        SmallVector<Value> all = digits;
        Value inRow = isInside;
        decode(map, along, coordinate, all, inRow);
        Value fast = extentOf(map.digits[along.back()].extent);
        Value run = arith::SelectOp::create(
            builder, loc, inView, sub(fast, all[along.back()]),
            Value(arith::SelectOp::create(builder, loc, isBefore,
                                          sub(number(0), coordinate), room)));
        run = least(run, room);
        Row row = rowOfMap(map, all, along.back(), inRow, run);
        body(row, column, run);
        scf::YieldOp::create(builder, loc, ValueRange{add(column, run)});
      });
  (void)loop;
}

FailureOr<Row> DenseKernel::findRow(Operation *op, Value view,
                                    ValueRange offsets, Value tile, Values at) {
  auto found = maps.find(view);
  if (found == maps.end()) {
    std::string why;
    std::optional<ViewMap> map = getViewMap(view, why);
    if (!map)
      return refuse(*op) << ": " << why;
    found = maps.try_emplace(view, std::move(*map)).first;
  }
  const ViewMap &map = found->second;
  int64_t extent = cast<RankedTensorType>(tile.getType()).getShape().back();
  size_t missing = offsets.size() - at.size();
  SmallVector<Value> digits(map.digits.size());
  Value isInside;
  for (size_t axis = 0; axis + 1 < offsets.size(); ++axis) {
    Value coordinate = scalars.lookup(offsets[axis]);
    if (axis >= missing)
      coordinate = add(coordinate, at[axis - missing]);
    decode(map, map.digitsOf[axis], coordinate, digits, isInside);
  }
  Value start = scalars.lookup(offsets.back());
  ArrayRef<unsigned> along = map.digitsOf.back();
  if (along.size() == 1) {
    digits[along.front()] = start;
    return rowOfMap(map, digits, along.front(), isInside, number(extent));
  }
  Type element = elementType(tile.getType());
  Access whole = accessPlace({plan.rows.at(op), {1}}, element);
  Row row{whole.base, number(0), number(extent), {}};
  if (isa<tile::StoreOp>(op)) // see storeRow
    return row;
  int64_t lanes = lanesOf(element, processor);
  forEachRun(map, digits, isInside, start, extent,
             [&](Row run, Value column, Value count) {
               // Whole vectors, whose end the next run covers.
               (void)loop(count, lanes, [&](Value lane) {
                 store(readRow(run, element, lane, lanes),
                       elementAt(whole, {add(column, lane)}));
                 return success();
               });
             });
  return row;
}

LogicalResult DenseKernel::storeRow(tile::StoreOp op, Values at, Value end,
                                    const RowContext &context) {
  Value tile = op.getValue();
  int64_t extent = cast<RankedTensorType>(tile.getType()).getShape().back();
  Type element = elementType(tile.getType());
  int64_t count = stepOf(tile);
  FailureOr<Row> row = findRow(op, op.getView(), op.getOffsets(), tile, at);
  if (failed(row))
    return failure();
  LogicalResult written = loop(end, count, [&](Value column) -> LogicalResult {
    SmallVector<Value> first(at);
    first.back() = column;
    Value value = lanes(tile, first, count, context);
    if (!value)
      return failure();
    writeRow(*row, value, column, number(extent));
    return success();
  });
  const ViewMap &map = maps.at(op.getView());
  ArrayRef<unsigned> along = map.digitsOf.back();
  if (failed(written) || along.size() == 1)
    return written;
  SmallVector<Value> digits(map.digits.size());
  Value isInside;
  size_t missing = op.getOffsets().size() - at.size();
  for (size_t axis = 0; axis + 1 < op.getOffsets().size(); ++axis) {
    Value coordinate = scalars.lookup(op.getOffsets()[axis]);
    if (axis >= missing)
      coordinate = add(coordinate, at[axis - missing]);
    decode(map, map.digitsOf[axis], coordinate, digits, isInside);
  }
  Access whole = accessPlace({plan.rows.at(op), {1}}, element);
  int64_t step = lanesOf(element, processor);
  forEachRun(map, digits, isInside, scalars.lookup(op.getOffsets().back()),
             extent, [&](Row run, Value column, Value length) {
               (void)loop(length, step, [&](Value lane) {
                 Value value =
                     load(element, elementAt(whole, {add(column, lane)}), step);
                 writeRow(run, value, lane, length);
                 return success();
               });
             });
  return success();
}
