//===- EmitLoops.cpp - Prologue, steady loop, epilogue -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of S stages becomes, where it runs at least S - 1 times,
//
//   prologue   steps 0 .. S-2        (iteration j - s for each stage s <= j)
//   steady     steps S-1 .. trips-1  (all stages; a loop)
//   epilogue   S - 1 more steps      (stages that still have an iteration)
//
// and otherwise one straight line for each smaller trip count. Iterations in
// flight hand their values on: what iteration i brings into its step t is
// carried as entering[t].
//
//===----------------------------------------------------------------------===//

#include "LoopCode.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

static Value constantLike(OpBuilder &builder, Location loc, Value like,
                          int64_t value) {
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(like.getType(), value));
}

/// base + count * step
static Value advance(OpBuilder &builder, Location loc, Value base, Value step,
                     int64_t count) {
  if (count == 0)
    return base;
  if (count != 1)
    step = arith::MulIOp::create(builder, loc, step,
                                 constantLike(builder, loc, step, count));
  return arith::AddIOp::create(builder, loc, base, step);
}

SmallVector<Turn> ProcessEmitter::turnsUsedIn(Operation *op) {
  SmallVector<Turn> used;
  for (auto &[key, turn] : turns)
    if (op->isAncestor(key.first->block->getParentOp()))
      used.push_back(key);
  return used;
}

void ProcessEmitter::emitOnce(Scope &scope, Block &block,
                              Iteration &iteration) {
  scope.block = &block;
  scope.current = &iteration;
  Timetable table(facts, process, block);
  PendingCounts pending(facts, table);
  for (unsigned i = 0; i < table.items.size() && !failed; ++i)
    emitItem(scope, table, pending, {Place::Steady, 0, i});
}

void ProcessEmitter::emitIf(Scope &scope, scf::IfOp conditional) {
  auto used = turnsUsedIn(conditional);
  SmallVector<unsigned> owned;
  SmallVector<Type> types;
  for (OpResult result : conditional.getResults())
    if (!isa<RankedTensorType>(result.getType()) ||
        facts.ownerOf(result) == process) {
      owned.push_back(result.getResultNumber());
      types.push_back(result.getType());
    }
  types.append(used.size(), aref::TurnType::get(builder.getContext()));
  Value condition = resolve(scope, conditional.getCondition());
  bool needsElse = !types.empty() || !conditional.getElseRegion().empty();
  auto copy = scf::IfOp::create(builder, conditional.getLoc(), types, condition,
                                /*addThenBlock=*/true,
                                /*addElseBlock=*/needsElse);
  Filling filling(scope, copy);
  Turns before = turns;
  for (auto [from, to] :
       llvm::zip(conditional.getRegions(), copy.getRegions())) {
    if (to->empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&to->front());
    turns = before;
    SmallVector<Value> yielded;
    Scope inner;
    inner.outer = &scope;
    Iteration once;
    if (!from->empty()) {
      emitOnce(inner, from->front(), once);
      for (unsigned index : owned)
        yielded.push_back(
            resolve(inner, from->front().getTerminator()->getOperand(index)));
    }
    for (auto key : used)
      yielded.push_back(turns[key]);
    scf::YieldOp::create(builder, conditional.getLoc(), yielded);
  }
  turns = before;
  for (auto [index, number] : llvm::enumerate(owned))
    scope.current->values[landed(conditional.getResult(number))] =
        copy.getResult(index);
  for (auto [index, key] : llvm::enumerate(used))
    turns[key] = copy.getResult(owned.size() + index);
}

