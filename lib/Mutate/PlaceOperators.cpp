//===- PlaceOperators.cpp - Where loads of views of views find elements -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes by one in what a run of pixels or a window says of places, in memory
// or in a tile. The barrier protocol stays right, so only a comparison of
// results can notice.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle::hopper;

namespace heddle::mutate {

/// A load in im2col mode; null for all else.
static TmaLoadOp asRun(Operation *op) {
  auto load = dyn_cast<TmaLoadOp>(op);
  return load && !load.getRun().empty() ? load : TmaLoadOp();
}

static void addOne(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  Location loc = operand.getOwner()->getLoc();
  operand.set(
      arith::AddIOp::create(builder, loc, operand.get(),
                            arith::ConstantIndexOp::create(builder, loc, 1)));
}

static bool shiftRun(Operation *op) {
  if (TmaLoadOp load = asRun(op))
    return addOne(load.getRunMutable()[0]), true;
  return false;
}

static bool shiftCorner(Operation *op) {
  if (TmaLoadOp load = asRun(op))
    return addOne(load.getFirstMutable()[0]), true;
  return false;
}

static bool countMorePixels(Operation *op) {
  if (TmaLoadOp load = asRun(op))
    return addOne(load.getCountMutable()[0]), true;
  return false;
}

/// Along the axis behind the fastest.
static bool changeStep(Operation *op) {
  auto load = dyn_cast<TmaLoadOp>(op);
  if (!load || (load.getRun().empty() && load.getSteps().empty()))
    return false;
  tile::ViewType view = load.getView().getType();
  SmallVector<int64_t> steps(load.getSteps());
  steps.resize(view.getRank(), 1);
  int64_t &step = steps[view.getOrder()[1]];
  step = step == 1 ? 2 : step - 1;
  load.setSteps(steps);
  return true;
}

/// Does an operation of a process access it, or a view that is made of it?
static bool isAccessed(Value view) {
  return llvm::any_of(view.getUsers(), [](Operation *user) {
    return isa<CopyOp, GlobalLoadOp>(user) ||
           (isa<tile::WindowOp, tile::MergeOp>(user) &&
            isAccessed(user->getResult(0)));
  });
}

static bool shiftLow(Operation *op) {
  auto window = dyn_cast<tile::WindowOp>(op);
  if (!window || !isAccessed(window.getResult()))
    return false;
  addOne(window.getLowMutable());
  return true;
}

static bool widenStride(Operation *op) {
  auto window = dyn_cast<tile::WindowOp>(op);
  if (!window || !isAccessed(window.getResult()))
    return false;
  window.setStride(window.getStride() + 1);
  return true;
}

static bool shiftSpan(Operation *op) {
  auto unfold = dyn_cast<LocalUnfoldOp>(op);
  if (!unfold)
    return false;
  addOne(unfold.getFirstMutable());
  return true;
}

static bool widenPitch(Operation *op) {
  auto unfold = dyn_cast<LocalUnfoldOp>(op);
  if (!unfold)
    return false;
  unfold.setStep(unfold.getStep() + 1);
  return true;
}

static const Operator kOperators[] = {
    {"shift-run", "A run is read one place further in its windows.", shiftRun},
    {"shift-corner", "The first pixel of all runs is one further.",
     shiftCorner},
    {"count-more-pixels", "Runs visit a pixel too many in each row.",
     countMorePixels},
    {"change-step", "Elements of a tile are another distance apart.",
     changeStep},
    {"shift-low", "Windows begin one element earlier.", shiftLow},
    {"widen-stride", "Windows are one element further apart.", widenStride},
    {"shift-span", "Windows begin one element later in their tile.", shiftSpan},
    {"widen-pitch", "Windows are one element further apart in their tile.",
     widenPitch},
};

ArrayRef<Operator> placeOperators() { return kOperators; }

} // namespace heddle::mutate
