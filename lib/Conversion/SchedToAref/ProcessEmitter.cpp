//===- ProcessEmitter.cpp - Values and items of one process -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProcessEmitter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

LogicalResult ProcessEmitter::run(Block &entry) {
  for (auto &[name, ring] : facts.rings) {
    if (ring.producer == process)
      turns[{&ring, Produces}] = aref::FirstTurnOp::create(
          builder, entry.getParentOp()->getLoc(),
          aref::TurnType::get(builder.getContext()), rings.lookup(name));
    if (facts.consumes(ring, process))
      turns[{&ring, Consumes}] = aref::FirstTurnOp::create(
          builder, entry.getParentOp()->getLoc(),
          aref::TurnType::get(builder.getContext()), rings.lookup(name));
  }
  Scope scope;
  Iteration once;
  emitOnce(scope, entry, once);
  return failure(failed);
}

void ProcessEmitter::note(Operation *op, const Twine &problem) {
  report(op, diag::not_expandable) << "cannot expand the schedule of process '"
                                   << process << "': " << problem;
  failed = true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ProcessEmitter::resolve(Scope &scope, Value value, bool allowFlight) {
  if (value.getParentBlock() != scope.block)
    return scope.outer ? resolve(*scope.outer, value, allowFlight) : value;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return resolveArgument(scope, argument, allowFlight);
  auto &values = scope.current->values;
  if (Value made = values.lookup(landed(value)))
    return made;
  if (Value made = values.lookup(flight(value)); made && allowFlight)
    return made;
  Operation *def = value.getDefiningOp();
  if (facts.isRepeated(def)) {
    // Scalars in front of the processes are theirs in common.
    if (facts.isShared(def) && !isa<RankedTensorType>(value.getType()))
      return value;
    return repeat(scope, value);
  }
  note(def, "'" + sched::opName(def) +
                "' is read before it is there; its reader starts too early in "
                "the table");
  return value;
}

Value ProcessEmitter::resolveArgument(Scope &scope, BlockArgument argument,
                                      bool allowFlight) {
  if (!scope.loop)
    return argument;
  if (argument.getArgNumber() == 0)
    return inductionVar(scope);
  unsigned index = argument.getArgNumber() - 1;
  Iteration *previous = scope.current->previous;
  if (!previous)
    return resolve(*scope.outer, scope.loop.getInitArgs()[index]);
  Iteration *current = std::exchange(scope.current, previous);
  Value result =
      resolve(scope, scope.loop.getYieldedValues()[index], allowFlight);
  scope.current = current;
  return result;
}

Value ProcessEmitter::inductionVar(Scope &scope) {
  Iteration &iteration = *scope.current;
  if (iteration.stepsBehind == 0)
    return iteration.inductionVar;
  Value &cached = iteration.scratch[scope.loop.getInductionVar()];
  if (cached)
    return cached;
  OpBuilder::InsertionGuard guard(builder);
  enterScope(scope);
  Location loc = scope.loop.getLoc();
  Value distance = scope.step;
  if (iteration.stepsBehind > 1) {
    Value count = arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(distance.getType(), iteration.stepsBehind));
    distance = arith::MulIOp::create(builder, loc, distance, count);
  }
  cached =
      arith::SubIOp::create(builder, loc, iteration.inductionVar, distance);
  return cached;
}

