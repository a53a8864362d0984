//===- Events.cpp - Operations of the hopper rung as events -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: one operation of the hopper dialect. Out: the event that the prover sees,
// with the bytes of shared memory that it reads and writes. A tile's place is
// followed back through loops and branches to its slot or buffer. Where the
// ways back disagree that is a gap, because a guess could hide a race.
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::check {

int Extractor::ringNamed(Operation *op, StringRef name) {
  for (size_t i = 0; i < protocol.rings.size(); ++i)
    if (protocol.rings[i].name == name)
      return int(i);
  fail(op, "names ring '" + name.str() + "', which the kernel does not have");
  return -1;
}

Event Extractor::event(Event::Kind kind, Operation *op) {
  Event event;
  event.kind = kind;
  event.text = op->getName().stripDialect();
  return event;
}

/// The operations that a tile in shared memory may come from, through loops
/// and branches.
static void findOrigins(mlir::Value tile, SmallPtrSetImpl<void *> &visited,
                        SmallVectorImpl<Operation *> &origins) {
  if (!visited.insert(tile.getAsOpaquePointer()).second)
    return;
  auto from = [&](mlir::Value value) { findOrigins(value, visited, origins); };
  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return origins.push_back(nullptr);
    from(loop.getTiedLoopInit(argument)->get());
    from(loop.getTiedLoopYieldedValue(argument)->get());
    return;
  }
  auto result = cast<OpResult>(tile);
  Operation *op = result.getOwner();
  if (auto trans = dyn_cast<hopper::SharedTransOp>(op)) {
    from(trans.getTile());
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    from(loop.getTiedLoopRegionIterArg(result));
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (mlir::Region *region : branch.getRegions())
      if (!region->empty())
        from(region->front().getTerminator()->getOperand(
            result.getResultNumber()));
  } else {
    origins.push_back(op);
  }
}

void Extractor::addRegion(Operation *op, mlir::Value tile,
                          std::vector<Region> &into) {
  auto type = dyn_cast<hopper::SmemType>(tile.getType());
  if (!type)
    return; // in registers
  SmallPtrSet<void *, 8> visited;
  SmallVector<Operation *> origins;
  findOrigins(tile, visited, origins);
  std::optional<Region> region;
  for (Operation *origin : origins) {
    Region next;
    next.bytes = type.getSizeBytes();
    // All blocks run one text: as this one reads there, others read here, each
    // in another tile of the row.
    if (auto peer = dyn_cast_or_null<hopper::ClusterTileOp>(origin)) {
      next.bytes *=
          hopper::clusterBlocks(op->getParentOfType<hopper::KernelOp>());
      origin = peer.getTile().getDefiningOp();
    }
    if (auto slot = dyn_cast_or_null<hopper::SlotOp>(origin)) {
      next.ring = ringNamed(op, slot.getRing());
      next.offset = slot.getOffset();
      if (next.ring < 0)
        return;
    } else if (auto buffer = dyn_cast_or_null<hopper::BufferOp>(origin)) {
      next.offset = buffer.getOffset();
      next.name = buffer.getSym();
    } else {
      return fail(op, "uses shared memory whose place is not known");
    }
    if (region && (region->ring != next.ring || region->offset != next.offset))
      return fail(op, "uses different places in shared memory, depending on "
                      "control flow");
    region = next;
  }
  if (region->ring >= 0)
    region->slot = number(tile);
  into.push_back(std::move(*region));
}

static Type tileOf(TypedValue<hopper::SmemType> tile) {
  return RankedTensorType::get(tile.getType().getShape(),
                               tile.getType().getElementType());
}

/// The waits whose values a tile is, through operations that name registers.
static void findWaits(mlir::Value tile,
                      SmallVectorImpl<hopper::WgmmaWaitOp> &waits) {
  Operation *op = tile.getDefiningOp();
  if (auto wait = dyn_cast_or_null<hopper::WgmmaWaitOp>(op))
    waits.push_back(wait);
  else if (isa_and_present<hopper::SubtileOp, hopper::ConvertLayoutOp,
                           tile::ReshapeOp, tile::ExpandDimsOp,
                           tile::BroadcastOp, tile::TransOp, tile::JoinOp,
                           tile::SplitOp, tile::CatOp>(op))
    for (mlir::Value operand : op->getOperands())
      findWaits(operand, waits);
}