void ProcessEmitter::emitLoop(Scope &outer, scf::ForOp loop) {
  LoopCode code(facts, process, outer, loop);
  if (late && late->host == loop)
    code.late = std::exchange(late, nullptr);
  for (auto &[name, ring] : facts.rings)
    if (int64_t held = code.table.held(ring);
        ring.block == loop.getBody() && held > ring.depth)
      return note(loop, "it holds " + Twine(held) + " slots of ring '" + name +
                            "' at once, which has depth " + Twine(ring.depth));
  Location loc = loop.getLoc();
  code.lower = resolve(outer, loop.getLowerBound());
  code.upper = resolve(outer, loop.getUpperBound());
  code.step = code.scope.step = resolve(outer, loop.getStep());
  SmallVector<Value> results;
  if (code.table.stages == 1) {
    results = emitPipelined(code);
  } else {
    // In this order no difference can wrap, whatever the bound is.
    Value end = arith::MaxSIOp::create(builder, loc, code.upper, code.lower);
    Value extent = arith::SubIOp::create(builder, loc, end, code.lower);
    code.trips = arith::CeilDivSIOp::create(builder, loc, extent, code.step);
    Value overlaps = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, code.trips,
        constantLike(builder, loc, code.trips, code.table.stages - 1));
    results = emitChoice(
        code, overlaps, [&] { return emitPipelined(code); },
        [&] { return emitShortFrom(code, 0); });
  }
  if (failed)
    return;
  for (auto [index, value] : llvm::zip(code.table.results, results))
    outer.current->values[landed(loop.getResult(index))] = value;
}

SmallVector<Value> ProcessEmitter::emitPipelined(LoopCode &code) {
  const Timetable &table = code.table;
  Location loc = code.loop.getLoc();
  int64_t last = table.stages - 1;
  std::deque<Iteration> iterations;
  DueOnce due(*this, code);
  auto emitItems = [&](Place place, auto iterationAt) {
    for (unsigned i = 0; i < table.items.size() && !failed; ++i) {
      Iteration *iteration = iterationAt(table.items[i].stage);
      if (!iteration)
        continue;
      code.scope.current = iteration;
      place.item = i;
      emitItem(code.scope, table, code.pending, place);
      due.behind(table.items[i]);
    }
    for (Iteration &iteration : iterations)
      iteration.scratch.clear();
  };
  for (int64_t step = 0; step < last; ++step) {
    Iteration &fresh = iterations.emplace_back();
    fresh.inductionVar = advance(builder, loc, code.lower, code.step, step);
    fresh.previous = step == 0 ? nullptr : &iterations[step - 1];
    emitItems({Place::Prologue, step, 0}, [&](int64_t stage) {
      return stage <= step ? &iterations[step - stage] : nullptr;
    });
  }
  due.now();
  // entering[t] of the first steady step comes from iteration S - 1 - t.
  SmallVector<Iteration *> entering(
      std::max<size_t>(table.entering.size(), table.stages + 1), nullptr);
  for (int64_t t = 1; t <= last; ++t)
    entering[t] = &iterations[last - t];
  emitLastOffsets(code);
  std::deque<Iteration> leaving;
  emitSteady(code, entering, leaving);
  // leaving[t] is the iteration that is about to run its step t.
  for (int64_t step = 1; step <= last && !failed; ++step) {
    if (step == 1) {
      Value end = arith::MulIOp::create(builder, loc, code.trips, code.step);
      Value first = arith::AddIOp::create(builder, loc, code.lower, end);
      for (size_t t = 1; t < leaving.size(); ++t) {
        leaving[t].inductionVar = first;
        leaving[t].stepsBehind = t;
      }
    }
    for (unsigned i = 0; i < table.items.size() && !failed; ++i) {
      int64_t stage = table.items[i].stage;
      if (stage < step)
        continue;
      code.scope.current = &leaving[stage - step + 1];
      emitItem(code.scope, table, code.pending, {Place::Epilogue, step, i});
    }
    for (Iteration &iteration : leaving)
      iteration.scratch.clear();
  }
  if (!table.late.empty() && !failed)
    emitLastLate(code, leaving[1]);
  if (failed)
    return {};
  return landedResults(code, leaving[1]);
}

