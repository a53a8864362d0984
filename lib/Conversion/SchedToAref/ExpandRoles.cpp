//===- ExpandRoles.cpp - A plan by roles to processes and rings -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and its plan by roles. Out: rings, and a process for each of the
// plan's.
//
//===----------------------------------------------------------------------===//

#include "ExpandRoles.h"

#include "GroupLoops.h"
#include "RoleEmitter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Transforms/SplitTiles.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

static void noteIdleRings(sched::PlanOp plan,
                          const llvm::StringMap<Value> &made) {
  for (auto ring : plan.getBody().getOps<sched::RingOp>())
    if (!made.contains(ring.getSym()))
      report(ring, diag::ring_idle)
          << "ring '" << ring.getSym()
          << "' carries nothing as control passes now: who would get from it "
             "reads for itself";
}

/// What the entries of `plan` send through `ring`.
static SmallVector<Operation *> sourcesOf(tile::KernelOp kernel,
                                          sched::PlanOp plan, StringRef ring) {
  llvm::StringSet<> names;
  for (auto table : plan.getBody().getOps<sched::TableOp>())
    for (auto entry : table.getBody().getOps<sched::EntryOp>())
      if (entry.getRing() == ring)
        names.insert(entry.getOp());
  SmallVector<Operation *> sources;
  kernel.walk([&](Operation *op) {
    if (names.contains(sched::opName(op)))
      sources.push_back(op);
  });
  return sources;
}

static bool writes(Operation *op) {
  bool found = false;
  op->walk([&](Operation *inner) {
    auto access = tile::memoryAccess(inner);
    found |= access && access->writes;
  });
  return found;
}

/// Each piece in front of its first reader, so that one is done with before the
/// next comes.
static void orderByPieces(tile::KernelOp kernel) {
  SmallVector<Operation *> pieces;
  kernel.walk([&](Operation *op) {
    if (op->hasAttr(sched::kSubIndex) && !op->getNumRegions() && !writes(op))
      pieces.push_back(op);
  });
  for (Operation *op : llvm::reverse(pieces)) {
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *reader = op->getBlock()->findAncestorOpInBlock(*user);
      if (reader && (!first || reader->isBeforeInBlock(first)))
        first = reader;
    }
    if (!first || first->hasTrait<OpTrait::IsTerminator>())
      continue;
    bool readsAhead = !isMemoryEffectFree(op);
    bool staysInOrder = true;
    for (Operation *between = op->getNextNode(); between != first;
         between = between->getNextNode())
      staysInOrder &= !readsAhead || !writes(between);
    if (staysInOrder)
      op->moveBefore(first);
  }
}

/// Tiles become pieces of what their ring carries a turn.
static LogicalResult splitTurns(tile::KernelOp kernel, sched::PlanOp plan) {
  bool isSplit = false;
  for (auto ring : plan.getBody().getOps<sched::RingOp>()) {
    if (!ring.getCarries())
      continue;
    int64_t carries = int64_t(*ring.getCarries());
    auto decline = [&](Operation *op) {
      return report(op, diag::ring_carries)
             << "ring '" << ring.getSym() << "' carries " << carries
             << " elements a turn, but ";
    };
    bool isShared = sourcesOf(kernel, plan, ring.getSym()).size() > 1;
    // Splitting makes all operations anew.
    for (size_t number = 0;; ++number) {
      SmallVector<Operation *> sources = sourcesOf(kernel, plan, ring.getSym());
      if (number >= sources.size())
        break;
      Value tile = sources[number]->getResult(0);
      auto type = cast<RankedTensorType>(tile.getType());
      int64_t axis = type.getRank() - 1, extent = type.getDimSize(axis);
      // A number beside a row goes whole, in a turn of its own.
      if (extent == carries || (extent < carries && isShared))
        continue;
      if (extent % carries)
        return decline(sources[number])
               << "its tile has " << extent << ", which is no multiple";
      SplitObstacle obstacle = splitAlong(kernel, tile, axis, carries);
      if (obstacle.op)
        return decline(obstacle.op) << obstacle.reason;
      isSplit = true;
      number = size_t(-1); // what is left keeps its name
    }
  }
  if (isSplit)
    orderByPieces(kernel);
  return success();
}

LogicalResult heddle::expander::expandByRoles(tile::KernelOp kernel,
                                              sched::PlanOp plan) {
  if (failed(splitTurns(kernel, plan)) || failed(groupLoops(kernel, plan)))
    return failure();
  RoleFacts facts;
  if (failed(facts.collect(kernel, plan)))
    return failure();
  Block &entry = kernel.getEntry();
  SmallVector<Operation *> original;
  for (Operation &op : entry)
    if (!facts.isShared(&op))
      original.push_back(&op);
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToEnd(&entry);
  llvm::StringMap<Value> rings;
  for (const Message &message : facts.messages) {
    if (rings.contains(message.ring))
      continue;
    auto type =
        aref::RingType::get(builder.getContext(), payloadOf(facts, message));
    Operation *place =
        message.first ? message.first : scf::ForOp(message.loop).getOperation();
    rings[message.ring] = aref::RingOp::create(
        builder, place->getLoc(), type, builder.getStringAttr(message.ring),
        builder.getI64IntegerAttr(facts.depthOf(message.ring)));
  }
  noteIdleRings(plan, rings);
  for (auto [number, process] : llvm::enumerate(facts.processes)) {
    auto op = aref::ProcessOp::create(
        builder, kernel.getLoc(), process.getSymAttr(), process.getWarpsAttr(),
        process.getRegistersAttr(), process.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&op.getBody());
    if (failed(RoleEmitter(facts, unsigned(number), builder, rings).run(entry)))
      return failure();
  }
  for (Operation *op : llvm::reverse(original)) {
    op->dropAllDefinedValueUses();
    op->erase();
  }
  if (auto machine = plan->getAttrOfType<StringAttr>(sched::kMachine))
    kernel->setAttr(aref::kMachine, machine);
  plan.erase();
  return success();
}
