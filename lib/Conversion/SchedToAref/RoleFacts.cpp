//===- RoleFacts.cpp - What each process of a plan by roles needs ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs go backwards from what a process executes. A number that no operation
// of the plan makes is repeated by whoever needs it; where it is made of
// several results of one other process, that process makes it and sends one.
//
//===----------------------------------------------------------------------===//

#include "RoleFacts.h"

#include "GroupLoops.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

llvm::SetVector<Value> RoleFacts::readsOf(Operation *op) {
  llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

static bool isControl(Operation *op) { return isa<scf::ForOp, scf::IfOp>(op); }

std::optional<unsigned> RoleFacts::ownerOf(Operation *op) const {
  auto it = owners.find(op);
  return it == owners.end() ? std::nullopt : std::optional(it->second);
}

int64_t RoleFacts::depthOf(StringRef ring) const {
  auto it = depths.find(ring);
  return it == depths.end() ? sched::kDepthOfNumbers : it->second;
}

/// The ring of what iterations behind the last group send.
static std::string ringOfRest(StringRef ring) { return ring.str() + ".rest"; }

/// The ring of what was too short to be cut to what a turn of `ring` carries.
static std::string ringOfWhole(StringRef ring) { return ring.str() + ".whole"; }

/// Whether the loop in whose table `op` stands has what groups leave over.
static bool isInRest(Operation *op) {
  Operation *around = op->getParentOp();
  while (!isa<tile::KernelOp>(around) && sched::loopName(around).empty())
    around = around->getParentOp();
  return around->hasAttr(kRest);
}

static bool isMemoryEffectFreeOrReads(Operation *op) {
  if (isa<scf::WhileOp>(op)) // may never end, or store
    return false;
  auto access = tile::memoryAccess(op);
  return access ? !access->writes : isMemoryEffectFree(op);
}

bool RoleFacts::executes(unsigned process, Operation *op) const {
  if (isShared(op))
    return false;
  // What nobody reads need not be made, as a load whose readers all repeat it.
  if (auto owner = ownerOf(op); owner && *owner == process)
    return op->getNumResults() == 0 || !isMemoryEffectFreeOrReads(op) ||
           llvm::any_of(op->getResults(), [&](Value result) {
             return needs(process, result) || sent.contains(result);
           });
  if (copied[process].contains(op))
    return true;
  return !ownerOf(op) && llvm::any_of(op->getResults(), [&](Value result) {
    auto it = sent.find(result);
    return needs(process, result) &&
           (it == sent.end() || !it->second.second.contains(process));
  });
}

const Message *RoleFacts::controlOf(unsigned process, scf::ForOp loop) const {
  // Who is told of groups knows the rest, too.
  scf::ForOp groups = groupsOf(loop);
  bool isCounted = groups && controlKind(loop) == "count";
  for (const Message &message : messages)
    if (message.kind != Message::Values &&
        message.loop == (isCounted ? groups : loop) &&
        message.consumers.contains(process))
      return &message;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

LogicalResult RoleFacts::readPlan(tile::KernelOp kernel, sched::PlanOp plan) {
  llvm::StringMap<unsigned> numbers;
  llvm::StringMap<sched::EntryOp> byName;
  for (Operation &op : plan.getBody().front()) {
    if (auto process = dyn_cast<sched::ProcessOp>(op)) {
      if (!process.getUnit())
        return reportOp(process, diag::not_expandable)
               << "gives '" << process.getSym()
               << "' warps, but other processes are on units; a plan by roles "
                  "has units only";
      numbers[process.getSym()] = unsigned(processes.size());
      processes.push_back(process);
    } else if (auto ring = dyn_cast<sched::RingOp>(op)) {
      depths[ring.getSym()] = int64_t(ring.getDepth());
      if (ring.getRest())
        depths[ringOfRest(ring.getSym())] = int64_t(*ring.getRest());
      if (ring.getCarries() && ring.getRest())
        depths[ringOfRest(ringOfWhole(ring.getSym()))] =
            int64_t(*ring.getRest());
      if (ring.getCarries())
        depths[ringOfWhole(ring.getSym())] =
            std::min<int64_t>(int64_t(ring.getDepth()), sched::kDepthOfNumbers);
    } else if (auto table = dyn_cast<sched::TableOp>(op)) {
      if (table.getIi() > 0)
        return reportOp(table, diag::not_expandable)
               << "gives loop '" << table.getLoop()
               << "' a timetable in a plan by roles; its loops have ii 0 yet";
      if (table.getControl())
        controls[table.getLoop()] = table.getControl()->str();
      for (auto entry : table.getBody().front().getOps<sched::EntryOp>())
        byName[entry.getOp()] = entry;
    }
  }
  ownParts.resize(processes.size());
  parts.resize(processes.size());
  copied.resize(processes.size());
  needed.resize(processes.size());
  WalkResult result = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef name = sched::opName(op);
    if (name.empty())
      return WalkResult::advance();
    // A piece of a tile goes where the tile goes.
    if (op->hasAttr(sched::kSubIndex) && !byName.contains(name))
      name = name.split('.').first;
    auto it = byName.find(name);
    if (it == byName.end()) {
      report(op, diag::plan_mismatch)
          << "this op has no entry in the plan of @" << kernel.getSymName();
      return WalkResult::interrupt();
    }
    if (it->second.getLate()) {
      reportOp(it->second, diag::not_expandable)
          << "is late, which a plan by roles has no form for";
      return WalkResult::interrupt();
    }
    entries[op] = it->second;
    unsigned owner = numbers.lookup(it->second.getProcess());
    owners[op] = owner;
    for (Operation *around = op->getParentOp(); around != kernel;
         around = around->getParentOp())
      ownParts[owner].insert(around);
    return isControl(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A loop that runs until something computed ends it is one process's, with all
/// that stands in it.
LogicalResult RoleFacts::ownWhole(tile::KernelOp kernel) {
  WalkResult result = kernel.walk<WalkOrder::PreOrder>([&](scf::WhileOp loop) {
    llvm::SetVector<unsigned> inside;
    loop->walk([&](Operation *op) {
      if (auto owner = ownerOf(op))
        inside.insert(*owner);
    });
    if (inside.size() > 1) {
      report(loop, diag::not_expandable)
          << "processes '" << nameOf(inside[0]) << "' and '"
          << nameOf(inside[1])
          << "' share this loop, whose end only who computes knows; put all of "
             "it into one process";
      return WalkResult::interrupt();
    }
    if (!inside.empty())
      owners[loop] = inside.front();
    return WalkResult::skip();
  });
  return failure(result.wasInterrupted());
}

/// Between processes only rings keep an order, so accesses whose order may show
/// are one process's.
LogicalResult RoleFacts::checkMemory(tile::KernelOp kernel) {
  kernel.walk([&](Operation *op) {
    if (auto access = tile::memoryAccess(op))
      accesses.push_back(*access);
  });
  for (auto [number, later] : llvm::enumerate(accesses))
    for (const tile::MemoryAccess &earlier :
         ArrayRef(accesses).take_front(number)) {
      auto first = ownerOf(earlier.op), second = ownerOf(later.op);
      if (!first || !second || *first == *second ||
          !tile::mayConflict(earlier, later))
        continue;
      return report(later.op, diag::not_expandable)
             << "'" << sched::opName(earlier.op) << "' in process '"
             << nameOf(*first) << "' and '" << sched::opName(later.op)
             << "' in process '" << nameOf(*second)
             << "' may touch the same memory, and one writes; put both into "
                "one process";
    }
  return success();
}

StringRef RoleFacts::controlKind(scf::ForOp loop) const {
  auto it = controls.find(sched::loopName(loop));
  return it == controls.end() ? StringRef("replicate") : StringRef(it->second);
}

/// The first process that takes part knows the bounds by itself.
unsigned RoleFacts::driverOf(scf::ForOp loop) const {
  for (unsigned process = 0; process < processes.size(); ++process)
    if (isPart(process, loop))
      return process;
  return 0;
}

/// Does the value follow from a result of the plan's operations?
bool RoleFacts::comesFromOthers(Value value) const {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(seen[i])) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop)
        continue;
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        seen.insert(bound);
      if (argument != loop.getInductionVar()) {
        seen.insert(loop.getInitArgs()[argument.getArgNumber() - 1]);
        seen.insert(loop.getYieldedValues()[argument.getArgNumber() - 1]);
      }
      continue;
    }
    Operation *def = seen[i].getDefiningOp();
    if (ownerOf(def) || isControl(def))
      return true;
    for (Value read : readsOf(def))
      seen.insert(read);
  }
  return false;
}

