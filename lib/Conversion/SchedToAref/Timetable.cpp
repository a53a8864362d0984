//===- Timetable.cpp - One process's share of one block, in order -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timetable.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

/// Cycles between neighbours where a block runs in program order: room for the
/// waits before and the releases after an op.
static constexpr int64_t kProgramOrderStep = 4;

Timetable::Timetable(const Facts &facts, StringRef process, Block &block)
    : facts(facts), process(process), block(block) {
  loop = dyn_cast<scf::ForOp>(block.getParentOp());
  if (loop)
    interval = facts.interval(loop);
  for (auto [index, op] : llvm::enumerate(block))
    programOrder[&op] = static_cast<int64_t>(index);
  if (loop)
    for (auto [index, value] : llvm::enumerate(loop.getYieldedValues()))
      if (StringRef owner = facts.ownerOf(value);
          owner == process ||
          (owner.empty() && !isa<RankedTensorType>(value.getType()) &&
           facts.needs(process, loop.getResult(index))))
        results.push_back(static_cast<unsigned>(index));
  addItems();
  for (auto &[name, ring] : facts.rings)
    if (ring.block == &block) {
      addConsumption(ring);
      addTurn(ring);
    }
  addAwaits();
  order();
  addUses();
  addScalars();
  findStages();
  findEntering();
}

int64_t Timetable::timeOf(Operation *op) const {
  sched::EntryOp entry = facts.entry(op);
  if (interval > 0 && entry)
    return entry.getStart();
  return programOrder.lookup(op) * kProgramOrderStep;
}

int64_t Timetable::endOf(Operation *op) const {
  if (!facts.isAsynchronous(op))
    return timeOf(op);
  return interval > 0
             ? timeOf(op) + static_cast<int64_t>(facts.entry(op).getLatency())
             : timeOf(op) + 1;
}

void Timetable::addItems() {
  for (Operation &op : block) {
    bool nested = op.getNumRegions() != 0 && !sched::isScheduled(&op) &&
                  facts.hasWork(&op, process);
    if (!nested && facts.processOf(&op) != process)
      continue;
    Item run;
    run.op = &op;
    run.time = timeOf(&op);
    run.order = programOrder[&op];
    if (facts.isLate(&op)) {
      late.push_back(run);
      continue;
    }
    items.push_back(run);
    const RingFacts *ring = nested ? nullptr : facts.ringOf(&op);
    if (!ring || ring->sources.front() != &op)
      continue;
    Item acquire = run, publish = run;
    acquire.kind = Item::Acquire;
    publish.kind = Item::Publish;
    acquire.op = publish.op = nullptr;
    acquire.ring = publish.ring = ring;
    for (Operation *source : ring->sources) {
      acquire.time = std::min(acquire.time, timeOf(source));
      publish.time = std::max(publish.time, endOf(source));
      publish.order = std::max(publish.order, programOrder[source]);
    }
    items.push_back(acquire);
    items.push_back(publish);
  }
}

/// A slot is borrowed from its first reader's issue to its last reader's end.
void Timetable::addConsumption(const RingFacts &ring) {
  Item get, release;
  get.kind = Item::Get;
  release.kind = Item::Release;
  get.ring = release.ring = &ring;
  get.time = INT64_MAX;
  get.order = INT64_MAX;
  release.time = INT64_MIN;
  for (Operation *source : ring.sources)
    for (OpOperand *use : tile::usesThroughRenaming(source->getResult(0))) {
      Operation *user = use->getOwner();
      if (facts.processOf(user) != process)
        continue;
      Operation *at = inBlock(user);
      get.time = std::min(get.time, timeOf(at));
      get.order = std::min(get.order, programOrder[at]);
      // Two cycles on, in program order: the wait for an asynchronous reader
      // stands between it and the release.
      release.time =
          std::max(release.time, interval > 0 ? endOf(at) : endOf(at) + 1);
      release.order = std::max(release.order, programOrder[at]);
      if (!facts.isAsynchronous(user))
        continue;
      // A loop around the reader has ended, and with it what it started.
      for (Value result : at->getResults())
        if ((at == user || facts.ownerOf(result) == process) &&
            llvm::none_of(release.uses, [&](KeyUse use) {
              return use.key == landed(result);
            }))
          release.uses.push_back({landed(result), 0});
    }
  if (get.time == INT64_MAX)
    return;
  items.push_back(get);
  items.push_back(release);
}

