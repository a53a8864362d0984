//===- ViewOps.cpp - Tiles of views ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores of views, by offsets or by row numbers, and views that the
// program makes. A made view declares its own bounds, which prove nothing of
// the memory behind its pointer; its accesses are checked one by one.
//
//===----------------------------------------------------------------------===//

#include "ViewAccess.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

static LogicalResult runDim(Interpreter &interpreter, tile::DimOp op) {
  interpreter.setInteger(
      op.getResult(), interpreter.get(op.getView()).view->shape[op.getAxis()]);
  return success();
}

/// Each row lies where its place says, if it is there.
static void loadRows(Interpreter &interpreter, tile::LoadOp op,
                     ViewAccess &access, Datum &result) {
  const std::vector<int64_t> &places = interpreter.get(op.getRows()).integers;
  Shape offsets = interpreter.getIntegers(op.getOffsets());
  int64_t first = offsets.pop_back_val(), width = result.shape[1];
  int64_t top = offsets.back();
  for (auto [row, place] : llvm::enumerate(places)) {
    if (place == std::numeric_limits<int64_t>::min())
      continue;
    access.displace(place);
    offsets.back() = satAdd(top, int64_t(row));
    access.forEachInRow(
        offsets, first, width, [&, row = row](int64_t i, void *address) {
          loadElement(result, int64_t(row) * width + i, address);
        });
  }
}

static LogicalResult runLoad(Interpreter &interpreter, tile::LoadOp op) {
  ViewAccess access(interpreter, op, op.getView());
  Datum result = interpreter.make(op.getResult());
  if (op.getRows()) {
    loadRows(interpreter, op, access, result);
    interpreter.set(op.getResult(), std::move(result));
    return access.finish();
  }
  access.forEachInside(
      result.shape, interpreter.getIntegers(op.getOffsets()),
      [&](int64_t i, void *address) { loadElement(result, i, address); });
  interpreter.set(op.getResult(), std::move(result));
  return access.finish();
}

static LogicalResult runStore(Interpreter &interpreter, tile::StoreOp op) {
  ViewAccess access(interpreter, op, op.getView());
  const Datum &value = interpreter.get(op.getValue());
  access.forEachInside(
      value.shape, interpreter.getIntegers(op.getOffsets()),
      [&](int64_t i, void *address) { storeElement(value, i, address); });
  return access.finish();
}

//===----------------------------------------------------------------------===//
// Rows chosen by number
//===----------------------------------------------------------------------===//

template <typename Visit>
static void forEachInRows(Interpreter &interpreter, ViewAccess &access,
                          Value rowNumbers, Value column, int64_t width,
                          Visit visit) {
  const std::vector<int64_t> &rows = interpreter.get(rowNumbers).integers;
  int64_t first = interpreter.getInteger(column);
  for (auto [row, number] : llvm::enumerate(rows))
    access.forEachInRow({number}, first, width,
                        [&, row = row](int64_t i, void *address) {
                          visit(int64_t(row) * width + i, address);
                        });
}

static LogicalResult runViewGather(Interpreter &interpreter,
                                   tile::ViewGatherOp op) {
  ViewAccess access(interpreter, op, op.getView());
  Datum result = interpreter.make(op.getResult());
  forEachInRows(
      interpreter, access, op.getRows(), op.getColumn(), result.shape[1],
      [&](int64_t i, void *address) { loadElement(result, i, address); });
  interpreter.set(op.getResult(), std::move(result));
  return access.finish();
}

static LogicalResult runViewScatter(Interpreter &interpreter,
                                    tile::ViewScatterOp op) {
  ViewAccess access(interpreter, op, op.getView());
  const Datum &value = interpreter.get(op.getValue());
  forEachInRows(
      interpreter, access, op.getRows(), op.getColumn(), value.shape[1],
      [&](int64_t i, void *address) { storeElement(value, i, address); });
  return access.finish();
}

//===----------------------------------------------------------------------===//
// Views that the program makes
//===----------------------------------------------------------------------===//

static LogicalResult runMakeView(Interpreter &interpreter,
                                 tile::MakeViewOp op) {
  tile::ViewType type = op.getResult().getType();
  auto view = std::make_unique<ViewData>();
  view->base = interpreter.getInteger(op.getPtr());
  view->shape = interpreter.getIntegers(op.getExtents());
  view->strides = interpreter.getIntegers(op.getStrides());
  view->checked = true;
  for (auto [axis, extent] : llvm::enumerate(view->shape)) {
    int64_t declared = type.getShape()[axis];
    if (extent < 0 || (!ShapedType::isDynamic(declared) && extent != declared))
      return report(op.getLoc(), diag::view_runtime)
             << "the view's extent along axis " << axis << " is " << extent
             << ", which its type does not allow";
  }
  int64_t fastest = type.getOrder().front();
  if (view->strides[fastest] != 1)
    return report(op.getLoc(), diag::view_runtime)
           << "the view's stride along axis " << fastest << " is "
           << view->strides[fastest] << " but its order asks for 1";
  Datum datum(*Element::get(type.getElementType()), {});
  datum.view = std::move(view);
  interpreter.set(op.getResult(), std::move(datum));
  return success();
}

void heddle::interp::addViewOps(Handlers &handlers) {
  handlers.add<tile::DimOp>(runDim);
  handlers.add<tile::LoadOp>(runLoad);
  handlers.add<tile::StoreOp>(runStore);
  handlers.add<tile::ViewGatherOp>(runViewGather);
  handlers.add<tile::ViewScatterOp>(runViewScatter);
  handlers.add<tile::MakeViewOp>(runMakeView);
}