Value ProcessEmitter::repeat(Scope &scope, Value value) {
  if (Value cached = scope.current->scratch.lookup(value))
    return cached;
  Operation *def = value.getDefiningOp();
  IRMapping mapping;
  for (Value read : Facts::readsOf(def))
    mapping.map(read, resolve(scope, read));
  OpBuilder::InsertionGuard guard(builder);
  enterScope(scope);
  Operation *copy = builder.clone(*def, mapping);
  for (auto [original, result] :
       llvm::zip(def->getResults(), copy->getResults()))
    scope.current->scratch[original] = result;
  return scope.current->scratch[value];
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

Value ProcessEmitter::payload(Scope &scope, const RingFacts &ring,
                              unsigned index) {
  return scope.current->values.lookup(sent(ring.sources[index]->getResult(0)));
}

void ProcessEmitter::emitItem(Scope &scope, const Timetable &table,
                              const PendingCounts &pending, Place place) {
  const Item &item = table.items[place.item];
  auto &values = scope.current->values;
  Value ring = item.ring ? rings.lookup(item.ring->name) : Value();
  switch (item.action(process)) {
  case Item::Scalar: {
    Value result = repeat(scope, item.op->getResult(0));
    values[landed(item.op->getResult(0))] = result;
    return;
  }
  case Item::Acquire: {
    auto token = aref::TokenType::get(builder.getContext());
    auto turn = aref::TurnType::get(builder.getContext());
    auto op = aref::AcquireOp::create(builder, item.ring->firstLoc(), token,
                                      turn, ring, turns[{item.ring, Produces}]);
    values[{Key::PutToken, item.ring}] = op.getToken();
    turns[{item.ring, Produces}] = op.getNext();
    return;
  }
  case Item::Publish: {
    SmallVector<Value> sentValues;
    for (unsigned i = 0; i < item.ring->sources.size(); ++i)
      sentValues.push_back(payload(scope, *item.ring, i));
    aref::PublishOp::create(builder, item.ring->lastLoc(), ring,
                            values[{Key::PutToken, item.ring}], sentValues);
    return;
  }
  case Item::Get: {
    auto type = cast<aref::RingType>(ring.getType());
    auto op = aref::GetOp::create(builder, item.ring->firstLoc(),
                                  aref::TokenType::get(builder.getContext()),
                                  aref::TurnType::get(builder.getContext()),
                                  type.getPayload(), ring,
                                  turns[{item.ring, Consumes}]);
    values[{Key::GetToken, item.ring}] = op.getToken();
    turns[{item.ring, Consumes}] = op.getNext();
    for (auto [source, value] : llvm::zip(item.ring->sources, op.getValues()))
      values[landed(source->getResult(0))] = value;
    return;
  }
  case Item::Release: {
    SmallVector<Value> after;
    for (const KeyUse &use : item.uses)
      if (use.key.kind == Key::Landed)
        after.push_back(values.lookup(use.key));
    aref::ReleaseOp::create(builder, item.ring->firstLoc(), ring,
                            values[{Key::GetToken, item.ring}], after);
    return;
  }
  case Item::Await:
    emitAwait(scope, item.op, item.defs.front(), pending.at(place));
    return;
  case Item::Run:
    emitRun(scope, item);
    return;
  case Item::Enter:
  case Item::Leave:
    return;
  }
}

void ProcessEmitter::emitAwait(Scope &scope, Operation *op, Key as,
                               int64_t pending) {
  auto &values = scope.current->values;
  Value started = values.lookup(flight(op->getResult(0)));
  if (!started)
    return note(op, "'" + sched::opName(op) +
                        "' is read before it has started; its reader starts "
                        "too early in the table");
  values[as] = aref::AwaitOp::create(
      builder, op->getLoc(), op->getResult(0).getType(), started, pending);
}

void ProcessEmitter::emitRun(Scope &scope, const Item &item) {
  if (item.op->getNumRegions() && !facts.isTakenWhole(item.op, process)) {
    if (auto loop = dyn_cast<scf::ForOp>(item.op))
      return emitLoop(scope, loop);
    if (auto conditional = dyn_cast<scf::IfOp>(item.op))
      return emitIf(scope, conditional);
    return note(item.op, "'" + item.op->getName().getStringRef() +
                             "' holds work of several processes; only scf.for "
                             "and scf.if can be shared");
  }
  if (facts.isAsynchronous(item.op))
    return emitStart(scope, item.op);
  IRMapping mapping;
  for (Value read : Facts::readsOf(item.op))
    mapping.map(read, resolve(scope, read));
  Operation *copy = builder.clone(*item.op, mapping);
  for (auto [result, key] : llvm::zip(copy->getResults(), item.defs))
    scope.current->values[key] = result;
}

void ProcessEmitter::emitStart(Scope &scope, Operation *op) {
  SmallVector<Value> inputs;
  for (OpOperand &operand : op->getOpOperands())
    inputs.push_back(
        resolve(scope, operand.get(), &operand == Facts::accumulator(op)));
  if (failed)
    return;
  Type result = op->getResult(0).getType();
  auto start =
      aref::StartOp::create(builder, op->getLoc(),
                            aref::FlightType::get(builder.getContext(), result),
                            facts.entry(op).getUnitAttr(), inputs);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&start.getBody());
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, body->addArgument(operand.getType(), op->getLoc()));
  Operation *copy = builder.clone(*op, mapping);
  aref::YieldOp::create(builder, op->getLoc(), copy->getResult(0));
  scope.current->values[flight(op->getResult(0))] = start.getFlight();
}
