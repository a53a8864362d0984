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

bool heddle::tile::synchronises(Operation *op) {
  auto update = dyn_cast<AtomicRmwOp>(op);
  auto swap = dyn_cast<AtomicCasOp>(op);
  if (!update && !swap)
    return false;
  if ((update ? update.getOrder() : swap.getOrder()) == MemoryOrder::Relaxed)
    return false;
  if (swap || update.getScope() == Scope::System ||
      !update.getResult().use_empty())
    return true;
  Operation *kernel = op;
  while (!kernel->hasTrait<OpTrait::IsIsolatedFromAbove>())
    kernel = kernel->getParentOp();
  Origins updated = memoryAccess(op)->origins;
  return kernel
      ->walk([&](Operation *other) {
        std::optional<MemoryAccess> access = memoryAccess(other);
        if (!access)
          return WalkResult::advance();
        bool isSum = isAtomic(other) &&
                     llvm::all_of(other->getResults(),
                                  [](Value old) { return old.use_empty(); });
        bool isSeen =
            !isSum && access->reads && access->origins.mayOverlap(updated);
        bool isShown =
            !isAtomic(other) && access->writes && mayFollow(op, other);
        return isSeen || isShown ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

bool heddle::tile::isOrderedLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  bool isInstances = loop && loop.getLowerBound().getDefiningOp<WorkerIdOp>();
  return isa<scf::ForOp, scf::WhileOp>(op) && !isInstances;
}