void ProcessEmitter::emitSteady(LoopCode &code, ArrayRef<Iteration *> entering,
                                std::deque<Iteration> &leaving) {
  const Timetable &table = code.table;
  scf::ForOp loop = code.loop;
  Location loc = loop.getLoc();
  auto used = turnsUsedIn(loop);
  SmallVector<Value> inits;
  auto yields = loop.getYieldedValues();
  for (size_t t = 1; t < table.entering.size(); ++t)
    for (Key key : table.entering[t]) {
      Value value = entering[t] ? entering[t]->values.lookup(key) : Value();
      if (!value && entering[t] && key.kind == Key::Landed) {
        code.scope.current = entering[t];
        value = resolve(code.scope, Value::getFromOpaquePointer(key.id), true);
      }
      if (!value && !entering[t] &&
          key.kind == Key::Landed) // the iteration before the first
        for (auto [index, yielded] : llvm::enumerate(yields))
          if (!value && landed(yielded) == key)
            value = resolve(code.outer, loop.getInitArgs()[index]);
      if (!value && !entering[t] && table.isReadLate(key))
        value = nothingYet(Value::getFromOpaquePointer(key.id));
      if (!value)
        return note(loop, "a value of stage " + Twine(t) +
                              " is not there when the loop starts");
      inits.push_back(value);
    }
  for (auto key : used)
    inits.push_back(turns[key]);
  Value lower = advance(builder, loc, code.lower, code.step, table.stages - 1);
  auto copy =
      scf::ForOp::create(builder, loc, lower, code.upper, code.step, inits);
  if (StringRef name = sched::loopName(loop); !name.empty())
    copy->setAttr(sched::kLoopName, builder.getStringAttr(name));
  if (facts.splitsTail(loop))
    copy->setAttr(aref::kTail, builder.getUnitAttr());

  Filling filling(code.outer, copy);
  std::deque<Iteration> slots(
      std::max<size_t>(table.entering.size(), table.stages + 1));
  auto fill = [&](std::deque<Iteration> &into, ValueRange values) {
    size_t next = 0;
    for (size_t t = 1; t < table.entering.size(); ++t)
      for (Key key : table.entering[t])
        into[t].values[key] = values[next++];
    for (auto key : used)
      turns[key] = values[next++];
  };
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!copy.getBody()->empty())
      copy.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(copy.getBody());
    fill(slots, copy.getRegionIterArgs());
    for (size_t t = 0; t < slots.size(); ++t) {
      slots[t].inductionVar = copy.getInductionVar();
      slots[t].stepsBehind = t;
      slots[t].previous = t + 1 < slots.size() ? &slots[t + 1] : nullptr;
    }
    Late leftBehind{code, slots[1], copy.getInductionVar(),
                    facts.hostOfLate(*loop.getBody(), process)};
    if (!table.late.empty())
      late = &leftBehind;
    for (unsigned i = 0; i < table.items.size() && !failed; ++i) {
      code.scope.current = &slots[table.items[i].stage];
      emitItem(code.scope, table, code.pending, {Place::Steady, 0, i});
    }
    // A loop in front of the host leaves them to it.
    if (!table.late.empty() && std::exchange(late, nullptr))
      return note(loop, "late stores need a pipelined loop to come under");
    SmallVector<Value> yielded;
    for (size_t t = 1; t < table.entering.size() && !failed; ++t)
      for (Key key : table.entering[t]) {
        Value value = slots[t - 1].values.lookup(key);
        if (!value)
          return note(loop,
                      "a value of stage " + Twine(t) + " is not made in time");
        yielded.push_back(value);
      }
    for (auto key : used)
      yielded.push_back(turns[key]);
    scf::YieldOp::create(builder, loc, yielded);
  }
  leaving.resize(slots.size());
  for (size_t t = 0; t + 1 < leaving.size(); ++t)
    leaving[t].previous = &leaving[t + 1];
  fill(leaving, copy.getResults());
}

