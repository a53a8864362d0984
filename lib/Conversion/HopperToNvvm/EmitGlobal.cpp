//===- EmitGlobal.cpp - Registers to and from a view ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each access is guarded: of one element, or of as many neighbours as the op
// says to be aligned and together inside the view or outside. All loads of a
// tile are issued before anything reads one.
//
//===----------------------------------------------------------------------===//

#include "GlobalTile.h"
#include "Replicas.h"
#include "RowCopy.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using heddle::machine::Coord;

namespace heddle::tonvvm {

GlobalView Emitter::globalView(Code &code, Value value) {
  auto type = cast<tile::ViewType>(value.getType());
  GlobalView view;
  view.rank = int(type.getRank());
  view.order.assign(type.getOrder().begin(), type.getOrder().end());
  view.elementBytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  if (tile::isMapped(value)) {
    if (auto op = value.getDefiningOp<tile::WindowOp>())
      view.window = {int64_t(op.getAxis()), int64_t(op.getWindow()),
                     int64_t(op.getStride()), int64_t(op.getDilation()),
                     scalar(op.getLow())};
    if (auto op = value.getDefiningOp<tile::MergeOp>())
      view.merge = {int64_t(op.getFirst()), int64_t(op.getLast())};
    view.source = std::make_shared<GlobalView>(
        globalView(code, value.getDefiningOp()->getOperand(0)));
    int64_t merged = view.merge ? view.merge->first : -1;
    for (int axis = 0; axis < view.rank; ++axis)
      view.dims.push_back(axis == merged ? Value()
                                         : viewDim(code, value, axis));
    return view;
  }
  view.pointer = viewPointer(value);
  for (int axis = 0; axis < view.rank; ++axis) {
    view.dims.push_back(viewDim(code, value, axis));
    view.strides.push_back(
        axis == view.order.front() ? Value() : viewStride(code, value, axis));
  }
  return view;
}

GlobalAccess Emitter::globalAccess(Code &code, Value value,
                                   const machine::Layout &layout,
                                   ValueRange offsets) {
  GlobalView view = globalView(code, value);
  return {code, view,
          ownCoordinates(code, view, layout, threads, flatten(offsets)),
          layout.rank};
}

static LogicalResult verifyTile(Operation *op, RankedTensorType tile,
                                const Threads &threads) {
  if (!hopper::getLayout(tile))
    return report(op, diag::hopper_layout_use)
           << "tile " << tile << " has no register layout";
  if (threads.isSingle())
    return reportOp(op, diag::hopper_move)
           << "needs all threads of a process, but this one runs elected";
  return success();
}

namespace {

/// Where a load lies that is elsewhere, outside of its view, unless a condition
/// holds: a condition of the access costs less than a choice of its address.
struct ConditionalPlace {
  SmallVector<Value> offsets;
  Coord moved = {}; ///< constants that were added to `offsets`
  SmallVector<Value> conditions;
};

} // namespace

static bool isOutside(Value offset, int64_t extent) {
  APInt number;
  return matchPattern(offset, m_ConstantInt(&number)) &&
         number.getSExtValue() <= -extent &&
         number.getSExtValue() >= -(int64_t(1) << 30);
}

static ConditionalPlace findPlace(hopper::GlobalLoadOp op) {
  ConditionalPlace place{llvm::to_vector(op.getOffsets()), {}, {}};
  RankedTensorType tile = op.getValue().getType();
  int64_t missing = int64_t(place.offsets.size()) - tile.getRank();
  for (auto [axis, offset] : llvm::enumerate(place.offsets)) {
    int64_t inTile = int64_t(axis) - missing;
    auto choice = offset.getDefiningOp<arith::SelectOp>();
    int64_t extent = inTile < 0 ? 1 : tile.getDimSize(inTile);
    if (!choice || !isOutside(choice.getFalseValue(), extent))
      continue;
    place.conditions.push_back(choice.getCondition());
    offset = choice.getTrueValue();
    // Places at constant distances share an address.
    auto sum = offset.getDefiningOp<arith::AddIOp>();
    APInt distance;
    if (inTile < 0 || !sum ||
        !matchPattern(sum.getRhs(), m_ConstantInt(&distance)))
      continue;
    offset = sum.getLhs();
    place.moved[inTile] = distance.getSExtValue();
  }
  return place;
}

LogicalResult Emitter::emitGlobalLoad(hopper::GlobalLoadOp op) {
  RankedTensorType tile = op.getValue().getType();
  if (failed(verifyTile(op, tile, threads)))
    return failure();
  Code code(builder, op.getLoc());
  machine::Layout layout = *hopper::getLayout(tile);
  ConditionalPlace place = findPlace(op);
  GlobalAccess access = globalAccess(code, op.getView(), layout, place.offsets);
  Value acts;
  for (Value condition : place.conditions)
    acts = acts ? code.bitAnd(acts, scalar(condition)) : scalar(condition);
  auto coordinateOf = [&](int index) {
    Coord coord = layout.registerCoordinate(index);
    for (int axis = 0; axis < layout.rank; ++axis)
      coord[axis] += place.moved[axis];
    return coord;
  };
  auto isInside = [&](const Coord &coord) {
    Value inside = access.isInside(coord);
    return acts ? code.bitAnd(acts, inside) : inside;
  };
  Registers values;
  if (op.getRows()) {
    machine::Layout rows = *hopper::getLayout(op.getRows().getType());
    int64_t bytes = tile.getElementTypeBitWidth() / 8;
    for (int index = 0; index < layout.registerCount(); ++index) {
      Coord coord = coordinateOf(index);
      RowPlace row(code, rows, registers(op.getRows()), 0,
                   layout.registerCoordinate(index)[0]);
      values.push_back(code.loadGlobalIf(
          code.bitAnd(row.exists, isInside(coord)),
          registerType(tile.getElementType()),
          code.advance(access.pointer(coord), code.mul(row.elements, bytes))));
    }
    bind(op.getValue(), values);
    return success();
  }
  int run = int(op.getVector());
  for (int index = 0; index < layout.registerCount(); index += run) {
    Coord coord = coordinateOf(index);
    llvm::append_range(values,
                       code.loadGlobalRunIf(isInside(coord),
                                            registerType(tile.getElementType()),
                                            run, access.pointer(coord)));
  }
  bind(op.getValue(), values);
  return success();
}

/// Does each run of `run` elements along a row begin at a multiple of its
/// bytes, and end inside the view if it begins there? The same for all threads;
/// the tile begins at a multiple of `run`.
static Value hasAlignedRuns(Code &code, const GlobalView &view,
                            ArrayRef<Value> offsets, int64_t run) {
  int64_t fastest = view.order.front();
  int64_t bytes = run * view.elementBytes;
  Value all = code.bitAnd(
      code.isMultiple(view.dims[fastest], run),
      code.isMultiple(code.pointerToInt(view.address(code, offsets)), bytes));
  for (int64_t axis : ArrayRef<int64_t>(view.order).drop_front())
    all = code.bitAnd(
        all, code.isMultiple(code.mul(view.strides[axis], view.elementBytes),
                             bytes));
  return all;
}

LogicalResult Emitter::emitGlobalStore(hopper::GlobalStoreOp op) {
  RankedTensorType tile = op.getValue().getType();
  if (failed(verifyTile(op, tile, threads)))
    return failure();
  Code code(builder, op.getLoc());
  machine::Layout layout = *hopper::getLayout(tile);
  GlobalAccess access =
      globalAccess(code, op.getView(), layout, op.getOffsets());
  ArrayRef<Value> values = registers(op.getValue());
  Value acts = emitActs(code, layout, threads);
  if (Value condition = op.getCondition())
    acts = acts ? code.bitAnd(acts, scalar(condition)) : scalar(condition);
  auto storeRuns = [&](Value act, int run) {
    for (int index : firstReplicas(layout)) {
      if (index % run)
        continue;
      Coord coord = layout.registerCoordinate(index);
      Value inside = access.isInside(coord);
      code.storeGlobalRunIf(act ? code.bitAnd(act, inside) : inside,
                            values.slice(index, run), access.pointer(coord));
    }
  };
  int run = int(op.getVector());
  if (!op.getLooks()) {
    storeRuns(acts, run);
    return success();
  }
  // Without a branch: products may be in flight, whose registers nobody moves.
  Value whole = hasAlignedRuns(code, globalView(code, op.getView()),
                               flatten(op.getOffsets()), run);
  Value single = code.logicalNot(whole);
  storeRuns(acts ? code.bitAnd(acts, whole) : whole, run);
  storeRuns(acts ? code.bitAnd(acts, single) : single, 1);
  return success();
}

} // namespace heddle::tonvvm
