//===- EmitShared.cpp - Slots, and registers to and from shared memory ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slots and buffers become addresses; tiles go between registers and shared
// memory, by ldmatrix and stmatrix where layout and tile fit the instruction,
// else in the widest runs that both keep together. Types and layouts are
// checked again, because a saved rung can be edited.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "Replicas.h"
#include "SharedAccess.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

using namespace mlir;

namespace heddle::tonvvm {

Value Emitter::sharedFor(Code &code, Operation *op) {
  Value bytes = merged.shifts.lookup(op);
  return bytes ? code.advance(shared, scalar(bytes)) : shared;
}

LogicalResult Emitter::emitSlot(hopper::SlotOp op) {
  Code code(builder, op.getLoc());
  hopper::RingOp ring = findRing(op.getRing());
  Value start =
      code.advance(sharedFor(code, op), code.mul(scalar(op.getSlot()),
                                                 int64_t(ring.getSlotBytes())));
  bind(op.getTile(),
       {code.advance(start, int64_t(ring.getOffset() + op.getOffset()))});
  return success();
}

LogicalResult Emitter::emitBuffer(hopper::BufferOp op) {
  Code code(builder, op.getLoc());
  bind(op.getTile(),
       {code.advance(sharedFor(code, op), int64_t(op.getOffset()))});
  return success();
}

/// What loads and stores need to agree on.
static LogicalResult verifyAccess(Operation *op, RankedTensorType value,
                                  hopper::SmemType tile,
                                  const Threads &threads) {
  std::optional<machine::Layout> layout = hopper::getLayout(value);
  if (!layout)
    return report(op, diag::hopper_layout_use)
           << "tile " << value << " has no register layout";
  if (value.getShape() != tile.getShape() ||
      value.getElementType() != tile.getElementType())
    return reportOp(op, diag::hopper_move)
           << "moves " << value << " to or from " << tile;
  if (threads.isSingle())
    return reportOp(op, diag::hopper_move)
           << "needs all threads of a process, but this one runs elected";
  if (!hasDisjointBits(*layout))
    return reportOp(op, diag::hopper_layout_use)
           << "has a register layout whose vectors share coordinate bits";
  return success();
}

LogicalResult Emitter::emitLocalStore(hopper::LocalStoreOp op) {
  if (failed(verifyAccess(op, op.getValue().getType(), op.getTile().getType(),
                          threads)))
    return failure();
  Code code(builder, op.getLoc());
  machine::Layout layout = *hopper::getLayout(op.getValue().getType());
  machine::SharedLayout shape = hopper::getSharedLayout(op.getTile().getType());
  const Registers &values = registers(op.getValue());

  // Warps that hold the same would write rows that others write.
  auto process = op->getParentOfType<hopper::ProcessOp>();
  std::optional<MatrixPlan> plan;
  if (!hasWarpReplicas(layout, process.getWarps()))
    plan = planMatrices(layout, shape);
  if (plan) {
    SharedAccess access(code, plan->rows, shape, threads, scalar(op.getTile()));
    for (const MatrixPlan::Group &group : plan->groups) {
      SmallVector<Value> fragments;
      for (int index : group.firstRegister)
        fragments.push_back(code.packInt({values[index], values[index + 1]}));
      code.storeMatrix(access.pointer(group.coord), fragments,
                       plan->transposed);
    }
    return success();
  }
  SharedAccess access(code, layout, shape, threads, scalar(op.getTile()));
  int64_t width = vectorWidth(layout, shape);
  for (int64_t index = 0; index < int64_t(values.size()); index += width) {
    ArrayRef<Value> run = ArrayRef<Value>(values).slice(index, width);
    code.store(width == 1 ? run[0] : code.pack(run),
               access.pointer(layout.registerCoordinate(index)),
               width * shape.elementBytes);
  }
  return success();
}

LogicalResult Emitter::emitLocalLoad(hopper::LocalLoadOp op) {
  if (failed(verifyAccess(op, op.getValue().getType(), op.getTile().getType(),
                          threads)))
    return failure();
  Code code(builder, op.getLoc());
  machine::Layout layout = *hopper::getLayout(op.getValue().getType());
  machine::SharedLayout shape = hopper::getSharedLayout(op.getTile().getType());
  Type element = registerType(op.getValue().getType().getElementType());
  Registers values(layout.registerCount());

  // ldmatrix does not reach into other blocks.
  std::optional<MatrixPlan> plan;
  if (!op.getTile().getDefiningOp<hopper::ClusterTileOp>())
    plan = planMatrices(layout, shape);
  if (plan) {
    SharedAccess access(code, plan->rows, shape, threads, scalar(op.getTile()));
    for (const MatrixPlan::Group &group : plan->groups) {
      SmallVector<Value> fragments = code.loadMatrix(
          access.pointer(group.coord), int64_t(group.firstRegister.size()),
          plan->transposed);
      for (auto [index, fragment] : llvm::zip(group.firstRegister, fragments)) {
        SmallVector<Value> pair = code.unpackInt(fragment, element, 2);
        values[index] = pair[0];
        values[index + 1] = pair[1];
      }
    }
    bind(op.getValue(), values);
    return success();
  }
  SharedAccess access(code, layout, shape, threads, scalar(op.getTile()));
  int64_t width = vectorWidth(layout, shape);
  for (int64_t index = 0; index < int64_t(values.size()); index += width) {
    Type type = width == 1 ? element : Type(VectorType::get(width, element));
    Value run =
        code.load(type, access.pointer(layout.registerCoordinate(index)),
                  width * shape.elementBytes);
    if (width == 1)
      values[index] = run;
    else
      llvm::copy(code.unpack(run), values.begin() + index);
  }
  bind(op.getValue(), values);
  return success();
}

} // namespace heddle::tonvvm