/// May a product begin between the wait and what uses its value?
static bool isBehindProduct(hopper::WgmmaWaitOp wait, Operation *user) {
  Operation *last = wait->getBlock()->findAncestorOpInBlock(*user);
  for (Operation *op = wait; op && op != last; op = op->getNextNode())
    if (op->walk([](hopper::WgmmaOp) {
            return WalkResult::interrupt();
          }).wasInterrupted())
      return true;
  return last && last != user &&
         last->walk([](hopper::WgmmaOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

/// A value stands in its product's registers up to its last use. Where no
/// product began meanwhile, that is as good as at the wait. What is handed on
/// is copied.
void Extractor::holdFlights(Operation *op, Statements &into) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<hopper::ArriveOp>(op))
    return;
  SmallVector<hopper::WgmmaWaitOp> waits;
  for (mlir::Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      findWaits(operand, waits);
  for (hopper::WgmmaWaitOp wait : waits) {
    if (!isBehindProduct(wait, op))
      continue;
    Statement statement;
    statement.kind = Statement::Happen;
    statement.place = placeOf(op->getLoc());
    statement.event = event(Event::Hold, op);
    statement.event.flight = number(wait.getFlight());
    into.push_back(std::move(statement));
  }
}

bool Extractor::visitEvent(Operation *op, Statements &into) {
  std::optional<Event> found;
  auto ring = [&](StringRef name, mlir::Value slot) {
    found->ring = ringNamed(op, name);
    found->slot = number(slot);
  };
  auto side = [&](StringRef name) {
    if (name != "full" && name != "empty")
      fail(op, "names side '" + name.str() + "'");
    found->side = name == "empty" ? Side::Empty : Side::Full;
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](hopper::WaitOp op) {
        found = event(Event::Wait, op);
        ring(op.getRing(), op.getSlot());
        side(op.getSide());
        found->phase = number(op.getPhase());
      })
      .Case([&](hopper::ArriveOp op) {
        found = event(
            op.getCopies().empty() ? Event::Arrive : Event::ArriveCopies, op);
        ring(op.getRing(), op.getSlot());
        side(op.getSide());
      })
      .Case([&](hopper::ExpectOp op) {
        found = event(Event::Expect, op);
        ring(op.getRing(), op.getSlot());
        found->bytes = op.getBytes();
      })
      .Case([&](hopper::SyncOp op) {
        found = event(Event::Sync, op);
        found->id = op.getId();
        found->threads = op.getThreads();
      })
      .Case([&](hopper::FenceAsyncOp op) {
        found = event(Event::FenceAsync, op);
      })
      .Case([&](hopper::TmaLoadOp op) {
        found = event(Event::TmaLoad, op);
        ring(op.getRing(), op.getSlot());
        addRegion(op, op.getTile(), found->writes);
      })
      .Case([&](hopper::TmaStoreOp op) {
        found = event(Event::TmaStore, op);
        addRegion(op, op.getTile(), found->reads);
      })
      .Case([&](hopper::TmaStoreWaitOp op) {
        found = event(Event::TmaStoreWait, op);
        found->pending = op.getPending();
      })
      .Case([&](hopper::LocalStoreOp op) {
        found = event(Event::Generic, op);
        addRegion(op, op.getTile(), found->writes);
        if (isNumber(op.getValue().getType()))
          found->stored = number(op.getValue());
      })
      .Case([&](hopper::CopyOp op) {
        found = event(op.getUnderWay() ? Event::Copy : Event::Generic, op);
        addRegion(op, op.getTile(), found->writes);
        if (isNumber(tileOf(op.getTile())))
          found->stored =
              element(op.getView(), op.getOffsets(), tileOf(op.getTile()));
      })
      .Case([&](hopper::LocalCountOp op) {
        found = event(Event::Generic, op);
        addRegion(op, op.getTile(), found->writes);
        found->updates = true;
      })
      .Case([&](hopper::LocalLoadOp op) {
        found = event(Event::Generic, op);
        addRegion(op, op.getTile(), found->reads);
        if (isNumber(op.getValue().getType()))
          found->loaded = known[op.getValue()] = data(op.getValue().getType());
      })
      .Case<hopper::LocalTakeOp, hopper::LocalUnfoldOp>([&](auto op) {
        found = event(Event::Generic, op);
        addRegion(op, op.getTile(), found->reads);
      })
      .Case([&](hopper::WgmmaOp op) {
        found = event(Event::Wgmma, op);
        addRegion(op, op.getA(), found->reads);
        addRegion(op, op.getB(), found->reads);
        if (isa<RankedTensorType>(op.getA().getType())) {
          found->operand = number(op.getA());
          found->operandLoops = loopsAround.lookup(op.getA());
        }
        if (op.getAcc() && isa<hopper::FlightType>(op.getAcc().getType()))
          found->accumulator = number(op.getAcc());
        Definition flight;
        flight.kind = Definition::Flight;
        found->flight = known[op.getFlight()] = define(flight);
      })
      .Case([&](hopper::WgmmaWaitOp op) {
        found = event(Event::WgmmaWait, op);
        found->flight = number(op.getFlight());
        found->pending = op.getPending();
        found->isRead =
            llvm::any_of(op.getValue().getUsers(), [](Operation *user) {
              return !isa<hopper::ArriveOp>(user);
            });
      })
      .Default([](Operation *) {});
  if (!found)
    return isa<hopper::SlotOp, hopper::BufferOp, hopper::SharedTransOp,
               hopper::ClusterTileOp>(op);
  if (!gap.empty())
    return true;
  Statement statement;
  statement.kind = Statement::Happen;
  statement.place = placeOf(op->getLoc());
  statement.event = std::move(*found);
  into.push_back(std::move(statement));
  return true;
}

} // namespace heddle::check
