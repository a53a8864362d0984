//===- RoleEmitter.cpp - Writes one process of a plan by roles ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns are carried through the loops in which their ring is used, as any other
// value. A slot is acquired in front of the load that fills it, so a load on
// its way lies in its slot, and goes back behind the last reader.
//
//===----------------------------------------------------------------------===//

#include "RoleEmitter.h"

#include "GroupLoops.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

static bool carriesNumber(const RoleFacts &facts, const Message &message) {
  return facts.needs(message.consumers.front(),
                     scf::ForOp(message.loop).getInductionVar());
}

SmallVector<Type> heddle::expander::payloadOf(const RoleFacts &facts,
                                              const Message &message) {
  SmallVector<Type> types;
  MLIRContext *context = facts.processes.front()->getContext();
  if (message.kind == Message::Flag)
    types.push_back(IntegerType::get(context, 1));
  if (message.kind == Message::Count ||
      (message.kind == Message::Flag && carriesNumber(facts, message)))
    types.push_back(IndexType::get(context));
  for (Value value : message.values)
    types.push_back(value.getType());
  return types;
}

RoleEmitter::RoleEmitter(const RoleFacts &facts, unsigned process,
                         OpBuilder &builder,
                         const llvm::StringMap<Value> &rings)
    : facts(facts), process(process), builder(builder), rings(rings) {
  for (const Message &message : facts.messages) {
    if (!message.concerns(process))
      continue;
    if (message.kind == Message::Values) {
      firsts[message.first].push_back(&message);
      lasts[message.last].push_back(&message);
    } else {
      ofLoop[message.loop].push_back(&message);
    }
  }
}