/// "replicate": the process reads for itself what the bounds are made of.
LogicalResult RoleFacts::copyBounds(unsigned process, scf::ForOp loop) {
  llvm::SetVector<Value> seen;
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    seen.insert(bound);
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *def = seen[i].getDefiningOp();
    if (!def || isControl(def))
      continue;
    if (auto owner = ownerOf(def); owner && *owner != process) {
      auto access = tile::memoryAccess(def);
      if (access && llvm::any_of(accesses, [&](const auto &other) {
            return tile::mayConflict(*access, other);
          }))
        return report(def, diag::not_expandable)
               << "loop '" << sched::loopName(loop)
               << "' is replicated, but its bounds come from '"
               << sched::opName(def)
               << "', which touches what the kernel writes; choose \"count\" "
                  "for the loop";
      copied[process].insert(def);
    }
    for (Value read : readsOf(def))
      seen.insert(read);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Needs
//===----------------------------------------------------------------------===//

void RoleFacts::requireOp(unsigned process, Operation *op) {
  enter(process, op);
  for (Value read : readsOf(op))
    require(process, read);
}

void RoleFacts::enter(unsigned process, Operation *op) {
  for (Operation *around = op->getParentOp(); !isa<tile::KernelOp>(around);
       around = around->getParentOp()) {
    if (!parts[process].insert(around).second)
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(around))
      requireControl(process, loop);
    else if (auto conditional = dyn_cast<scf::IfOp>(around))
      require(process, conditional.getCondition());
  }
}

