//===- MappedViews.cpp - Views of views -----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows and merged axes as the oracle sees them: a view keeps the one that it
// is made of, and a coordinate goes from view to view, one step each. Nothing
// is composed, so that what lowerings compose has something to be compared
// with.
//
//===----------------------------------------------------------------------===//

#include "ViewAccess.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

static bool isInside(const ViewData &view, const Shape &coordinates) {
  for (auto [axis, coordinate] : llvm::enumerate(coordinates))
    if (coordinate < 0 || coordinate >= view.shape[axis])
      return false;
  return true;
}

const ViewData *heddle::interp::toBase(const ViewData &view,
                                       Shape &coordinates) {
  if (!isInside(view, coordinates))
    return nullptr;
  if (!view.step)
    return &view;
  const ViewStep &step = *view.step;
  const ViewData &source = *step.source->view;
  if (step.isWindow) {
    int64_t place = coordinates[step.position];
    coordinates.erase(coordinates.begin() + step.position);
    int64_t &number = coordinates[step.axis];
    number = satSub(
        satAdd(satMul(number, step.stride), satMul(place, step.dilation)),
        step.low);
  } else {
    int64_t rest = coordinates[step.axis];
    Shape parts(step.count);
    for (int64_t i = step.count; i-- > 0;) {
      // No extent is 0 here, since the coordinate is below their product.
      int64_t extent = source.shape[step.axis + i];
      parts[i] = rest % extent;
      rest /= extent;
    }
    coordinates.erase(coordinates.begin() + step.axis);
    coordinates.insert(coordinates.begin() + step.axis, parts.begin(),
                       parts.end());
  }
  return toBase(source, coordinates);
}

/// Sets a view of `shape` that `step` makes.
static LogicalResult setView(Interpreter &interpreter, Operation *op,
                             Shape shape, ViewStep step) {
  auto type = cast<tile::ViewType>(op->getResult(0).getType());
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    int64_t declared = type.getShape()[axis];
    if (extent < 0 || (!ShapedType::isDynamic(declared) && extent != declared))
      return report(op->getLoc(), diag::view_runtime)
             << "the view's extent along axis " << axis << " is " << extent
             << ", which its type does not allow";
  }
  step.source = interpreter.getRef(op->getOperand(0));
  auto view = std::make_unique<ViewData>();
  view->shape = std::move(shape);
  view->step = std::move(step);
  Datum datum(*Element::get(type.getElementType()), {});
  datum.view = std::move(view);
  interpreter.set(op->getResult(0), std::move(datum));
  return success();
}

static LogicalResult runWindow(Interpreter &interpreter, tile::WindowOp op) {
  ViewStep step;
  step.isWindow = true;
  step.axis = op.getAxis();
  step.position = op.getWindow();
  step.stride = op.getStride();
  step.dilation = op.getDilation();
  step.low = interpreter.getInteger(op.getLow());
  Shape shape = interpreter.get(op.getView()).view->shape;
  shape[step.axis] = interpreter.getInteger(op.getExtent());
  shape.insert(shape.begin() + step.position,
               interpreter.getInteger(op.getWindowExtent()));
  return setView(interpreter, op, std::move(shape), std::move(step));
}

static LogicalResult runMerge(Interpreter &interpreter, tile::MergeOp op) {
  ViewStep step;
  step.axis = op.getFirst();
  step.count = op.getLast() - op.getFirst() + 1;
  Shape shape = interpreter.get(op.getView()).view->shape;
  int64_t product = 1;
  for (int64_t axis = step.axis; axis < step.axis + step.count; ++axis)
    product = satMul(product, shape[axis]);
  shape.erase(shape.begin() + step.axis,
              shape.begin() + step.axis + step.count);
  shape.insert(shape.begin() + step.axis, product);
  return setView(interpreter, op, std::move(shape), std::move(step));
}

void heddle::interp::addMappedViewOps(Handlers &handlers) {
  handlers.add<tile::WindowOp>(runWindow);
  handlers.add<tile::MergeOp>(runMerge);
}