LogicalResult RoleEmitter::run(Block &entry) {
  for (const Message &message : facts.messages)
    if (message.concerns(process) && !turns.contains(message.ring)) {
      Value ring = ringOf(message);
      turns[message.ring] = aref::FirstTurnOp::create(
          builder, ring.getLoc(), aref::TurnType::get(builder.getContext()),
          ring);
    }
  giveBack(emitBlock(entry));
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Steps of rings
//===----------------------------------------------------------------------===//

Value RoleEmitter::acquire(const Message &message, Location loc) {
  auto step = aref::AcquireOp::create(
      builder, loc, aref::TokenType::get(builder.getContext()),
      aref::TurnType::get(builder.getContext()), ringOf(message),
      turns[message.ring]);
  turns[message.ring] = step.getNext();
  return step.getToken();
}

void RoleEmitter::publish(const Message &message, Value token,
                          ValueRange values, Location loc) {
  aref::PublishOp::create(builder, loc, ringOf(message), token, values);
}

RoleEmitter::Held RoleEmitter::get(const Message &message, Location loc) {
  auto step = aref::GetOp::create(
      builder, loc, aref::TokenType::get(builder.getContext()),
      aref::TurnType::get(builder.getContext()), payloadOf(facts, message),
      ringOf(message), turns[message.ring]);
  turns[message.ring] = step.getNext();
  ValueRange values = step.getValues();
  return {&message, step.getToken(), llvm::to_vector(values), step};
}

/// Iterations, for whoever counts them: none if the bounds cross.
void RoleEmitter::sendCount(const Message &message) {
  scf::ForOp first = message.loop, rest = restOf(first);
  scf::ForOp loop = rest ? rest : first;
  Location loc = loop.getLoc();
  Value span = arith::SubIOp::create(builder, loc, see(loop.getUpperBound()),
                                     see(first.getLowerBound()));
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  Value atLeast = arith::MaxSIOp::create(builder, loc, span, none);
  Value trips =
      arith::CeilDivSIOp::create(builder, loc, atLeast, see(loop.getStep()));
  publish(message, acquire(message, loc), trips, loc);
}

/// Iterations of the loop, of those that its process was told of.
Value RoleEmitter::countOf(scf::ForOp loop, Value told) {
  for (StringRef name : {kGroups, kRest}) {
    auto size = loop->getAttrOfType<IntegerAttr>(name);
    if (!size)
      continue;
    Location loc = loop.getLoc();
    Value number = arith::ConstantIndexOp::create(builder, loc, size.getInt());
    return name == kGroups
               ? Value(arith::DivSIOp::create(builder, loc, told, number))
               : Value(arith::RemSIOp::create(builder, loc, told, number));
  }
  return told;
}

void RoleEmitter::sendFlag(const Message &message, bool goesOn, Value number) {
  Location loc = scf::ForOp(message.loop).getLoc();
  Value token = acquire(message, loc);
  SmallVector<Value> values{
      arith::ConstantIntOp::create(builder, loc, goesOn, 1)};
  if (carriesNumber(facts, message))
    values.push_back(number);
  publish(message, token, values, loc);
}

SmallVector<StringRef> RoleEmitter::ringsIn(Operation *op) const {
  llvm::SetVector<StringRef> used;
  for (const Message &message : facts.messages) {
    if (!message.concerns(process))
      continue;
    scf::ForOp loop = message.loop;
    bool isInside =
        message.kind == Message::Values ? op->isProperAncestor(message.last)
        : message.kind == Message::Flag ? op->isAncestor(loop)
                                        : op->isProperAncestor(loop);
    if (isInside)
      used.insert(message.ring);
  }
  return used.takeVector();
}

SmallVector<Value> RoleEmitter::withTurns(SmallVector<Value> values,
                                          ArrayRef<StringRef> used) const {
  for (StringRef ring : used)
    values.push_back(turns.lookup(ring));
  return values;
}

void RoleEmitter::takeTurns(ValueRange values, ArrayRef<StringRef> used) {
  for (auto [ring, turn] : llvm::zip_equal(used, values.take_back(used.size())))
    turns[ring] = turn;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

SmallVector<RoleEmitter::Held> RoleEmitter::emitBlock(Block &block) {
  SmallVector<Held> held;
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      emitOp(&op, held);
  return held;
}

void RoleEmitter::emitOp(Operation *op, SmallVectorImpl<Held> &held) {
  for (const Message *message : ofLoop.lookup(op)) {
    if (message->kind != Message::Count)
      continue;
    if (produces(*message)) {
      sendCount(*message);
    } else {
      held.push_back(get(*message, op->getLoc()));
      counts[message] = held.back().values.front();
    }
  }
  for (const Message *message : firsts.lookup(op))
    if (produces(*message))
      tokens[message] = acquire(*message, op->getLoc());
  auto loop = dyn_cast<scf::ForOp>(op);
  auto conditional = dyn_cast<scf::IfOp>(op);
  if (loop && facts.takesPart(process, op)) {
    const Message *control = facts.controlOf(process, loop);
    if (control && control->kind == Message::Flag)
      emitFlagLoop(loop, *control);
    else
      emitLoop(loop);
  } else if (conditional && facts.takesPart(process, op)) {
    emitIf(conditional);
  } else if (facts.executes(process, op)) {
    Operation *copy = builder.clone(*op, map);
    if (facts.isStreamed(op))
      copy->setAttr(aref::kStream, builder.getUnitAttr());
  }
  for (const Message *message : lasts.lookup(op)) {
    if (produces(*message)) {
      SmallVector<Value> values = llvm::map_to_vector(
          message->values, [&](Value value) { return see(value); });
      publish(*message, tokens[message], values, op->getLoc());
    } else {
      held.push_back(get(*message, op->getLoc()));
      for (auto [value, got] :
           llvm::zip_equal(message->values, held.back().values))
        map.map(value, got);
    }
  }
}

SmallVector<unsigned> RoleEmitter::carriedBy(scf::ForOp loop) const {
  SmallVector<unsigned> carried;
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (facts.needs(process, argument))
      carried.push_back(number);
  return carried;
}

void RoleEmitter::emitLoop(scf::ForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<StringRef> used = ringsIn(loop);
  SmallVector<unsigned> carried = carriedBy(loop);
  const Message *count = facts.controlOf(process, loop);
  Value lower, upper, step;
  if (count) {
    lower = arith::ConstantIndexOp::create(builder, loc, 0);
    step = arith::ConstantIndexOp::create(builder, loc, 1);
    upper = countOf(loop, counts[count]);
  } else {
    lower = see(loop.getLowerBound());
    upper = see(loop.getUpperBound());
    step = see(loop.getStep());
  }
  SmallVector<Value> inits = llvm::map_to_vector(
      carried, [&](unsigned i) { return see(loop.getInitArgs()[i]); });
  auto copy = scf::ForOp::create(builder, loc, lower, upper, step,
                                 withTurns(inits, used));
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  copy.setUnsignedCmp(!count && loop.getUnsignedCmp());
  for (auto [index, number] : llvm::enumerate(carried))
    map.map(loop.getRegionIterArg(number), copy.getRegionIterArg(index));
  takeTurns(copy.getRegionIterArgs(), used);
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!copy.getBody()->empty())
      copy.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(copy.getBody());
    Value number = copy.getInductionVar();
    if (count && facts.needs(process, loop.getInductionVar())) {
      Value behind =
          arith::MulIOp::create(builder, loc, number, see(loop.getStep()));
      number = arith::AddIOp::create(builder, loc, see(loop.getLowerBound()),
                                     behind);
    }
    map.map(loop.getInductionVar(), number);
    for (const Message *message : ofLoop.lookup(loop))
      if (message->kind == Message::Flag && produces(*message))
        sendFlag(*message, true, number);
    SmallVector<Held> held = emitBlock(*loop.getBody());
    SmallVector<Value> yielded = llvm::map_to_vector(
        carried, [&](unsigned i) { return see(loop.getYieldedValues()[i]); });
    scf::YieldOp::create(builder, loc, withTurns(yielded, used));
    giveBack(std::move(held));
  }
  for (auto [index, number] : llvm::enumerate(carried))
    map.map(loop.getResult(number), copy.getResult(index));
  takeTurns(copy.getResults(), used);
  for (const Message *message : ofLoop.lookup(loop))
    if (message->kind == Message::Flag && produces(*message))
      sendFlag(*message, false, lower);
}