void RoleFacts::requireControl(unsigned process, scf::ForOp loop) {
  StringRef kind = controlKind(loop);
  Value bounds[] = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  bool isKnown = kind != "flag" && !llvm::any_of(bounds, [&](Value bound) {
                   return comesFromOthers(bound);
                 });
  if (isKnown || kind == "replicate" || driverOf(loop) == process)
    for (Value bound : bounds)
      require(process, bound);
  else
    told[loop].insert(process);
}

/// The other process that would send an op's result to this one: the op's, or,
/// of a number made of several results of one process, that one.
std::optional<unsigned> RoleFacts::senderOf(unsigned process,
                                            Operation *op) const {
  if (copied[process].contains(op))
    return std::nullopt;
  if (auto owner = ownerOf(op))
    return *owner == process ? std::nullopt : owner;
  // A constant tile, or a view, is made of its numbers by whoever needs it.
  if (op->getNumResults() != 1 || isControl(op) ||
      !op->getResult(0).getType().isIntOrIndexOrFloat())
    return std::nullopt;
  llvm::SetVector<Operation *> seen, makers;
  seen.insert(op);
  for (size_t i = 0; i < seen.size(); ++i)
    for (Value read : readsOf(seen[i]))
      if (Operation *def = read.getDefiningOp();
          def && !isShared(def) && !isControl(def)) {
        if (ownerOf(def) && !copied[process].contains(def))
          makers.insert(def);
        else
          seen.insert(def);
      }
  if (makers.size() < 2)
    return std::nullopt;
  unsigned sender = *ownerOf(makers.front());
  bool isOfOne = llvm::all_of(
      makers, [&](Operation *maker) { return *ownerOf(maker) == sender; });
  Operation *around = op->getParentOp();
  bool isThere = isa<tile::KernelOp>(around) || isPart(sender, around);
  return isOfOne && isThere && sender != process ? std::optional(sender)
                                                 : std::nullopt;
}