void Timetable::addTurn(const RingFacts &credit) {
  for (const Section &section : credit.sections) {
    if (section.process != process)
      continue;
    Item enter, leave;
    enter.kind = Item::Enter;
    leave.kind = Item::Leave;
    enter.ring = leave.ring = &credit;
    enter.time = section.begin;
    leave.time = section.end;
    items.push_back(enter);
    items.push_back(leave);
  }
}

/// The ops of this block that make operands which `op` reads from registers
/// while it is under way. What it accumulates onto is its own.
SmallVector<Operation *> Timetable::registerMakers(Operation *op) const {
  SmallVector<Operation *> makers;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = tile::lookThroughRenaming(operand.get());
    Operation *def = value.getDefiningOp();
    if (&operand == Facts::accumulator(op) || !def ||
        value.getParentBlock() != &block || Facts::isRepeatable(def) ||
        facts.ringOf(def) || facts.processOf(def) != process)
      continue;
    makers.push_back(def);
  }
  return makers;
}

/// The releases of slots that only the op of `result` reads.
SmallVector<Item *> Timetable::releasesAfter(Value result) {
  SmallVector<Item *> releases;
  for (Item &item : items) {
    if (item.kind != Item::Release)
      continue;
    bool isReader = false, isOnlyReader = true;
    for (Operation *source : item.ring->sources)
      for (OpOperand *use : tile::usesThroughRenaming(source->getResult(0))) {
        bool isHere = use->getOwner() == result.getDefiningOp();
        isReader |= isHere;
        isOnlyReader &= isHere || facts.processOf(use->getOwner()) != process;
      }
    if (isReader && isOnlyReader)
      releases.push_back(&item);
  }
  return releases;
}

/// An asynchronous result is waited for where it is first read, other than by
/// the same unit accumulating onto it, where a slot it reads is released, or
/// where registers it reads are written again.
void Timetable::addAwaits() {
  SmallVector<Item> awaits;
  for (const Item &item : items) {
    if (item.kind != Item::Run || !facts.isAsynchronous(item.op))
      continue;
    Value result = item.op->getResult(0);
    int64_t first = INT64_MAX;
    auto noteUsers = [&](Value value, int64_t distance) {
      for (OpOperand *use : tile::usesThroughRenaming(value)) {
        Operation *user = use->getOwner();
        if (facts.processOf(user) != process || use == Facts::accumulator(user))
          continue;
        first = std::min(first, timeOf(inBlock(user)) + distance * interval);
      }
    };
    noteUsers(result, 0);
    if (loop)
      for (auto [index, value] : llvm::enumerate(loop.getYieldedValues()))
        if (value == result)
          noteUsers(loop.getRegionIterArg(index), 1);
    for (const Item &other : items)
      if ((other.kind == Item::Release && llvm::any_of(other.uses,
                                                       [&](KeyUse use) {
                                                         return use.key ==
                                                                landed(result);
                                                       })) ||
          (other.kind == Item::Publish && facts.ringOf(item.op) == other.ring))
        first = std::min(first, other.time);
    if (interval > 0)
      for (Operation *maker : registerMakers(item.op)) {
        int64_t since = (item.time - timeOf(maker)) / interval;
        int64_t again = timeOf(maker) + (since + 1) * interval;
        if (again < first) {
          first = again;
          for (Item *release : releasesAfter(result))
            release->time = std::min(release->time, again);
        }
      }
    if (first == INT64_MAX && loop)
      continue; // only accumulated onto: waited for after the loop
    Item await = item;
    await.kind = Item::Await;
    await.time = first == INT64_MAX ? endOf(item.op) : first;
    awaits.push_back(await);
  }
  llvm::append_range(items, awaits);
}

/// Iterations that flights would be carried through, if steps began at `start`.
int64_t Timetable::flightsCarried(int64_t start) const {
  int64_t carried = 0;
  for (const Item &await : items)
    for (const Item &run : items)
      if (await.kind == Item::Await && run.kind == Item::Run &&
          await.op == run.op)
        carried += stageAt(await.time, start) - stageAt(run.time, start);
  return carried;
}