/// The loop's results in its last iteration, waited for.
SmallVector<Value> ProcessEmitter::landedResults(LoopCode &code,
                                                 Iteration &last) {
  SmallVector<Value> results;
  for (unsigned index : code.table.results) {
    Value yielded = code.loop.getYieldedValues()[index];
    if (Value value = last.values.lookup(landed(yielded))) {
      results.push_back(value);
      continue;
    }
    Operation *def = yielded.getDefiningOp();
    if (!last.values.count(flight(yielded))) {
      note(def, "the loop's result is not there at its end");
      return {};
    }
    unsigned start = 0;
    while (code.table.items[start].kind != Item::Run ||
           code.table.items[start].op != def)
      ++start;
    code.scope.current = &last;
    emitAwait(code.scope, def, landed(yielded), code.pending.after(start));
    results.push_back(last.values[landed(yielded)]);
  }
  return results;
}

/// A loop that runs `trips` < stages - 1 times, in the timetable's order all
/// the same: another order could wait for a process that keeps to it.
SmallVector<Value> ProcessEmitter::emitShort(LoopCode &code, int64_t trips) {
  const Timetable &table = code.table;
  scf::ForOp loop = code.loop;
  DueOnce due(*this, code);
  if (trips == 0) {
    due.now();
    SmallVector<Value> inits;
    for (unsigned index : table.results)
      inits.push_back(resolve(code.outer, loop.getInitArgs()[index]));
    return inits;
  }
  std::deque<Iteration> iterations(trips);
  for (int64_t i = 0; i < trips; ++i) {
    iterations[i].inductionVar =
        advance(builder, loop.getLoc(), code.lower, code.step, i);
    iterations[i].previous = i == 0 ? nullptr : &iterations[i - 1];
  }
  for (int64_t step = 0; step < trips + table.stages - 1; ++step) {
    for (unsigned i = 0; i < table.items.size() && !failed; ++i) {
      int64_t iteration = step - table.items[i].stage;
      if (iteration < 0 || iteration >= trips)
        continue;
      code.scope.current = &iterations[iteration];
      emitItem(code.scope, table, code.pending, {Place::Short, step, i, trips});
      due.behind(table.items[i]);
    }
    for (Iteration &iteration : iterations)
      iteration.scratch.clear();
  }
  due.now();
  if (failed)
    return {};
  return landedResults(code, iterations.back());
}

/// Chooses among the trip counts from `trips` to stages - 2.
SmallVector<Value> ProcessEmitter::emitShortFrom(LoopCode &code,
                                                 int64_t trips) {
  auto used = turnsUsedIn(code.loop);
  if (trips == code.table.stages - 2)
    return emitShort(code, trips);
  Location loc = code.loop.getLoc();
  Value isThis =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, code.trips,
                            constantLike(builder, loc, code.trips, trips));
  return emitChoice(
      code, isThis, [&] { return emitShort(code, trips); },
      [&] { return emitShortFrom(code, trips + 1); });
}

/// if (condition) then() else otherwise(), the loop's results and turns merged.
SmallVector<Value>
ProcessEmitter::emitChoice(LoopCode &code, Value condition,
                           llvm::function_ref<SmallVector<Value>()> then,
                           llvm::function_ref<SmallVector<Value>()> otherwise) {
  Location loc = code.loop.getLoc();
  auto used = turnsUsedIn(code.loop);
  SmallVector<Type> types;
  for (unsigned index : code.table.results)
    types.push_back(code.loop.getResult(index).getType());
  types.append(used.size(), aref::TurnType::get(builder.getContext()));
  auto choice = scf::IfOp::create(builder, loc, types, condition, true, true);
  Filling filling(code.outer, choice);
  Turns before = turns;
  for (unsigned branch : {0, 1}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&choice->getRegion(branch).front());
    turns = before;
    SmallVector<Value> yielded = branch == 0 ? then() : otherwise();
    for (auto key : used)
      yielded.push_back(turns[key]);
    scf::YieldOp::create(builder, loc, yielded);
  }
  turns = before;
  size_t owned = code.table.results.size();
  for (auto [index, key] : llvm::enumerate(used))
    turns[key] = choice.getResult(owned + index);
  return llvm::to_vector_of<Value>(choice.getResults().take_front(owned));
}
