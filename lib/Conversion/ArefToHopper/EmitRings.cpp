//===- EmitRings.cpp - Rewrite: turns, waits, arrivals
//----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A turn is (slot, phase); the phase is the parity of the slot's use and flips
// when the slot wraps. Both barriers of a slot start in phase 0: a consumer
// waits for "full" with the turn's phase, a producer for "empty" with the other
// parity, which the first use of a slot finds completed.
//
//   use of the slot   1st   2nd   3rd
//   turn's phase       0     1     0
//   full, waited       0     1     0
//   empty, waited      1     0     1
//
//===----------------------------------------------------------------------===//

#include "HeldSlots.h"
#include "PlanConversions.h"
#include "ProcessEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

Value ProcessEmitter::makeI32(int64_t value, Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

void ProcessEmitter::emitFirstTurn(aref::FirstTurnOp op) {
  Value zero = makeI32(0, op.getLoc());
  values[op.getTurn()] = {zero, zero};
}

SmallVector<Value, 2> ProcessEmitter::nextTurn(aref::RingOp ring,
                                               ValueRange turn, Location loc) {
  Value one = makeI32(1, loc);
  if (ring.getDepth() == 1)
    return {turn[0], arith::XOrIOp::create(builder, loc, turn[1], one)};
  Value depth = makeI32(ring.getDepth(), loc), zero = makeI32(0, loc);
  Value after = arith::AddIOp::create(builder, loc, turn[0], one);
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      after, depth);
  Value flipped = arith::XOrIOp::create(builder, loc, turn[1], one);
  return {arith::SelectOp::create(builder, loc, wraps, zero, after),
          arith::SelectOp::create(builder, loc, wraps, flipped, turn[1])};
}

void ProcessEmitter::emitAcquire(aref::AcquireOp op) {
  Location loc = op.getLoc();
  aref::RingOp ring = ringOf(op.getRing());
  SmallVector<Value, 2> turn = values.find(op.getTurn())->second;
  Value parity = arith::XOrIOp::create(builder, loc, turn[1], makeI32(1, loc));
  hopper::WaitOp::create(builder, loc, ring.getSym(), "empty", turn[0], parity);
  values[op.getToken()] = {turn[0]};
  values[op.getNext()] = nextTurn(ring, turn, loc);
}

void ProcessEmitter::emitPublish(aref::PublishOp op) {
  Location loc = op.getLoc();
  aref::RingOp ring = ringOf(op.getRing());
  const RingPlan &ringPlan = planOf(ring);
  Value slot = scalar(op.getToken());

  int64_t announced = 0;
  for (auto [element, value] : llvm::zip(ringPlan.payload, op.getValues())) {
    auto load = value.getDefiningOp<tile::LoadOp>();
    if (element.tma && load && facts.isDirect(load))
      announced += element.tile.getSizeBytes();
  }
  if (ringPlan.anyTma)
    hopper::ExpectOp::create(builder, loc, ring.getSym(), slot, announced);
  SmallVector<Value> copies;
  for (unsigned element = 0; element < op.getValues().size(); ++element)
    if (Value copy = emitPayload(op, element, slot))
      copies.push_back(copy);
  if (!copies.empty())
    hopper::ArriveOp::create(builder, loc, ring.getSym(), "full", slot,
                             ValueRange{}, copies);
  if (!ringPlan.anyGeneric)
    return;
  if (ringPlan.fence)
    hopper::FenceAsyncOp::create(builder, loc);
  hopper::ArriveOp::create(builder, loc, ring.getSym(), "full", slot,
                           ValueRange{}, ValueRange{});
}