/// Iterations that slots being filled would be carried through, if steps began
/// at `start`.
int64_t Timetable::fillsCarried(int64_t start) const {
  int64_t carried = 0;
  for (const Item &publish : items)
    for (const Item &acquire : items)
      if (publish.kind == Item::Publish && acquire.kind == Item::Acquire &&
          publish.ring == acquire.ring)
        carried += stageAt(publish.time, start) - stageAt(acquire.time, start);
  return carried;
}

/// Operands that products would read from registers of the step before, if
/// steps began at `start`.
int64_t Timetable::operandsCarried(int64_t start) const {
  int64_t carried = 0;
  for (const Item &item : items)
    if (item.kind == Item::Run && facts.isAsynchronous(item.op))
      for (Operation *maker : registerMakers(item.op))
        carried += stageAt(item.time, start) - stageAt(timeOf(maker), start);
  return carried;
}

/// Steps that an iteration would take part in, if steps began at `start`.
int64_t Timetable::stagesFrom(int64_t start) const {
  int64_t last = 0;
  for (const Item &item : items)
    last = std::max(last, stageAt(item.time, start));
  return last + 1;
}

/// The cycle of the timetable where steps begin. Any will do; best is where the
/// fewest flights are under way, because ptxas serialises a loop that carries
/// flights of different registers (C7514), then where no slot is half full: the
/// copy engine fills one within a step. Then, unless the table prepares
/// operands ahead, where products find theirs in the registers in which this
/// step made them (ptxas moves those that a step brings along), and where an
/// iteration takes part in the fewest steps, because there is a prologue of all
/// but one. What is left is decided within the process, not by the timetable's
/// own cycle 0: processes that do the same in step get the same code.
int64_t Timetable::chooseStart() const {
  if (interval == 0 || items.empty())
    return 0;
  int64_t earliest = INT64_MAX;
  for (const Item &item : items)
    earliest = std::min(earliest, item.time);
  int64_t best = earliest;
  bool isAhead = facts.isAhead(loop);
  auto cost = [&](int64_t start) {
    return std::tuple(flightsCarried(start), fillsCarried(start),
                      isAhead ? 0 : operandsCarried(start), stagesFrom(start),
                      earliest - start);
  };
  for (const Item &item : items) {
    int64_t start =
        earliest - (earliest - item.time % interval + interval) % interval;
    if (cost(start) < cost(best))
      best = start;
  }
  return best;
}

/// Values carried into the next step change registers at its start, so what
/// reads them from registers cannot be under way then.
void Timetable::endBeforeTheStep() {
  if (interval == 0)
    return;
  for (Item &await : items) {
    if (await.kind != Item::Await)
      continue;
    int64_t stage = items[*position(Item::Run, await.op)].stage;
    if (await.stage <= stage || registerMakers(await.op).empty())
      continue;
    SmallVector<Item *> late = releasesAfter(await.op->getResult(0));
    late.push_back(&await);
    for (Item *item : late)
      if (item->stage > stage) {
        item->stage = stage;
        item->residue = interval;
      }
  }
}

/// A slot whose readers were all waited for in earlier steps is given back
/// where the last of them was: later, no value would be left that says so.
void Timetable::releaseWithTheWaits() {
  for (Item &release : items) {
    if (release.kind != Item::Release)
      continue;
    const Item *last = nullptr;
    bool isEarlier = true;
    for (const KeyUse &use : release.uses) {
      auto await = position(
          Item::Await, Value::getFromOpaquePointer(use.key.id).getDefiningOp());
      if (!await)
        continue;
      const Item &wait = items[*await];
      isEarlier &= wait.stage < release.stage;
      if (!last || std::pair(last->stage, last->residue) <
                       std::pair(wait.stage, wait.residue))
        last = &wait;
    }
    if (!last || !isEarlier)
      continue;
    release.stage = last->stage;
    release.residue = last->residue;
  }
}

void Timetable::order() {
  int64_t shift = chooseStart();
  for (Item &item : items) {
    item.time -= shift;
    item.stage = interval > 0 ? item.time / interval : 0;
    item.residue = interval > 0 ? item.time % interval : item.time;
  }
  endBeforeTheStep();
  releaseWithTheWaits();
  llvm::stable_sort(items, [](const Item &a, const Item &b) {
    return std::tuple(a.residue, a.kind, a.order) <
           std::tuple(b.residue, b.kind, b.order);
  });
}