/// Each iteration, and the end, is a turn of the flags' ring.
void RoleEmitter::emitFlagLoop(scf::ForOp loop, const Message &flag) {
  Location loc = loop.getLoc();
  SmallVector<StringRef> used = ringsIn(loop);
  SmallVector<unsigned> carried = carriedBy(loop);
  SmallVector<Value> inits = withTurns(
      llvm::map_to_vector(
          carried, [&](unsigned i) { return see(loop.getInitArgs()[i]); }),
      used);
  bool hasNumber = facts.needs(process, loop.getInductionVar());
  SmallVector<Type> before = llvm::to_vector(ValueRange(inits).getTypes());
  // The slot goes back behind the body, or behind the loop.
  SmallVector<Type> after{aref::TokenType::get(builder.getContext())};
  if (hasNumber)
    after.push_back(builder.getIndexType());
  size_t first = after.size();
  llvm::append_range(after, before);
  auto copy = scf::WhileOp::create(builder, loc, after, inits);
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *question =
        builder.createBlock(&copy.getBefore(), {}, before,
                            SmallVector<Location>(before.size(), loc));
    takeTurns(question->getArguments(), used);
    Held answer = get(flag, loc);
    SmallVector<Value> passed{answer.token};
    if (hasNumber)
      passed.push_back(answer.values.back());
    llvm::append_range(passed,
                       question->getArguments().take_front(carried.size()));
    scf::ConditionOp::create(builder, loc, answer.values.front(),
                             withTurns(passed, used));

    Block *body = builder.createBlock(&copy.getAfter(), {}, after,
                                      SmallVector<Location>(after.size(), loc));
    if (hasNumber)
      map.map(loop.getInductionVar(), body->getArgument(1));
    for (auto [index, number] : llvm::enumerate(carried))
      map.map(loop.getRegionIterArg(number), body->getArgument(first + index));
    takeTurns(body->getArguments(), used);
    SmallVector<Held> held = emitBlock(*loop.getBody());
    aref::ReleaseOp::create(builder, loc, ringOf(flag), body->getArgument(0),
                            ValueRange());
    SmallVector<Value> yielded = llvm::map_to_vector(
        carried, [&](unsigned i) { return see(loop.getYieldedValues()[i]); });
    if (hasNumber && llvm::is_contained(yielded, body->getArgument(1))) {
      report(loop, diag::not_expandable)
          << "loop '" << sched::loopName(loop)
          << "' carries its own number on, which lies in a slot; choose "
             "\"count\" or \"replicate\" for it";
      failed = true;
    }
    scf::YieldOp::create(builder, loc, withTurns(yielded, used));
    giveBack(std::move(held));
  }
  for (auto [index, number] : llvm::enumerate(carried))
    map.map(loop.getResult(number), copy.getResult(unsigned(first + index)));
  takeTurns(copy.getResults(), used);
  aref::ReleaseOp::create(builder, loc, ringOf(flag), copy.getResult(0),
                          ValueRange());
}