/// Gives a copy that goes on.
Value ProcessEmitter::emitPayload(aref::PublishOp op, unsigned element,
                                  Value slot) {
  aref::RingOp ring = ringOf(op.getRing());
  const RingPlan &ringPlan = planOf(ring);
  const PayloadPlan &payload = ringPlan.payload[element];
  Value value = op.getValues()[element];
  auto load = value.getDefiningOp<tile::LoadOp>();
  bool direct = load && facts.isDirect(load);
  Location loc = load ? load.getLoc() : op.getLoc();
  Value target =
      hopper::SlotOp::create(builder, loc, payload.tile, ring.getSym(), slot,
                             ringPlan.place.elements[element]);
  if (direct && payload.tma && plan.ways.contains(load))
    emitMappedLoad(load, target, ring.getSym(), slot);
  else if (direct && payload.tma)
    carryName(load,
              hopper::TmaLoadOp::create(builder, loc, scalar(load.getView()),
                                        scalars(load.getOffsets()), target,
                                        ring.getSym(), slot));
  else if (direct) {
    Value rows;
    if (load.getRows())
      rows =
          tile(load.getRows(),
               rowsLayout(load, aref::ProcessOp(process.op).getWarps()), loc);
    auto copy = hopper::CopyOp::create(
        builder, loc, payload.goesOn ? builder.getI1Type() : Type(),
        scalar(load.getView()), scalars(load.getOffsets()), target, rows);
    carryName(load, copy);
    return copy.getUnderWay();
  } else
    hopper::LocalStoreOp::create(builder, loc, tileAsMade(value, loc), target);
  return {};
}

/// The tile goes to its slot where it is published.
void ProcessEmitter::emitStage(tile::StageOp op) {
  values[op.getResult()] = {tile(
      op.getValue(), processPlan.layouts.lookup(op.getResult()), op.getLoc())};
}

void ProcessEmitter::emitGet(aref::GetOp op) {
  Location loc = op.getLoc();
  aref::RingOp ring = ringOf(op.getRing());
  const RingPlan &ringPlan = planOf(ring);
  SmallVector<Value, 2> turn = values.find(op.getTurn())->second;
  hopper::WaitOp::create(builder, loc, ring.getSym(), "full", turn[0], turn[1]);
  if (ringPlan.fenceReaders)
    hopper::FenceAsyncOp::create(builder, loc);
  values[op.getToken()] = {turn[0]};
  values[op.getNext()] = nextTurn(ring, turn, loc);
  for (auto [index, value] : llvm::enumerate(op.getValues()))
    if (!value.use_empty())
      values[value] = {hopper::SlotOp::create(
          builder, loc, ringPlan.payload[index].tile, ring.getSym(), turn[0],
          ringPlan.place.elements[index])};
}

/// What lies in the slot that `token` holds, in the order of the program.
static SmallVector<Value> slotsOf(Value token, const KernelFacts &facts) {
  SmallVector<Value> found;
  auto note = [&](Value value) {
    if (value != token && facts.homeOf(value) && tokenOf(value) == token)
      found.push_back(value);
  };
  if (auto argument = dyn_cast<BlockArgument>(token))
    llvm::for_each(argument.getOwner()->getArguments(), note);
  else
    llvm::for_each(token.getDefiningOp()->getResults(), note);
  for (size_t i = 0; i < found.size(); ++i)
    for (Operation *user : found[i].getUsers())
      if (auto trans = dyn_cast<tile::TransOp>(user))
        note(trans.getResult());
  return found;
}

/// Values outlive their slot: what reads one behind the release finds it in the
/// registers that it wants.
void ProcessEmitter::loadBeforeRelease(aref::ReleaseOp op) {
  for (Value value : slotsOf(op.getToken(), facts))
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      Operation *at = op->getBlock()->findAncestorOpInBlock(*user);
      bool isTurned =
          isa<tile::TransOp>(user) && facts.homeOf(user->getResult(0));
      if (!at || !op->isBeforeInBlock(at) || isTurned)
        continue;
      LayoutAttr wanted = wantedLayout(use, processPlan.layouts, facts);
      wanted ? tile(value, wanted, user->getLoc())
             : tileAsMade(value, user->getLoc());
    }
}

void ProcessEmitter::emitRelease(aref::ReleaseOp op) {
  loadBeforeRelease(op);
  SmallVector<Value> after;
  for (Value value : op.getAfter()) {
    if (repeatableSource(value) || facts.homeOf(value))
      continue;
    if (Value sum = parts.lookup(value)) {
      after.push_back(sum);
      continue;
    }
    llvm::append_range(after, values.find(lookThroughStart(value))->second);
  }
  hopper::ArriveOp::create(builder, op.getLoc(), ringOf(op.getRing()).getSym(),
                           "empty", scalar(op.getToken()), after, ValueRange{});
}