std::optional<unsigned> Timetable::position(Item::Kind kind,
                                            Operation *op) const {
  for (auto [index, item] : llvm::enumerate(items))
    if (item.kind == kind && item.op == op)
      return static_cast<unsigned>(index);
  return std::nullopt;
}

/// Whether `item`, accumulating onto `def` of `distance` iterations before,
/// runs ahead of the wait for it.
bool Timetable::usesFlight(const Item &item, Operation *def, int64_t distance) {
  auto await = position(Item::Await, def);
  if (!await)
    return true;
  unsigned self = *position(Item::Run, item.op);
  return std::pair(item.stage + distance, self) <
         std::pair(items[*await].stage, *await);
}

/// Reads of `value`, through what this process repeats for itself, down to what
/// items make.
void Timetable::collectUses(Value value, int64_t distance,
                            SmallVectorImpl<KeyUse> &uses) {
  if (value.getParentBlock() != &block)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (loop && argument.getArgNumber() > 0)
      collectUses(loop.getYieldedValues()[argument.getArgNumber() - 1],
                  distance + 1, uses);
    return;
  }
  Operation *def = value.getDefiningOp();
  if (Facts::isRepeatable(def) && distance == 0) {
    for (Value read : Facts::readsOf(def))
      collectUses(read, 0, uses);
    return;
  }
  uses.push_back({landed(value), distance});
}

/// Whether an operand is the first value of what a loop carries in another
/// process only.
bool Timetable::entersElsewhere(OpOperand &operand) const {
  auto inner = dyn_cast<scf::ForOp>(operand.getOwner());
  if (!inner || operand.getOperandNumber() < inner.getNumControlOperands())
    return false;
  StringRef owner = facts.ownerOf(inner.getTiedLoopResult(&operand));
  return !owner.empty() && owner != process;
}

void Timetable::addCapturedUses(Item &item) {
  item.op->walk([&](Operation *inner) {
    if (inner != item.op && facts.processOf(inner) != process &&
        sched::isScheduled(inner))
      return;
    for (OpOperand &operand : inner->getOpOperands())
      if (!item.op->isAncestor(operand.get().getParentBlock()->getParentOp()) &&
          !entersElsewhere(operand))
        collectUses(operand.get(), 0, item.uses);
  });
}

void Timetable::addUses() {
  for (Item &item : late) {
    for (Value operand : item.op->getOperands())
      collectUses(operand, 0, item.uses);
    for (KeyUse &use : item.uses)
      ++use.distance;
  }
  for (Item &item : items) {
    switch (item.action(process)) {
    case Item::Acquire:
      item.defs.push_back({Key::PutToken, item.ring});
      break;
    case Item::Get:
      item.defs.push_back({Key::GetToken, item.ring});
      for (Operation *source : item.ring->sources)
        item.defs.push_back(landed(source->getResult(0)));
      break;
    case Item::Publish:
      item.uses.push_back({{Key::PutToken, item.ring}, 0});
      for (Operation *source : item.ring->sources)
        item.uses.push_back({sent(source->getResult(0)), 0});
      break;
    case Item::Release:
      // A reader waited for in an earlier step has landed for certain, and its
      // value may be accumulated onto by now: only its registers could be
      // carried.
      llvm::erase_if(item.uses, [&](const KeyUse &use) {
        Operation *def =
            Value::getFromOpaquePointer(use.key.id).getDefiningOp();
        auto await = position(Item::Await, def);
        return await && items[*await].stage < item.stage;
      });
      item.uses.push_back({{Key::GetToken, item.ring}, 0});
      break;
    case Item::Await:
      item.uses.push_back({flight(item.op->getResult(0)), 0});
      item.defs.push_back(facts.ringOf(item.op)
                              ? sent(item.op->getResult(0))
                              : landed(item.op->getResult(0)));
      break;
    case Item::Run: {
      if (item.op->getNumRegions() != 0) {
        addCapturedUses(item);
        for (Value result : item.op->getResults())
          item.defs.push_back(landed(result));
        break;
      }
      for (OpOperand &operand : item.op->getOpOperands()) {
        SmallVector<KeyUse> uses;
        collectUses(operand.get(), 0, uses);
        for (KeyUse &use : uses) {
          Operation *def =
              Value::getFromOpaquePointer(use.key.id).getDefiningOp();
          if (&operand == Facts::accumulator(item.op) &&
              facts.isAsynchronous(def) && facts.processOf(def) == process &&
              usesFlight(item, def, use.distance))
            use.key.kind = Key::Flight;
        }
        llvm::append_range(item.uses, uses);
      }
      for (Value result : item.op->getResults())
        item.defs.push_back(facts.isAsynchronous(item.op) ? flight(result)
                            : facts.ringOf(item.op)       ? sent(result)
                                                          : landed(result));
      break;
    }
    case Item::Scalar:
    case Item::Enter:
    case Item::Leave:
      break;
    }
  }
}