void RoleFacts::send(unsigned from, unsigned to, Value value) {
  auto &[sender, consumers] = sent[value];
  sender = from;
  consumers.insert(to);
  // Who gets it does so where it is made.
  enter(to, value.getDefiningOp());
  if (!ownerOf(value.getDefiningOp()))
    require(from, value);
}

void RoleFacts::require(unsigned process, Value value) {
  if (!needed[process].insert(value).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return;
    if (argument != loop.getInductionVar()) {
      unsigned number = argument.getArgNumber() - 1;
      require(process, loop.getInitArgs()[number]);
      require(process, loop.getYieldedValues()[number]);
    } else if (controlKind(loop) == "count") {
      // From the number of an iteration it counts where it is.
      require(process, loop.getLowerBound());
      require(process, loop.getStep());
    }
    return;
  }
  Operation *def = value.getDefiningOp();
  if (isShared(def))
    return;
  if (auto sender = senderOf(process, def))
    return send(*sender, process, value);
  if (ownerOf(def) == process)
    return;
  if (!isControl(def))
    return requireOp(process, def);
  // Of a loop or conditional: it takes part, and carries what comes out.
  unsigned number = cast<OpResult>(value).getResultNumber();
  enter(process, def->getRegion(0).front().getTerminator());
  if (auto loop = dyn_cast<scf::ForOp>(def))
    require(process, loop.getRegionIterArg(number));
  else
    for (Region &region : def->getRegions())
      require(process, region.front().getTerminator()->getOperand(number));
}

LogicalResult RoleFacts::collect(tile::KernelOp kernel, sched::PlanOp plan) {
  if (failed(readPlan(kernel, plan)) || failed(ownWhole(kernel)) ||
      failed(checkMemory(kernel)))
    return failure();
  for (Operation &op : kernel.getEntry())
    if (!ownerOf(&op) && !op.getNumRegions() && isMemoryEffectFree(&op) &&
        llvm::all_of(readsOf(&op), [&](Value read) {
          Operation *def = read.getDefiningOp();
          return !def || shared.contains(def);
        }))
      shared.insert(&op);
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    for (unsigned process = 0; process < processes.size(); ++process)
      if (controlKind(loop) == "replicate" && isPart(process, loop) &&
          failed(copyBounds(process, loop)))
        return failure();
  // In the order of the program, so that all that follows is in one order.
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto owner = ownerOf(op))
      requireOp(*owner, op);
    for (unsigned process = 0; process < processes.size(); ++process)
      if (copied[process].contains(op))
        requireOp(process, op);
  });
  return success(succeeded(makeMessages(kernel)) && succeeded(checkMessages()));
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

