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

LogicalResult Emitter::emitGlobalLoad(hopper::GlobalLoadOp op) {
  RankedTensorType tile = op.getValue().getType();
  if (failed(verifyTile(op, tile, threads)))
    return failure();
  Code code(builder, op.getLoc());
  machine::Layout layout = *hopper::getLayout(tile);
  GlobalAccess access =
      globalAccess(code, op.getView(), layout, op.getOffsets());
  Registers values;
  if (op.getRows()) {
    machine::Layout rows = *hopper::getLayout(op.getRows().getType());
    int64_t bytes = tile.getElementTypeBitWidth() / 8;
    for (int index = 0; index < layout.registerCount(); ++index) {
      Coord coord = layout.registerCoordinate(index);
      RowPlace place(code, rows, registers(op.getRows()), 0, coord[0]);
      values.push_back(
          code.loadGlobalIf(code.bitAnd(place.exists, access.isInside(coord)),
                            registerType(tile.getElementType()),
                            code.advance(access.pointer(coord),
                                         code.mul(place.elements, bytes))));
    }
    bind(op.getValue(), values);
    return success();
  }
  int run = int(op.getVector());
  for (int index = 0; index < layout.registerCount(); index += run) {
    Coord coord = layout.registerCoordinate(index);
    llvm::append_range(values,
                       code.loadGlobalRunIf(access.isInside(coord),
                                            registerType(tile.getElementType()),
                                            run, access.pointer(coord)));
  }
  bind(op.getValue(), values);
  return success();
}

LogicalResult Emitter::emitGlobalStore(hopper::GlobalStoreOp op) {
  RankedTensorType tile = op.getValue().getType();
  if (failed(verifyTile(op, tile, threads)))
    return failure();
  Code code(builder, op.getLoc());
  machine::Layout layout = *hopper::getLayout(tile);
  GlobalAccess access =
      globalAccess(code, op.getView(), layout, op.getOffsets());
  int run = int(op.getVector());
  ArrayRef<Value> values = registers(op.getValue());
  Value acts = emitActs(code, layout, threads);
  for (int index : firstReplicas(layout)) {
    if (index % run)
      continue;
    Coord coord = layout.registerCoordinate(index);
    Value inside = access.isInside(coord);
    code.storeGlobalRunIf(acts ? code.bitAnd(acts, inside) : inside,
                          values.slice(index, run), access.pointer(coord));
  }
  return success();
}

} // namespace heddle::tonvvm