/// Scalars carried from iteration to iteration, or out of the loop, are
/// computed at the start of each iteration.
void Timetable::addScalars() {
  llvm::SetVector<Operation *> recurring;
  auto note = [&](ArrayRef<KeyUse> uses) {
    for (const KeyUse &use : uses)
      if (use.key.kind == Key::Landed)
        if (Operation *def =
                Value::getFromOpaquePointer(use.key.id).getDefiningOp();
            def && Facts::isRepeatable(def))
          recurring.insert(def);
  };
  for (const Item &item : items)
    note(item.uses);
  if (loop)
    for (unsigned index : results)
      note(KeyUse{landed(loop.getYieldedValues()[index]), 0});
  SmallVector<Item> scalars;
  for (unsigned i = 0; i < recurring.size(); ++i) {
    Item item;
    item.kind = Item::Scalar;
    item.op = recurring[i];
    item.order = programOrder[item.op];
    for (Value read : Facts::readsOf(item.op))
      collectUses(read, 0, item.uses);
    for (Value result : item.op->getResults())
      item.defs.push_back(landed(result));
    note(item.uses);
    scalars.push_back(item);
  }
  llvm::stable_sort(
      scalars, [](const Item &a, const Item &b) { return a.order < b.order; });
  items.insert(items.begin(), scalars.begin(), scalars.end());
}

void Timetable::findStages() {
  for (const Item &item : items) {
    stages = std::max(stages, item.stage + 1);
    // A flight carried between iterations has a landed value before the first;
    // running iteration 0 outside the loop keeps the types apart.
    for (const KeyUse &use : item.uses)
      if (use.key.kind == Key::Flight && use.distance > 0)
        stages = std::max(stages, item.stage + 2);
  }
}

void Timetable::findEntering() {
  auto carry = [&](Key key, int64_t from, int64_t to) {
    if (static_cast<int64_t>(entering.size()) <= to)
      entering.resize(to + 1);
    for (int64_t t = from + 1; t <= to; ++t)
      if (!llvm::is_contained(entering[t], key))
        entering[t].push_back(key);
  };
  entering.resize(2);
  for (const Item &def : items)
    for (Key key : def.defs)
      for (const Item &user : llvm::concat<const Item>(items, late))
        for (const KeyUse &use : user.uses)
          if (use.key == key && user.stage + use.distance > def.stage)
            carry(key, def.stage, user.stage + use.distance);
  if (!loop)
    return;
  // The last iteration leaves them behind: at once where its first step is its
  // last one, and where numbers were computed in the first.
  for (unsigned index : results) {
    Value yielded = loop.getYieldedValues()[index];
    bool isNumber = !isa<RankedTensorType>(yielded.getType());
    bool isFirst = llvm::any_of(items, [&](const Item &item) {
      return item.stage == 0 && llvm::is_contained(item.defs, landed(yielded));
    });
    if (stages == 1 || (isNumber && isFirst))
      carry(landed(yielded), 0, 1);
  }
}

bool Timetable::isReadLate(Key key) const {
  return llvm::any_of(late, [&](const Item &item) {
    return llvm::any_of(item.uses,
                        [&](const KeyUse &use) { return use.key == key; });
  });
}

int64_t Timetable::held(const RingFacts &ring) const {
  std::optional<unsigned> get, release;
  for (auto [index, item] : llvm::enumerate(items)) {
    if (item.ring == &ring && item.kind == Item::Get)
      get = index;
    if (item.ring == &ring && item.kind == Item::Release)
      release = index;
  }
  if (!get || !release)
    return 0;
  return items[*release].stage - items[*get].stage + (*get < *release ? 1 : 0);
}
