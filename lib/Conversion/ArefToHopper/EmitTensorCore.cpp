//===- EmitTensorCore.cpp - Rewrite: dots to wgmma --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanConversions.h"
#include "ProcessEmitter.h"
#include "TensorCoreRules.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

Value ProcessEmitter::emitWgmma(tile::DotOp dot) {
  Location loc = dot.getLoc();
  auto type = cast<RankedTensorType>(dot.getResult().getType());
  LayoutAttr layout = accumulatorLayout(type);

  Value a;
  if (facts.homeOf(dot.getA())) {
    a = scalar(dot.getA());
  } else {
    a = tile(dot.getA(), wantedLayout(dot.getAMutable(), processPlan.layouts, facts), loc);
  }
  Value acc, old = lookThroughStart(dot.getAcc());
  if (isa<aref::FlightType>(old.getType()))
    acc = scalar(old);
  else if (!isZeroTile(old))
    acc = tile(old, layout, loc);
  auto flight = hopper::FlightType::get(type.getContext(), withLayout(type, layout));
  return hopper::WgmmaOp::create(builder, loc, flight, a, scalar(dot.getB()), acc);
}

void ProcessEmitter::emitStart(aref::StartOp start) {
  values[start.getFlight()] = {emitWgmma(dotOf(start))};
}

void ProcessEmitter::emitAwait(aref::AwaitOp await) {
  Value flight = scalar(await.getFlight());
  Type type = cast<hopper::FlightType>(flight.getType()).getValue();
  values[await.getValue()] = {
      hopper::WgmmaWaitOp::create(builder, await.getLoc(), type, flight, await.getPending())};
}

/// A dot that nobody overlaps with anything.
void ProcessEmitter::emitDot(tile::DotOp dot) {
  Value flight = emitWgmma(dot);
  Type type = cast<hopper::FlightType>(flight.getType()).getValue();
  values[dot.getResult()] = {hopper::WgmmaWaitOp::create(builder, dot.getLoc(), type, flight, /*pending=*/0)};
}
