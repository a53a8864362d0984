//===- MemoryAccess.cpp - Which argument an op reads or writes --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/MemoryAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

std::optional<MemoryAccess> heddle::tile::memoryAccess(Operation *op,
                                                       FindSources below) {
  Value address =
      TypeSwitch<Operation *, Value>(op)
          .Case<LoadOp, StoreOp, ViewGatherOp, ViewScatterOp, ViewReduceOp>(
              [](auto op) { return op.getView(); })
          .Case<GatherOp, ScatterOp, AtomicRmwOp, AtomicCasOp>(
              [](auto op) { return op.getPtr(); })
          .Default([](Operation *) { return Value(); });
  if (!address)
    return std::nullopt;
  auto effects = cast<MemoryEffectOpInterface>(op);
  return MemoryAccess{op, findOrigins(address, below),
                      effects.hasEffect<MemoryEffects::Read>(),
                      effects.hasEffect<MemoryEffects::Write>()};
}

static bool isAtomic(Operation *op) {
  return isa<ViewReduceOp, AtomicRmwOp, AtomicCasOp>(op);
}

bool heddle::tile::mayConflict(const MemoryAccess &a, const MemoryAccess &b) {
  if ((!a.writes && !b.writes) || (isAtomic(a.op) && isAtomic(b.op)))
    return false;
  if (Attribute apart = a.op->getAttr(kApartAttr);
      apart && a.op != b.op && apart == b.op->getAttr(kApartAttr))
    return false;
  return a.origins.mayOverlap(b.origins);
}

bool heddle::tile::mayFollow(Operation *later, Operation *op) {
  for (Operation *around = op->getParentOp(); around;
       op = around, around = around->getParentOp()) {
    if (!around->isProperAncestor(later))
      continue;
    if (isOrderedLoop(around))
      return true;
    Operation *there = later;
    while (there->getParentOp() != around)
      there = there->getParentOp();
    if (there->getBlock() == op->getBlock() && op->isBeforeInBlock(there))
      return true;
  }
  return false;
}

/// Of all accesses to memory around `update`, whether one is `such`.
static bool isAnyAccess(Operation *update,
                        llvm::function_ref<bool(const MemoryAccess &)> such) {
  Operation *kernel = update;
  while (!kernel->hasTrait<OpTrait::IsIsolatedFromAbove>())
    kernel = kernel->getParentOp();
  return kernel
      ->walk([&](Operation *other) {
        std::optional<MemoryAccess> access = memoryAccess(other);
        return access && such(*access) ? WalkResult::interrupt()
                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the kernel looks at what `update` changes, there or elsewhere.
static bool isSeen(AtomicRmwOp update) {
  Origins updated = memoryAccess(update)->origins;
  return !update.getResult().use_empty() ||
         isAnyAccess(update, [&](const MemoryAccess &other) {
           bool isSum = isAtomic(other.op) &&
                        llvm::all_of(other.op->getResults(),
                                     [](Value old) { return old.use_empty(); });
           return !isSum && other.reads && other.origins.mayOverlap(updated);
         });
}

bool heddle::tile::synchronises(Operation *op) {
  if (auto swap = dyn_cast<AtomicCasOp>(op))
    return swap.getOrder() != MemoryOrder::Relaxed;
  auto update = dyn_cast<AtomicRmwOp>(op);
  if (!update || update.getOrder() == MemoryOrder::Relaxed)
    return false;
  return update.getScope() == Scope::System || isSeen(update) ||
         isAnyAccess(op, [&](const MemoryAccess &other) {
           return !isAtomic(other.op) && other.writes &&
                  mayFollow(op, other.op);
         });
}

bool heddle::tile::onlyReleases(Operation *op) {
  auto update = dyn_cast<AtomicRmwOp>(op);
  return update && update.getScope() != Scope::System && !isSeen(update);
}

bool heddle::tile::isOrderedLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  bool isInstances = loop && loop.getLowerBound().getDefiningOp<WorkerIdOp>();
  return isa<scf::ForOp, scf::WhileOp>(op) && !isInstances;
}