void RoleEmitter::emitIf(scf::IfOp conditional) {
  SmallVector<StringRef> used = ringsIn(conditional);
  SmallVector<unsigned> kept;
  SmallVector<Type> types;
  for (OpResult result : conditional.getResults())
    if (facts.needs(process, result)) {
      kept.push_back(result.getResultNumber());
      types.push_back(result.getType());
    }
  types.append(used.size(), aref::TurnType::get(builder.getContext()));
  bool hasElse = !types.empty() || !conditional.getElseRegion().empty();
  auto copy = scf::IfOp::create(builder, conditional.getLoc(), types,
                                see(conditional.getCondition()), true, hasElse);
  Turns before = turns;
  for (auto [from, into] :
       llvm::zip_equal(conditional->getRegions(), copy->getRegions())) {
    if (into.empty())
      continue;
    turns = before;
    OpBuilder::InsertionGuard guard(builder);
    Block &block = into.front();
    block.clear();
    builder.setInsertionPointToEnd(&block);
    SmallVector<Held> held;
    SmallVector<Value> yielded;
    if (!from.empty()) {
      held = emitBlock(from.front());
      Operation *yield = from.front().getTerminator();
      yielded = llvm::map_to_vector(
          kept, [&](unsigned i) { return see(yield->getOperand(i)); });
    }
    scf::YieldOp::create(builder, conditional.getLoc(),
                         withTurns(yielded, used));
    giveBack(std::move(held));
  }
  turns = before;
  for (auto [index, number] : llvm::enumerate(kept))
    map.map(conditional.getResult(number), copy.getResult(index));
  takeTurns(copy.getResults(), used);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// Hands the value itself on, to where it would be read behind its release.
static bool handsOn(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<scf::YieldOp, scf::ConditionOp, scf::WhileOp>(user))
    return true;
  auto loop = dyn_cast<scf::ForOp>(user);
  return loop && use.getOperandNumber() >= loop.getNumControlOperands();
}

void RoleEmitter::giveBack(SmallVector<Held> held) {
  for (Held &slot : held) {
    Block *block = slot.get->getBlock();
    Operation *last = slot.get;
    for (Value value : slot.values)
      for (OpOperand &use : value.getUses()) {
        if (handsOn(use)) {
          report(slot.get, diag::not_expandable)
              << "process '" << facts.nameOf(process)
              << "' would carry on what it got from ring '"
              << slot.message->ring
              << "', which lies in a slot; compute with it first, or place the "
                 "op that makes it in this process";
          failed = true;
          return;
        }
        Operation *reader = block->findAncestorOpInBlock(*use.getOwner());
        if (reader && last->isBeforeInBlock(reader))
          last = reader;
      }
    SmallVector<Value> after;
    if (last != slot.get && !last->getNumRegions())
      for (Value result : last->getResults())
        if (!isa<aref::ArefDialect>(result.getType().getDialect()))
          after.push_back(result);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(last);
    slot.release = aref::ReleaseOp::create(
        builder, slot.get->getLoc(), ringOf(*slot.message), slot.token, after);
  }
  checkDepth(held);
}

/// Who holds all slots of a ring and gets a further turn waits for itself.
void RoleEmitter::checkDepth(ArrayRef<Held> held) {
  for (size_t i = 0; i < held.size() && !failed; ++i) {
    int64_t atOnce = 1;
    for (size_t j = 0; j < i; ++j)
      atOnce += held[j].message->ring == held[i].message->ring &&
                held[i].get->isBeforeInBlock(held[j].release);
    int64_t depth = facts.depthOf(held[i].message->ring);
    if (atOnce <= depth)
      continue;
    report(held[i].get, diag::not_expandable)
        << "process '" << facts.nameOf(process) << "' reads " << atOnce
        << " turns of ring '" << held[i].message->ring
        << "' at once, which has " << depth << (depth == 1 ? " slot" : " slots")
        << "; give it more";
    failed = true;
  }
}
