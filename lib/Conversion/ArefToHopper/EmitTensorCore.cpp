//===- EmitTensorCore.cpp - Rewrite: dots to wgmma
//--------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dots become hopper.wgmma with an explicit wait. An aref.start leaves its wait
// to the aref.await that the schedule put elsewhere; a dot outside of a start
// waits at once. Only the second may stage its operands: while products are in
// flight, they may still read the scratch memory of the dot before. A dot that
// the table leaves to threads stays a tile.dot, of tiles in registers.
//
//===----------------------------------------------------------------------===//

#include "PlanConversions.h"
#include "ProcessEmitter.h"
#include "StagedOperands.h"
#include "TensorCoreRules.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

Value ProcessEmitter::takeOperandA(tile::DotOp dot) {
  if (facts.homeOf(dot.getA()))
    return scalar(dot.getA());
  return tile(dot.getA(),
              wantedLayout(dot.getAMutable(), processPlan.layouts, facts),
              dot.getLoc());
}

/// Null where the sum begins at zero.
Value ProcessEmitter::takeAccumulator(tile::DotOp dot) {
  Value old = lookThroughStart(dot.getAcc());
  if (isa<aref::FlightType>(old.getType()))
    return scalar(old);
  auto type = cast<RankedTensorType>(dot.getResult().getType());
  return isZeroTile(old) ? Value()
                         : tile(old, accumulatorLayout(type), dot.getLoc());
}

Value ProcessEmitter::emitWgmma(tile::DotOp dot, Value a, Value b, Value acc) {
  auto type = cast<RankedTensorType>(dot.getResult().getType());
  auto flight = hopper::FlightType::get(
      type.getContext(), withLayout(type, accumulatorLayout(type)));
  auto wgmma =
      hopper::WgmmaOp::create(builder, dot.getLoc(), flight, a, b, acc);
  carryName(dot, wgmma);
  return wgmma;
}

void ProcessEmitter::emitStart(aref::StartOp start) {
  tile::DotOp dot = dotOf(start);
  Value a = takeOperandA(dot);
  values[start.getFlight()] = {
      emitWgmma(dot, a, scalar(dot.getB()), takeAccumulator(dot))};
}

void ProcessEmitter::emitAwait(aref::AwaitOp await) {
  Value flight = scalar(await.getFlight());
  Type type = cast<hopper::FlightType>(flight.getType()).getValue();
  values[await.getValue()] = {hopper::WgmmaWaitOp::create(
      builder, await.getLoc(), type, flight,
      // To wait for more of them is right, too.
      std::min<int64_t>(await.getPending(), hopper::kMostPending))};
}

/// A dot that nobody overlaps with anything. Staged operands: the first barrier
/// waits for those who still read the scratch memory, the second for its
/// writers. What changes its layout there does so before.
void ProcessEmitter::emitDot(tile::DotOp dot) {
  if (isByThreads(dot)) {
    emitGeneric(*dot.getOperation());
    values[dot.getResult()].front().getDefiningOp()->removeAttr(
        aref::kByThreads);
    return;
  }
  Location loc = dot.getLoc();
  StagedOperands staged = stageOperands(dot, facts);
  auto op = aref::ProcessOp(process.op);
  Value buffers[2];
  Value a = staged.a ? Value() : takeOperandA(dot);
  Value acc = takeAccumulator(dot);
  if (staged.any())
    waitForScratchReaders(loc);
  auto write = [&](Value &buffer, hopper::SmemType type, Value operand,
                   StringRef name, int64_t offset) {
    if (!type)
      return;
    Value value = tileAsMade(operand, loc);
    buffer = hopper::BufferOp::create(builder, loc, type,
                                      (op.getSym() + "." + name).str(),
                                      processPlan.scratch + offset);
    hopper::LocalStoreOp::create(builder, loc, value, buffer);
  };
  write(buffers[0], staged.a, dot.getA(), "a", 0);
  write(buffers[1], staged.b, dot.getB(), "b", staged.offsetOfB);
  if (staged.any()) {
    hopper::FenceAsyncOp::create(builder, loc);
    emitSync(loc);
  }
  Value flight = emitWgmma(dot, staged.a ? buffers[0] : a,
                           staged.b ? buffers[1] : scalar(dot.getB()), acc);
  Type type = cast<hopper::FlightType>(flight.getType()).getValue();
  values[dot.getResult()] = {
      hopper::WgmmaWaitOp::create(builder, loc, type, flight, /*pending=*/0)};
}
