//===- Facts.cpp - What a plan says about a kernel -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Facts.h"

#include "Credits.h"

#include "heddle/Analysis/TilePlaces.h"
#include "heddle/Analysis/ValueNeeds.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Owned.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

StringRef Facts::processOf(Operation *op) const {
  // What is inside an op with an entry goes where that goes.
  for (; op && !isa<scf::ForOp, scf::WhileOp>(op); op = op->getParentOp())
    if (auto it = entries.find(op); it != entries.end())
      return sched::EntryOp(it->second).getProcess();
  return {};
}

/// A table without an interval runs in program order: nothing overlaps, so
/// whoever starts an op also waits for it.
bool Facts::isAsynchronous(Operation *op) const {
  auto it = entries.find(op);
  if (it == entries.end())
    return false;
  sched::EntryOp entry = it->second;
  return sched::isAsynchronousUnit(entry.getUnit()) &&
         cast<sched::TableOp>(entry->getParentOp()).getIi() > 0;
}

bool Facts::isLate(Operation *op) const {
  sched::EntryOp found = entries.lookup(op);
  return found && found.getLate();
}

scf::ForOp Facts::hostOfLate(Block &block, StringRef process) const {
  for (auto loop : block.getOps<scf::ForOp>())
    if (interval(loop) > 0 && hasWork(loop, process))
      return loop;
  return {};
}