LogicalResult RoleFacts::makeMessages(tile::KernelOp kernel) {
  WalkResult result = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (unsigned process : told[op]) {
        if (!loop.getInductionVar().getType().isIndex()) {
          report(op, diag::not_expandable)
              << "loop '" << sched::loopName(op) << "' counts in "
              << loop.getInductionVar().getType()
              << ", and only indices are told; choose \"replicate\" for it";
          return WalkResult::interrupt();
        }
        bool isCount = controlKind(loop) == "count";
        if (isCount && groupsOf(loop))
          continue; // told with the groups
        Message &message = messages.emplace_back();
        message.kind = isCount ? Message::Count : Message::Flag;
        message.ring = (isCount ? "count." : "flag.") +
                       sched::loopName(loop).str() + "." +
                       processes[process].getSym().str();
        message.producer = driverOf(loop);
        message.consumers.insert(process);
        message.loop = loop;
      }
    for (OpResult value : op->getResults())
      if (failed(addValue(op, value)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Whether tiles that the ring carries were cut.
bool RoleFacts::hasPieces(StringRef ring) const {
  return llvm::any_of(entries, [&](const auto &placed) {
    sched::EntryOp entry = placed.second;
    return entry.getRing() == ring && placed.first->hasAttr(sched::kSubIndex);
  });
}

LogicalResult RoleFacts::addValue(Operation *op, OpResult value) {
  auto it = sent.find(value);
  if (it == sent.end())
    return success();
  auto &[producer, consumers] = it->second;
  sched::EntryOp entry = entries.lookup(op);
  // Numbers find a ring of their own.
  bool isNamed = entry && entry.getRing();
  if (entry && !isNamed && isa<TensorType>(value.getType()))
    return report(op, diag::ring_needed)
           << "process '" << processes[consumers.front()].getSym()
           << "' reads what '" << sched::opName(op) << "' in process '"
           << processes[producer].getSym()
           << "' makes; give the op that makes it a ring, or place both in one "
              "process";
  std::string ring = isNamed ? entry.getRing()->str()
                             : "numbers." + std::to_string(messages.size());
  if (isNamed && !op->hasAttr(sched::kSubIndex) &&
      depths.contains(ringOfWhole(ring)) && hasPieces(ring))
    ring = ringOfWhole(ring);
  if (isNamed && depths.contains(ringOfRest(ring)) && isInRest(op))
    ring = ringOfRest(ring);
  // Neighbours of one ring share its turn, and so do the results of one op;
  // pieces of one tile take turns.
  bool isAlso = !messages.empty() && messages.back().last == op;
  bool joins = isNamed && (isAlso || !op->hasAttr(sched::kSubIndex)) &&
               !messages.empty() && messages.back().kind == Message::Values &&
               messages.back().ring == ring &&
               messages.back().last->getBlock() == op->getBlock();
  for (Operation *between =
           joins && !isAlso ? messages.back().last->getNextNode() : op;
       between != op; between = between->getNextNode())
    joins &= !ownerOf(between) && !between->getNumRegions();
  Message &message = joins ? messages.back() : messages.emplace_back();
  if (!joins)
    message.first = op;
  message.ring = std::move(ring);
  message.producer = producer;
  message.last = op;
  message.values.push_back(value);
  message.consumers.insert(consumers.begin(), consumers.end());
  return success();
}

/// A ring has one producer and one payload, and nobody waits for who comes
/// after: then the processes' order is one in which all can go on.
LogicalResult RoleFacts::checkMessages() {
  llvm::StringMap<const Message *> firstOf;
  auto placeOf = [](const Message &message) {
    return message.last ? message.last
                        : scf::ForOp(message.loop).getOperation();
  };
  for (const Message &message : messages) {
    Operation *place = placeOf(message);
    for (unsigned consumer : message.consumers)
      if (consumer <= message.producer)
        return report(place, diag::role_order)
               << "process '" << processes[consumer].getSym()
               << "' needs what process '"
               << processes[message.producer].getSym()
               << "' makes here, but stands before it in the plan; processes "
                  "stand in the order in which values go";
    auto [known, isNew] = firstOf.try_emplace(message.ring, &message);
    const Message &first = *known->second;
    if (isNew)
      continue;
    bool isAlike =
        first.producer == message.producer &&
        llvm::equal(first.values, message.values, [](Value a, Value b) {
          return a.getType() == b.getType();
        });
    if (!isAlike)
      return report(place, diag::ring_producer)
             << "ring '" << message.ring
             << "' carries other values here than at its first turn; give them "
                "a ring of their own";
  }
  return success();
}