bool Facts::hasWork(Operation *op, StringRef process) const {
  return op
      ->walk([&](Operation *inner) {
        return processOf(inner) == process ? WalkResult::interrupt()
                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

bool Facts::isTakenWhole(Operation *op, StringRef process) const {
  return !op->walk([&](Operation *inner) {
              bool leaves = isa<scf::ForOp>(inner) && interval(inner) > 0;
              leaves |= scheduled.contains(inner) &&
                        (processOf(inner) != process || isAsynchronous(inner) ||
                         ringOf(inner));
              return leaves ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

StringRef Facts::ownerOf(Value value) const {
  value = tile::lookThroughRenaming(value);
  Operation *def = value.getDefiningOp();
  if (!def)
    return {};
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(def))
    return ownerOf(loop.getYieldedValues()[number]);
  if (auto conditional = dyn_cast<scf::IfOp>(def)) {
    for (Region *region : conditional.getRegions())
      if (!region->empty())
        if (StringRef owner =
                ownerOf(region->front().getTerminator()->getOperand(number));
            !owner.empty())
          return owner;
    return {};
  }
  return processOf(def);
}

int64_t Facts::interval(Operation *loop) const {
  return intervals.lookup(sched::loopName(loop));
}

bool Facts::isAhead(Operation *loop) const {
  return ahead.contains(sched::loopName(loop));
}

bool Facts::splitsTail(Operation *loop) const {
  return tails.contains(sched::loopName(loop));
}

/// Where a value that an scf op is given goes on inside of it and behind it;
/// nothing where it decides how often or whether that runs.
static SmallVector<Value> goesOn(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<scf::YieldOp>(user)) {
    unsigned number = use.getOperandNumber();
    Operation *around = user->getParentOp();
    SmallVector<Value> values = {around->getResult(number)};
    if (auto loop = dyn_cast<scf::ForOp>(around))
      values.push_back(loop.getRegionIterArg(number));
    return values;
  }
  auto loop = dyn_cast<scf::ForOp>(user);
  if (!loop || use.getOperandNumber() < loop.getNumControlOperands())
    return {};
  return {loop.getTiedLoopRegionIterArg(&use), loop.getTiedLoopResult(&use)};
}

bool Facts::needs(StringRef process, Value number) const {
  llvm::SetVector<Value> reached;
  reached.insert(number);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      if (processOf(user) == process)
        return true;
      SmallVector<Value> next = goesOn(use);
      // Of a `while` nothing more is asked.
      if (next.empty() &&
          (isa<scf::WhileOp, scf::ConditionOp>(user) ||
           (isa<scf::ForOp, scf::IfOp>(user) && hasWork(user, process))))
        return true;
      if (next.empty() && !scheduled.contains(user))
        next.assign(user->result_begin(), user->result_end());
      reached.insert(next.begin(), next.end());
    }
  return false;
}

bool Facts::consumes(const RingFacts &ring, StringRef process) const {
  for (const Section &section : ring.sections)
    if (section.process == process && section.process != ring.producer)
      return true;
  for (Operation *source : ring.sources)
    for (OpOperand *use : tile::usesThroughRenaming(source->getResult(0)))
      if (processOf(use->getOwner()) == process)
        return true;
  return false;
}

const RingFacts *Facts::ringOf(Operation *source) const {
  sched::EntryOp found = entries.lookup(source);
  if (!found || !found.getRing())
    return nullptr;
  auto it = rings.find(*found.getRing());
  return it == rings.end() ? nullptr : &it->second;
}

/// Writes nothing, and reads no memory but numbers that nobody writes.
static bool hasNoEffect(Operation *op) {
  if (isMemoryEffectFree(op) || sched::isRepeatedInput(op))
    return true;
  if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return false;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (!hasNoEffect(&inner))
        return false;
  return true;
}

bool Facts::isRepeatable(Operation *op) {
  if (sched::isScheduled(op) || !hasNoEffect(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return false;
  return !op->walk([&](Operation *inner) {
              return inner != op && sched::isScheduled(inner)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

llvm::SetVector<Value> Facts::readsOf(Operation *op) {
  llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

OpOperand *Facts::accumulator(Operation *op) {
  if (auto dot = dyn_cast<tile::DotOp>(op))
    return &dot.getAccMutable();
  return nullptr;
}

void Facts::collectShared(Block &entry) {
  for (Operation &op : entry)
    if (isRepeatable(&op) && llvm::all_of(readsOf(&op), [&](Value read) {
          Operation *def = read.getDefiningOp();
          // A number made of a tile needs the tile.
          return !def || (shared.contains(def) &&
                          (!isa<RankedTensorType>(read.getType()) ||
                           isa<RankedTensorType>(op.getResult(0).getType())));
        }))
      shared.insert(&op);
}

LogicalResult Facts::collect(tile::KernelOp kernel, sched::PlanOp plan) {
  kernel.walk([&](Operation *op) {
    if (sched::isScheduled(op))
      scheduled.insert(op);
    if (isRepeatable(op))
      repeated.insert(op);
  });
  collectShared(kernel.getEntry());
  llvm::StringMap<sched::EntryOp> byName;
  for (Operation &op : plan.getBody().front()) {
    if (auto process = dyn_cast<sched::ProcessOp>(op))
      processes.push_back(process);
    if (auto ring = dyn_cast<sched::RingOp>(op)) {
      RingFacts &facts = rings[ring.getSym()];
      facts.name = ring.getSym().str();
      facts.depth = static_cast<int64_t>(ring.getDepth());
    }
    if (auto table = dyn_cast<sched::TableOp>(op)) {
      intervals[table.getLoop()] = table.getIi();
      if (table.getAhead())
        ahead.insert(table.getLoop());
      if (table.getTail())
        tails.insert(table.getLoop());
      for (auto entry : table.getBody().front().getOps<sched::EntryOp>())
        byName[entry.getOp()] = entry;
    }
  }
  WalkResult result = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!sched::isScheduled(op))
      return WalkResult::advance();
    auto it = byName.find(sched::opName(op));
    if (it == byName.end()) {
      report(op, diag::plan_mismatch)
          << "this op has no entry in the plan of @" << kernel.getSymName();
      return WalkResult::interrupt();
    }
    entries[op] = it->second;
    if (auto ring = it->second.getRing()) {
      RingFacts &facts = rings[*ring];
      if (!facts.sources.empty() &&
          (facts.producer != it->second.getProcess() ||
           facts.block != op->getBlock())) {
        report(op, diag::ring_producer)
            << "ring '" << *ring << "' carries results of process '"
            << facts.producer << "' and of '" << it->second.getProcess()
            << "'; one ring has one producer, in one loop";
        return WalkResult::interrupt();
      }
      facts.producer = it->second.getProcess();
      facts.block = op->getBlock();
      facts.sources.push_back(op);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto &[name, ring] : rings)
    if (ring.sources.empty())
      return report(plan, diag::ring_unused)
             << "ring '" << name
             << "' carries nothing; remove it from the plan";
  collectCredits(kernel, plan);
  return success(
      succeeded(checkCarried(kernel)) && succeeded(checkInOrder(kernel)) &&
      succeeded(checkOverwritten(kernel)) &&
      succeeded(checkCrossings(kernel)) && succeeded(checkLate(kernel)));
}

/// A slot goes back in its own iteration.
LogicalResult Facts::checkLate(tile::KernelOp kernel) {
  WalkResult result = kernel.walk([&](tile::StoreOp store) {
    Operation *def =
        tile::lookThroughRenaming(store.getValue()).getDefiningOp();
    const RingFacts *ring = isLate(store) && def ? ringOf(def) : nullptr;
    if (!ring)
      return WalkResult::advance();
    report(store, diag::not_expandable)
        << "'" << sched::opName(store) << "' is late, but what it stores is in "
        << "a slot of ring '" << ring->name
        << "', which cannot wait for the next instance";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void Facts::collectCredits(tile::KernelOp kernel, sched::PlanOp plan) {
  for (auto table : plan.getBody().getOps<sched::TableOp>()) {
    if (!table.getOrders() || table.getIi() == 0)
      continue;
    scf::ForOp loop = sched::findLoop(kernel, table.getLoop());
    if (!loop)
      continue;
    for (RingFacts &credit : orderingCredits(*this, table, loop)) {
      auto name = StringAttr::get(kernel.getContext(), credit.name);
      rings[name.getValue()] = std::move(credit);
    }
  }
}

/// A tile that a loop hands on is made in its body, and handed on once. What a
/// process takes as it is may hand on anything.
LogicalResult Facts::checkCarried(tile::KernelOp kernel) {
  WalkResult result = kernel.walk([&](scf::ForOp loop) {
    bool isDivided = llvm::any_of(processes, [&](sched::ProcessOp process) {
      return hasWork(loop, process.getSym()) &&
             !isTakenWhole(loop, process.getSym());
    });
    SmallVector<OpOperand *> notOwned = sched::findNotOwned(loop);
    if (!isDivided || notOwned.empty())
      return WalkResult::advance();
    report(loop, diag::not_expandable)
        << "this loop hands on a tile, its value "
        << notOwned.front()->getOperandNumber() + 1 << " of "
        << loop.getNumRegionIterArgs()
        << ", that its body does not make, or that it hands on twice; compute "
           "it in the loop, or let one process have the whole loop";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Rings hand on tiles, and no order of accesses to global memory.
LogicalResult Facts::checkInOrder(tile::KernelOp kernel) {
  Operation *first = nullptr;
  WalkResult result = kernel.walk([&](Operation *op) {
    if (!op->hasAttr(tile::kInOrderAttr))
      return WalkResult::advance();
    first = first ? first : op;
    if (processOf(op) == processOf(first))
      return WalkResult::advance();
    Report error = report(op, diag::memory_order);
    error << "process '" << processOf(op)
          << "' has this access, and its order with one of process '"
          << processOf(first) << "' shows; place both in one process";
    error.attachNote(first->getLoc()) << "here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Whether the order of two accesses is kept though two processes have them:
/// what is written is made of what was read. Parts of one tile are apart; those
/// of two iterations need not be.
static bool isInOrderAnyhow(const tile::MemoryAccess &first,
                            const tile::MemoryAccess &later) {
  StringRef original = sched::originalName(first.op);
  bool isOneTile = !original.empty() &&
                   original == sched::originalName(later.op) &&
                   !sharedOrderedLoop(first.op, later.op);
  return isOneTile || lieApart(first.op, later.op) ||
         (!first.writes && needsValueOf(later.op, first.op));
}

/// Which of two tiles stays is the later one, and what is read is what was
/// there before: one process has both.
LogicalResult Facts::checkOverwritten(tile::KernelOp kernel) {
  SmallVector<tile::MemoryAccess> accesses;
  kernel.walk([&](Operation *op) {
    if (std::optional<tile::MemoryAccess> access = tile::memoryAccess(op))
      accesses.push_back(*access);
  });
  for (const tile::MemoryAccess &later : accesses)
    for (const tile::MemoryAccess &first : accesses) {
      StringRef process = processOf(later.op), other = processOf(first.op);
      if (!later.writes || process == other ||
          !tile::mayConflict(first, later) ||
          !tile::mayFollow(later.op, first.op) || isInOrderAnyhow(first, later))
        continue;
      Report error = report(later.op, diag::memory_order);
      error << "process '" << process << "' writes here where process '"
            << other << "' may "
            << (first.writes ? "have written" : "still read")
            << " another tile, and their order shows; place both in one "
               "process, or make two kernels of it";
      error.attachNote(first.op->getLoc()) << "here";
      return failure();
    }
  return success();
}

/// A tile reaches another process only through a ring, from the op that makes
/// it.
LogicalResult Facts::checkCrossings(tile::KernelOp kernel) {
  WalkResult result = kernel.walk([&](Operation *op) {
    StringRef process = processOf(op);
    if (process.empty())
      return WalkResult::advance();
    for (Value operand : op->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      Value read = tile::lookThroughRenaming(operand), source = read;
      if (auto argument = dyn_cast<BlockArgument>(read))
        if (auto loop =
                dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()))
          source = loop.getYieldedValues()[argument.getArgNumber() - 1];
      StringRef owner = ownerOf(source);
      if (owner.empty() || owner == process)
        continue;
      Operation *def = source.getDefiningOp();
      if (source != read || !def || !ringOf(def)) {
        report(op, diag::ring_needed)
            << "'" << sched::opName(op) << "' in process '" << process
            << "' reads a tile that process '" << owner << "' owns"
            << (source != read || !processOf(def).size()
                    ? " across iterations or out of a loop"
                    : "")
            << "; give the op that makes it a ring, or place "
               "both in one process";
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
